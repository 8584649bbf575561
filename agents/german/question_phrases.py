"""Phrases of German questions in English: courtesies that say nothing, tasks, question words with their adjective, verbs in two parts. What stands in
⟦⟧ is English already."""

from __future__ import annotations

import re

from core.lazy_patterns import compile_when_used

_QUESTION_WORDS = r"(?:wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|wieso|weshalb|wie|welche\w?|ob|ab|bis|seit|zu|in|für|an|bei)"
COURTESY = compile_when_used(
    r"^\W*(?:(?:bitte|hallo|hi|hey|sag(?:en\s+sie|t)?|zeig(?:e|en\s+sie)?|gib|geben\s+sie|nenne?|nennen\s+sie|erklär(?:e|en\s+sie)?|mir|uns|doch|mal|kurz|"
    r"(?:kannst|könntest)\s+du|(?:können|könnten)\s+sie|weißt\s+du|wissen\s+sie|ich\s+(?:möchte|würde\s+gerne?)\s+wissen|ich\s+wüsste\s+gerne?|"
    rf"sagen|erklären|nennen|wissen|mitteilen)\b[\s,:]*)+(?={_QUESTION_WORDS}\b)",
    re.IGNORECASE,
)
GREETING = compile_when_used(r"^\W*(?:(?:bitte|hallo|hey|kannst\s+du|könntest\s+du|können\s+sie|könnten\s+sie|mal)\b[\s,]*)+", re.IGNORECASE)
COMPARISON_PHRASE = compile_when_used(r"⟦(?:compare|versus|what is the difference|difference)")
_FILES = r"(?:dokumente?|dateien|unterlagen|pdfs?)"
_LIBRARY = r"(?:bibliothek|sammlung|datenbank|index)"
_THERE = r"(?:habe\s+ich|gibt\s+es|hast\s+du|kennst\s+du|sind\s+(?:da|indexiert|geladen))(?=\W*$)"
_SIDES = r"(?:die|den|das|der|unsere|meine|alle|beide|zwei|drei|vier|(?-i:[A-ZÄÖÜ]))"
_GIVE_PHRASE = r"(?:gib\s+|geben\s+sie\s+)?(?:mir\s+|uns\s+)?(?:bitte\s+)?"
_CLAUSE = r"[^?.!,;]+?(?=\s*(?:[?.!,;]|\bund\b|$))"
_TELLING = r"(vom|von|des|der|über)"
PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_when_used(rf"(?<![\w-]){german}(?![\w-])", re.IGNORECASE), english)
    for german, english in (
        # about the program and the library
        (r"was\s+(?:alles\s+)?(?:kannst\s+du|können\s+sie|kann\s+vantage)(?:\s+(?:alles|so|machen|tun))*(?=\W*$)", "⟦what can you do⟧"),
        (r"(?:wer|was)\s+(?:bist\s+du|sind\s+sie)(?=\W*$)", "⟦what are you⟧"),
        (r"^\W*hilfe(?=\W*$)|wie\s+(?:funktioniert|benutze\s+ich)\s+(?:vantage|das|dieses\s+programm)(?=\W*$)", "⟦help⟧"),
        (rf"wie\s*viele\s+{_FILES}\s+(?:sind|habe\s+ich|gibt\s+es|liegen|hat)\b.*\b{_LIBRARY}", "⟦how many documents are in my library⟧"),
        (rf"wie\s*viele\s+{_FILES}\s+{_THERE}", "⟦how many documents are there⟧"),
        (rf"welche\s+{_FILES}\s+{_THERE}", "⟦which documents are there⟧"),
        (r"was\s+(?:ist|liegt|steht)\s+in\s+(?:meiner|der|unserer)\s+bibliothek(?=\W*$)", "⟦what is in my library⟧"),
        # tasks
        (r"fasse?\s+(?:mir\s+|uns\s+|bitte\s+|mal\s+)*(.+?)\s+(?:bitte\s+)?(?:kurz|knapp)\s+zusammen", r"⟦briefly summarise⟧ \1"),
        (r"fasse?\s+(?:mir\s+|uns\s+|bitte\s+|mal\s+)*(.+?)\s+(?:bitte\s+)?zusammen", r"⟦summarise⟧ \1"),
        (r"(.+?)\s+(?:kurz\s+)?zusammen(?:zu)?fassen", r"⟦summarise⟧ \1"),
        (rf"{_GIVE_PHRASE}(?:eine\s+)?kurze\s+zusammenfassung\s+{_TELLING}", r"⟦a short summary⟧ ⟦of the⟧"),
        (rf"{_GIVE_PHRASE}(?:eine\s+)?zusammenfassung\s+{_TELLING}", r"⟦a summary⟧ ⟦of the⟧"),
        (rf"{_GIVE_PHRASE}(?:einen\s+)?(?:kurzen\s+)?überblick\s+über", "⟦an overview of⟧"),
        (r"worum\s+geht\s+es\s+in|wovon\s+handel[tn]", "⟦summarise⟧"),
        (r"(?:was\s+sind\s+)?(?:die\s+)?(?:wichtigsten\s+punkte|kernpunkte|kernaussagen)\s+(?:von|des|der|aus|im|in)", "⟦the key points of the⟧"),
        (r"stelle?\s+(.+?)\s+gegenüber", r"⟦compare⟧ \1"),
        (r"(?:im\s+vergleich\s+(?:zu[mr]?|mit)|gegenüber|verglichen\s+mit)", "⟦versus⟧"),
        (rf"vergleich(?:e|en|st|t)?(?:\s+sie)?(?:\s+(?:bitte|mal))*(?=\s+{_SIDES})", "⟦compare⟧"),
        (r"(?:ein(?:en)?\s+)?vergleich\s+(?:der|von|zwischen)", "⟦comparison of the⟧"),
        (r"was\s+(?:ist|sind)\s+(?:der|die)\s+unterschiede?\s+zwischen", "⟦what is the difference between⟧"),
        (r"(?:worin|wie|wodurch)\s+unterscheide[nt]\s+sich", "⟦what is the difference between⟧"),
        (r"(?:der\s+|die\s+)?unterschiede?\s+zwischen", "⟦difference between⟧"),
        (r"hinsichtlich|bezüglich|in\s+bezug\s+auf", "⟦about⟧"),
        (r"analysiere?n?(?:\s+sie)?|(?:eine\s+)?analyse\s+(?:von|der|des)|werte?\s+(?=.+\baus\b)", "⟦analyse⟧"),
        (r"(?:zeige?|suche?|finde?|liste?)\s+(?:mir\s+|uns\s+)?(?:bitte\s+)?alle(?=\s)", "⟦show me all⟧"),
        (r"(?:zeige?|suche?|finde?)\s+(?:mir|uns)(?:\s+bitte)?", "⟦show me⟧"),
        # what is asked for
        (r"wie\s+hoch\s+(ist|sind|war|waren|wird|liegt)", r"⟦what⟧ \1"),
        (r"wo\s+liegt(?=\s+(?:der|die)\s+\w*(?:grenze|wert|limit|schwelle|preis)\b)", "⟦what is⟧"),
        (r"(?:wie\s*viel|was|wieviel)\s+(?:kostet|kosten)", "⟦what is the cost of⟧"),
        (r"was\s+(?:hat|haben)\b([^?,]*?)\bgekostet", r"⟦what did⟧\1⟦cost⟧"), (r"als(?=\s+(?:erste|zweite|dritte|letzte)[sr]?\b)", ""),
        (rf"(?:bis\s+wann|wie\s+lange)\s+(?:gilt|gelten)\s+({_CLAUSE})", r"⟦until when is⟧ \1 ⟦valid⟧"),
        (r"was\s+(?:tun|machen)", "⟦what to do⟧"), (r"was\s+für\s+(?:eine?[nmrs]?)", "⟦what kind of⟧"),
        (r"um\s+wie\s*viele?(?=\s+(?:prozent|tage|wochen|monate|jahre|stunden)\b)", "⟦by how many⟧"), (r"um\s+wie\s*viel(?!\s+uhr)", "⟦by how much⟧"),
        (r"um\s+wie\s*viel\s+uhr", "⟦at what time⟧"),
        (r"wie\s*viel(?=\s+(?:grad|prozent|euro|pfund|liter|kilo|tonnen|meter|stück)\b)", "⟦how many⟧"),
        (r"wie\s*viele[nr]?", "⟦how many⟧"), (r"wie\s*viel", "⟦how much⟧"), (r"wie\s+lange?", "⟦how long⟧"), (r"wie\s+(?:oft|häufig)", "⟦how often⟧"),
        (r"wie\s+schnell", "⟦how fast⟧"), (r"wie\s+groß", "⟦how large⟧"), (r"wie\s+schwer", "⟦how heavy⟧"), (r"wie\s+dick", "⟦how thick⟧"),
        (r"wie\s+(alt|weit|tief|breit|warm|kalt|heiß|hoch|teuer)", r"⟦how⟧ \1"), (r"wie\s+hei(?:ßt|ßen)", "⟦what is the name of⟧"),
        (r"bis\s+wann(?=\s+(?:ist|sind|war|läuft|laufen|dauer[tn]|bleib[tn]|hat|haben)\b)", "⟦until when⟧"),
        (rf"(?:an\s+wen|wem)\s+berichte[tn]\s+({_CLAUSE})", r"⟦who does⟧ \1 ⟦report to⟧"), (r"wem\s+gehör(?:t|en)", "⟦who owns⟧"),
        (r"wie\s+laute[tn]", "⟦what is⟧"), (r"(?-i:Frau)(?=\s+(?-i:[A-ZÄÖÜ]))", "⟦Ms⟧"), (r"(?-i:Herrn?)(?=\s+(?-i:[A-ZÄÖÜ]))", "⟦Mr⟧"),
        (r"seit\s+wann", "⟦since when⟧"), (r"bis\s+wann", "⟦by when⟧"), (r"ab\s+wann", "⟦from when⟧"),
        (r"zu\s+welche[mnr]\s+zeit(?:en)?", "⟦at what hours⟧"),
        (r"bis\s+zu\s+welcher\s+summe", "⟦up to what amount⟧"),  # "sum" would ask for one to be worked out
        (r"bis\s+zu\s+welche[mnr]", "⟦up to what⟧"), (r"(?:zu|bei)\s+welche[mnr]", "⟦at what⟧"),
        (r"im\s+jahre?(?=\s+\d{4})", "in"), (r"am\s+meisten", "⟦the most⟧"), (r"im\s+voraus", "⟦in advance⟧"),
        (r"erste[nr]?\s+hilfe", "⟦first aid⟧"), (r"aus\s+welche[mn](?=\s+gr[uü]nde?n?\b)", "⟦for which⟧"),
        # verbs in two parts
        (r"(?:tritt|treten)\b([^?,]*?)\bin\s+kraft", r"⟦does⟧\1⟦come into force⟧"), (r"in\s+kraft", "⟦in force⟧"),
        # times and turns of speech
        (r"(?:(?:aus\s+der|von)\s+)(?:letzten?|vergangenen?)\s+woche", "⟦from last week⟧"),
        (r"(?:in\s+der\s+)?(?:letzten?|vergangenen?)\s+woche", "⟦last week⟧"),
        (r"(?:aus\s+dem|vom)\s+(?:letzten|vergangenen)\s+monat", "⟦from last month⟧"),
        (r"(?:im\s+)?(?:letzten|vergangenen)\s+monats?", "⟦last month⟧"),
        (r"(?:letzte[ns]|vergangene[ns])\s+jahr(?:e?s)?", "⟦last year⟧"), (r"dieses\s+jahr", "⟦this year⟧"), (r"diese\s+woche", "⟦this week⟧"),
        (r"im\s+moment|zur\s+zeit|im\s+augenblick", "⟦right now⟧"), (r"zu\s+spät", "⟦late⟧"),
        (r"per\s+e-?mail", "⟦by e-mail⟧"),
        (r"im\s+urlaub", "⟦on holiday⟧"), (r"anteil\s+(?:an|am)", "⟦share of⟧"),
        (r"vor\s+allem", "⟦above all⟧"), (r"zum\s+beispiel", "⟦for example⟧"),
    )
)  # fmt: skip
