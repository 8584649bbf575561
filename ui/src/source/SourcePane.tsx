import { ChevronLeft, ChevronRight, ExternalLink, Link2, Search, X } from "lucide-react";
import { Tabs } from "radix-ui";
import { type KeyboardEvent as Press, useEffect, useMemo, useRef, useState } from "react";
import { useDocument, useTrace } from "../api/queries";
import type { Citation, SearchResponse } from "../api/types";
import { Tip } from "../parts/Tip";
import { useRuns } from "../run/runStore";
import { isTyping } from "../shell/KeyboardShortcuts";
import { isMac } from "../shell/Rail";
import { closeSource, documentPath, Link, openSource, type SourceAddress } from "../shell/router";
import { mark, t } from "../text/language";
import { markCitation } from "./citationMarks";
import { DocumentFacts } from "./DocumentFacts";
import { ContentError, DocumentView, pageTab, type Tab } from "./DocumentView";
import { documentKind, formatPage } from "./documentKind";
import { FindBar } from "./FindBar";
import { LinkedDocuments } from "./LinkedDocuments";
import { MarkNotice, ReadAgainButton } from "./MarkNotice";
import { OpenFileLink } from "./OpenFileLink";
import { useSourceText } from "./useSourceText";
import { useHits, useTextSearch } from "./useTextSearch";
import { usePoints } from "./viewHooks";

const TABS = ["page", "text", "about", "linked"] as const;
const tabWords = { text: mark("Text"), about: mark("About"), linked: mark("Linked") } as const;

/** The source beside the answer: the document at the cited place. */
export function SourcePane({ source }: { source: SourceAddress }) {
  const response = useResponse(source.run);
  const citations = response?.citations ?? none;
  const citation = citations.find((item) => item.number === source.number) ?? null;
  const document = useDocument(source.document);
  const markKey = `${source.document}:${source.start}:${source.end}:${source.number}`;
  const search = useTextSearch(markKey, source.start ?? 0);
  const [hitAt, setHitAt] = useState<number | null>(null);
  const text = useSourceText(document.data, { start: source.start ?? 0, citation, hit: hitAt, searching: search.open });
  const content = text.shown;
  const points = usePoints(content.data);
  const quoted = useMemo(() => markCitation(source, citation, content.data, points), [source, citation, content.data, points]);
  const hits = useHits(search, text.whole);
  const hit = hits?.current ?? null;
  if ((hit?.start ?? null) !== hitAt) setHitAt(hit?.start ?? null);
  const marks = useMemo(() => (hits ? [...quoted, ...hits.drawn] : quoted), [quoted, hits]);
  const [strip, setStrip] = useState<HTMLElement | null>(null);
  const [missed, setMissed] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<{ key: string; reason: string; rereading: boolean } | null>(null);
  const [page, setPage] = useState<[number, number] | null>(null);
  const cannotShow = trouble?.key === markKey ? trouble.reason : "";
  const tab = (source.tab as Tab | null) ?? (cannotShow ? "text" : "page");
  const go = (step: number) => {
    const at = citations.findIndex((item) => item.number === source.number);
    const next = citations[(at + step + citations.length) % citations.length];
    if (next) openSource({ document: next.document_id, start: next.start, end: next.end, run: source.run, number: next.number });
  };
  useKeys(citations.length > 0, go);
  const read = async () => {
    // Its places are asked for by its generation, which must be the new one by then.
    await Promise.all([document.refetch(), content.refetch()]);
    setTrouble(null);
  };
  const filename = document.data?.filename ?? citation?.filename ?? "…";
  const kind = documentKind(document.data?.file_type ?? "", document.data?.parser);
  const pane = useRef<HTMLElement>(null);
  const showSearch = () => {
    if (tab !== "page" && tab !== "text") openSource({ ...source, tab: "page" });
    search.show();
    pane.current?.querySelector<HTMLInputElement>("[data-testid=find-bar] input")?.select();
  };
  const closeSearch = () => {
    search.close();
    pane.current?.querySelector<HTMLElement>("[role=tabpanel][data-state=active]")?.focus({ preventScroll: true });
  };
  const press = (event: Press) => {
    const wanted = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    // A second time, in the field itself, the browser's own search is meant.
    if (!wanted || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    showSearch();
  };
  const at = page && tab === "page" && (kind === "pdf" || (kind === "picture" && page[1] > 1)) ? page : null;

  return (
    <Tabs.Root value={tab} onValueChange={(value) => openSource({ ...source, tab: value })} asChild>
      <section
        ref={pane}
        aria-label={t("Source: {name}", { name: filename })}
        onKeyDown={press}
        className="flex h-full min-h-0 flex-col bg-surface"
        data-testid="source-pane"
      >
        <header className="flex min-h-[50px] items-center gap-1 border-line border-b py-1.5 pr-2.5 pl-[18px]">
          <b className="line-clamp-3 min-w-0 font-semibold [overflow-wrap:anywhere]" dir="auto" title={document.data?.file_path}>
            {filename}
          </b>
          <span className="num ml-1.5 shrink-0 text-[13px] text-ink-3">
            {at ? `${at[0]} / ${at[1]}` : formatPage(filename, citation?.page ?? null)}
          </span>
          <span className="ml-auto flex shrink-0 items-center">
            {citations.length > 1 && (
              <>
                <IconButton label={t("Previous citation (p)")} onClick={() => go(-1)} icon={ChevronLeft} />
                <span className="num min-w-8 text-center text-[12.5px] text-ink-3" data-testid="citation-place">
                  {citation ? `${citation.number}/${citations.length}` : ""}
                </span>
                <IconButton label={t("Next citation (n)")} onClick={() => go(1)} icon={ChevronRight} />
              </>
            )}
            <IconButton label={t("Search in this document ({key})", { key: isMac ? "⌘F" : "Ctrl+F" })} onClick={showSearch} icon={Search} />
            <Tip label={t("Open the file itself")} side="bottom">
              <span>
                <OpenFileLink
                  document={source.document}
                  filename={filename}
                  path={document.data?.file_path ?? ""}
                  label={t("Open the file itself")}
                  className="quietly grid size-8 place-items-center"
                >
                  <ExternalLink size={15} />
                </OpenFileLink>
              </span>
            </Tip>
            <Tip label={t("Show in the library")} side="bottom">
              <Link href={documentPath(source.document)} aria-label={t("Show in the library")} className="quietly grid size-8 place-items-center">
                <Link2 size={16} />
              </Link>
            </Tip>
            <IconButton label={t("Close (Esc)")} onClick={closeSource} icon={X} />
          </span>
        </header>
        <Tabs.List className="flex gap-4 border-line border-b px-[18px] text-[13.5px]" aria-label={t("View")}>
          {TABS.map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="-mb-px border-transparent border-b-2 pt-[9px] pb-[8px] text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink"
            >
              {t(name === "page" ? pageTab[kind] : tabWords[name])}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {search.open && (tab === "page" || tab === "text") && (
          <FindBar
            search={search}
            hits={hits}
            missed={missed !== null && missed === hit?.start && tab === "page"}
            onShowText={() => openSource({ ...source, tab: "text" })}
            onClose={closeSearch}
          />
        )}
        <MarkNotice
          source={source}
          citation={citation}
          generation={document.data?.generation ?? null}
          found={quoted.length > 0}
          cannotShow={tab === "text" ? cannotShow : ""}
          loaded={text.settled}
        >
          {trouble?.rereading && document.data && <ReadAgainButton path={document.data.file_path} onDone={read} />}
        </MarkNotice>
        <div ref={setStrip} className={tab === "page" ? "shrink-0" : "hidden"} />
        {(document.error || content.error) && (
          <ContentError
            error={document.error ?? content.error}
            document={document.data}
            onRetry={() => void (document.error ? document.refetch() : content.refetch())}
          />
        )}
        {TABS.map((name) => (
          <Tabs.Content
            key={name}
            value={name}
            tabIndex={0}
            className="min-h-0 flex-1 overflow-auto bg-[color-mix(in_srgb,var(--sunken)_45%,var(--surface))] p-[18px] outline-offset-[-2px] data-[state=inactive]:hidden"
          >
            {name === "about" && document.data && <DocumentFacts document={document.data} />}
            {name === "linked" && tab === "linked" && document.data && (
              <LinkedDocuments document={source.document} expansion={response?.graph_expansion ?? null} />
            )}
            {(name === "page" || name === "text") && name === tab && document.data && content.data && (
              <DocumentView
                tab={name}
                document={document.data}
                content={content.data}
                points={points}
                marks={marks}
                markKey={hit ? `${markKey} ${hit.start}` : `${markKey} ${quoted[0]?.start}`}
                strip={strip}
                onMissed={() => setMissed(hit?.start ?? null)}
                onPage={(number, of) => setPage([number, of])}
                onTrouble={(reason, rereading = false) => setTrouble({ key: markKey, reason, rereading })}
              />
            )}
            {(name === "page" || name === "text") && !content.data && !content.error && !document.error && (
              <div className="sheet-paper h-[60%] animate-breathe" role="status" aria-label={t("Loading")} />
            )}
          </Tabs.Content>
        ))}
      </section>
    </Tabs.Root>
  );
}

const IconButton = ({ label, onClick, icon: Icon }: { label: string; onClick: () => void; icon: typeof X }) => (
  <Tip label={label} side="bottom">
    <button type="button" aria-label={label.replace(/ \(.*\)$/, "")} onClick={onClick} className="quietly grid size-8 place-items-center">
      <Icon size={17} />
    </button>
  </Tip>
);

const none: Citation[] = [];

/** The response of the run that the source was opened from: of this page's life, or of its trace. */
function useResponse(run: string | null): SearchResponse | null {
  const live = useRuns().find((item) => item.runId === run && run !== null);
  const known = live?.response ?? null;
  const trace = useTrace(run !== null && !known ? run : null);
  return known ?? (trace.data?.response as unknown as SearchResponse | undefined) ?? null;
}

function useKeys(active: boolean, go: (step: number) => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("[role=dialog],[role=menu],[role=listbox]")) return;
      if (event.key === "n" && active) go(1);
      else if (event.key === "p" && active) go(-1);
      else if (event.key === "Escape") closeSource();
      else return;
      event.preventDefault();
    };
    // Before the listeners of the page: Esc closes the source first, and only then stops a run.
    window.addEventListener("keydown", press, true);
    return () => window.removeEventListener("keydown", press, true);
  });
}
