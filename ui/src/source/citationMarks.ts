import type { Citation, Content } from "../api/types";
import type { SourceAddress } from "../shell/router";
import type { CodePoints, Span } from "../text/codepoints";
import { locateWhole, reduceText } from "./quoteLocation";

/** The quoted sentence and its passage. When the text has moved since, the quoted words are looked for; what is gone is not marked. */
export function markCitation(source: SourceAddress, citation: Citation | null, content: Content | undefined, points: CodePoints): Span[] {
  if (!content || source.start === null || source.end === null) return [];
  if (!citation) return [{ start: source.start, end: source.end, kind: source.number === null ? "passage" : "quote" }];
  const here = points.slice(citation.start - content.start, citation.end - content.start) === citation.quote;
  const found = here ? ([citation.start, citation.end] as const) : findQuote(content, points, citation.quote, citation.start);
  if (found === null) return [];
  const passageStart = citation.passage_start ?? 0;
  const passageEnd = citation.passage_end ?? 0;
  const spans: Span[] = [{ start: found[0], end: found[1], kind: "quote" }];
  if (here && passageEnd > passageStart) spans.push({ start: passageStart, end: passageEnd, kind: "passage" });
  return spans;
}

/**
 * Where a text says `quote` (code points of the document), also with other white space, soft hyphens, hyphens or quotation marks. Of several places the
 * one nearest to `start`, where the quotation stood before; null when its words are not there.
 */
export function findQuote(content: Content, points: CodePoints, quote: string, start: number): [number, number] | null {
  const text = content.text;
  const hint = (start - content.start) / Math.max(1, content.end - content.start);
  const exact = nearest(text, quote, hint * text.length);
  const range = exact === null ? locateWhole(reduceText(text), text.length, quote, hint) : [exact, exact + quote.length];
  if (range === null) return null;
  const [from = 0, to = 0] = range;
  const end = from + text.slice(from, to).trimEnd().length;
  return [content.start + points.toCodePoint(from), content.start + points.toCodePoint(end)];
}

function nearest(text: string, quote: string, place: number): number | null {
  if (quote === "") return null;
  const before = text.lastIndexOf(quote, place);
  const after = text.indexOf(quote, Math.max(0, place));
  if (before < 0 || after < 0) return before < 0 && after < 0 ? null : Math.max(before, after);
  return place - before <= after - place ? before : after;
}
