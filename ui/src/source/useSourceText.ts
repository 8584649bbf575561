import { useMemo } from "react";
import { useContent } from "../api/queries";
import type { Citation, Doc } from "../api/types";
import { CodePoints } from "../text/codepoints";
import { findQuote } from "./citationMarks";
import { usePoints } from "./viewHooks";

/** Longer texts are shown around a place only. */
const WHOLE = 600_000;
const AROUND = 120_000;

/** The stretch around a place; the same one for places near each other, so that it is not fetched for each anew. */
function stretchAround(place: number): { start: number; end: number } {
  const middle = Math.round(place / (AROUND / 2)) * (AROUND / 2);
  return { start: Math.max(0, middle - AROUND), end: middle + AROUND };
}

interface TextRequest {
  /** Where the mark stands. */
  start: number;
  citation: Citation | null;
  /** Where a search in the text is; null while none is at a place. */
  hit: number | null;
  searching: boolean;
}

/**
 * The text of a document that is shown, and, while a search needs it, the whole of it. Of a long text only the stretch around the mark is fetched; where
 * the quoted words are not in it they are looked for in the whole, before anything is said about them.
 */
export function useSourceText(document: Doc | undefined, { start, citation, hit, searching }: TextRequest) {
  const id = document?.id ?? null;
  const long = (document?.characters ?? 0) > WHOLE;
  const cited = useContent(id, long ? stretchAround(start).start : undefined, long ? stretchAround(start).end : undefined);
  const citedPoints = usePoints(cited.data);
  const quote = citation?.quote ?? "";
  const missing = useMemo(
    () => long && quote !== "" && cited.data !== undefined && !cited.isPlaceholderData && findQuote(cited.data, citedPoints, quote, start) === null,
    [long, quote, cited.data, cited.isPlaceholderData, citedPoints, start],
  );
  const wholeFor = missing || (long && searching) ? id : null;
  const fetched = useContent(wholeFor);
  const whole = long ? fetched.data : cited.data;
  const moved = useMemo(
    () => (missing && whole ? (findQuote(whole, new CodePoints(whole.text), quote, start)?.[0] ?? null) : null),
    [missing, whole, quote, start],
  );
  const place = hit ?? moved;
  const other = useContent(long && place !== null ? id : null, stretchAround(place ?? 0).start, stretchAround(place ?? 0).end);
  const shown = long && place !== null ? other : cited;
  return { shown, whole, settled: shown.data !== undefined && !shown.isPlaceholderData && !(missing && fetched.isPending) };
}
