/**
 * Finds a quotation in the text of a page. The quotation comes from the extracted text, the page's text from pdf.js: they differ in white space,
 * hyphens at line ends, ligatures and quotation marks, so both are reduced to what they share before they are compared.
 */
export interface ReducedText {
  text: string;
  /** The UTF-16 offset in the original for each unit of `text`. */
  origin: number[];
}

const dropped = /[\s\u00ad\u200b-\u200d\u2060\ufeff\u2010-\u2015\-_|•·]/u;
const folded: Record<string, string> = { "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "‚": "'", "…": "..." };

export function reduceText(original: string): ReducedText {
  let text = "";
  const origin: number[] = [];
  let at = 0;
  for (const character of original) {
    if (!dropped.test(character)) {
      const plain = (folded[character] ?? character.normalize("NFKC")).toLowerCase().replace(/\s/g, "");
      text += plain;
      for (let i = 0; i < plain.length; i++) origin.push(at);
    }
    at += character.length;
  }
  return { text, origin };
}

/**
 * The stretch of `page` (UTF-16) that says `quote`. Of several the one nearest to `hint` (0 at the top, 1 at the end) is taken. When the whole is not
 * there, its longest beginning and end that are decide; null when less than half of it is found.
 */
export function locate(page: ReducedText, pageLength: number, quote: string, hint: number): [number, number] | null {
  return locateWhole(page, pageLength, quote, hint) ?? locatePart(page, pageLength, reduceText(quote).text, hint);
}

/** As `locate`, but all of it or nothing. */
export function locateWhole(page: ReducedText, pageLength: number, quote: string, hint: number): [number, number] | null {
  const wanted = reduceText(quote).text;
  const whole = wanted.length < 2 ? -1 : nearest(page.text, wanted, hint);
  return whole < 0 ? null : original(page, pageLength, whole, whole + wanted.length);
}

/** As `locateWhole`, for words that the page says more than once: the more of what stands around them is there as well, the surer is the place. */
export function locateInContext(
  page: ReducedText,
  pageLength: number,
  mark: { before: string; text: string; after: string; hint: number },
): [number, number] | null {
  const [before, wanted, after] = [mark.before, mark.text, mark.after].map((part) => reduceText(part).text) as [string, string, string];
  if (wanted === "") return null;
  for (const [ahead, behind] of [
    [before, after],
    [before, ""],
    ["", after],
    [before.slice(-8), ""],
    ["", after.slice(0, 8)],
    ["", ""],
  ] as const) {
    const at = nearest(page.text, ahead + wanted + behind, mark.hint);
    if (at >= 0) return original(page, pageLength, at + ahead.length, at + ahead.length + wanted.length);
  }
  return null;
}

/** Every stretch of the page (UTF-16) that says `words`, at most `most` of them. */
export function locateAll(page: ReducedText, pageLength: number, words: string, most: number): [number, number][] {
  const wanted = reduceText(words).text;
  const found: [number, number][] = [];
  if (wanted === "") return found;
  for (let at = page.text.indexOf(wanted); at >= 0 && found.length < most; at = page.text.indexOf(wanted, at + 1))
    found.push(original(page, pageLength, at, at + wanted.length));
  return found;
}

function locatePart(page: ReducedText, pageLength: number, wanted: string, hint: number): [number, number] | null {
  if (wanted.length < 2) return null;
  const head = longest(wanted.length, (size) => page.text.includes(wanted.slice(0, size)));
  const tail = longest(wanted.length, (size) => page.text.includes(wanted.slice(wanted.length - size)));
  if (head >= 8 && tail >= 8) {
    const start = nearest(page.text, wanted.slice(0, head), hint);
    const end = page.text.indexOf(wanted.slice(wanted.length - tail), start) + tail;
    if (end > start && end - start < wanted.length * 1.7 + 20 && end - start >= wanted.length * 0.5) return original(page, pageLength, start, end);
  }
  if (head >= wanted.length / 2 && head >= 8) {
    const start = nearest(page.text, wanted.slice(0, head), hint);
    return original(page, pageLength, start, start + head);
  }
  if (tail >= wanted.length / 2 && tail >= 8) {
    const start = nearest(page.text, wanted.slice(wanted.length - tail), hint);
    return original(page, pageLength, start, start + tail);
  }
  return null;
}

function nearest(text: string, wanted: string, hint: number): number {
  let best = -1;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    if (best < 0 || Math.abs(at / text.length - hint) < Math.abs(best / text.length - hint)) best = at;
  }
  return best;
}

/** The largest size for which `holds`; it holds for every smaller one as well. */
function longest(most: number, holds: (size: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function original(page: ReducedText, pageLength: number, start: number, end: number): [number, number] {
  const from = page.origin[start] ?? 0;
  const last = page.origin[end - 1] ?? from;
  const next = page.origin.slice(end).find((offset) => offset > last) ?? pageLength;
  return [from, Math.max(from + 1, Math.min(next, last + 2))];
}
