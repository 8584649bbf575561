import { locateAll, type ReducedText } from "./quoteLocation";

/** The words of a drawn page, and from where to where on it a stretch of them (UTF-16) reaches, downwards and in one unit. */
export interface PageWords {
  text: string;
  reduced: ReducedText;
  heightOf: (range: [number, number]) => [number, number] | null;
}

const MOST = 120;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Where the cells of a table's row ("a | b | c") stand, when the page does not have them one behind the other: many files draw a table column by
 * column. Of all places of each cell those are taken that stand at one height; none when less than half of the row is found there.
 */
export function locateCells(page: PageWords, row: string, hint: number): [number, number][] {
  const cells = row.split("|").map((cell) => cell.trim());
  const wanted = cells.filter((cell) => cell !== "");
  const places = wanted.map((cell) => placesOf(page, cell));
  const anchor = places.reduce((best, own, index) => (own.length > 0 && rarer(own, places[best] ?? [], wanted, index, best) ? index : best), 0);
  let best: { found: [number, number][]; letters: number; off: number } = { found: [], letters: 0, off: 1 };
  for (const at of places[anchor] ?? []) {
    const chosen = places.map((own, index) => (index === anchor ? at : own.find((place) => areLevel(place.height, at.height))));
    const letters = chosen.reduce((sum, place, index) => sum + (place ? (wanted[index]?.length ?? 0) : 0), 0);
    const off = Math.abs(at.range[0] / Math.max(1, page.text.length) - hint);
    if (letters > best.letters || (letters === best.letters && off < best.off))
      best = { found: chosen.flatMap((place) => (place ? [place.range] : [])), letters, off };
  }
  const all = wanted.reduce((sum, cell) => sum + cell.length, 0);
  return best.letters * 2 >= all ? best.found : [];
}

interface Place {
  range: [number, number];
  height: [number, number];
}

/** The fewer places a cell has the surer it tells the row; of equals the longer one. */
const rarer = (own: Place[], other: Place[], cells: readonly string[], index: number, best: number): boolean =>
  other.length === 0 || own.length < other.length || (own.length === other.length && (cells[index]?.length ?? 0) > (cells[best]?.length ?? 0));

/** The places of a cell as words of their own: "12" is none in "112". */
function placesOf(page: PageWords, cell: string): Place[] {
  const found: Place[] = [];
  for (const range of locateAll(page.reduced, page.text.length, cell, MOST)) {
    const end = range[0] + page.text.slice(range[0], range[1]).trimEnd().length;
    if (LETTER.test(page.text[range[0] - 1] ?? "") && LETTER.test(page.text[range[0]] ?? "")) continue;
    if (LETTER.test(page.text[end] ?? "") && LETTER.test(page.text[end - 1] ?? "")) continue;
    const height = page.heightOf([range[0], end]);
    if (height) found.push({ range: [range[0], end], height });
  }
  return found;
}

/** Whether two stretches stand side by side: they share at least half of the lower one's height. */
function areLevel(one: [number, number], other: [number, number]): boolean {
  const shared = Math.min(one[1], other[1]) - Math.max(one[0], other[0]);
  return shared > 0.5 * Math.min(one[1] - one[0], other[1] - other[0]);
}
