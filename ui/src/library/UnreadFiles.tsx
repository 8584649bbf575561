import { useEffect } from "react";
import { useLedgerLines } from "../api/queries";
import type { LedgerLine } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { formatCount } from "../text/format";
import { t } from "../text/language";
import { FileRows } from "./FileRows";
import { ALL_DOCUMENTS, isNarrowed, type Listing, matchesListing } from "./listing";

const NOT_READ = ["failed", "quarantined", "skipped"] as const;
/** Lines that pass are looked for until there are so many, or no more lines. */
const ENOUGH = 50;

interface UnreadListing {
  lines: readonly LedgerLine[];
  /** How many there are, "50+" while not all of them are known. */
  total: string;
  pages: ReturnType<typeof useLedgerLines>;
}

/** The files that could not be read, narrowed as the list is: by folder and name in the ledger, by type and day here. */
export function useUnreadFiles(listing: Listing, enabled: boolean): UnreadListing {
  const pages = useLedgerLines({ state: NOT_READ, text: listing.text.trim(), under: listing.folder }, enabled);
  // What a rule leaves out on purpose needs nobody's attention; "Needs attention" shows it on demand.
  const lines = (pages.data?.pages.flatMap((page) => page.lines) ?? []).filter((line) => line.code !== "ignored" && matchesListing(line, listing));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  useEffect(() => {
    if (enabled && lines.length < ENOUGH && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [enabled, lines.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { lines, total: `${formatCount(lines.length)}${hasNextPage ? "+" : ""}`, pages };
}

/** Each with its reason and what can be done about it. */
export function Unread({ listing, files: { lines, pages } }: { listing: Listing; files: UnreadListing }) {
  if (pages.error && lines.length === 0) return <ErrorMessage error={pages.error} onRetry={() => void pages.refetch()} />;
  const narrowed = isNarrowed({ ...listing, state: ALL_DOCUMENTS.state });
  return (
    <>
      <FileRows lines={lines} label={t("Not read, and why")} />
      {lines.length === 0 && pages.isSuccess && !pages.hasNextPage && (
        <p className="px-2.5 py-3 text-ink-2">{narrowed ? t("No file is like that. Take a filter away.") : t("Every file could be read.")}</p>
      )}
      {pages.hasNextPage && lines.length >= ENOUGH && (
        <button type="button" className="link px-2.5 py-2 text-[13.5px]" onClick={() => void pages.fetchNextPage()}>
          {t("Show more")}
        </button>
      )}
    </>
  );
}
