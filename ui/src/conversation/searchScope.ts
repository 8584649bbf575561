import { formatCount, formatPlural } from "../text/format";
import { tn } from "../text/language";

/**
 * How many documents a question was asked of: "480 documents", or "12 of 480 documents" where it was narrowed. Answers of before know only of how many
 * documents their passages were, which is not said in its place.
 */
export function describeSearchScope(searched: Record<string, unknown> | undefined): string {
  const { asked, library } = searched ?? {};
  if (typeof asked !== "number" || typeof library !== "number") return "";
  if (asked === library) return formatPlural(library, "document", "documents");
  return tn(library, "{n} of {all} document", "{n} of {all} documents", { n: formatCount(asked), all: formatCount(library) });
}
