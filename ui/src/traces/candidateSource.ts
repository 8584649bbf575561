import type { SearchResponse, Trace, TraceMove } from "../api/types";
import { openSource } from "../shell/router";

/** Opens what a candidate stands for: its citation, else the passage that it became part of, else its document. */
export function openCandidate(trace: Trace, move: TraceMove): void {
  const response = trace.response as unknown as Partial<SearchResponse>;
  const citation = response.citations?.find((item) => item.number === move.cited_as && item.document_id === move.document_id);
  if (citation) {
    openSource({ document: citation.document_id, start: citation.start, end: citation.end, run: trace.id, number: citation.number });
    return;
  }
  const passage = response.results
    ?.flatMap((result) => result.passages)
    .find((item) => item.document_id === move.document_id && item.chunks.includes(move.chunk_id));
  openSource({ document: move.document_id, start: passage?.start ?? null, end: passage?.end ?? null });
}

/** What was said of the result that a candidate became part of. */
export function explainCandidate(trace: Trace, move: TraceMove): string {
  const { results = [] } = trace.response as unknown as Partial<SearchResponse>;
  const result = results.find((item) => item.id === move.document_id && item.passages.some((passage) => passage.chunks.includes(move.chunk_id)));
  return result?.why_sentence ?? "";
}
