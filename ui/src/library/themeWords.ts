import type { Community, CommunityPage } from "../api/types";
import { formatCount, formatPlural } from "../text/format";
import { tn } from "../text/language";

/** "7 themes · 16 of 17 documents". */
export function describeCoverage(page: CommunityPage): string {
  const documents = { n: formatCount(page.covered_documents), all: formatCount(page.documents) };
  const covered = tn(page.documents, "{n} of {all} document", "{n} of {all} documents", documents);
  return [formatPlural(page.total, "theme"), covered].join(" · ");
}

/** How large a theme is. */
export function describeTheme(theme: Community): string {
  const names = theme.entity_count ? [formatPlural(theme.entity_count, "name")] : [];
  return [formatPlural(theme.documents, "document"), ...names].join(" · ");
}
