import type { Problem } from "../api/problem";
import type { SearchRequest, SearchResponse, Step } from "../api/types";

/** A question with what became of it, whether it is going on now or was asked long ago. */
export interface TurnView {
  key: string;
  query: string;
  askedAt: string;
  request: SearchRequest | null;
  steps: readonly Step[];
  text: string;
  response: SearchResponse | null;
  problem: Problem | null;
  live: boolean;
  note: string;
  runId: string | null;
}
