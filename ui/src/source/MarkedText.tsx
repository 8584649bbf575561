import { type CodePoints, type Span, splitAtSpans } from "../text/codepoints";

interface Props {
  points: CodePoints;
  /** Where `points` begins in the document. */
  offset: number;
  start: number;
  end: number;
  marks: readonly Span[];
}

/** document[start:end] with the quoted sentence marked strongly, its passage lightly, and what a search has found. Offsets are the document's code points. */
export function MarkedText({ points, offset, start, end, marks }: Props) {
  const local = marks.map((span) => ({ ...span, start: span.start - offset, end: span.end - offset }));
  return splitAtSpans(points, start - offset, end - offset, local).map((piece) => {
    if (piece.kinds.length === 0) return piece.text;
    const kind = piece.kinds.includes("quote") ? "quote" : piece.kinds.includes("passage") ? "passage" : undefined;
    const hit = hitOf(piece.kinds);
    return (
      <mark key={piece.start} className={[kind, hit && `hit ${hit}`].filter(Boolean).join(" ")} data-mark={kind} data-hit={hit}>
        {piece.text}
      </mark>
    );
  });
}

const hitOf = (kinds: readonly Span["kind"][]): "current" | "hit" | undefined =>
  kinds.includes("current") ? "current" : kinds.includes("hit") ? "hit" : undefined;

const isHit = (span: Span): boolean => span.kind === "hit" || span.kind === "current";

/** The marks without what a search has found. */
export const withoutHits = (marks: readonly Span[]): Span[] => marks.filter((span) => !isHit(span));

const overlaps = (span: Span, start: number, end: number): boolean => span.start < end && span.end > start;

/** Whether a stretch is quoted, or stands in the quoted passage. */
export const isMarked = (marks: readonly Span[], start: number, end: number): boolean =>
  marks.some((span) => !isHit(span) && overlaps(span, start, end));

/** What a search has found in a stretch. */
export const findHits = (marks: readonly Span[], start: number, end: number): Span[] =>
  marks.filter((span) => isHit(span) && overlaps(span, start, end));

/** The mark that the reader is led to: what a search is at, else what is quoted, else its passage. */
export const findLeadMark = (marks: readonly Span[]): Span | undefined =>
  marks.find((span) => span.kind === "current") ?? marks.find((span) => span.kind === "quote") ?? marks.find((span) => span.kind === "passage");
