import { ArrowLeft, ExternalLink, MessageSquareQuote, Trash2 } from "lucide-react";
import { Tabs } from "radix-ui";
import { useMemo, useState } from "react";
import { api } from "../api/client";
import { invalidateLibrary, useContent, useDocument, useReferences, useTables } from "../api/queries";
import type { Doc, Outline } from "../api/types";
import { attach, focusComposer } from "../conversation/draft";
import { DocumentEntities } from "../graph/DocumentEntities";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { documentPath, Link, navigate, useAddress } from "../shell/router";
import { showToast } from "../shell/Toasts";
import { useTitle } from "../shell/title";
import { DocumentFacts } from "../source/DocumentFacts";
import { DocumentView, pageTab } from "../source/DocumentView";
import { documentKind } from "../source/documentKind";
import { OpenFileLink } from "../source/OpenFileLink";
import { IncomingReferences, OutgoingReferences } from "../source/References";
import { usePoints } from "../source/viewHooks";
import type { Span } from "../text/codepoints";
import { formatDay, formatPlural } from "../text/format";
import { t } from "../text/language";
import { DocumentTables } from "./DocumentTables";
import { containerPath, fileName } from "./filePath";
import { useMentions } from "./mentions";

const MOST = 900_000;

/** What is shown as drawn pages, not as text. */
const drawnKinds = new Set(["pdf", "picture"]);

type PageTab = "page" | "text" | "tables";
const listTabs = (tables: number): PageTab[] => (tables > 0 ? ["page", "text", "tables"] : ["page", "text"]);

/** A document's own page: what it says, its outline, what is known of it. */
export function DocumentPage({ id }: { id: string }) {
  const document = useDocument(id);
  const { search } = useAddress();
  useTitle(document.data?.filename ?? "");
  const long = (document.data?.characters ?? 0) > MOST;
  const from = Number(search.get("from") ?? Number.NaN);
  const to = Number(search.get("to") ?? Number.NaN);
  const start = long ? Math.max(0, (Number.isNaN(from) ? 0 : from) - MOST / 6) : undefined;
  const content = useContent(document.data ? id : null, start, start === undefined ? undefined : start + MOST / 3);
  const points = usePoints(content.data);
  const mentions = useMentions(id, search.get("entity"));
  const marks = useMemo<Span[]>(() => {
    if (mentions.marks.length > 0) return mentions.marks;
    return Number.isNaN(from) || Number.isNaN(to) ? [] : [{ start: from, end: to, kind: "passage" }];
  }, [from, to, mentions.marks]);
  const tables = useTables(document.data ? id : null).data?.tables ?? [];
  const [chosenTab, setTab] = useState<PageTab>("page");
  // The mentions of a name are many and on many pages: they are marked in the text as it was read.
  const tab = mentions.chosen && document.data && drawnKinds.has(documentKind(document.data.file_type, document.data.parser)) ? "text" : chosenTab;
  const [trouble, setTrouble] = useState("");
  if (document.error)
    return (
      <main className="h-full overflow-y-auto p-[38px] max-sm:p-4">
        <ErrorMessage error={document.error} onRetry={() => void document.refetch()} />
      </main>
    );
  if (!document.data) return <main className="h-full" aria-busy />;
  return (
    <main className="h-full overflow-y-auto" data-testid="document">
      <div className="mx-auto w-full max-w-[1240px] px-[38px] py-[26px] max-sm:px-4 max-sm:py-5">
        <Head document={document.data} />
        <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_330px]">
          <Tabs.Root
            value={tab}
            onValueChange={(value) => {
              setTab(value as "page" | "text");
              if (value === "page") mentions.choose(null);
            }}
            className="min-w-0"
          >
            <Tabs.List className="mb-4 flex gap-4 border-line border-b text-[13.5px]" aria-label={t("View")}>
              {listTabs(tables.length).map((name) => (
                <Tabs.Trigger
                  key={name}
                  value={name}
                  className="-mb-px border-transparent border-b-2 pt-1 pb-2 text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink"
                >
                  {name === "page"
                    ? t(pageTab[documentKind(document.data.file_type, document.data.parser)])
                    : name === "text"
                      ? t("Text as read")
                      : formatPlural(tables.length, "table")}
                </Tabs.Trigger>
              ))}
              {trouble && <span className="ml-auto self-center text-[12.5px] text-ink-3">{trouble}</span>}
            </Tabs.List>
            <Tabs.Content value="tables">{tab === "tables" && <DocumentTables document={id} tables={tables} />}</Tabs.Content>
            {content.error && <ErrorMessage error={content.error} onRetry={() => void content.refetch()} />}
            {(["page", "text"] as const).map((name) => (
              <Tabs.Content key={name} value={name} className={name === "text" ? "card px-6 py-5" : ""}>
                {content.data && name === tab && (
                  <DocumentView
                    tab={name}
                    document={document.data}
                    content={content.data}
                    points={points}
                    marks={marks}
                    markKey={`${from}:${to}:${mentions.key}`}
                    onTrouble={(reason) => (marks.length > 0 ? setTrouble(reason) : setTab("text"))}
                  />
                )}
              </Tabs.Content>
            ))}
          </Tabs.Root>
          <aside className="flex flex-col gap-6 max-lg:row-start-1 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-60px)] lg:self-start lg:overflow-y-auto">
            <DocumentFacts document={document.data} />
            <DocumentReferences id={id} />
            {mentions.found && <DocumentEntities found={mentions.found} chosen={mentions.chosen} at={mentions.at} onChoose={mentions.choose} />}
            {content.data && content.data.sections.filter((section) => section.path.length > 0).length > 1 && (
              <Contents id={id} sections={content.data.sections} at={from} />
            )}
          </aside>
        </div>
      </div>
    </main>
  );
}

/** What the document says of others, and they of it. */
function DocumentReferences({ id }: { id: string }) {
  const said = useReferences(id).data;
  if (!said || (said.refers_to.length === 0 && said.referred_by.length === 0)) return null;
  return (
    <div className="grid gap-5" data-testid="references">
      <OutgoingReferences references={said.refers_to} />
      <IncomingReferences references={said.referred_by} />
    </div>
  );
}

function Head({ document }: { document: Doc }) {
  const [deleting, setDeleting] = useState(false);
  const ask = () => {
    attach(document);
    navigate("/app");
    focusComposer();
  };
  const facts = [
    document.title && document.title !== document.filename ? document.filename : "",
    document.pages > 0 && document.page_unit ? formatPlural(document.pages, document.page_unit) : "",
    document.modified_at ? t("changed {day}", { day: formatDay(document.modified_at) }) : "",
  ].filter(Boolean);
  return (
    <header>
      <Link href="/app/library" className="quietly -ml-1.5 inline-flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]">
        <ArrowLeft size={14} aria-hidden /> {t("Library")}
      </Link>
      <div className="mt-2 flex flex-wrap items-end gap-x-4 gap-y-3">
        <div className="mr-auto min-w-0">
          <h1 className="break-words">{document.title || document.filename}</h1>
          <p className="num mt-1 text-ink-3">{facts.join(" · ")}</p>
          <Holder path={document.file_path} />
        </div>
        <div className="flex flex-wrap gap-2">
          <button type="button" className="button" data-kind="main" onClick={ask}>
            <MessageSquareQuote size={15} aria-hidden /> {t("Ask only this file")}
          </button>
          <OpenFileLink document={document.id} filename={document.filename} path={document.file_path} className="button">
            <ExternalLink size={14} aria-hidden /> {t("Open file")}
          </OpenFileLink>
          <button type="button" className="button" aria-label={t("Delete from the library")} onClick={() => setDeleting(true)}>
            <Trash2 size={15} aria-hidden />
          </button>
        </div>
      </div>
      {deleting && <DeleteDocument document={document} onClose={() => setDeleting(false)} />}
    </header>
  );
}

/** For a file that lies in an archive or a message: where it lies. */
function Holder({ path }: { path: string }) {
  const holder = containerPath(path);
  if (!holder) return null;
  return (
    <p className="mt-1 break-words text-[13.5px] text-ink-2" data-testid="holder">
      {t("Inside {place}", { place: holder.split("!/").map(fileName).join(" › ") })}
    </p>
  );
}

function DeleteDocument({ document, onClose }: { document: Doc; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    try {
      await api.deleteDocument(document.id);
      navigate("/app/library", { replace: true });
      invalidateLibrary();
      showToast(t("{name} was removed from the library. The file itself is untouched.", { name: document.filename }));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Remove this document from the library?")}
      description={t("{name} will no longer be searched, until it is read again. The file on the disk stays as it is.", { name: document.filename })}
    >
      {error !== null && (
        <div className="mt-3">
          <ErrorMessage error={error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {t("Keep it")}
        </button>
        <button type="button" className="button" data-kind="bad" onClick={() => void remove()}>
          {t("Remove")}
        </button>
      </div>
    </Dialog>
  );
}

/** The headings; each leads to its place and has an address of its own. */
function Contents({ id, sections, at }: { id: string; sections: Outline[]; at: number }) {
  const shown = sections.filter((section) => section.path.length > 0).slice(0, 120);
  const least = Math.min(...shown.map((section) => section.path.length));
  return (
    <nav aria-label={t("Contents")}>
      <h2 className="eyebrow mb-1.5">{t("Contents")}</h2>
      <ul className="text-[13.5px]">
        {shown.map((section) => {
          const title = section.path.at(-1) ?? "";
          const end = section.start + Math.max(1, Array.from(title).length);
          return (
            <li key={section.start} style={{ paddingLeft: `${(section.path.length - least) * 14}px` }}>
              <Link
                href={`${documentPath(id)}?from=${section.start}&to=${end}`}
                aria-current={at === section.start ? "location" : undefined}
                className={`block truncate rounded-1 px-1.5 py-1 hover:bg-sunken hover:text-ink ${at === section.start ? "bg-accent-soft text-accent" : "text-ink-2"}`}
                title={title}
              >
                {title}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
