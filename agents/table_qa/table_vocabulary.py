"""Words of questions over tables and of headings, by their stems: what counts, who people are, what adjectives speak of."""

from __future__ import annotations

from core.language.months import months_in_cells
from core.language.stems import stem
from core.language.units import SHARED_CURRENCY_SIGNS, currency_names

NUMBERS = frozenset(stem(word) for word in "number no nr count anzahl nombre número numero".split())
COUNTING = NUMBERS | {stem(word) for word in "total totals all n sum gesamt quantity quantities qty pieces pcs menge stück cantidad quantité".split()}
# The level of a heading that says that what stands above it is counted.
NUMBER_LEVELS = COUNTING | {stem(word) for word in "incidence incidences frequency occurrences cases".split()}
PIECES = frozenset(stem(word) for word in "pieces pcs units stück unidades pièces".split())
RATES = frozenset(stem(word) for word in "rate percent percentage share ratio average mean index price".split())
GENERIC = frozenset(
    stem(word)
    for word in (
        "pdf pdfs csv excel xlsx analyse analyze "
        "table sheet spreadsheet row entry entries item record line list listed file document worksheet column value figure data according overall "
        "amount number total sum average count there have been spend spent pay paid paying cost costs sell sold buy bought make made earn earned "
        "receive "
        "received order ordered ship shipped book booked charge charged record recorded report reported register registered use used take took bring "
        "brought stand single one each any kind exactly approximately about roughly please give calculate compute euros euro dollars dollar "
        "pounds pound "
        "usd eur gbp chf percent per cent currently now far own owned aged together live living worth come comes came belong include included "
        "including "
        "hold held contain actually really "
        "go goes went gone travel travelled place placed list show display find print zeige liste nenne "
        "kosten kam kamen kommen kommt stammen stammt liegen liegt place placed got gets score scored stay stayed yet still already mark marks grade "
        "noch schon bereits "
        "carry carries carried "
        "contains occur happen happened need needed last lasted weigh generate generated produce produced employ employed work works "
        "haben gibt es sind waren wurde wurden beträgt kostet hat ist war wie hoch viel viele was der die das den dem des ein eine im in von vom "
        "für alle aller "
        "über und oder mit bei zu zum zur auf an aus je pro welche welcher welches welchen"
    ).split()
)
KINDS = frozenset("travel work ship report record charge book".split())  # of GENERIC those that say of what kind something is in front of it
PEOPLE = frozenset(
    stem(word)
    for word in "name person employee employees people staff colleague worker member author owner manager rep driver student "
    "athlete player candidate winner recipient contestant swimmer rider runner artist singer actor actress coach skater competitor nominee cyclist "
    "mitarbeiter fahrer spieler kandidat".split()
)
TIMES = frozenset(stem(word) for word in "time duration minute second zeit dauer".split())
SPANS = frozenset(stem(word) for word in "year month week day hour minute second quarter jahr monat woche tag stunde".split())
DEFICITS = frozenset(stem(word) for word in "deficit deficits loss losses shortfall shortage defizit verlust fehlbetrag".split())
SURPLUSES = frozenset(stem(word) for word in "surplus profit gain balance überschuss gewinn saldo".split())
# What may be below zero where things are lacking.
BALANCES = frozenset(stem(word) for word in "balance net result saldo bilanz ergebnis".split())
SPEEDS = frozenset({"fastest", "slowest"})
GROWTH = frozenset(stem(word) for word in "growth increase rise wachstum".split())
GROWTH_VERBS = frozenset("grow grows grew grown growing increase increased rise rises rose risen wuchs wächst gewachsen".split())
EMPLOYEE_WORDS = frozenset(stem(word) for word in "name employee employees person staff mitarbeiter".split())
PEOPLE_NAME_WORDS = (
    EMPLOYEE_WORDS | PEOPLE | frozenset(stem(word) for word in "full first last family given middle surname sur contact vorname nachname".split())
)
# What headings write short, and questions in full.
ABBREVIATIONS = {
    "max": "maximum",
    "min": "minimum",
    "avg": "average",
    "qty": "quantity",
    "amt": "amount",
    "temp": "temperature",
    "dept": "department",
    "tel": "telephone",
    "addr": "address",
    "mgr": "manager",
    "desc": "description",
}
# Words that a unit in a heading or caption says, too.
UNITS_OF_WORDS = {word: tuple(units.split()) for word, units in (
    ("yearly", "year"), ("annual", "year"), ("annually", "year"), ("monthly", "month"), ("weekly", "week"), ("daily", "day"),
    ("consumption", "kwh mwh gwh twh"), ("electricity", "kwh mwh gwh twh"), ("energy", "kwh mwh gwh twh"), ("weight", "kg tonn ton"),
    ("distance", "km mil"),
)}  # fmt: skip
ADJECTIVES = {
    "expensive": "price cost amount fee rate value preis kosten betrag",
    "costly": "price cost amount fee",
    "cheapest": "price cost amount fee rate preis kosten betrag",
    "teuersten": "price cost preis kosten betrag",
    "günstigsten": "price cost preis kosten betrag",
    "heaviest": "weight kg mass gewicht",
    "lightest": "weight kg mass gewicht",
    "longest": "length duration day hour minute distance km länge dauer",
    "shortest": "length duration day hour minute distance km länge dauer",
    "tallest": "height",
    "fastest": "speed time",
    "slowest": "speed time",
    "deepest": "depth tiefe",
    "much": "amount cost price total value sum fee spend net gross betrag kosten preis wert",
}
PRICES = frozenset(stem(word) for word in "price cost amount fee preis kosten betrag".split())
# A price of a piece: beside it the other column of money is what a row is worth.
UNIT_PRICES = frozenset(stem(word) for word in "unit price rate each einzelpreis stückpreis preis".split())
# What is planned beside what came of it: where neither is named what came of it is meant.
PLANNED = frozenset(stem(word) for word in "budget budgeted plan planned forecast target estimate estimated expected soll geplant prognose".split())
BUDGETS = frozenset(stem(word) for word in "budget budgeted plan planned target soll geplant".split())  # what may be spent, no forecast of it
ACTUAL = frozenset(stem(word) for word in "actual actuals real realised realized result ist tatsächlich".split())
# Words of headings that say of which time the figures are.
TIME_STEMS = frozenset(stem(name) for name in months_in_cells()) | {f"{year}" for year in range(1900, 2100)} | {"q1", "q2", "q3", "q4"}
# A sign that several currencies share stands for itself, as it does in the columns of tables; so does what is called by its name.
SHARED_SIGNS = {sign: sign for sign in SHARED_CURRENCY_SIGNS}
_SHARED = {code: sign for sign, code in SHARED_CURRENCY_SIGNS.items()}
NAMED_CURRENCIES = {name: _SHARED.get(code, code) for name, code in currency_names("en").items()}
CURRENCIES = {name: code.lower() for name, code in NAMED_CURRENCIES.items()}
PLACES = frozenset(
    stem(word) for word in "place location site shelf room address city town bay aisle building standort ort lagerort raum regal".split()
)
EDGES = frozenset({"first", "last"})
DATE_SUPERLATIVES = frozenset({"latest", "newest", "earliest", "most recent", "least recent", "oldest", "youngest"})
BIRTHS = frozenset(stem(word) for word in "birth born birthday birthdate dob geburtsdatum geburtstag geboren".split())
AGE_WORDS = frozenset({"age", "alter"})
