"""Made tables of kinds that were answered wrongly in real files, with their questions: cells that a "how many" asks for, one column of figures
under a heading of its own, quarters and spans of years as headings, marks of notes in headings, numbered columns, a remainder in the last row,
units over the whole table, other languages.

They were written after the real ones had been looked at and are no evidence of how well others are answered.
"""

from __future__ import annotations

from benchmarks.table_questions import MadeTable, TableQuestion, parse_rows

TABLES = {
    "outbreaks": MadeTable(
        "Annual bulletin.pdf",
        parse_rows("""
Country | Domestic (%) | Imported (%) | Total (n)
Norland | 0 | 100 | 14
Vessen | 40 | 60 | 35
Karlshavn | 100 | 0 | 120
Averton | 25 | 75 | 8
All countries | 75.1 | 24.9 | 177
"""),
        parser="pdf",
        caption="Table 4: Reported cases of marsh fever by country and origin",
    ),
    "training": MadeTable(
        "Campaign coverage.pdf",
        parse_rows("""
District | Halts | Persons trained | Persons counselled | Persons tested
(1) | (2) | (3) | (4) | (5)
Elver | 8 | 3,665 | 2,409 | 1,000
Saltmarsh | 6 | 3,810 | 2,317 | 1,453
Tern Bay | 13 | 5,680 | 9,027 | 4,153
Total | 27 | 13,155 | 13,753 | 6,606
"""),
        parser="pdf",
        caption="Table 6.1: Coverage of the health train",
    ),
    "company": MadeTable(
        "Brugge Port NV.html",
        parse_rows("""
Year | Revenue in million EUR[12] | Total assets in million EUR[12] | Employees[13]
2021 | 398 | 1,254 | 610
2022 | 442 | 1,259 | 710
2023 | 511 | 1,406 | 790
2024 | 604 | 1,768 | 910
"""),
        parser="html",
        caption="Brugge Port NV in figures",
    ),
    "owners": MadeTable(
        "Owners.html",
        parse_rows("""
Shareholder name | Percentage
Halcyon Pension Fund | 8.9%
Tern Capital | 5.6%
Tern Capital Life | 1.4%
Others | 84.1%
"""),
        parser="html",
        caption="Shareholders of Almadraba SL",
    ),
    "issuance": MadeTable(
        "Paper market.pdf",
        parse_rows("""
 | Q1 | Q2 | Q3 | Q4 | Total
2004 | 34.7 | 36.2 | 44.5 | 51.3 | 166.7
2005 | 58.1 | 63.4 | 61.6 | 55.2 | 238.3
2006 | 74.7 | 84.1 | 96.5 | 111.8 | 367.1
"""),
        parser="pdf",
        caption="Table 3 - Issuance of harbour bonds",
    ),
    "decades": MadeTable(
        "Growth by region.pdf",
        parse_rows("""
Region/Territory | 1991-2001 | 2001-2011 | 2011-2021
Northmoor | 14.59 | 11.10 | 9.25
Eastfold | 18.92 | 16.93 | -0.47
Westmark | 40.28 | 17.10 | 12.60
"""),
        parser="pdf",
        caption="Table 9: Decadal growth of population (per cent)",
    ),
    "rates": MadeTable(
        "Accidents and drownings.pdf",
        parse_rows("""
Year | Accidents | | Drownings |
 | Incidence | Rate | Incidence | Rate
1989 | 16906 | 20.8 | 6874 | 8.5
1990 | 17440 | 21.1 | 7391 | 8.9
1991 | 18800 | 22.1 | 7845 | 9.2
"""),
        header_rows=2,
        spans=((0, 1, 1, 2), (0, 3, 1, 2)),
        parser="pdf",
    ),
    "brands": MadeTable(
        "Grocers.pdf",
        parse_rows("""
Names | Own label market share | Number of items
Kesters | 28.0 | n.a.
Marlow | 24.8 | 1800
Pryce | 24.7 | 2500
Sutton | 15.7 | 1500
"""),
        parser="pdf",
        caption="Table 8: Own label shares of grocers, 1996",
    ),
    "aportes": MadeTable(
        "Aportes.pdf",
        parse_rows("""
Apellido | Nombre | Fecha | Tipo | Importe
AMAYA | HUGO | 09/10/2013 | EFECTIVO | $ 20.000,00
BERRUTI | CLAUDIA | 14/10/2013 | EFECTIVO | $ 10.000,00
LASSO | RICARDO | 21/10/2013 | CHEQUE | $ 5.500,50
"""),
        parser="pdf",
        language="es",
    ),
    "trips": MadeTable(
        "Board expenses.pdf",
        parse_rows("""
Full name | Grouping | Date incurred | Amount £ | Reimbursement amount £
Edith Marsh | Taxis | 16/11/2011 | £13.22 | 0
Edith Marsh | Rail | 20/01/2012 | £76.00 | 0
Edith Marsh | Rail | 20/01/2012 | -£65.00 | 0
Edith Marsh | Taxis | 22/02/2012 | £18.76 | 0
Edith Marsh | Flights | 25/04/2012 | £259.05 | 0
Edith Marsh | Flights | 28/04/2012 | £169.50 | 0
"""),
        parser="pdf",
    ),
    "results": MadeTable(
        "Half-year results.xlsx",
        parse_rows("""
In millions of CHF | January-June 2022 | January-June 2023
Trading profit | 6684 | 7351
Net other expenses | (65) | (73)
Operating profit | 6619 | 7278
"""),
        parser="xlsx",
    ),
    "climate": MadeTable(
        "Readings.csv",
        parse_rows("""
Station | Celsius | Humidity
Harbour | 15 | 72
Ridge | 18.5 | 65
Marsh | 12 | 80
"""),
    ),
    "shares": MadeTable(
        "Coffee.pdf",
        parse_rows("""
Brands | Market shares in volume (1996) | Market shares in volume (1997)
Kesters | 17.0% | 16.5%
Marlow | 14.2% | 16.6%
Pryce | 5.8% | 5.4%
"""),
        parser="pdf",
        caption="Table 8.21 - Leading coffee brands, 1996 and 1997",
    ),
    "datasets": MadeTable(
        "Reading machines.pdf",
        parse_rows("""
Dataset | Train | Dev | Test
Harbour QA | 79,168 58,880 | 8,757 | 3,610 (a)
Ferry QA | 78,785 60,413 | 8,837 | 11,313 1
Quay QA | 78,713 70,096 | 8,886 | 10,570 2
"""),
        parser="pdf",
        caption="Table 1: Number of questions in each data set. The two numbers of Train are the first examples and those that were kept for Quay QA",
    ),
    "enrolment": MadeTable(
        "Schools.pdf",
        parse_rows("""
Disclosure report | | |
Year | Public | | Private |
 | PK-8 | 9-12 | PK-8 | 9-12
1996 | 32,762 | 12,849 | 4,719 | 1,213
1997 | 33,071 | 13,056 | 4,726 | 1,219
"""),
        header_rows=3,
        spans=((0, 0, 1, 5), (1, 1, 1, 2), (1, 3, 1, 2)),
        parser="pdf",
    ),
    "ludnosc": MadeTable(
        "Faktury.csv",
        parse_rows("""
Faktura | Data | Dostawca | Kwota (PLN)
F-1 | 12 stycznia 2025 | Nowak | 1 250,00
F-2 | 3 marca 2025 r. | Kowalski | 430,50
F-3 | 14 marca 2025 r. | Nowak | 99,50
"""),
        language="pl",
    ),
}

_ASKED = [
    ("How many cases of marsh fever did Vessen report?", "outbreaks", "35"),
    ("Which country reported the most cases of marsh fever?", "outbreaks", "120"),
    ("What is the total number of marsh fever cases?", "outbreaks", "177"),
    ("How many persons were trained in Saltmarsh?", "training", "3,810"),
    ("How many persons were tested altogether?", "training", "6,606"),
    ("How many persons were counselled in Tern Bay?", "training", "9,027"),
    ("How many employees did Brugge Port have in 2022?", "company", "710"),
    ("In which year did Brugge Port have the highest total assets?", "company", "1,768 EUR million"),
    ("What was the revenue of Brugge Port in 2023?", "company", "511"),
    ("What was the average revenue of Brugge Port from 2022 to 2024?", "company", "519 EUR million"),
    ("Which shareholder holds the largest percentage of Almadraba?", "owners", "8.9%"),
    ("What percentage of Almadraba does Tern Capital own?", "owners", "5.6%"),
    ("What was the issuance of harbour bonds in the third quarter of 2005?", "issuance", "61.6"),
    ("How much was issued in harbour bonds in total in 2004?", "issuance", "166.7"),
    ("What was the population growth of Westmark from 2001 to 2011?", "decades", "17.10"),
    ("Which region had the lowest population growth in 2011-2021?", "decades", "-0.47"),
    ("What was the drownings rate in 1990?", "rates", "8.9"),
    ("Which of the grocers had the most own label items?", "brands", "2,500"),
    ("How many items does Sutton have?", "brands", "1,500"),
    ("What was the own label market share of Marlow in 1996?", "brands", "24.8"),
    ("¿Cuál es el importe de AMAYA?", "aportes", "$ 20.000,00"),
    ("¿Cuál es el importe total de los aportes?", "aportes", "$35,500.50"),
    ("What did Edith Marsh spend on taxis in total?", "trips", "31.98"),
    ("How many flights did Edith Marsh claim?", "trips", "2"),
    ("What was the most expensive flight of Edith Marsh?", "trips", "259.05"),
    ("What was the operating profit in January-June 2022?", "results", "6,619"),
    ("What is the humidity of the Ridge station?", "climate", "65"),
    ("What was the market share of Marlow in 1997?", "shares", "16.6%"),
    ("Which of the coffee brands had the largest market share in volume in 1996?", "shares", "17%"),
    ("What was the private PK-8 figure in 1997?", "enrolment", "4,726"),
    ("What is the total Kwota of Nowak?", "ludnosc", "1,349.50"),
    ("What is the total Kwota in March 2025?", "ludnosc", "530"),
]
_NOT_COMPUTED = [
    "How many employees did Brugge Port have in 1987?",
    "What was the rate in 1990?",
    "Which country has the highest humidity?",
    "What was the population growth of Bavaria from 2001 to 2011?",
    "What did Edith Marsh spend on ferries in total?",
    "What is the total percentage of imported cases of marsh fever?",
    "How many cases of marsh fever did Portugal report?",
    "How many persons were vaccinated in Elver?",
    "How many test questions does Quay QA have?",
    "How many persons tested had scurvy?",
    "What is the average weight of a hard hat?",
]

QUESTIONS = [TableQuestion(question, table, answer) for question, table, answer in _ASKED]
QUESTIONS += [TableQuestion(question, "", None) for question in _NOT_COMPUTED]
