"""German words of everyday and office questions with their English ones, for reading a German question in English.

Nouns stand without endings, verbs as infinitives with the English verb (and its past and participle where they are irregular). What has an ending and
what is made of two of these words is worked out in `agents.german.translation`. `_` joins the words of one translation; an empty one is left out.
"""

from __future__ import annotations

# Articles, pronouns, prepositions, conjunctions, auxiliaries, words that ask: as they stand.
FUNCTION_WORDS = """
der=the die=the das=the den=the dem=the des=of_the ein=a eine=a einen=a einem=a einer=a eines=a kein=no keine=no keinen=no keinem=no keiner=no
ich=I wir=we uns=us du=you sie=they er=he es=it man=one mir=me mich=me ihr=her ihre=their ihren=their ihrem=their seine=his seinen=his seiner=his
unser=our unsere=our unseren=our unserem=our unserer=our unseres=our mein=my meine=my meinen=my meinem=my meiner=my meines=my ihnen=them ihm=him
ihn=him dieser=this diese=this dieses=this diesem=this diesen=this jeder=every jede=every jedes=every jedem=every jeden=every alle=all allen=all
aller=all wer=who wen=whom wem=whom wessen=whose was=what wann=when wo=where wohin=where woher=where_from warum=why wieso=why weshalb=why wie=how
welche=which welcher=which welches=which welchen=which welchem=which wieviel=how_much wofür=for_what wozu=for_what womit=with_what wodurch=by_what
worüber=about_what wovon=of_what woran=of_what worauf=on_what worin=in_what wogegen=against_what in=in im=in_the ins=into_the an=at am=on auf=on
aus=from bei=at beim=at_the mit=with nach=after von=of vom=of_the zu=to zum=to_the zur=to_the für=for um=at durch=by gegen=against ohne=without
bis=until seit=since über=about unter=under vor=before zwischen=between während=during wegen=because_of laut=according_to gemäß=according_to
pro=per je=per ab=from innerhalb=within außerhalb=outside neben=beside hinter=behind trotz=despite per=by und=and oder=or aber=but wenn=when
falls=if dass=that ob=whether sobald=as_soon_as solange=as_long_as bevor=before nachdem=after weil=because damit=so_that nicht=not nichts=nothing
niemand=nobody jemand=somebody etwas=something auch=also nur=only noch=still schon=already mehr=more weniger=less sehr=very mindestens=at_least
höchstens=at_most maximal=at_most minimal=at_least ungefähr=about etwa=about genau=exactly insgesamt=in_total dort=there hier=here jetzt=now
heute=now derzeit=now momentan=now aktuell=now gerade=now zurzeit=now zuletzt=last zuerst=first danach=afterwards vorher=before früher=before
wieder=again immer=always nie=never oft=often manchmal=sometimes sofort=at_once gestern=yesterday morgen=tomorrow bereits=already selbst=itself
dabei=present meisten=most wenigsten=fewest denn= eigentlich= doch= mal= bitte= ja= eben= überhaupt= gern= gerne= also=so dann=then sonst=else als=as
da=there dazu=on_this davon=of_it
darin=in_it dafür=for_it ist=is sind=are war=was waren=were bin=am sei=is wäre=would_be sein=be gewesen=been wird=is werden=are wurde=was
wurden=were worden= geworden=become hat=has haben=have habe=have hatte=had hatten=had gehabt=had kann=can können=can konnte=could konnten=could
könnte=could könnten=could darf=may dürfen=may durfte=might durften=might muss=must müssen=must musste=had_to mussten=had_to soll=shall
sollen=shall sollte=should sollten=should will=wants wollen=want möchte=wants möchten=want mag=likes gibt=is gilt=applies gelten=apply
galt=applied heißt=is_called bedeutet=means eins=one zwei=two drei=three vier=four fünf=five sechs=six sieben=seven acht=eight neun=nine zehn=ten
elf=eleven zwölf=twelve zwanzig=twenty hundert=hundred tausend=thousand erste=first ersten=first erster=first erstes=first zweite=second
zweiten=second zweiter=second zweites=second zweitens=second dritte=third dritten=third dritter=third drittes=third vierte=fourth vierten=fourth
letzte=last
letzten=last letzter=last letztes=last beide=both beiden=both einige=some viele=many vielen=many mehrere=several andere=other anderen=other
anderer=other nächste=next nächsten=next nächster=next
"""

# Infinitives: english[/past[/participle]].
VERBS = """
helfen=help unterstützen=support verbinden=connect wachsen=grow/grew/grown bilden=form prüfen=examine untersuchen=examine kontrollieren=check
überprüfen=check messen=measure/measured wiegen=weigh kosten=cost/cost/cost zahlen=pay/paid bezahlen=pay/paid überweisen=transfer verlangen=ask
berechnen=calculate rechnen=calculate schätzen=estimate kaufen=buy/bought verkaufen=sell/sold bestellen=order liefern=deliver anliefern=deliver
versenden=ship verschicken=ship senden=send/sent schicken=send/sent zustellen=deliver empfangen=receive erhalten=receive bekommen=get/got
brauchen=need benötigen=need dauern=take/took beginnen=begin/began/begun anfangen=begin/began/begun starten=start enden=end beenden=end
kündigen=terminate verlängern=extend ablaufen=expire auslaufen=expire erlöschen=expire unterschreiben=sign unterzeichnen=sign vereinbaren=agree
genehmigen=approve bewilligen=approve freigeben=approve ablehnen=reject erlauben=allow verbieten=forbid/forbade/forbidden entscheiden=decide
beschließen=decide wählen=choose/chose/chosen auswählen=choose/chose/chosen aussuchen=choose/chose/chosen empfehlen=recommend vorschlagen=propose
bitten=ask fragen=ask antworten=answer beantworten=answer schreiben=write/wrote/written verfassen=write/wrote/written lesen=read sagen=say/said
sprechen=speak/spoke/spoken rufen=call anrufen=call melden=report berichten=report informieren=inform benachrichtigen=notify
vertreten=stand_in_for/stood_in_for/stood_in_for ersetzen=replace ändern=change verändern=change erhöhen=raise anheben=raise senken=lower
steigen=rise/rose/risen sinken=drop/dropped fallen=fall/fell/fallen reparieren=repair beheben=repair warten=maintain erneuern=renew
austauschen=replace tauschen=replace reinigen=clean putzen=clean lagern=keep/kept aufbewahren=keep/kept verwahren=hold/held halten=hold/held
behalten=keep/kept tragen=bear/bore/borne übernehmen=bear/bore/borne haften=be_liable nutzen=use benutzen=use verwenden=use gebrauchen=use
fahren=drive/drove/driven heben=lift laden=load beladen=load entladen=unload arbeiten=work leiten=lead/led führen=lead/led verwalten=manage
betreuen=look_after/looked_after besitzen=own gehören=belong mieten=rent vermieten=let/let/let versichern=insure verursachen=cause
entstehen=arise/arose/arisen passieren=happen geschehen=happen verschieben=defer/deferred vertagen=defer/deferred planen=plan bauen=build/built
errichten=build/built installieren=install wohnen=live sitzen=sit stehen=stand/stood liegen=lie/lay/lain finden=find/found
suchen=look_for/looked_for zeigen=show/showed/shown nennen=name erklären=explain beschreiben=describe öffnen=open schließen=close
wissen=know/knew/known kennen=know/knew/known verdienen=earn betragen=amount_to/amounted_to umfassen=cover enthalten=contain bestehen=consist
gewähren=grant geben=give/gave/given bieten=offer anbieten=offer teilnehmen=attend treffen=meet/met tagen=meet/met
stattfinden=take_place/took_place/taken_place tun=do/did/done machen=do/did/done gehen=go/went/gone kommen=come/came/come ankommen=arrive
eintreffen=arrive verlassen=leave/left abholen=collect sammeln=collect rosten=rust verrosten=corrode verschleißen=wear/wore/worn
abnutzen=wear/wore/worn beschädigen=damage ausfallen=fail scheitern=fail erreichen=reach überschreiten=exceed unterschreiten=fall_below
auslösen=set_off lauten=be begrenzen=limit beschränken=limit ausbilden=train schulen=train lernen=learn unterrichten=teach folgen=follow
vergleichen=compare analysieren=analyse zusammenfassen=summarise übersetzen=translate erfinden=invent entdecken=discover gründen=found leben=live
sterben=die gewinnen=win/won verlieren=lose/lost spielen=play studieren=study veröffentlichen=publish erscheinen=appear beziehen=relate
zusammenarbeiten=work_together übergeben=hand_over/handed_over zurückgeben=return zurückzahlen=return erstatten=refund abrechnen=charge
kassieren=charge ausgeben=spend/spent sparen=save sperren=lock verschließen=lock aktualisieren=update speichern=store löschen=delete
indexieren=index hochladen=upload stellen=put dokumentieren=record erfassen=record festhalten=record anmelden=register abmelden=deregister
beantragen=apply_for bewerben=apply einstellen=hire entlassen=dismiss hinterlegen=deposit einreichen=submit vorlegen=submit bestätigen=confirm
gelten=apply/applied absagen=cancel stornieren=cancel widerrufen=revoke klagen=sue
anschaffen=buy/bought umzäunen=fence kalibrieren=calibrate versetzen=move übertragen=assign abtreten=assign untervermieten=sublet/sublet/sublet
bürgen=guarantee parken=park
"""

# Strong forms, by their infinitive: of the present, of the past, and participles.
THIRD_PERSON = """
trägt=tragen vertritt=vertreten läuft=laufen hält=halten verhält=verhalten behält=behalten übernimmt=übernehmen nimmt=nehmen bekommt=bekommen
erhält=erhalten enthält=enthalten spricht=sprechen fährt=fahren lädt=laden entlädt=entladen gibt=geben weiß=wissen tut=tun trifft=treffen
liest=lesen verlässt=verlassen empfiehlt=empfehlen misst=messen wiegt=wiegen schläft=schlafen fällt=fallen stirbt=sterben verliert=verlieren
gewinnt=gewinnen bricht=brechen hilft=helfen gilt=gelten
"""
PAST_TENSE = """
half=helfen verband=verbinden erfand=erfinden wuchs=wachsen trug=tragen vertrat=vertreten lief=laufen hielt=halten übernahm=übernehmen nahm=nehmen
bekam=bekommen erhielt=erhalten enthielt=enthalten sprach=sprechen fuhr=fahren lud=laden gab=geben wusste=wissen tat=tun traf=treffen las=lesen
verließ=verlassen empfahl=empfehlen maß=messen wog=wiegen fiel=fallen starb=sterben verlor=verlieren gewann=gewinnen schrieb=schreiben
unterschrieb=unterschreiben entschied=entscheiden beschloss=beschließen ging=gehen kam=kommen stand=stehen begann=beginnen fand=finden sank=sinken
stieg=steigen verbot=verbieten bot=bieten schloss=schließen rief=rufen geschah=geschehen bat=bitten galt=gelten
"""
PARTICIPLES = """
getragen=tragen vertreten=vertreten gelaufen=laufen abgelaufen=ablaufen ausgelaufen=auslaufen gehalten=halten behalten=behalten
übernommen=übernehmen genommen=nehmen bekommen=bekommen erhalten=erhalten enthalten=enthalten gesprochen=sprechen gefahren=fahren geladen=laden
beladen=beladen gegeben=geben gewusst=wissen getan=tun getroffen=treffen gelesen=lesen verlassen=verlassen empfohlen=empfehlen gemessen=messen
gewogen=wiegen gefallen=fallen gestorben=sterben verloren=verlieren gewonnen=gewinnen geschrieben=schreiben unterschrieben=unterschreiben
entschieden=entscheiden beschlossen=beschließen gegangen=gehen gekommen=kommen angekommen=ankommen eingetroffen=eintreffen gestanden=stehen
entstanden=entstehen begonnen=beginnen gefunden=finden stattgefunden=stattfinden gesunken=sinken gestiegen=steigen verboten=verbieten
geboten=bieten angeboten=anbieten geschlossen=schließen gerufen=rufen angerufen=anrufen geschehen=geschehen gebeten=bitten verschoben=verschieben
vorgeschlagen=vorschlagen angehoben=anheben gehoben=heben übergeben=übergeben überschritten=überschreiten ausgefallen=ausfallen
freigegeben=freigeben ausgegeben=ausgeben gesendet=senden widerrufen=widerrufen erfunden=erfinden begrenzt=begrenzen
"""

NOUNS = """
art=kind sorte=kind typ=type staat=state regierung=government gesetz=law volk=people partei=party wahl=election mitglied=member gruppe=group
begriff=term ausdruck=term wort=word sprache=language schule=school universität=university schüler=pupil student=student lehrer=teacher
anführer=leader führer=leader gründer=founder erfinder=inventor familie=family vater=father mutter=mother sohn=son tochter=daughter bruder=brother
schwester=sister freund=friend tier=animal pflanze=plant baum=tree fluss=river berg=mountain insel=island meer=sea erde=earth sonne=sun mond=moon
luft=air licht=light spiel=game spieler=player mannschaft=team verein=club buch=book lied=song film=film musik=music kunst=art künstler=artist
kirche=church religion=religion bevölkerung=population einwohner=inhabitant gebiet=region bezirk=district teil=part einfluss=influence rolle=role
entwicklung=development forschung=research wissenschaft=science technik=technology methode=method system=system prozess=process
einrichtung=facility institution=institution organisation=organisation flughafen=airport bahnhof=station zug=train schiff=ship auszeichnung=award
preisträger=winner miete=rent mieter=tenant vermieter=landlord verpächter=landlord pächter=tenant pacht=lease mietvertrag=lease pachtvertrag=lease
kaution=deposit nebenkosten=service_charge betriebskosten=service_charge heizkosten=heating_costs mietzins=rent makler=agent verwalter=agent
hausverwaltung=agent agent=agent vertreter=representative vertretung=deputy stellvertreter=deputy bevollmächtigter=agent nachtrag=amendment
zusatz=addition ergänzung=addition änderung=change vertrag=contract vereinbarung=agreement klausel=clause absatz=paragraph paragraph=clause
abschnitt=section anhang=schedule anlage=schedule kündigung=notice kündigungsfrist=notice_period frist=period laufzeit=term dauer=duration
verlängerung=extension ende=end anfang=beginning beginn=beginning mitteilung=notice benachrichtigung=notice nachricht=message schreiben=letter
brief=letter einschreiben=recorded_delivery mail=e-mail e-mail=e-mail unterschrift=signature zustimmung=consent genehmigung=approval
erlaubnis=permission freigabe=approval entscheidung=decision beschluss=decision angebot=offer offerte=offer kostenvoranschlag=estimate
bestellung=order auftrag=order lieferung=delivery lieferant=supplier lieferzeit=delivery_time lieferfrist=delivery_time sendung=shipment
versand=shipping fracht=freight luftfracht=air_freight seefracht=sea_freight spedition=carrier spediteur=carrier frachtführer=carrier
kunde=customer käufer=buyer verkäufer=seller hersteller=maker händler=dealer ware=goods artikel=item stück=piece menge=quantity preis=price
kosten=costs betrag=amount summe=sum gebühr=fee zahlung=payment rate=instalment rabatt=discount nachlass=discount steuer=tax
mehrwertsteuer=value_added_tax umsatzsteuer=value_added_tax rechnung=invoice mahnung=reminder zins=interest verzugszins=late_interest
prozent=per_cent prozentsatz=percentage anteil=share hälfte=half gehalt=salary lohn=wage umsatz=turnover gewinn=profit verlust=loss budget=budget
haushalt=budget ausgabe=expense einnahme=income investition=investment schätzung=estimate kostenschätzung=cost_estimate schaden=damage
mangel=defect mängel=defects fehler=error ursache=cause grund=reason folge=consequence garantie=warranty gewährleistung=warranty haftung=liability
haftpflicht=liability versicherung=insurance deckung=cover deckungssumme=cover prämie=premium wartung=maintenance wartungsvertrag=service_contract
servicevertrag=service_contract reparatur=repair instandsetzung=repair instandhaltung=maintenance prüfung=examination untersuchung=examination
kontrolle=check inspektion=inspection abnahme=acceptance prüfer=examiner gutachter=surveyor gutachten=report bericht=report
prüfbericht=examination_report protokoll=minutes besprechung=meeting sitzung=meeting treffen=meeting versammlung=meeting teilnehmer=participant
besprechungsprotokoll=minutes übergabe=handover übergabeprotokoll=handover_protocol tagesordnung=agenda punkt=point maßnahme=action aufgabe=task
arbeit=work richtlinie=policy vorschrift=rule regel=rule regelung=rule anweisung=instruction handbuch=manual anleitung=instructions plan=plan
liste=list tabelle=table übersicht=overview zusammenfassung=summary dokument=document unterlage=document datei=file akte=file ordner=folder
bibliothek=library bild=image foto=photo fassung=version version=version entwurf=draft seite=page kapitel=chapter titel=title name=name
nummer=number datum=date adresse=address anschrift=address telefon=telephone telefonnummer=phone_number rufnummer=phone_number durchwahl=extension
ansprechpartner=contact kontakt=contact firma=firm unternehmen=company betrieb=company gesellschaft=company konzern=group büro=office
abteilung=department werk=plant standort=site geschäft=business chef=head leiter=manager direktor=director geschäftsführer=managing_director
vorstand=board aufsichtsrat=board mitarbeiter=employee angestellter=employee beschäftigter=employee arbeiter=worker fahrer=driver
bediener=operator techniker=technician ingenieur=engineer mechaniker=mechanic vorgesetzter=superior kollege=colleague besucher=visitor gast=guest
person=person mensch=person leute=people mann=man frau=woman kind=child team=team schicht=shift gebäude=building haus=house wohnung=flat
halle=hall lager=warehouse lagerhalle=warehouse lagerhaus=warehouse raum=room kammer=chamber keller=basement dach=roof dachrinne=gutter wand=wall
tür=door tor=gate fenster=window boden=floor decke=ceiling treppe=stairs zwischengeschoss=mezzanine geschoss=floor stockwerk=floor hof=yard
parkplatz=parking_space stellplatz=parking_space grundstück=site fläche=area größe=size höhe=height länge=length breite=width tiefe=depth
dicke=thickness gewicht=weight last=load traglast=safe_working_load tragfähigkeit=safe_working_load nutzlast=load geschwindigkeit=speed
tempo=speed druck=pressure strom=electricity energie=energy wasser=water gas=gas wärme=heat heizung=heating temperatur=temperature grad=degree
wind=wind windgeschwindigkeit=wind_speed wetter=weather grenze=limit grenzwert=limit obergrenze=limit untergrenze=lower_limit höchstgrenze=limit
schwelle=threshold wert=value messwert=reading zählerstand=meter_reading zähler=meter kran=crane brücke=bridge stapler=truck gabelstapler=forklift
schubmaststapler=reach_truck lastwagen=lorry lkw=lorry fahrzeug=vehicle wagen=vehicle auto=car maschine=machine gerät=device werkzeug=tool
bremse=brake belag=lining bremsbelag=brake_lining seil=rope haken=hook kette=chain rad=wheel reifen=tyre motor=engine hubwerk=hoist träger=beam
balken=beam kranbahn=runway schraube=bolt bolzen=bolt puffer=buffer verbindung=joint naht=seam riss=crack leck=leak rost=rust batterie=battery
akku=battery ersatzbatterie=spare_battery ladegerät=charger ersatz=spare ersatzteil=spare_part bestand=stock sicherheitsbestand=safety_stock
vorrat=stock meldebestand=order_point bestellpunkt=order_point palette=pallet regal=rack container=container schlüssel=key karte=card
kühlhaus=cold_store kühllager=cold_store kühlung=cooling gefrierkammer=frozen_chamber alarm=alarm fehlalarm=false_alarm warnung=warning
verzögerung=delay feuer=fire brand=fire rauch=smoke feuerwehr=fire_brigade sprinkler=sprinkler tank=tank behälter=container öl=oil farbe=paint
lack=paint lösungsmittel=solvents flüssigkeit=liquid säure=acid sicherheit=safety sicherheitsrichtlinie=safety_policy
arbeitssicherheit=health_and_safety gesundheit=health unfall=accident beinaheunfall=near_miss verletzung=injury schutz=protection
kleidung=clothing schuh=shoe weste=waistcoat helm=helmet brille=goggles schulung=training ausbildung=training auffrischung=refresher
auffrischungsschulung=refresher_training unterweisung=instruction kurs=course führerschein=licence zeugnis=certificate bescheinigung=certificate
nachweis=proof zeit=time uhrzeit=time stunde=hour minute=minute sekunde=second tag=day werktag=working_day arbeitstag=working_day woche=week
monat=month quartal=quarter jahr=year jahrhundert=century wochenende=weekend morgen=morning abend=evening nacht=night mittag=noon frühling=spring
sommer=summer herbst=autumn winter=winter urlaub=holiday krankheit=sickness feiertag=public_holiday öffnungszeit=opening_hours zugang=access
zutritt=access zugangszeit=access_hours nutzungszeit=hours arbeitszeit=working_hours termin=date stichtag=due_date option=option
sonderkündigungsrecht=break_option ausstieg=break recht=right pflicht=duty bedingung=condition voraussetzung=condition ausnahme=exception
ergebnis=result befund=finding zustand=condition stand=state lage=position fall=case frage=question antwort=answer problem=problem lösung=solution
ziel=target zahl=number anzahl=number statistik=statistics liter=litres kilo=kg kilogramm=kg tonne=tonnes meter=metres kilometer=kilometres
euro=euros pfund=pounds land=country stadt=city hauptstadt=capital ort=place hafen=port straße=road weg=way präsident=president könig=king
krieg=war welt=world reise=trip flug=flight hotel=hotel essen=food medikament=medication arzt=doctor patient=patient diagnose=diagnosis bank=bank
konto=account projekt=project thema=subject zweck=purpose bezug=reference unterschied=difference vergleich=comparison analyse=analysis
überblick=overview abweichung=difference soll=target ist=actual vorjahr=previous_year durchschnitt=average höchstwert=maximum mindestwert=minimum
pünktlichkeit=on-time_delivery liefertreue=on-time_delivery krankenstand=sick_leave zinssatz=interest_rate wartezeit=wait
zahlungsfrist=payment_term zahlungsziel=payment_term zahlungsbedingung=payment_term betriebsbesprechung=operations_meeting
betriebsleiter=operations_director betriebsstunde=operating_hours finanzdirektor=finance_director finanzen=finance einkauf=procurement
lagerleiter=warehouse_manager vertrieb=sales personal=staff verwaltung=administration geschäftsführung=management landeshauptstadt=capital
molkerei=dairy fahrrad=bicycle zolllager=bonded_store zoll=customs
kompressor=compressor passwort=password anlieferung=delivery wareneingang=goods_in warenausgang=goods_out gabel=fork mast=mast aufzug=lift
lastenaufzug=goods_lift ferien=holidays pause=break ticket=ticket server=server rechner=computer bildschirm=screen überweisung=transfer
überstunde=overtime vorsitz=chair vorsitzender=chair verantwortung=responsibility kalibrierung=calibration probe=sample skonto=discount
mehrkosten=extra_costs aufpreis=surcharge zuschlag=surcharge vorauszahlung=prepayment anzahlung=down_payment abschlag=payment_on_account
beleuchtung=lighting zaun=fence lampe=lamp unterzeichner=signatory bürge=guarantor bürgschaft=guarantee untermiete=sublease hupe=horn
handschuh=glove streit=dispute streitfall=dispute sachverständiger=expert
hund=dog katze=cat pferd=horse kuh=cow rind=cattle schwein=pig schaf=sheep ziege=goat huhn=chicken hahn=rooster ente=duck gans=goose vogel=bird
fisch=fish maus=mouse ratte=rat hase=hare kaninchen=rabbit fuchs=fox wolf=wolf bär=bear löwe=lion affe=monkey elefant=elephant schlange=snake
frosch=frog biene=bee fliege=fly spinne=spider insekt=insect schmetterling=butterfly taube=pigeon adler=eagle eule=owl wal=whale hai=shark
blume=flower gras=grass blatt=leaf wurzel=root frucht=fruit obst=fruit gemüse=vegetable apfel=apple kartoffel=potato tomate=tomato getreide=grain
weizen=wheat reis=rice brot=bread käse=cheese milch=milk butter=butter ei=egg fleisch=meat wurst=sausage suppe=soup salz=salt zucker=sugar
kaffee=coffee tee=tea bier=beer wein=wine rezept=recipe mahlzeit=meal frühstück=breakfast regen=rain schnee=snow sturm=storm wolke=cloud
klima=climate klimawandel=climate_change umwelt=environment wald=forest wiese=meadow feld=field see=lake küste=coast strand=beach wüste=desert
vulkan=volcano erdbeben=earthquake stern=star planet=planet weltraum=space rakete=rocket satellit=satellite gold=gold silber=silver kupfer=copper
stahl=steel blei=lead quecksilber=mercury sauerstoff=oxygen wasserstoff=hydrogen stickstoff=nitrogen erdgas=natural_gas erdöl=oil kohle=coal
körper=body herz=heart lunge=lung gehirn=brain blut=blood knochen=bone haut=skin auge=eye ohr=ear zahn=tooth fieber=fever krebs=cancer
diabetes=diabetes impfung=vaccination impfstoff=vaccine krankenhaus=hospital schwangerschaft=pregnancy geburt=birth tod=death alter=age
ernährung=nutrition sport=sport fußball=football schach=chess musiker=musician maler=painter dichter=poet schriftsteller=writer gedicht=poem
roman=novel theater=theatre museum=museum schloss=castle turm=tower autobahn=motorway flugzeug=aeroplane frieden=peace soldat=soldier waffe=weapon
königin=queen kaiser=emperor minister=minister parlament=parliament gericht=court richter=judge polizei=police verbrechen=crime gefängnis=prison
zeitung=newspaper menschenrecht=human_right datenschutz=data_protection freiheit=freedom
"""

ADJECTIVES = """
hoch=high hohe=high höher=higher höchste=highest niedrig=low niedriger=lower niedrigste=lowest groß=large größer=larger größte=largest klein=small
kleiner=smaller kleinste=smallest lang=long länger=longer längste=longest kurz=short kürzer=shorter alt=old älter=older älteste=oldest neu=new
neuer=newer neueste=newest jung=young schwer=heavy schwerer=heavier schwerste=heaviest leicht=light dick=thick dünn=thin breit=wide tief=deep
schnell=fast schneller=faster langsam=slow teuer=expensive teurer=more_expensive teuerste=most_expensive billig=cheap billiger=cheaper
günstig=cheap günstiger=cheaper günstigste=cheapest gut=good besser=better beste=best schlecht=bad schlechter=worse schlechteste=worst
wichtig=important wichtigste=most_important richtig=right falsch=wrong warm=warm heiß=hot kalt=cold sauber=clean schmutzig=dirty sicher=safe
gefährlich=dangerous frei=free verbindlich=binding vorgesehen=planned zuständig=responsible erforderlich=required notwendig=needed erlaubt=allowed
gestattet=allowed ungültig=invalid kaputt=broken undicht=leaking verschlissen=worn abgenutzt=worn gebrochen=broken kostenlos=free offen=open
geschlossen=closed voll=full leer=empty ganz=whole gesamt=total halb=half jährlich=yearly monatlich=monthly täglich=daily wöchentlich=weekly
netto=net brutto=gross schriftlich=written mündlich=oral pünktlich=on_time verspätet=late spät=late später=later früh=early früher=earlier
rechtzeitig=in_time vorzeitig=early öffentlich=public privat=private gemeinsam=common allein=alone alleine=alone ständig=permanent
vorläufig=provisional verfügbar=available möglich=possible nötig=necessary brennbar=flammable elektrisch=electric kritisch=critical
technisch=technical finanziell=financial rechtlich=legal derzeitig=current aktuell=current heutig=present bisherig=previous vorig=previous
vergangen=last kommend=next folgend=following verantwortlich=responsible verrostet=corroded kurzfristig=at_short_notice sonstig=other
weitere=further zweitgrößte=second_largest offiziell=official geplant=planned tatsächlich=actual wirklich=real erwartet=expected fest=fixed
variabel=variable einfach=simple doppelt=double maximal=maximum minimal=minimum deutsch=German englisch=English französisch=French
zulässig=permitted gültig=valid fällig=due
krank=sick geheim=secret durchschnittlich=average billigste=cheapest günstigste=cheapest teuerste=most_expensive schnellste=fastest
"""

# The first parts of compounds that are no nouns of their own, and places, months and days.
PARTS = """
fahr=driving mess=measuring lade=charging schub=reach hub=lifting brems=brake prüf=examination bau=building wohn=living schutz=protective
netto=net brutto=gross gesamt=total
"""
NAMED_TIMES = """
januar=January februar=February märz=March april=April mai=May juni=June juli=July august=August september=September oktober=October
november=November dezember=December montag=Monday dienstag=Tuesday mittwoch=Wednesday donnerstag=Thursday freitag=Friday samstag=Saturday
sonnabend=Saturday sonntag=Sunday
"""
COUNTRIES = """
deutschland=Germany frankreich=France england=England großbritannien=Britain spanien=Spain italien=Italy österreich=Austria schweiz=Switzerland
polen=Poland niederlande=Netherlands belgien=Belgium dänemark=Denmark schweden=Sweden norwegen=Norway finnland=Finland portugal=Portugal
griechenland=Greece türkei=Turkey russland=Russia ukraine=Ukraine ungarn=Hungary tschechien=Czechia irland=Ireland schottland=Scotland china=China
japan=Japan indien=India australien=Australia kanada=Canada mexiko=Mexico brasilien=Brazil europa=Europe asien=Asia afrika=Africa amerika=America
"""


def parse_entries(text: str) -> dict[str, str]:
    """Return "miete=rent …" as a mapping, "_" as a space."""
    pairs = (entry.partition("=") for entry in text.split())
    return {german: english.replace("_", " ") for german, _, english in pairs}
