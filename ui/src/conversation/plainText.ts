import type { SearchResponse } from "../api/types";
import { formatPage } from "../source/documentKind";

/** The answer as plain text with its numbered sources below. */
export function formatAnswerWithSources(response: SearchResponse): string {
  const sources = response.citations.map((citation) => {
    const place = [formatPage(citation.filename, citation.page), citation.section?.at(-1)].filter(Boolean).join(", ");
    return `[${citation.number}] ${citation.filename}${place ? `, ${place}` : ""}: “${citation.quote.replace(/\s+/g, " ").trim()}”`;
  });
  return [response.answer.trim(), ...(sources.length > 0 ? ["", ...sources] : [])].join("\n");
}
