"""Knows which scripts RapidOCR's model reads, and which packs of Tesseract read the others.

PP-OCRv6 small knows 18,708 characters: Latin with its diacritics (550), Chinese, Japanese kana, and Greek letters without accents. It has no
Cyrillic, Hangul, Arabic, Hebrew, Thai, Georgian, Armenian and no script of India.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

# Packs for each script, the commonest language first; "script/…" packs of tesseract-ocr-script-* count, too.
_PACKS_OF_SCRIPT: dict[str, tuple[str, ...]] = {
    "Cyrillic": ("rus", "ukr", "bul", "srp", "bel", "mkd", "kaz", "mon"),
    "Greek": ("ell", "grc"),
    "Arabic": ("ara", "fas", "urd"),
    "Hebrew": ("heb", "yid"),
    "Devanagari": ("hin", "mar", "nep", "san"),
    "Bengali": ("ben", "asm"),
    "Tamil": ("tam",),
    "Telugu": ("tel",),
    "Gujarati": ("guj",),
    "Kannada": ("kan",),
    "Malayalam": ("mal",),
    "Gurmukhi": ("pan",),
    "Thai": ("tha",),
    "Khmer": ("khm",),
    "Lao": ("lao",),
    "Myanmar": ("mya",),
    "Hangul": ("kor",),
    "Korean": ("kor",),
    "Georgian": ("kat",),
    "Armenian": ("hye",),
    "Ethiopic": ("amh", "tir"),
}
_PACK_OF_LANGUAGE = dict(
    pair.split(":")
    for pair in (
        "ru:rus uk:ukr bg:bul sr:srp be:bel mk:mkd kk:kaz mn:mon el:ell ar:ara fa:fas ur:urd he:heb yi:yid hi:hin mr:mar ne:nep sa:san "
        "bn:ben as:asm ta:tam te:tel gu:guj kn:kan ml:mal pa:pan th:tha km:khm lo:lao my:mya ko:kor ka:kat hy:hye am:amh ti:tir en:eng "
        "de:deu fr:fra es:spa it:ita pt:por nl:nld sv:swe da:dan no:nor fi:fin is:isl pl:pol cs:ces sk:slk hu:hun ro:ron sl:slv hr:hrv "
        "sq:sqi lt:lit lv:lav et:est tr:tur vi:vie id:ind ca:cat ga:gle cy:cym eu:eus gl:glg la:lat zh:chi_sim ja:jpn"
    ).split()
)
_OTHERS = frozenset(pack for packs in _PACKS_OF_SCRIPT.values() for pack in packs)


def packs_of_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """Return Tesseract's packs for ISO 639-1 codes; what has no known pack is left out."""
    return tuple(_PACK_OF_LANGUAGE[language] for language in languages if language in _PACK_OF_LANGUAGE)


def is_foreign(pack: str) -> bool:
    """Return whether the pack's script is one that RapidOCR's model does not read."""
    return pack in _OTHERS


def packs_for_script(script: str, installed: Collection[str]) -> tuple[str, ...]:
    """Return the installed packs for a script as Tesseract names it, when RapidOCR's model does not read it."""
    wanted = _PACKS_OF_SCRIPT.get(script, ())
    return tuple(pack for pack in (*wanted, *([f"script/{script}"] if wanted else [])) if pack in installed)
