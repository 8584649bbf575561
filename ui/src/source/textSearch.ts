import type { CodePoints, Span } from "../text/codepoints";

/** A text reduced to what a search compares: small letters without accents, ligatures resolved, every white space one blank, soft hyphens gone. */
export interface FoldedText {
  text: string;
  /** Where each unit of `text` begins and ends in the original, UTF-16. */
  from: number[];
  to: number[];
}

/** Accents, and the points of Hebrew and Arabic; the vowel signs of other scripts are letters and stay. */
const ACCENT = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/gu;
const INVISIBLE = /^[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]$/u;
const SPACE = /^\s$/u;
const ALIKE: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ" };
const PUNCTUATION: Record<string, string> = { "“": '"', "”": '"', "„": '"', "’": "'", "‘": "'", "‐": "-", "‑": "-", "–": "-" };

/** One character as it is compared; "" where it counts for nothing. */
function plain(character: string): string {
  if (character.charCodeAt(0) < 0x80 && character.length === 1) return character.toLowerCase();
  if (INVISIBLE.test(character)) return "";
  const bare = character.normalize("NFKD").replace(ACCENT, "").toLowerCase();
  return ALIKE[bare] ?? PUNCTUATION[bare] ?? bare;
}

export function foldText(original: string): FoldedText {
  const folded: FoldedText = { text: "", from: [], to: [] };
  const parts: string[] = [];
  let blank = true;
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const space = SPACE.test(character);
    const own = space ? (blank ? "" : " ") : plain(character);
    if (own !== "") blank = space;
    // An accent that stands by itself belongs to the letter before it.
    else if (!space && folded.to.length > 0) folded.to[folded.to.length - 1] = end;
    for (let unit = 0; unit < own.length; unit++) {
      folded.from.push(at);
      folded.to.push(end);
    }
    parts.push(own);
    at = end;
  }
  folded.text = parts.join("");
  return folded;
}

/** The stretches of the original (UTF-16) that say `query`, in order and apart from each other. */
export function findAll(folded: FoldedText, query: string): [number, number][] {
  const wanted = foldText(query).text.trim();
  const found: [number, number][] = [];
  if (wanted === "") return found;
  for (let at = folded.text.indexOf(wanted); at >= 0; at = folded.text.indexOf(wanted, at + wanted.length))
    found.push([folded.from[at] ?? 0, folded.to[at + wanted.length - 1] ?? 0]);
  return found;
}

/** The same in code points of a document whose text begins at `offset`. */
export const findHits = (points: CodePoints, folded: FoldedText, query: string, offset = 0): Span[] =>
  findAll(folded, query).map(([from, to]) => ({
    start: offset + points.toCodePoint(from),
    end: offset + points.toCodePoint(to),
    kind: "hit" as const,
  }));

/** How many are drawn around the one the reader is at: a letter may be there a hundred thousand times. */
const DRAWN = 200;

export function limitHits(hits: readonly Span[], current: number): Span[] {
  const first = Math.max(0, current - DRAWN);
  return hits.slice(first, current + DRAWN + 1).map((hit, index) => (first + index === current ? { ...hit, kind: "current" } : hit));
}

/** The first find at a place of the text or behind it, else the first of all. */
export function findFirstHit(hits: readonly Span[], place: number): number {
  const at = hits.findIndex((hit) => hit.start >= place);
  return Math.max(0, at);
}
