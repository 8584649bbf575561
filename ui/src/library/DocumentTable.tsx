import { ArrowDown, ArrowUp } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useDocumentPages } from "../api/queries";
import type { Doc } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { documentPath, Link, useAddress } from "../shell/router";
import { formatBytes, formatCount, formatPlural } from "../text/format";
import { t } from "../text/language";
import { Filters } from "./Filters";
import { isNarrowed, type Listing, parseListing, type Sort, showListing, toQuery, UNREAD } from "./listing";
import { useRowsInView } from "./rowWindow";
import { SelectionToolbar } from "./SelectionToolbar";
import { type Selection, useSelection } from "./selection";
import { Unread, useUnreadFiles } from "./UnreadFiles";

/** Every row is as high as the others, so that only those in view need to be drawn. */
const ROW = 58;

/** The documents: narrowed, sorted, and several at once; or the files that are none, because they could not be read. */
export function DocumentTable() {
  const { search } = useAddress();
  const listing = useMemo(() => parseListing(search), [search]);
  const deferred = useDeferredValue(listing);
  const unread = listing.state === UNREAD;
  const pages = useDocumentPages(toQuery(deferred), !unread);
  const files = useUnreadFiles(deferred, unread);
  const documents = useMemo(() => pages.data?.pages.flatMap((page) => page.documents) ?? [], [pages.data]);
  const selection = useSelection(useMemo(() => documents.map((document) => document.id), [documents]));
  const total = pages.data?.pages[0]?.total ?? 0;
  return (
    <section className="card px-3 py-1.5" aria-label={t("Documents")} data-testid="documents">
      <Filters listing={listing} total={unread ? files.total : formatCount(total)} />
      {unread ? (
        <Unread listing={listing} files={files} />
      ) : (
        <>
          <SelectionToolbar documents={documents} total={total} selection={selection} pages={pages} />
          {pages.error && <ErrorMessage error={pages.error} onRetry={() => void pages.refetch()} />}
          <Table listing={listing} documents={documents} total={total} selection={selection} onMore={() => void pages.fetchNextPage()} more={pages} />
          {documents.length === 0 && pages.isSuccess && (
            <p className="px-2.5 py-3 text-ink-2">{isNarrowed(listing) ? t("No document is like that. Take a filter away.") : t("None yet.")}</p>
          )}
        </>
      )}
    </section>
  );
}

interface TableProps {
  listing: Listing;
  documents: readonly Doc[];
  total: number;
  selection: Selection;
  onMore: () => void;
  more: { hasNextPage: boolean; isFetchingNextPage: boolean };
}

function Table({ listing, documents, total, selection, onMore, more }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [first, last] = useRowsInView(body, total, ROW);
  const { hasNextPage, isFetchingNextPage } = more;
  useEffect(() => {
    if (last > documents.length && hasNextPage && !isFetchingNextPage) onMore();
  }, [last, documents.length, hasNextPage, isFetchingNextPage, onMore]);
  const shown = documents.slice(first, last);
  const below = Math.max(0, total - first - shown.length);
  const press = (event: KeyboardEvent) => moveByKey(event, { body: body.current, documents, selection });
  return (
    <table className="grid-table table-fixed" aria-rowcount={total + 1} aria-label={t("Documents")}>
      <thead>
        <tr>
          <th scope="col" className="w-9">
            <span className="sr-only">{t("Chosen")}</span>
          </th>
          <SortHead listing={listing} sort="name" label={t("Name")} />
          <SortHead listing={listing} sort="type" label={t("What it is")} className="w-[16%] max-md:hidden" />
          <SortHead listing={listing} sort="size" label={t("Length")} className="w-[13%] max-sm:hidden" />
          <SortHead listing={listing} sort="changed" label={t("Changed")} className="w-[22%] max-sm:w-[32%]" />
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={press}>
        {first > 0 && <Gap rows={first} />}
        {shown.map((document, index) => (
          <DocumentRow key={document.id} document={document} place={first + index} selection={selection} />
        ))}
        {below > 0 && <Gap rows={below} />}
      </tbody>
    </table>
  );
}

/** The room of rows that are not drawn. It has one cell: a wider one would bring back columns that a narrow page hides. */
const Gap = ({ rows }: { rows: number }) => (
  <tr aria-hidden>
    <td style={{ height: rows * ROW, padding: 0, border: 0 }} />
  </tr>
);

function SortHead({ listing, sort, label, className = "" }: { listing: Listing; sort: Sort; label: string; className?: string }) {
  const on = listing.sort === sort;
  const Arrow = listing.descending ? ArrowDown : ArrowUp;
  // The newest and the largest are what is looked for first.
  const turned = on ? !listing.descending : sort === "changed" || sort === "size";
  return (
    <th scope="col" className={className} aria-sort={on ? (listing.descending ? "descending" : "ascending") : "none"}>
      <button
        type="button"
        className="quietly -mx-1 inline-flex items-center gap-1 px-1"
        onClick={() => showListing({ ...listing, sort, descending: turned })}
      >
        {label}
        {on && <Arrow size={13} aria-hidden />}
      </button>
    </th>
  );
}

interface KeyTarget {
  body: HTMLElement | null;
  documents: readonly Doc[];
  selection: Selection;
}

/** ↑ and ↓ go from row to row, with Shift they choose on the way; Ctrl+A chooses all that are loaded. */
function moveByKey(event: KeyboardEvent, { body, documents, selection }: KeyTarget): void {
  if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    selection.replace(documents.map((document) => document.id));
    return;
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as HTMLElement).closest<HTMLElement>("[data-place]");
  if (by === undefined || !row || !body) return;
  event.preventDefault();
  const next = documents[Number(row.dataset.place) + by];
  if (!next) return;
  if (event.shiftKey) selection.extend(next.id);
  // The rows around those in view are drawn, too: the next one is always there.
  body.querySelector<HTMLInputElement>(`[data-place="${Number(row.dataset.place) + by}"] input`)?.focus();
}

function DocumentRow({ document, place, selection }: { document: Doc; place: number; selection: Selection }) {
  const stem = document.filename.replace(/\.[^.]+$/, "");
  const title = document.title && document.title !== document.filename && document.title !== stem ? document.title : "";
  const chosen = selection.chosen.has(document.id);
  return (
    <tr aria-rowindex={place + 2} data-place={place} className={`[&>td]:align-middle ${chosen ? "bg-accent-soft" : ""}`} style={{ height: ROW }}>
      <td>
        <input
          type="checkbox"
          className="block size-4 accent-[var(--accent)]"
          aria-label={t("Choose {name}", { name: document.filename })}
          checked={chosen}
          onChange={(event) => selection.toggle(document.id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        />
      </td>
      <td>
        <Link
          href={documentPath(document.id)}
          title={document.filename}
          dir="auto"
          className="block truncate font-semibold hover:underline hover:decoration-line-strong hover:underline-offset-4"
        >
          {document.filename}
        </Link>
        {title && (
          <span className="block truncate text-[13px] text-ink-3" dir="auto">
            {title}
          </span>
        )}
      </td>
      <td className="truncate text-ink-2 max-md:hidden">{t(document.doc_type.replaceAll("_", " ")) || document.file_type}</td>
      <td className="num truncate text-ink-2 max-sm:hidden">
        {document.pages > 0 && document.page_unit ? formatPlural(document.pages, document.page_unit) : formatBytes(document.file_size)}
      </td>
      <td className="truncate text-ink-2">
        {document.modified_at ? <Time at={document.modified_at} /> : ""}
        {document.state === "partial" && (
          <span className="ml-2 max-sm:ml-0">
            <Tag tone="warn">{t("partly read")}</Tag>
          </span>
        )}
      </td>
    </tr>
  );
}
