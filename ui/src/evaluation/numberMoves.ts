import type { Result, TraceMove } from "../api/types";

/**
 * The movements with the place of the result that each passage became, where a run's have the number of their citation: nothing was answered, so
 * nothing is cited. The best passage of a result has its number; the others of the same result have none.
 */
export function numberMoves(moves: readonly TraceMove[], results: readonly Result[]): TraceMove[] {
  const numbered = new Set<string>();
  return moves.map((move) => {
    const place = results.findIndex(
      (result) => result.id === move.document_id && result.passages.some((each) => each.chunks.includes(move.chunk_id)),
    );
    if (place < 0) return { ...move, cited_as: null, ended: move.ended === "read, not cited" ? "" : move.ended };
    const first = !numbered.has(move.document_id);
    numbered.add(move.document_id);
    return { ...move, cited_as: first ? place + 1 : null, ended: "" };
  });
}
