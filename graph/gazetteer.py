"""Words that tell what a name is: given names, places, heads of organisations, titles and offices. General knowledge, no library of its own."""

from __future__ import annotations

from core.language.place_names import CITIES, COUNTRIES, LARGE_AREAS, REGIONS
from core.language.weekdays import short_weekdays, weekdays

PLACES = COUNTRIES | LARGE_AREAS | REGIONS | CITIES

# The last word of a name that is a place, or the first ("Lake Erie", "Mount Kenya").
PLACE_HEADS = frozenset(
    """street road avenue lane boulevard blvd square park river lake sea ocean bay gulf island islands isle peninsula mountain mountains hill hills
    valley county province district prefecture region city town village harbour harbor port dock docks quay pier bridge airport station beach creek
    forest desert canyon falls coast strait canal plaza row mews terrace crescent gardens castle palace tower cathedral heights highway
    governorate oblast canton borough parish township territory strasse straße platz allee gasse weg ufer brucke calle rue plaza avenida""".split()
)
PLACE_STARTS = frozenset("lake mount mt cape port fort river gulf bay isle st. north south east west northern southern eastern western".split())

ORGANISATION_HEADS = frozenset(
    """ltd limited llp llc inc incorporated corp corporation plc gmbh ag kg kgaa ohg se s.a. sa sas sarl s.p.a. spa srl bv b.v. nv n.v. ab asa oy
    oyj pty co company companies group holding holdings partners bank university college school academy institute institution ministry department
    agency association council commission committee board bureau office authority court tribunal parliament senate congress assembly house party
    union federation confederation alliance league foundation trust society club team church ministries museum library hospital clinic laboratory
    laboratories labs press publishers publishing records pictures studios entertainment media news times post herald tribune gazette radio
    television tv network networks airlines airways air railway railways shipping lines logistics freight cargo motors automotive systems
    technologies technology software solutions services consulting consultants associates insurance securities capital ventures estates
    industries industrial manufacturing chemicals pharmaceuticals energy electric electronics telecom communications foods brewery brewing
    stores market hotels army navy force forces guard police fire brigade regiment division corps battalion service orchestra band
    centre center centres centers
    front movement organisation organization cooperative chamber exchange fund forum initiative coalition cabinet government
    administration embassy secretariat directorate verein verband stiftung universitat hochschule ministerium amt gericht partei bund
    gesellschaft werke sparkasse versicherung""".split()
)
# The first word of an organisation's name ("University of …", "Bank of …").
ORGANISATION_STARTS = frozenset(
    """university bank ministry department institute college school house board council court federation association society bureau office church
    party union league parliament order academy ministère ministerio universidad universite banco banque bundesamt bundesministerium""".split()
)

PERSON_TITLES = frozenset(
    """mr mrs ms miss mx dr prof professor sir dame lord lady herr frau monsieur madame mme m. señor señora sr sra don doña rev reverend father
    sister brother fr saint captain capt major maj colonel col general gen lieutenant lt sergeant sgt admiral president vice-president chancellor
    minister senator sen representative rep governor gov mayor judge justice king queen prince princess emperor empress duke duchess earl count
    countess baron baroness pope cardinal archbishop bishop rabbi imam sheikh sultan ambassador secretary congressman congresswoman councillor
    actor actress author writer singer director producer composer painter poet guitarist drummer historian physicist economist philosopher
    politician candidate leader chairman chairwoman coach footballer journalist architect engineer comedian rapper novelist lawyer
    attorney officer""".split()
)
ROLE_HEADS = frozenset(
    """manager director officer president chairman chairwoman chair chairperson secretary treasurer accountant engineer architect analyst consultant
    coordinator supervisor lead head chief assistant administrator partner associate agent surveyor inspector auditor lawyer solicitor attorney
    counsel notary clerk editor author professor lecturer teacher researcher scientist developer designer planner buyer controller operator
    technician specialist representative founder co-founder owner ceo cfo cto coo vp minister mayor governor senator ambassador judge captain
    foreman steward trustee landlord tenant geschäftsführer geschäftsführerin leiter leiterin vorstand sachbearbeiter sachbearbeiterin""".split()
)

GIVEN_NAMES = frozenset(
    """aaron abdul abdullah abigail abraham ada adam adele adrian agnes ahmed aidan aisha alan albert alec alejandro alex alexander alexandra alexis
    alfred ali alice alicia alison allan allen alma amanda amelia amina amir amy ana anastasia anders andrea andreas andres andrew andrzej andy
    angela angelo anita ann anna anne annette annie anthony anton antonio april archie ariel arnold arthur arturo asha astrid audrey august axel
    barbara barry bart beatrice beatrix becky ben benjamin bernard bernd berit bert beth betty bill billy bjorn bob boris brad bradley brandon
    brenda brendan brent brett brian bridget bruce bruno bryan burt callum calvin cameron carl carla carlo carlos carmen carol caroline carolyn
    carrie catherine cathy cecil cecilia cesar chad charles charlie charlotte cheryl chloe chris christian christina christine christopher cindy
    claire clara clarence claude claudia clay clement clifford clinton clive colin colleen connor conrad constance corey cornelia craig cristina
    curtis cynthia daisy dale dan daniel daniela danny daphne darren dave david dawn dean deborah debra denise dennis derek diana diane diego
    dieter dimitri dirk dmitri dominic don donald donna dora doris dorothy doug douglas duncan dustin dwayne dylan earl ed eddie edgar edith
    edmund eduardo edward edwin eileen elaine eleanor elena eli elias elijah elisabeth elizabeth ella ellen elliot elsa elsie emil emilia
    emily emma eric erica erich erik erika ernest ernst erwin esther ethan ethel eugene eva evan eve evelyn fabian fatima felicity felix ferdinand
    fernando fiona florence floyd frances francesca francesco francis francisco francois frank franklin franz fred freda freddie frederick
    friedrich fritz gabriel gabriela gail gareth gary gavin gene geoffrey george georg georgia gerald gerard gerhard gertrude gilbert giovanni
    giulia giuseppe gladys glen glenn gloria gordon grace graham grant greg gregory greta guido guillermo gustav guy hannah hanna hans harold
    harriet harry harvey hassan hazel heather hector heidi heinrich heinz helen helena helga henri henrietta henrik henry herbert herman hilary
    hilda hiroshi holly horst howard hubert hugh hugo ian ibrahim ida ignacio igor ines ingrid irene iris irina isaac isabel isabella isaiah
    ismail ivan ivy jack jackie jackson jacob jacqueline jacques jaime jake jakob james jamie jan jana jane janet janice jared jasmine jason
    javier jay jean jeff jeffrey jennifer jenny jens jeremy jerome jerry jesse jessica jesus jill jim jimmy joachim joan joanna joanne joao
    joaquim joe joel johan johann johanna johannes john johnny jon jonas jonathan jordan jorg jorge jose josef joseph josephine joshua joyce
    juan juana judith judy julia julian julie juliet julio julius june jurgen justin karen karim karin karl karla kate katharina katherine
    kathleen kathryn kathy katie katja kay keith kelly ken kenneth kenji kerry kevin khalid kim kirk klaus knut konrad kristen kristin kurt kyle
    lance lars larry laura lauren laurence lawrence lea leah lee leila lena lenny leo leon leonard leonardo leroy leslie lester lewis liam lily
    linda lisa lloyd lois lorenzo lori lothar lou louis louise lucas lucia lucy ludwig luigi luis luke lydia lynn mabel madeleine maggie magnus
    mahmoud malcolm manfred manuel mara marc marcel marcia marco marcus margaret margarita margot maria marian marie marilyn mario marion marjorie
    mark markus marlene marsha martha martin martina marty marvin mary masao mathias matilda matteo matthew matthias maureen maurice max maxine
    may megan mehmet melanie melissa mia michael michaela michel michelle miguel mike mildred miles milton mina miranda miriam mitchell mohamed
    mohammad mohammed moira molly mona monica monika morgan morris mortimer moses moshe muhammad muriel mustafa nadia nancy naomi
    natalia natalie natasha nathan nathaniel neil nelson nicholas nick nicola nicolas nicole nigel nikolai nils nina noah noel nora norbert norma
    norman olaf olga oliver olivia omar oscar otto owen pablo pamela paolo pascal pat patricia patrick paul paula pauline pedro peggy penelope
    per percy perry pete peter petra phil philip philipp philippe phillip phoebe phyllis pia pierre pieter priya rachel rafael ralf ralph ramon
    randall randy raphael raul ravi ray raymond rebecca regina reginald reinhard renate rene ricardo richard rick ricky rita robert roberta
    roberto robin rodney rodrigo roger roland rolf roman ron ronald rosa rosalind rose rosemary ross roxanne roy ruben rudolf
    rudy rupert russell ruth ryan sabine sadie sally salman salvador sam samantha samuel sandra sanjay santiago sara sarah saskia scott sean
    sebastian serena sergei sergio seth shane shannon sharon shaun sheila shirley sidney siegfried sigmund silvia simon simone sofia sofie
    sonia sophia sophie stacy stan stanley stefan stella stephan stephanie stephen steve steven stewart stuart sue susan susanna susanne suzanne
    sven svetlana sybil sylvia takashi tamara tanya tara ted terence teresa terrence terry tess thelma theodore theresa thomas tiffany tim
    timothy tina tobias todd tom tomas tommy toni tony tracy travis trevor tristan tyler ulrich ulrike ursula uwe valentina valerie vanessa
    vera vernon veronica vicki victor viktor vincent viola violet virgil virginia vivian vladimir wade wallace walter wanda warren wayne wendy
    werner wesley wilfred wilhelm will willard william willie wilma winston wolfgang xavier yasmin yolanda yuri yusuf yvonne zachary zoe""".split()
)

# First words that many organisations share: no short form of one.
GENERIC_FIRST = frozenset(
    """national international united european american british german french canadian australian african asian indian chinese japanese
    russian spanish italian dutch swiss austrian federal royal central general global world first new old great north south east west
    northern southern eastern western northeast northwest southeast southwest democratic republican liberal conservative social labour
    people public free state city county university bank ministry department institute college school house board council court association
    society bureau office church party union league supreme high saint st san santa los las el la le the mount lake port fort""".split()
)
ERAS = frozenset("bc ad bce ce am pm".split())
WEEKDAYS = frozenset((*weekdays("en", "de", "fr", "es"), *short_weekdays("en"), *(f"{day}s" for day in weekdays("en"))))
GENERIC_HEADINGS = frozenset(
    """introduction summary conclusion conclusions contents table of contents overview background abstract references bibliography notes appendix
    annex glossary index acknowledgements discussion results methods method methodology scope purpose definitions general miscellaneous other
    schedule actions agenda attachments preamble signature signatures details description history see also external links further reading
    einleitung zusammenfassung inhalt inhaltsverzeichnis anhang literatur literaturverzeichnis introducción resumen conclusión résumé""".split()
)
