/**
 * The server counts Unicode code points (Python's string indices), JavaScript counts UTF-16 units. This is the one place where they meet.
 *
 * A text without surrogate pairs needs no table: both counts are the same. Otherwise `astral` holds, in order, the UTF-16 offset of every pair, and a
 * binary search tells how many pairs lie before an offset.
 */
export class CodePoints {
  readonly text: string;
  private readonly astral: number[];

  constructor(text: string) {
    this.text = text;
    this.astral = pairsOf(text);
  }

  /** The number of code points. */
  get length(): number {
    return this.text.length - this.astral.length;
  }

  /** The UTF-16 offset of a code point offset; what lies outside the text is clamped to its ends. */
  toUtf16(codePoint: number): number {
    if (codePoint <= 0) return 0;
    if (codePoint >= this.length) return this.text.length;
    let low = 0;
    let high = this.astral.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.astral[middle] as number;
      if (at - middle < codePoint) low = middle + 1;
      else high = middle;
    }
    return codePoint + low;
  }

  /** The code point offset of a UTF-16 offset; an offset inside a pair belongs to the pair's start. */
  toCodePoint(utf16: number): number {
    const offset = Math.max(0, Math.min(utf16, this.text.length));
    let low = 0;
    let high = this.astral.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.astral[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    // `low` pairs start before the offset. An offset inside a pair counts that pair as well, which puts it at the pair's start.
    return offset - low;
  }

  /** text[start:end] as Python would cut it (without negative indices). */
  slice(start: number, end: number): string {
    return this.text.slice(this.toUtf16(start), this.toUtf16(Math.max(start, end)));
  }
}

function pairsOf(text: string): number[] {
  const found: number[] = [];
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      found.push(i);
      i++;
    }
  }
  return found;
}

/** A half-open range with what it means. */
export interface Span {
  start: number;
  end: number;
  /** `hit` and `current` are what a search in the text has found, and which of it the reader is at. */
  kind: "quote" | "passage" | "strong" | "word" | "hit" | "current";
}

export interface Piece {
  text: string;
  start: number;
  end: number;
  kinds: Span["kind"][];
}

/**
 * Cuts `points[start:end]` at the borders of the spans (all in code points) so that every piece lies wholly inside or outside of each.
 */
export function splitAtSpans(points: CodePoints, start: number, end: number, spans: readonly Span[]): Piece[] {
  const near = spans.filter((span) => span.start < end && span.end > start && span.end > span.start);
  const borders = new Set<number>([start, end]);
  for (const span of near) {
    borders.add(Math.max(start, span.start));
    borders.add(Math.min(end, span.end));
  }
  const sorted = [...borders].sort((a, b) => a - b);
  const pieces: Piece[] = [];
  for (let i = 0; i < sorted.length - 1; i++) {
    const from = sorted[i] as number;
    const to = sorted[i + 1] as number;
    if (to <= from) continue;
    const kinds = near.filter((span) => span.start <= from && span.end >= to).map((span) => span.kind);
    pieces.push({ text: points.slice(from, to), start: from, end: to, kinds });
  }
  return pieces;
}
