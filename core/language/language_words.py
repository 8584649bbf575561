"""Words that tell a language, for texts too short for statistics: function words, particles that names carry too, and content words.

A word may stand under several languages, and must wherever it is common in several: "in", "die" and "was" then tell nothing between them. Words are
in lower case with their accents; how people type them without is worked out in `core.language.language_clues`. Their order means nothing.
"""

from __future__ import annotations

# Articles, pronouns, prepositions, conjunctions, auxiliaries, words that ask, and the verbs that nearly every question is made with.
FUNCTION_WORDS: dict[str, str] = {
    "en": """about above after again against all almost along already also am among an and any are aren't around as at away be became because
        become been before behind being below between both build built but by called came can can't cannot come comes could define defined
        describe did didn't do does doesn't doing don't done down during each either else etc even ever every everything explain find first for
        from gave get gets gimme give given go goes got had has have having he her here hers hey hi him his how how's however i i'm idk if in
        instead into is isn't it it's its itself just keep kind know known last least less let like list long look made make makes many may me
        mean meaning means met might mine more most much must my named names need needs never new next no nobody none nor not nothing now of off
        often ok okay old on once one only or other others our out over own owns per please pls put quite rather said same say says search see
        seem shall she should show since so some someone something stand stands still such summarise summarize sure take takes tell than thanks
        that that's the their them then there there's these they they're thing things this those though through till to together too toward
        towards translate translated two u under unless until up upon us use used uses using very via vs want was wasn't way we we're well were
        what what's whats when when's where where's whether which while who who's whole whom whose why will wish with within without won't work
        would write written wrote yeah yes yet you your yours""",
    "de": """aber alle allem allen aller alles als also am andere anderen anderer anderes anhand auch auf aufgrund aus außer außerdem bedeuten
        bedeutet bei beide beiden beim bekommt bereits besteht beträgt bin bis bisher bist bitte bleibt brauche braucht da dabei dadurch dafür
        daher damals damit danach dann daran darauf daraus darf darin darum darüber dass davon dazu dein deine denn deren deshalb dessen dich
        dies diese diesem diesen dieser dieses dir doch dort du durch durfte dürfen ein eine einem einen einer eines einige er erhält erkläre es
        etwa etwas euch euer eure finde findet für gab ganz geben gegen geht gehört gemäß genau genug gesamt gibt gilt gäbe habe haben hat hatte
        hatten heißt hier hin hinter hoch ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres immer infolge innerhalb ins insgesamt ist ja je jede
        jedem jeden jeder jedes jemand jetzt kann kein keine keinem keinen keiner kommt konnte konnten kostet können könnte könnten lange laut
        lautet liegt machen macht man mehr mein meine meinem meinen meiner meist mich mir mit muss musste mussten muß müssen nach nachdem neben
        nenne nennen nicht nichts niemand noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind sobald sofern
        soll sollen sollte sollten sondern sonst sowie sowohl statt stehen steht trotz um und uns unser unsere unserem unseren unserer unter viel
        viele vielen vor wann war waren warum was wegen weil welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie
        wieder wieso wieviel wieviele will wir wird wo wobei wodurch wofür woher wohin womit worauf woraus worin worüber wovon wozu wurde wurden
        während wäre zeig zeige zu zwar zwischen über""",
    "es": """además ahora al algo alguien alguna algunas alguno algunos allí alrededor ambos antes aquel aquella aquellos aquí así aunque bajo
        bien cada como con contra cosa cualquier cuando cuesta cuestan cuyo cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo debe debemos
        deben debería debo dentro desde después dice dijo donde dos durante dónde ella ellas ello ellos en encuentra entonces entre era eran es
        esa esas ese eso esos esta estaba estamos estar estas este esto estos estoy está están explica fue fuera fueron ha haber había habían
        hace hacen hacer hacia han hasta hay hemos hizo incluye la las le les llama llamaba llamado lo los me menos mi mientras mis misma mismo
        mucho muchos muestra muy más nada ni ninguna ninguno ningún no nos nosotros nuestra nuestras nuestro nuestros nunca o otra otras otro
        otros paga pagan para pero poco podemos podía por porque pueda puede pueden puedo pues que quien quienes quiero quién quiénes qué se sea
        según ser será sería si sido siempre siendo sin sobre sois solo somos son soy su sus sí sólo también tan tanto te tenemos tener tengo
        tenía tiene tienen toda todas todavía todo todos tras tres tu tuvieron tuvo tú un una unas uno unos usted ustedes vale vence vez ya yo él
        éste últimas últimos""",
    "fr": """a-t-il afin ai ainsi alors après aucun aucune auprès auquel aussi autre autres aux avaient avait avant avec avez avoir avons ayant
        beaucoup bien car ce ceci cela celle celles celui cependant certains ces cet cette ceux chaque chez combien comme comment contre coûte
        coûtent d'un d'une dans depuis derrière doit doit-on doivent donc donne dont dès elle elles en encore ensuite entre es-tu est est-ce et
        eu eux expire explique faire fait fallait faut font fut il ils jamais je jusqu'à l'on laquelle lequel lesquelles lesquels leur leurs lors
        lorsque lui là ma mais malgré me mes mieux moi moins mon montre même nos notre nous nôtre ou où paie paient par parmi pas paye pendant
        permet peu peut peuvent peux plus plusieurs plutôt pour pourquoi puis puisque qu'a qu'elle qu'est-ce qu'il qu'un qu'une quand quant que
        quel quelle quelles quelque quelques quels qui quoi s'est sa sans sauf se selon sera seront ses seulement si soit sommes son sont sous
        souvent suis sur ta tandis tel telle tes toi ton toujours tous tout toute toutes trop trouve très tu un une va vais vers veut veux voici
        voilà vont vos votre vous vôtre y y-a-t-il à ça étaient était été être""",
    "it": """abbiamo adesso agli ai al alcuni alla alle allo allora altra altre altri altro anche ancora anni avere avete aveva avevano bene
        c'era c'è che chi ci cioè come con contro cos'è cosa costa costano così cui dagli dai dal dalla dalle dallo degli dei del della delle
        dello dentro deve devo devono dobbiamo dopo dov'è dove dovrebbe durante ecco ed era erano essere fa fanno fare fino fra fu fuori furono
        già gli ha hai hanno ho il in indica invece io l'ha la le lei lo loro lui ma mai meglio meno mentre mi mia mie miei mio molte molti molto
        mostra ne negli nei nel nell nella nelle nessun nessuna nessuno niente noi non nostra nostre nostri nostro nulla ogni oltre ora ossia
        ovvero paga pagano per perché perciò però più poco poi possiamo posso possono presso prima proprio può qual qual'è qualche qualcosa quale
        quali quando quanta quante quanti quanto quella quelle quelli quello questa queste questi questo qui quindi sarà scade se secondo sei
        sembra senza si sia siamo siete solo sono sopra sotto spiega sta stata state stati stato stessa stesso su sua sue sugli sui sul sulla
        sulle suo suoi tra tramite troppo trova tu tutta tutte tutti tutto un una uno vengono verso viene voglio voi vorrei vostra vostro è""",
    "nl": """aan achter al alle alleen als alsnog altijd ander andere bedraagt beide ben bent betekent bij binnen daar daarom dan dat deze die
        dit doen doet door dus echter een elk elke en er even gaan gaat gebeurt geef geeft geen gegeven geleden gemaakt haar had hadden hebben
        hebt heeft heet hem hen het hier hij hoe hoelang hoeveel hoever hun iemand iets ik in is ja je jij jou jouw jullie kan kom komen komt kon
        konden kost kosten kun kunnen kunt laat lang langs maakt maar mag maken meer meest men met mij mijn minder moest moet moeten mogen na
        naar naast niemand niet niets nog nooit nu of om omdat onder ons onze ook op over per sinds staan staat tegen terwijl tijdens toch toen
        tot tussen twee u uit uw vanaf vanwege veel via volgens voor vooral waar waaraan waardoor waarin waarmee waarom waarop waarover waarvan
        waarvoor wanneer waren was wat we weer wel welk welke werd werden wie wiens wij wil willen worden wordt zal ze zeer zelf zich zichzelf
        zij zijn zo zoals zoek zonder zou zouden zullen""",
    "pl": """aby albo ale ani aż bardzo bez bo by być był była było były będzie będą chcę choć ci ciebie co coś czego czemu czy czyj czyja czyli
        czym dla dlaczego dlatego do dokąd dziś gdy gdyby gdzie go ich ile ilu im inne inny ja jak jaka jaki jakich jakie jakiego jakiej jakim
        jako jego jej jest jestem jeszcze jeśli jeżeli już każda każde każdego każdy kiedy kim kogo komu kto ktoś która które którego której
        który których którym którzy lat lecz lub ma mają mam mamy mi miał miała mieć między mnie mogę moja moje mojego mojej może możemy można
        musi muszę my mój na nad nam nami nas nasz nasza nasze naszego nawet nic nich nie nigdy nim niż obok od ode około on ona one oni oraz pan
        pani po pod podczas pokaż ponieważ powinien poza przed przede przez przy sam się skąd swoje swojego swój są ta tak także tam te tego tej
        ten też to tobie tu tutaj twój tych tylko tym u we według więc wszystkich wszystkie wszystko wynosi wynoszą wśród z za zatem zawsze ze
        znaczy został została zostały żaden że żeby""",
    "pt": """agora ainda algo algum alguma algumas alguns alguém ali além ambos antes ao aos apenas após aquela aquele aqueles aqui assim até bem
        cada com como contra cuja cujo custa custam da das de dela dele deles depois desde dessa desse desta deste deve devem devemos devia disso
        diz do dos durante e ela elas ele eles em enquanto entre então era eram essa essas esse esses esta estamos estar estas estava este estes
        estou está estão eu existe faz fazem fazer foi foram fosse há isso isto já lhe lhes lo mais mas me meio menos mesma mesmo meu meus minha
        minhas mostre muita muito muitos na nada nas nem nenhum nenhuma nessa nesse nesta neste ninguém no nos nossa nossas nosso nossos num numa
        nunca não nós o onde os ou outra outras outro outros paga pagam para pela pelas pelo pelos perante pode podem podemos podia pois por
        porque porquê possa posso pouco quais qual qualquer quando quanta quantas quanto quantos que quem quero quê se sem sempre sendo ser seria
        será seu seus sido sob sobre somos sou sua suas são também tanto te tem temos tenho ter teve tinha tive toda todas todo todos tu tudo tão
        um uma umas uns usa vai vence você vocês vão à às é""",
    "tr": """acaba altında ama ancak artık aslında az bana bazı belki ben beni benim beri bile bir biri birkaç birçok biz bizi bizim bu buna
        bunda bundan bunlar bunu bunun burada böyle bütün da daha dahil dan de defa değil değildir diye diğer dolayı en fakat gibi göre hakkında
        hangi hangisi hani hatta hem henüz hep hepsi her hiç hiçbir ile ilgili ise için içinde işte kadar karşı kaç kaça kaçtır kendi kendisi ki
        kim kimdir kime kimin kimler mi midir mu mü mı mıdır nasıl ne neden nedenle nedir neler nelerdir nerede nereden neresi nereye niye niçin
        o olan olarak oldu olduğu olduğunu olmak olması olur oluyor on ona ondan onlar onların onu onun orada oysa pek rağmen sadece sana sanki
        sen senin siz sizin sonra sonunda tarafından tüm var vardır varsa ve veya ya yani yapmak yapılan yerine yine yok yoksa zaman önce üzere
        üzerinde şey şimdi şu""",
    # Neighbours: enough of each that its questions are not taken for those of a relative above.
    "af": """aan daar dat die dit een ek en gaan geen het hoe hoeveel hulle hy in is jou jy kan met moet my nie om ons op se sy van vir waar wat
        wees word""",
    "ca": """això als amb aquest aquesta com dels des el els en esta estan està fins ha hi i la les molt més no nosaltres on per perquè però pot
        quan quant que qui quin quina quines quins què se ser seva són també té un una va van és""",
    "cs": """aby ale bez byl byla bylo být co do ho i jak jaká jaké jaký je jeho jejich její jsem jsme jsou kde kdo kdy když kolik která které
        který mezi má na nebo nejsou není o od po pod podle pro proč při s se si ta tak také ten to u už v ve však z za ze že""",
    "da": """af at blev de den der det du efter en er et for fra ham han har hun hvad hvem hvilken hvor hvordan hvorfor i ikke jeg kan med men
        mod må når og også om på sig skal som til var ved vi vil være""",
    "fi": """ei en ettei että he hän ja joka jos kanssa koska kuin kuinka kuka kun miksi mikä milloin minkä missä miten mitkä mitä mutta myös
        niin ole oli olivat on onko ovat paljon se sekä tai tämä vai voi""",
    "hr": """a ali bez bi bio biti do gdje i ili iz je jesu još kada kako kao koja koje koji koliko li na ne nije o od po pod sa samo se smo su
        te tko u uz za zašto što""",
    "hu": """a az be csak de egy el ez ha hogy hogyan hol hány is kell ki kik lehet meg mely melyik mennyi mi mikor milyen mit miért már nem
        nincs s sem vagy van vannak volt és""",
    "id": """ada adalah akan apa apakah atau bagaimana bahwa berapa bisa dalam dan dari dengan di dimana harus ini itu kami kapan ke kepada kita
        mana mengapa oleh pada saya sebagai siapa telah tidak untuk yang""",
    "la": "ad atque aut autem cum ergo est et ex hoc in inter ipse nec non per pro quae quam qui quid quis quod se sed si sunt ut vel",
    "no": """at av ble de den der det du eller en er et etter for fra ham han har hun hva hvem hvilken hvor hvordan hvorfor i ikke jeg kan med
        men mot må når og også om på seg skal som til var ved vi vil være""",
    "ro": """această acest aceste acestui ai al ale am ar are au avea care ce cea cei cel cine cu cum când cât câte câți că de despre din dintre
        după este eu fi fost la lui mai mult noi nu o pe pentru prin sa sau se sunt un unde unei unui va în într între și""",
    "sv": """alla att av blev de den denna det du där efter eller en ett finns från för ha hade han har hon hos hur i inte jag kan kommer man med
        men mot mycket när någon och också om oss på sig sin ska som så till under ut vad var vara varför vem vi vid vilka vilken vilket är över""",
    "vi": """ai bao bị cho các cái có cùng cần của gì hay hợp khi không là làm lại mà một nhiêu nhà như những nào này phải ra sao sẽ sửa theo
        thuê thì thế tiền trong trả tại từ và vì về với đang đâu đã được đến để đồng ở""",
    "ru": """а без бы был была были было в ваш все всё вы где для до его если есть ещё её за зачем и из или их к как какая какие каких каков
        какова каково каковы какое какой какую когда кого кому которая которые который кто куда ли между мой моя мы на над наш наша наши не нет о
        он она они от откуда очень перед по под после почему при с сколько также только у уже чего чем чему что чтобы эта эти это этот""",
    "uk": """або був була були було в вже ви вона вони від він де для до дуже з за звідки його кого коли куди ми між на над наш не ні перед по
        при під після скільки та також тільки у хто це цей ця ці чи чого чому ще що щоб як яка яке який якщо які є і їх її""",
    "bg": """ако беше бих бяха в вече вие е за защо и или им има как каква какви какво какъв кога кое което кои които кой който колко коя която
        къде ли между много му на над наш не ние няма от още по под пред при са само се след със също тази те тези това този той тя""",
    "sr": """ако био већ ви врло где да за зашто између или има када какав како ко колико која које који ли ми над не нема од он она они под
        после пре при са само се су та такође тај ти то шта је још""",
}

# Those that also stand in names, titles and abbreviations all over the world ("Rio de Janeiro", "La Scala", "van Gogh"): they say little.
PARTICLES: dict[str, str] = {
    "en": "a an as at be do hat he i in is me no of on or so to us we",
    "de": "als am an da das dem den der des die er es im in ist man so und vom von zu zum zur",
    "es": "a al baja costa de del e el en han hay la las lo los no o san santa sera soy un una y",
    "fr": "au aux car d de des du en est et il l la le les n notre on pour sur un une y à",
    "it": "a al chi costa da dal de dei del della di e ed fa gli i il in l la le lo ma mia no o per san santa un una",
    "nl": "aan al ben dan de den der die door een en even het in is men of op te ten ter u van via",
    "pl": "a cena do i ich kim na nad nic o pan sam tam ten to w z",
    "pt": "a ali ao as com da das de do dos e em eu na nas no nos o os santo são um uma usa",
    "tr": "ay ben bile bir da dan de ek en gun kar kim kira o on sen tum var ve",
    "ca": "a als de del el els en fins i la les o un una van",
    "ro": "a al care cu de din la o un",
    "sv": "av de den det en han hur i man och om på till var",
    "da": "af de den der en er et for han i men og om på",
    "no": "av de den der en er et for han i men og om på",
    "af": "die en in is van",
    "la": "ab ad de et ex in non per pro sub",
    "vi": "an ba la mai",
    "id": "ada dan di ini ke",
    "hu": "a az de el is mit van",
    "hr": "a ali do i na o u",
    "cs": "a do i na o pro proc s ten v z",
    "fi": "ei han",
}

# What people ask documents about. Words of well-known names ("Cena", "Kira") are left out; those that English has too stand under English as well,
# whose list also has common words that look like another language's ("war", "son", "brand").
CONTENT_WORDS: dict[str, str] = {
    "en": """access accord account actor actress address affects agency agent agreement agreements album allen allowance american amount amounts
        annex annual answer approval approve area army article artist associated assurance attached audit author authority average balance band
        bank baseball based basketball battle became become began bent best big bill bills bin birth blood board body bona bone book born
        boundary bowl brain brand bridge british brother budget building business buy café call called cancer capacity car care carry case cat
        cause caused caution cell cells century championship change character charge check chemical child children church city claim clause clean
        client clients club coach college commencement comment comments commerce common company compare compensation complaint condition
        construction contract contracts cost costs count country course court cover created culture cup damage data date dates daughter day days
        deadline death debt decide decision decrease defect definition delay deliver delivery deposit depth design designed developed device
        diagram dice died diem difference director discount discovered disease dispute distance document documents door driver drug drugs due
        duty early east economic effect effects email empire employee employer end ended energy english episode equation equipment era error
        european event evidence ex exact example exception exclude expense expenses expire export fact facto failure famous father fee fees fide
        field figure file film final finance finished fins fire firma first floor flow food football force forces form found founded french full
        game games gene general genes german goods gore government group growth guarantee guide gun half ham handbook health heat heating height
        help high history hoc hold holiday hour hours house human husband immune improve included includes income increase increases infection
        information inspection installation insurance insured interest international introduced invented inversion invoice invoices involved
        island issue italian item job key kind king known lake land landlord language large largest late latest law layer lead league lease
        leases leave led legal length letter level liability library licence license life limit limited limits line live lived load loan local
        located loss lost low machine main maintenance majeure major man manager mandate manual market marriage mass maximum measure medical
        meeting member men message method methods military minimum minister minor minutes mission model modern money month monthly mortgage most
        mother mountain movie museum music musician named national natural nature naïve north note notice novel novo number obligation
        obligations offer office officer officio olympic open operation order origin owner ownership page paid painter pan paper park part
        partner party password patients pay payment peace penalty people percent percentage period permit person phone physical place plan plate
        player players plus poet police policy political population position power premium president pressure price prices private prix pro
        problem process produce produced produces product production project property protection protein proteins provide public published puerto
        purchase purpose quality quarter queen question quo rapport rata rate reason receipt receipts reclamation record reduce reduces refund
        region regulation related release released remote renewal rent rental rents repair replace report reports required requirement
        requirements research reservation reservations responsible result results resume return revenue review rico right rights risk river road
        role roof room rule rules safety salary sale sales schedule school science scientific sea season second section security sell sent series
        service services share shock show sick side sign signed sin sing singer sister situ size small social solo solution son song south
        spanish spare special speed staff standard start started state statement status stock storage store street subject summary supplier
        supply support surface symptom symptoms syndrome system table tag target tariff tax taxa taxes team television temperature ten tenancy
        tenant term terminate termination termini terms terra test theory third time tissue title top total tower town trade train training
        transfer translation transport travel treatment tribunal tribunals trip turnover type unit university update used using valid value
        velocity vendor versa version vice virus visit wage war warehouse warning warranty waste water wave week weight west wet whose wife
        window wing woman women won word words working world worst writer year years young""",
    "de": """abfindung abrechnung absatz abschlag abschreibung adresse aktenzeichen anforderung anforderungen anfrage angebot angebote anhang
        anlage anleitung antrag anzahl arbeitgeber arbeitnehmer arbeitsvertrag arbeitszeit aufgabe aufgaben aufwand ausgaben auszahlung batterie
        bauantrag bedarf bedingung bedingungen beginn beispiel beitrag bericht berichte bescheid bescheinigung besprechung bestellung betrag
        betrieb betriebskosten bilanz brandschutz buchung datei dateien datenschutz dauer dokument dokumente durchschnitt eigentümer einkauf
        einnahmen elternzeit ergebnis ergebnisse erstattung fassung fehler feuchtigkeit finanzierung firma frist fristen garantie gebäude gebühr
        gebühren gehalt genehmigung geschäftsführer gesellschaft gesetz gewinn gewährleistung grundstück gutachten haftung haltbarkeit handbuch
        handwerker hausordnung heizkosten heizung hersteller höhe inhalt jahr jahre jahresabschluss kauf kaufpreis kaufvertrag kaution kosten
        krankheit kredit kunde kunden kündigen kündigung kündigungsfrist lagerung lieferant lieferanten lieferschein lieferung lieferzeit lohn
        mahnung mangel maßnahmen meldung menge miete mieter mieterhöhung mietminderung mietvertrag mitarbeiter monat monate mwst mängel nachweis
        nebenkosten nutzung pflicht pflichten preis preise preisliste probezeit protokoll prüfbericht prüfung quittung rabatt rechnung rechnungen
        regelung reisekosten reparatur richtlinie rückgabe rückzahlung satzung schaden schlüssel schreiben schäden seite selbstbeteiligung
        sicherheit sitzung stellplatz steuer steuern stichtag strom tabelle tage temperatur termin termine umsatz unterlagen unterschied
        unterschrift urlaub urlaubsanspruch urlaubstage verbrauch vereinbarung verlängerung vermieter versicherung versicherungssumme vertrag
        vertragslaufzeit verträge verzeichnis verzug vollmacht voraussetzung vorschrift vorschriften wartung widerruf widerspruch woche wochen
        wohnung zahl zahlung zahlungsfrist zahlungsziel zeitraum zeugnis ziel ziele zins zinsen zinssatz zusammenfassung zuschuss zustimmung
        zuständig änderung änderungen übergabe übersetzung übersicht überstunden""",
    "es": """acuerdo almacén alquiler apartado archivo archivos arrendador arrendamiento arrendatario aumento ayuntamiento año años cantidad
        cliente clientes cláusula cobro compra comprador condiciones contrato contratos correo coste costes costo cuenta cuota código daños
        demanda depósito derecho derechos descuento despido deuda dinero dirección documento documentos día días edificio ejemplo empleado
        empleador empleados empresa empresas entrega envío equipo escritura estado factura facturas fecha fechas fianza firma firmado fondos
        ganancias garantía gasto gastos horario impuesto impuestos incendio indemnización informe informes ingresos inquilino intereses inversión
        jornada ley libro licencia llave llaves lugar límite mantenimiento mercancía mes meses monto multa negocio nómina número obra obras
        oferta oficina orden pagar pago pagos pedido permiso plazo plazos precio precios presupuesto proveedor proveedores proyecto prueba
        pruebas préstamo préstamos puesto párrafo reglamento renta reparaciones reparación requisito requisitos resumen retraso reunión salario
        seguridad seguro semana servicio servicios sociedad solicitud sueldo tarifa tasa tiempo trabajador trabajo tribunal título vacaciones
        vencimiento vendedor venta ventas vigencia vivienda""",
    "fr": """achat acheteur adresse annexe année années arrêt assuré avenant bailleur batterie besoin bilan bulletin bâtiment chauffage chiffre
        chèque clé clés congé congés contrat contrats courrier coût coûts demande devis directeur dommages données droit droits durée dégâts
        délai délais dépense dépenses employeur employé emprunt entreprise entretien envoi essai exigences facture factures fichier fichiers
        fournisseur fournisseurs frais garantie heures honoraires horaires immeuble impôt impôts incendie indemnité intérêts jour jours
        licenciement livraison locataire logement loi loyer loyers mairie maladie marchandise mise mois montant niveau numéro ordre paiement
        preuve prix produit projet propriétaire préavis prélèvement prêt pénalité pénalités quittance rapport rapports recettes remboursement
        renouvellement retard risque règlement réparation réparations réservation résiliation réunion réunions salaire salaires salarié semaine
        signataire signé société sommaire sécurité tableau tarif tarifs taux taxe titre travail travaux trimestre télétravail usine vendeur vente
        ventes versement ville échéance""",
    "it": """acquisto affitti affitto allegato anno anticipo appalto archivio articolo assicurazione azienda aziende bilancio bolletta bozza
        cambio canone caparra cauzione chiave chiavi clausola cliente clienti concessione condizioni conduttore consegna conto contratti
        contratto costi costo credito danni danno dati debito dipendente dipendenti direttore diritti diritto disdetta ditta documenti documento
        durata edificio esempio fattura fatture ferie fornitore fornitori franchigia garanzia giorni giorno guadagno immobile importo imposta
        imposte incendio indirizzo inquilino interessi lavoratore lavoro legge licenziamento limite locatore locazione magazzino malattia
        manutenzione merce mese mesi multa mutuo numero obbligo offerta offerte orario ordine ordini pagamenti pagamento pagare penale permesso
        prestito preventivo prezzi prezzo procedura proprietario prova recesso regolamento relazione requisiti responsabile riassunto ricavi
        richiesta rimborso rinnovo riparazione riparazioni riscaldamento rischio ritardo riunione scadenza sconto sede settimana sicurezza
        società soldi spesa spese stipendi stipendio tabella tassa tasse tasso titolo ufficio vendita vendite verbale versamento""",
    "nl": """aanbetaling aanbieding aandeelhouder aanvraag afspraak afspraken akte arbeidsovereenkomst batterij bedrag bedragen bedrijf bedrijven
        begroting belasting beleid bestand bestanden bestelling betaaltermijn betalen betaling beveiliging bijlage boete borg borgsom borgsommen
        brandveiligheid contracten dagen datum deelnemers duur eigenaar eisen facturen factuur garantie gebouw gebruik geld gemeente goederen
        handleiding handtekening huisvesting huur huurcontract huurder huurovereenkomst huurprijs huurverhoging inhoud inkomen inkoop jaar
        jaarrekening jaren klacht klant klanten korting kwartaal lening leverancier leveranciers levering leveringen levertijd loon looptijd
        maand maanden maatregelen medewerker medewerkers nummer omzet onderhoud ontslag opdracht opslag opzeggen opzegging opzegtermijn
        overeenkomst overuren overzicht pagina prijs prijzen proeftijd rapport rapporten regels reiskosten rekening rente reparatie salaris
        samenvatting schade schuld sleutel sleutels sluiting som stroom tabel termijn toestemming uitgaven uitkering uren vakantie vakantiedagen
        veiligheid verbruik vergadering vergoeding vergunning verhoging verhuurder verkoop verlenging verlof verplichtingen verschil versie
        verslag vertraging verwarming verzekering vestiging voorraad voorwaarden waarborg waarborgsom waarde weken werkgever werknemer werknemers
        wijziging winst woning zaak ziekte""",
    "pl": """adres aneks awaria bateria baterii bezpieczeństwo biuro budynek cennik ceny czas czynsz dni dochód dokument dokumenty dokumentów
        dostawa dostawca dostawcy dzień dłużnik faktura faktury firma firmy godziny gwarancja hasło informacje instrukcja kara kary kaucja klient
        klienta klucz klucze koszt kosztorys koszty kosztów kredyt kupno kwota kwoty lokal magazyn miasto miesiąc miesięcy mieszkanie najem
        najemca najemcy najmu należność naprawa naprawy numer ochrona odbiór odpowiedzialność odsetki odszkodowanie oferta oferty okres opłata
        opłaty paragraf podatek podatki podpis pożar pożyczka praca pracodawca pracownicy pracownik pracownika pracy prawo premia procent produkt
        projekt protokół przepisy przychody przychód prąd płatność rachunek raport raporty regulamin reklamacja rok roku sklep spotkanie
        sprzedawca sprzedaż spółka stawka strona suma szkoda szkolenie tabela temperatura termin terminy towar tydzień ubezpieczenia
        ubezpieczenie umowa umowie umowy umów urlop urlopu usługa usługi wada wartość warunki wersja wniosek wykaz wymagania wynagrodzenie
        wynajem wynajmujący wynik wyniki wypowiedzenia wypowiedzenie właściciel zadatek zakres zakup zaliczka zamówienie zapłata zasady załącznik
        zebranie zespół zgoda zmiana zmiany zwrot zysk""",
    "pt": """acordo advogado aluguel aluguer anexo ano anos aplicação arquivo arquivos arrendamento assinatura aumento aviso caução chave chaves
        cliente clientes cláusula compra comprador condições conta conteúdo contrato contratos custo custos dados dano danos demissão depósito
        desconto despesa despesas dia dias dinheiro direito direitos documento documentos duração dívida edifício empregado empregador empresa
        empresas empréstimo encomenda endereço entrega equipamento escritório exemplo fatura faturas fiador fiança ficheiro fornecedor
        fornecedores funcionário funcionários férias garantia gasto gastos horário imposto impostos imóvel incêndio inquilino investimento juros
        lei licença limite locador locatário lucro manutenção meses montante multa mês negócio número obra obras oferta orçamento pagamento
        pagamentos pagar pedido pedidos pessoal prazo prazos prestação preço preços processo produto projeto proposta proprietário prédio quantia
        receita recibo reembolso regulamento relatório relatórios renda reparação requisitos rescisão resumo reunião risco salário salários
        segurança seguro semana senhorio serviço serviços sociedade tabela taxas trabalhador trabalho título vencimento venda vendas vendedor
        versão vigência""",
    "tr": """adres aidat alacak alıcı anahtar anahtarları anlaşma artış avans aylık bakım bedel bedeli belge belgeler bilgi bordro borç brüt
        bütçe ceza daire denetim depo depozito depozitosu devir dosya dosyalar dönem ekipman emlak faiz fark fatura faturalar faturası faturasını
        fesih fiyat fiyatlar fiyatları fiyatı garanti gecikme gelir gider giderler gün güvence güvenlik hafta hakkı harcama hasar hesap hizmet
        hukuk iade ihale ihbar indirim itiraz izin izni iş işveren işçi kanun kararı kiracı kiralama kirası kiraya kontrat koşul koşulları kural
        kurallar maaşı madde maliyet malzeme masraf müdür müşteri müşteriler nakliye numara numarası onarım oranı personel proje rapor raporu
        saat sahibi satıcı satın satış sayfa sayısı senet seyahat sigorta sipariş soru sorumluluk sözleşme sözleşmenin sözleşmesi sözleşmesinin
        süresi sürüm tablo tahliye taksit talep tapu tarih tarihi tazminat taşınma tedarikçi teklif teklifi teklifler teminat temizlik teslim
        teslimat toplam toplantı tutanak tutar tutarı vade vergi vergiler yakıt yangın yapı yasa yönetim yönetmelik yıl yıllık zam zarar çalışan
        çalışanlar çalışma çek ödeme ödemeler ödenir ödül özet ücret ücreti ürün şartlar şirket şirketi""",
}
