import { ChevronLeft, ChevronRight, ExternalLink, Link2, X } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import { useContent, useDocument, useTrace } from "../api/queries";
import type { Citation, Content, SearchResponse } from "../api/types";
import { jobs } from "../library/jobs";
import { Tip } from "../parts/Tip";
import { useRuns } from "../run/store";
import { typing } from "../shell/Keys";
import { closeSource, documentPath, Link, openSource, type SourceAddress } from "../shell/router";
import { CodePoints, type Span } from "../text/codepoints";
import { About } from "./About";
import { ContentTrouble, DocumentView, pageTab, type Tab } from "./DocumentView";
import { clothesOf, pageWord } from "./kind";
import { Linked } from "./Linked";
import { OpenFile } from "./OpenFile";
import { usePoints } from "./view";

/** Longer texts are fetched around their mark only. */
const WHOLE = 600_000;
const AROUND = 120_000;

const TABS = ["page", "text", "about", "linked"] as const;
const tabWords = { text: "Text", about: "About", linked: "Linked" } as const;

/** The source beside the answer: the document at the cited place. */
export function SourcePane({ source }: { source: SourceAddress }) {
  const response = useResponse(source.run);
  const citations = response?.citations ?? none;
  const citation = citations.find((item) => item.number === source.number) ?? null;
  const document = useDocument(source.document);
  const long = (document.data?.characters ?? 0) > WHOLE;
  const middle = source.start ?? 0;
  const content = useContent(
    document.data ? source.document : null,
    long ? Math.max(0, middle - AROUND) : undefined,
    long ? middle + AROUND : undefined,
  );
  const points = usePoints(content.data);
  const marks = useMemo(() => marksOf(source, citation, content.data, points), [source, citation, content.data, points]);
  const [trouble, setTrouble] = useState<{ key: string; reason: string; rereading: boolean } | null>(null);
  const [page, setPage] = useState<[number, number] | null>(null);
  const markKey = `${source.document}:${source.start}:${source.end}:${source.number}`;
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
  const clothes = clothesOf(document.data?.file_type ?? "", document.data?.parser);
  const at = page && tab === "page" && (clothes === "pdf" || (clothes === "picture" && page[1] > 1)) ? page : null;

  return (
    <Tabs.Root value={tab} onValueChange={(value) => openSource({ ...source, tab: value })} asChild>
      <section aria-label={`Source: ${filename}`} className="flex h-full min-h-0 flex-col bg-surface" data-testid="source-pane">
        <header className="flex min-h-[50px] items-center gap-1 border-line border-b py-1.5 pr-2.5 pl-[18px]">
          <b className="line-clamp-3 min-w-0 font-semibold [overflow-wrap:anywhere]" dir="auto" title={document.data?.file_path}>
            {filename}
          </b>
          <span className="num ml-1.5 shrink-0 text-[13px] text-ink-3">
            {at ? `${at[0]} / ${at[1]}` : pageWord(filename, citation?.page ?? null)}
          </span>
          <span className="ml-auto flex shrink-0 items-center">
            {citations.length > 1 && (
              <>
                <IconButton label="Previous citation (p)" onClick={() => go(-1)} icon={ChevronLeft} />
                <span className="num min-w-8 text-center text-[12.5px] text-ink-3" data-testid="citation-place">
                  {citation ? `${citation.number}/${citations.length}` : ""}
                </span>
                <IconButton label="Next citation (n)" onClick={() => go(1)} icon={ChevronRight} />
              </>
            )}
            <Tip label="Open the file itself" side="bottom">
              <span>
                <OpenFile
                  document={source.document}
                  filename={filename}
                  path={document.data?.file_path ?? ""}
                  label="Open the file itself"
                  className="quietly grid size-8 place-items-center"
                >
                  <ExternalLink size={15} />
                </OpenFile>
              </span>
            </Tip>
            <Tip label="Show in the library" side="bottom">
              <Link href={documentPath(source.document)} aria-label="Show in the library" className="quietly grid size-8 place-items-center">
                <Link2 size={16} />
              </Link>
            </Tip>
            <IconButton label="Close (Esc)" onClick={closeSource} icon={X} />
          </span>
        </header>
        <Tabs.List className="flex gap-4 border-line border-b px-[18px] text-[13.5px]" aria-label="View">
          {TABS.map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="-mb-px border-transparent border-b-2 pt-[9px] pb-[8px] text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-[550] data-[state=active]:text-ink"
            >
              {name === "page" ? pageTab[clothes] : tabWords[name]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Notice
          source={source}
          citation={citation}
          generation={document.data?.generation ?? null}
          found={marks.length > 0}
          cannotShow={tab === "text" ? cannotShow : ""}
          loaded={content.data !== undefined}
        >
          {trouble?.rereading && document.data && <ReadAgain path={document.data.file_path} onDone={read} />}
        </Notice>
        {(document.error || content.error) && (
          <ContentTrouble
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
            {name === "about" && document.data && <About document={document.data} />}
            {name === "linked" && tab === "linked" && document.data && (
              <Linked document={source.document} expansion={response?.graph_expansion ?? null} />
            )}
            {(name === "page" || name === "text") && name === tab && document.data && content.data && (
              <DocumentView
                tab={name}
                document={document.data}
                content={content.data}
                points={points}
                marks={marks}
                markKey={markKey}
                onPage={(number, of) => setPage([number, of])}
                onTrouble={(reason, rereading = false) => setTrouble({ key: markKey, reason, rereading })}
              />
            )}
            {(name === "page" || name === "text") && !content.data && !content.error && !document.error && (
              <div className="sheet-paper h-[60%] animate-breathe" role="status" aria-label="Loading" />
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

function Notice({
  source,
  citation,
  generation,
  found,
  cannotShow,
  loaded,
  children,
}: {
  source: SourceAddress;
  citation: Citation | null;
  generation: number | null;
  found: boolean;
  cannotShow: string;
  loaded: boolean;
  children: ReactNode;
}) {
  const changed = citation !== null && generation !== null && citation.generation !== generation;
  const lost = loaded && source.start !== null && !found;
  if (!changed && !cannotShow && !lost) return null;
  return (
    <p role="note" className="border-line border-b bg-[color-mix(in_srgb,var(--warn)_7%,var(--surface))] px-[18px] py-2 text-[13px] text-ink-2">
      {changed && "This document has changed since the answer was given. "}
      {lost && citation && `The quoted words are no longer in it: “${citation.quote.slice(0, 200)}”`}
      {cannotShow} {cannotShow && children}
    </p>
  );
}

/** Reads a file once more, so that what is kept of it now is there too. */
function ReadAgain({ path, onDone }: { path: string; onDone: () => Promise<void> }) {
  const [state, setState] = useState<"" | "reading" | "failed">("");
  const read = async () => {
    setState("reading");
    try {
      const job = await api.retry(path);
      const last = await jobs.follow(job.id, job);
      if (last && last.files_indexed + last.files_partial > 0) await onDone();
      else setState("failed");
    } catch {
      setState("failed");
    }
  };
  if (state === "failed") return <>It could not be read again: the library shows the reason.</>;
  return (
    <button type="button" className="link" disabled={state === "reading"} onClick={() => void read()}>
      {state === "reading" ? "Reading …" : "Read it again"}
    </button>
  );
}

const none: Citation[] = [];

/** The response of the run that the source was opened from: of this page's life, or of its trace. */
function useResponse(run: string | null): SearchResponse | null {
  const live = useRuns().find((item) => item.runId === run && run !== null);
  const known = live?.response ?? null;
  const trace = useTrace(run !== null && !known ? run : null);
  return known ?? (trace.data?.response as unknown as SearchResponse | undefined) ?? null;
}

/** The quoted sentence and its passage. When the text has moved since, the quoted words are looked for; what is gone is not marked. */
function marksOf(source: SourceAddress, citation: Citation | null, content: Content | undefined, points: CodePoints): Span[] {
  if (!content || source.start === null || source.end === null) return [];
  if (!citation) return [{ start: source.start, end: source.end, kind: source.number === null ? "passage" : "quote" }];
  const here = points.slice(citation.start - content.start, citation.end - content.start) === citation.quote;
  const moved = here ? citation.start : find(content, points, citation.quote);
  if (moved === null) return [];
  const shift = moved - citation.start;
  const passageStart = citation.passage_start ?? 0;
  const passageEnd = citation.passage_end ?? 0;
  const spans: Span[] = [{ start: moved, end: moved + new CodePoints(citation.quote).length, kind: "quote" }];
  if (here && passageEnd > passageStart) spans.push({ start: passageStart + shift, end: passageEnd + shift, kind: "passage" });
  return spans;
}

function find(content: Content, points: CodePoints, quote: string): number | null {
  const at = content.text.indexOf(quote);
  return at < 0 ? null : content.start + points.toCodePoint(at);
}

function useKeys(active: boolean, go: (step: number) => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || typing(event.target)) return;
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
