import { type CodePoints, cut, type Span } from "../text/codepoints";

interface Props {
  points: CodePoints;
  /** Where `points` begins in the document. */
  offset: number;
  start: number;
  end: number;
  marks: readonly Span[];
}

/** document[start:end] with the quoted sentence marked strongly and its passage lightly. All offsets are the document's code points. */
export function Marked({ points, offset, start, end, marks }: Props) {
  const local = marks.map((span) => ({ ...span, start: span.start - offset, end: span.end - offset }));
  return cut(points, start - offset, end - offset, local).map((piece) => {
    if (piece.kinds.length === 0) return piece.text;
    const kind = piece.kinds.includes("quote") ? "quote" : "passage";
    return (
      <mark key={piece.start} className={kind} data-mark={kind}>
        {piece.text}
      </mark>
    );
  });
}

export const touches = (marks: readonly Span[], start: number, end: number): boolean => marks.some((span) => span.start < end && span.end > start);
