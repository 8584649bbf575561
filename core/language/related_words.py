"""English words that say the same though no stem shows it: irregular forms, words of one family, everyday synonyms.

A question and the sentence that answers it seldom use one word: people "get" what was "handed over" and trucks "come" where they "arrive". The lists
hold everyday words alone, whose other meanings are rare in what people write and file.
"""

from __future__ import annotations

from functools import lru_cache

from core.language.content_words import stem

# Forms of one verb or noun.
_FORMS = """
arise arose arisen; bear bore borne; begin began begun; bend bent; bind bound; bite bit bitten; blow blew blown; break broke broken; breed bred;
bring brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; come came; cling clung; creep crept; deal dealt; dig dug;
draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; freeze froze frozen; give gave given; go went gone; grow grew grown; hang hung;
hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; leave left; lend lent; lose lost; make made; meet met;
mean meant; mistake mistook mistaken; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran; see saw seen; seek sought; sell sold;
send sent; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept;
slide slid; speak spoke spoken; spend spent; spin spun; stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn;
sweep swept; swim swam swum; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; wake woke woken; wear wore worn; weave wove woven; win won; withdraw withdrew withdrawn; write wrote written;
man men; woman women; child children; foot feet; tooth teeth; mouse mice; goose geese; person people; life lives; wife wives; half halves; leaf leaves
"""
# Verb, noun and adjective of one thing, where the endings differ by more than a stem.
_FAMILIES = """
pay payment payable; buy purchase; sell sale; choose choice; lose loss; die death dead; bear birth born; marry marriage; grow growth; fly flight;
speak speech; think thought; weigh weight; high height; long length; wide width; deep depth; strong strength; hot heat; warm warmth; old age;
advise advice; prove proof; believe belief; arrive arrival; approve approval; refuse refusal; renew renewal; remove removal; propose proposal;
arrange arrangement; agree agreement; receive receipt; deceive deception; decide decision; divide division; permit permission; admit admission;
produce product production; reduce reduction; describe description; subscribe subscription; explain explanation; maintain maintenance;
insure insurance; perform performance; appear appearance; enter entrance entry; fail failure; depart departure; sign signature; press pressure;
measure measurement; move motion movement; destroy destruction; construct construction; analyse analysis analyze; know knowledge; lend loan;
withdraw withdrawal; comply compliance; rely reliance; apply application; supply supplier; examine examination; terminate termination;
notify notification notice; deliver delivery; expire expiry expiration; warrant warranty guarantee; compare comparison; succeed success;
safe safety; secure security; able ability; responsible responsibility; available availability; liable liability; valid validity
"""
_SYNONYMS = """
arrive come; start begin commence; end finish terminate expire; buy purchase procure acquire; repair fix mend; examine inspect check;
damaged defective faulty; boss manager supervisor; salary wage pay earnings; allow permit may; forbid ban prohibit disallow;
big large great; small little tiny; quick fast rapid; drop fall decline decrease sink; rise increase grow climb; reduce lower cut;
phone telephone; mail email e-mail; car vehicle automobile; truck lorry; staff employee worker personnel; customer client; company firm business;
quote offer bid quotation; contract agreement; send ship dispatch; keep store hold; choose select pick; reject decline refuse;
delay postpone defer; cancel revoke; illness sickness disease; holiday vacation; answer reply respond; inform notify tell; help assist support;
require need; doctor physician; movie film; kid child; house home; road street; job position role; teach instruct; fee charge; cost price expense;
spend cost expense expenditure;
get receive obtain; hand deliver; use utilise utilize; build construct erect; destroy demolish; kill slay; war conflict;
author writer; write author compose; sponsor fund finance; own possess; live reside dwell; happen occur;
annual yearly; rule regulation; error mistake fault; goal aim purpose objective; result outcome; part section portion; test trial;
sick ill; rich wealthy; poor needy; scared afraid; smart clever; shop store; trash garbage waste rubbish; gas petrol; flat apartment;
investment capital; unite merge join; stop halt cease; show display; rubbish waste; steal rob theft; law statute
"""


def _parse_groups(text: str) -> list[frozenset[str]]:
    return [frozenset(group.split()) for group in text.replace("\n", " ").split(";") if group.strip()]


@lru_cache(maxsize=1)
def _word_tables() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return for the stem of each word its other forms, and the words that mean nearly the same."""
    forms: dict[str, frozenset[str]] = {}
    for group in _parse_groups(_FORMS):
        for word in group:
            forms[stem(word)] = forms.get(stem(word), frozenset()) | group - {word}
    alike: dict[str, frozenset[str]] = {}
    for group in [*_parse_groups(_FAMILIES), *_parse_groups(_SYNONYMS)]:
        whole = group.union(*(forms.get(stem(word), frozenset()) for word in group))
        for word in whole:
            alike[stem(word)] = alike.get(stem(word), frozenset()) | whole - {word} - forms.get(stem(word), frozenset())
    return forms, alike


def other_forms(word: str) -> frozenset[str]:
    """Return the irregular forms of a word in lower case: "wore" and "worn" of "wear"."""
    return _word_tables()[0].get(stem(word), frozenset())


def similar_words(word: str) -> frozenset[str]:
    """Return the words that mean nearly the same as one in lower case, in all their forms: "paid" and "payment" of "pays", "arrive" of "coming"."""
    return _word_tables()[1].get(stem(word), frozenset())
