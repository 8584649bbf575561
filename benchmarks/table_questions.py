"""Made tables with questions whose answers are known: what `python -m benchmarks.table_answers` asks, and the tests.

Every third question is held back (`held`): it was written before the calculation was developed and not looked at meanwhile. `answer` is the value
as it must be shown; None where nothing may be computed.
"""

from __future__ import annotations

from typing import NamedTuple


class MadeTable(NamedTuple):
    filename: str
    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1
    caption: str = ""
    spans: tuple[tuple[int, int, int, int], ...] = ()
    parser: str = "csv"
    language: str = ""


class TableQuestion(NamedTuple):
    question: str
    table: str
    answer: str | None
    held: bool = False


def parse_rows(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cell.strip() for cell in line.split("|")) for line in text.strip().splitlines())


TABLES = {
    "orders": MadeTable(
        "Orders 2025.csv",
        parse_rows("""
Order | Date | Customer | Country | Status | Units | Amount (EUR)
1041 | 2025-01-14 | Kestrel Handling | Spain | paid | 4 | 1200.50
1042 | 2025-01-30 | Norland Trucks | Norway | open | 10 | 3410.00
1043 | 2025-02-03 | Pallas GmbH | Germany | paid | 2 | 480.25
1044 | 2025-02-17 | Kestrel Handling | Spain | paid | 7 | 2100.75
1045 | 2025-03-05 | Almadraba SL | Spain | open | 1 | 95.00
1046 | 2025-03-21 | Norland Trucks | Norway | paid | 12 | 4096.00
1047 | 2025-04-02 | Pallas GmbH | Germany | cancelled | 3 | 720.40
1048 | 2025-04-28 | Kestrel Handling | Spain | open | 5 | 1500.00
1049 | 2025-06-11 | Brugge Port NV | Belgium | paid | 9 | 2750.10
1050 | 2025-07-08 | Norland Trucks | Norway | paid | 6 | 1999.99
1051 | 2025-07-19 | Almadraba SL | Spain | paid | 8 | 2640.00
1052 | 2025-09-01 | Pallas GmbH | Germany | open | 11 | 3300.00
"""),
    ),
    "umsatz": MadeTable(
        "Umsatz Filialen.xlsx",
        parse_rows("""
Filiale | Leiter | Umsatz | Anteil
Hamburg | Jansen | 1.234.567,80 € | 31,5 %
Bremen | Ahlers | 845.120,40 € | 21,6 %
Kiel | Petersen | 402.300,00 € | 10,3 %
Rostock | Wolter | 377.012,25 € | 9,6 %
Lübeck | Brandt | 1.058.999,55 € | 27,0 %
Gesamt | | 3.918.000,00 € | 100,0 %
"""),
        parser="csv",
        language="de",
    ),
    "budget": MadeTable(
        "Department budget.docx",
        parse_rows("""
Department | 2024 | | 2025 |
 | Budget | Actual | Budget | Actual
Engineering | 1,200 | 1,150 | 1,400 | 1,450
Marketing | 600 | 640 | 650 | 610
Sales | 900 | 870 | 950 | 990
Support | 300 | 310 | 320 | 305
Total | 3,000 | 2,970 | 3,320 | 3,355
"""),
        header_rows=2,
        caption="Budget and actual cost by department (EUR k)",
        spans=((0, 1, 1, 2), (0, 3, 1, 2)),
        parser="docx",
    ),
    "staff": MadeTable(
        "Staff list.xlsx",
        parse_rows("""
Name | Department | Start date | Salary | Remote | Age
Ada Brandt | Engineering | 14/03/2019 | $92,000 | yes | 41
Bo Lindqvist | Engineering | 02/09/2021 | $78,500 | no | 29
Carmen Ruiz | Marketing | 21/01/2020 | $64,000 | yes | 35
Dmitri Orlov | Support | 30/06/2022 | $51,200 | no | 26
Elif Kaya | Sales | 11/11/2018 | $83,300 | yes | 48
Farid Aziz | Sales | 05/02/2023 | $59,900 | no | 31
Grace Obi | Engineering | 17/08/2016 | $104,750 | yes | 52
Hana Sato | Support | 23/04/2024 | $48,000 | yes | 24
"""),
        parser="xlsx",
    ),
    "freight": MadeTable(
        "Freight report.pdf",
        parse_rows("""
Shipment | Carrier | Origin | Destination | Weight (kg) | Cost
Inbound | | | | |
S-301 | Halcyon Lines | Rotterdam | Averton | 12,400 | £3,150.00
S-302 | Borealis Sea | Oslo | Averton | 8,050 | £2,480.50
S-303 | Halcyon Lines | Bilbao | Averton | 15,200 | £4,020.00*
Subtotal inbound | | | | 35,650 | £9,650.50
Outbound | | | | |
S-304 | Borealis Sea | Averton | Rotterdam | 6,300 | £1,905.25
S-305 | Tern Cargo | Averton | Oslo | 9,975 | £2,760.00
S-306 | Halcyon Lines | Averton | Rotterdam | 4,120 | £1,340.75
Subtotal outbound | | | | 20,395 | £6,006.00
Grand total | | | | 56,045 | £15,656.50
"""),
        parser="pdf",
        caption="Table 3: Sea freight in the second quarter",
    ),
    "countries": MadeTable(
        "Country facts.html",
        parse_rows("""
Country | Capital | Population (millions) | Area (km²) | GDP (USD bn)
Estonia | Tallinn | 1.37 | 45,339 | 41.3
Latvia | Riga | 1.87 | 64,589 | 43.6
Lithuania | Vilnius | 2.86 | 65,300 | 77.8
Finland | Helsinki | 5.58 | 338,455 | 300.2
Denmark | Copenhagen | 5.95 | 42,933 | 404.2
"""),
        parser="html",
        caption="Countries around the Baltic",
    ),
    "stock": MadeTable(
        "Warehouse stock.csv",
        parse_rows("""
Item | Category | In stock | Reorder point | Unit price (£) | Supplier
Pallet jack | Handling | 14 | 5 | 349.00 | Kestrel Handling
Reach truck battery | Handling | 3 | 4 | 1,280.00 | Norland Trucks
Hi-vis vest | Safety | 220 | 100 | 6.50 | Saxby Workwear
Hard hat | Safety | 85 | 60 | 11.25 | Saxby Workwear
Safety boots | Safety | 41 | 50 | 54.90 | Saxby Workwear
Stretch film | Packing | 310 | 150 | 8.75 | Crate & Co
Cardboard box L | Packing | 1,900 | 800 | 0.95 | Crate & Co
Label printer | Office | n/a | 1 | 215.00 | Pallas GmbH
Dock leveller seal | Spares | 7 | 2 | 96.40 | Kestrel Handling
"""),
    ),
    "claims": MadeTable(
        "Expense claims.xlsx",
        parse_rows("""
Submitted | Employee | Purpose | Net amount | Gross amount | Approved
3 March 2025 | Ada Brandt | Travel | 410.00 | 487.90 | yes
9 March 2025 | Elif Kaya | Hotel | 620.50 | 738.40 | yes
2 April 2025 | Farid Aziz | Meals | 75.20 | 89.49 | no
18 April 2025 | Ada Brandt | Hotel | 305.00 | 362.95 | yes
7 May 2025 | Carmen Ruiz | Travel | 128.40 | 152.80 | no
28 May 2025 | Elif Kaya | Travel | 233.10 | 277.39 | yes
"""),
        parser="xlsx",
    ),
}

_ASKED = [
    # orders
    ("How many orders came from Spain?", "orders", "5"),
    ("What is the total amount of the orders?", "orders", "24,292.99"),
    ("How many orders are open?", "orders", "4"),
    ("How many different customers are in the orders?", "orders", "5"),
    ("What is the largest order amount?", "orders", "4,096"),
    ("Which customer has the most orders?", "orders", "Kestrel Handling, Norland Trucks, Pallas GmbH: 3"),
    ("How many orders are above 2,500 EUR?", "orders", "5"),
    ("What is the average order amount?", "orders", "2,024.42"),
    ("What is the total amount of paid orders in Spain?", "orders", "5,941.25"),
    ("How many units did Norland order in total?", "orders", "28"),
    ("What was the total amount in March 2025?", "orders", "4,191"),
    ("How many orders were placed before April 2025?", "orders", "6"),
    ("What is the sum of the amounts in the first quarter of 2025?", "orders", "11,382.50"),
    ("Total amount per country of the orders", "orders", "Spain: 7,536.25"),
    ("What is the amount of order 1046?", "orders", "4096.00"),
    ("How many orders between 1,000 and 2,000 EUR are there?", "orders", "3"),
    # umsatz
    ("Wie hoch ist der Umsatz insgesamt?", "umsatz", "3,918,000 EUR"),
    ("Welche Filiale hat den höchsten Umsatz?", "umsatz", "1,234,567.80 EUR"),
    ("What is the Umsatz of Kiel?", "umsatz", "402.300,00 €"),
    ("How many Filialen are listed?", "umsatz", "5"),
    ("Durchschnitt des Umsatz der Filialen", "umsatz", "783,600 EUR"),
    # budget
    ("What was the total actual cost in 2024?", "budget", "2,970 EUR k"),
    ("Which department had the highest actual in 2025?", "budget", "1,450 EUR k"),
    ("What is the 2025 budget of Marketing?", "budget", "650"),
    ("What is the sum of the 2025 budget over all departments?", "budget", "3,320 EUR k"),
    ("How many departments are in the department budget?", "budget", "4"),
    # staff
    ("Who has the highest salary?", "staff", "$104,750"),
    ("What is the average salary in Engineering?", "staff", "$91,750"),
    ("How many employees on the staff list are remote?", "staff", "5"),
    ("How many staff are not remote?", "staff", "3"),
    ("How many people on the staff list started after 2020?", "staff", "4"),
    ("What is the salary of Carmen Ruiz?", "staff", "$64,000"),
    ("Average salary per department on the staff list", "staff", "Engineering: $91,750"),
    ("Who is the oldest on the staff list?", "staff", "52"),
    ("What is the median age of the staff?", "staff", "33"),
    ("How many staff earn more than $60,000 salary?", "staff", "5"),
    # freight
    ("What was the total cost of sea freight?", "freight", "15,656.50 GBP"),
    ("Which carrier has the most shipments?", "freight", "Halcyon Lines: 3"),
    ("What is the total weight of the shipments to Rotterdam?", "freight", "10,420"),
    ("How many shipments came from Averton?", "freight", "3"),
    ("Which shipment had the lowest cost?", "freight", "1,340.75 GBP"),
    ("What is the cost of shipment S-302?", "freight", "£2,480.50"),
    ("Which carrier has the highest total cost?", "freight", "Halcyon Lines: 8,510.75 GBP"),
    # countries
    ("Which country has the largest area?", "countries", "338,455"),
    ("What is the population of Latvia?", "countries", "1.87"),
    ("What is the total population of the Baltic countries?", "countries", "17.63"),
    ("What is the capital of Lithuania?", "countries", "Vilnius"),
    ("How many countries have a GDP above 100 billion dollars?", "countries", "2"),
    # stock
    ("Which item has the most in stock?", "stock", "1,900"),
    ("How many safety items are in the warehouse stock?", "stock", "3"),
    ("What is the cheapest item in the warehouse stock?", "stock", "0.95"),
    ("What is the reorder point of the hard hat?", "stock", "60"),
    ("How many items does Saxby Workwear supply?", "stock", "3"),
    ("What is the average unit price of the packing items?", "stock", "4.85"),
    # claims
    ("What is the total net amount of the expense claims?", "claims", "1,772.20"),
    ("How many expense claims are approved?", "claims", "4"),
    ("What is the total gross amount claimed by Ada Brandt?", "claims", "850.85"),
    ("How many expense claims were submitted in April 2025?", "claims", "2"),
    ("When was the latest expense claim submitted?", "claims", "2025-05-28"),
]

_NOT_COMPUTED = [
    "What is the total amount of the expense claims?",
    "How large is the deposit for Quay 7 and who holds it?",
    "Why is the joint of the runway beam corroded?",
    "What is the total rainfall in Madrid?",
    "How many vacation days do employees get?",
    "Summarise the freight report.",
    "Which country has the best football team?",
    "What is the average salary in Oslo?",
    "How many orders came from Portugal in the list of Zenith?",
    "What is the total cost per gallon?",
    "Compare the budget of Marketing and Sales.",
    "Who approved the reach trucks?",
    "How does the warehouse order new stock?",
    "What is the highest mountain in Norway?",
    "How many people work for Halcyon Lines?",
    "What is the difference between net and gross?",
    "What is the maximum weight for a forklift operator?",
    "How much notice must we give?",
]

# Written when all else was done, and asked once.
_LATER = [
    ("How many Spanish orders are there?", "orders", None),
    ("Number of units ordered by Kestrel Handling", "orders", "16"),
    ("Which order had the fewest units?", "orders", "1"),
    ("What did Pallas GmbH order in total, in EUR?", "orders", "4,500.65"),
    ("How many orders from Norway were paid?", "orders", "2"),
    ("average units per order", "orders", "6.5"),
    ("Wie viele Filialen gibt es?", "umsatz", "5"),
    ("Who is the Leiter of Bremen?", "umsatz", "Ahlers"),
    ("Which department has the smallest 2024 budget?", "budget", "300 EUR k"),
    ("How many people in Support are on the staff list?", "staff", "2"),
    ("What is the lowest salary?", "staff", "$48,000"),
    ("What is the average age of people in Sales?", "staff", "39.5"),
    ("Who started most recently?", "staff", "2024-04-23"),
    ("How much did Tern Cargo cost?", "freight", "2,760 GBP"),
    ("What is the combined weight of shipments from Bilbao and Oslo?", "freight", "23,250"),
    ("Which Baltic country has the smallest population?", "countries", "1.37"),
    ("What is the total area of Estonia and Latvia?", "countries", "109,928"),
    ("How many categories are in the warehouse stock?", "stock", "5"),
    ("What is the unit price of a hi-vis vest?", "stock", "6.50"),
    ("How many items cost more than 100 pounds?", "stock", "3"),
    ("Sum of the gross amount of approved expense claims", "claims", "1,866.64"),
    ("How many claims did Elif Kaya submit after 1 April 2025?", "claims", "1"),
    ("Which employee has the most expense claims?", "claims", "Ada Brandt, Elif Kaya: 2"),
    ("How many trucks does the police own?", "", None),
    ("What is the total price of the moon?", "", None),
    ("What is the average temperature in Tallinn?", "", None),
]

QUESTIONS = [TableQuestion(question, table, answer, place % 3 == 2) for place, (question, table, answer) in enumerate(_ASKED)]
QUESTIONS += [TableQuestion(question, "", None, place % 3 == 2) for place, question in enumerate(_NOT_COMPUTED)]
LATER_QUESTIONS = [TableQuestion(question, table, answer, held=True) for question, table, answer in _LATER]
