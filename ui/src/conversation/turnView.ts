import type { Problem } from "../api/problem";
import type { Lead, SearchRequest, SearchResponse, Step } from "../api/types";

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
  /** The server or the browser went away before the answer was there. */
  interrupted: boolean;
  note: string;
  runId: string | null;
}

/** The lead where it stands on a line of its own in front of the sentences; null where it is marked in its sentence, or is the whole of it. */
export function findSeparateLead(response: SearchResponse): Lead | null {
  const lead = response.lead;
  if (!lead || !response.answer.startsWith(`${lead.text} [`)) return null;
  return response.answer_sentences[0]?.text.trim() === lead.text.trim() ? null : lead;
}
