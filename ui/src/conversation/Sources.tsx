import { ChevronDown } from "lucide-react";
import { useState } from "react";
import type { Citation, Passage, Result, SearchResponse } from "../api/types";
import { Tip } from "../parts/Tip";
import { openSource } from "../shell/router";
import { formatPage } from "../source/documentKind";
import { CodePoints, splitAtSpans } from "../text/codepoints";
import { formatCount, formatDay } from "../text/format";
import { mark, t, tn } from "../text/language";
import { findMatchingWords } from "../text/words";
import { useOpenCitation } from "./CitationTab";
import { sendFeedback } from "./feedback";

/** One row for each citation, then the documents that were found and not cited. */
export function Sources({
  response,
  question,
  run,
}: {
  response: Pick<SearchResponse, "citations" | "results">;
  question: string;
  run: string | null;
}) {
  const none = response.citations.length === 0;
  const [more, setMore] = useState(none);
  const results = new Map(response.results.map((result) => [result.id, result]));
  const cited = new Set(response.citations.map((citation) => citation.document_id));
  const others = response.results.filter((result) => !cited.has(result.id) && result.passages.length > 0);
  const seen = new Set<string>();
  return (
    <section aria-label={t("Sources")} className="border-t border-line" data-testid="sources">
      {response.citations.map((citation) => {
        const first = !seen.has(citation.document_id);
        seen.add(citation.document_id);
        return (
          <CitationRow
            key={citation.number}
            citation={citation}
            result={first ? results.get(citation.document_id) : undefined}
            modified={results.get(citation.document_id)?.modified_at}
            question={question}
            run={run}
          />
        );
      })}
      {others.length > 0 && (
        <button type="button" onClick={() => setMore(!more)} aria-expanded={more} className="quietly flex items-center gap-1.5 py-2.5 text-[13px]">
          <ChevronDown size={14} aria-hidden className={`transition-transform duration-150 ${more ? "rotate-180" : ""}`} />
          {none
            ? tn(others.length, "{n} document found", "{n} documents found", { n: formatCount(others.length) })
            : tn(others.length, "{n} more document considered, not cited", "{n} more documents considered, not cited", {
                n: formatCount(others.length),
              })}
        </button>
      )}
      {more &&
        others.map((result) => (
          <NearestRow key={result.id} result={result} question={question} run={run} rank={response.results.indexOf(result) + 1} />
        ))}
    </section>
  );
}

function CitationRow({
  citation,
  result,
  modified,
  question,
  run,
}: {
  citation: Citation;
  result: Result | undefined;
  modified: string | null | undefined;
  question: string;
  run: string | null;
}) {
  const { isOpen, open } = useOpenCitation(run);
  const where = [
    formatPage(citation.filename, citation.page),
    citation.section?.at(-1),
    citation.page === null && modified ? formatDay(modified) : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <div className="grid grid-cols-[24px_minmax(0,1fr)] items-start gap-x-2.5 border-line border-b py-[11px] sm:grid-cols-[24px_minmax(0,1fr)_132px]">
      <span className="cite mt-[3px]" data-on={isOpen(citation)} aria-hidden>
        {citation.number}
      </span>
      <button type="button" className="group min-w-0 text-left" onClick={() => open(citation)} data-source={citation.number}>
        <span className="block leading-snug">
          <b className="font-semibold group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4">{citation.filename}</b>
          {where && <span className="text-[12.5px] text-ink-3"> · {where}</span>}
        </span>
        <span className="mt-0.5 line-clamp-2 text-[13.5px] text-ink-2">
          “<MarkedTerms text={citation.quote} question={question} />”
        </span>
      </button>
      {result && <ResultReason result={result} />}
    </div>
  );
}

/** A document with its best passage, as nearest or as also found. */
export function NearestRow({ result, question, run, rank }: { result: Result; question: string; run: string | null; rank: number }) {
  const passage = result.passages[0] as Passage | undefined;
  if (!passage) return null;
  const open = () => {
    if (run) sendFeedback({ trace_id: run, kind: "click", result_id: result.id, rank });
    openSource({ document: result.id, start: passage.start, end: passage.end });
  };
  const where = [passage.page === null ? "" : `${result.page_unit || "page"} ${passage.page}`, passage.section.at(-1)].filter(Boolean).join(" · ");
  return (
    <div className="grid grid-cols-[24px_minmax(0,1fr)] items-start gap-x-2.5 border-line border-b py-[11px] sm:grid-cols-[24px_minmax(0,1fr)_132px]">
      <span aria-hidden className="mt-2 ml-[5px] size-[6px] rounded-full bg-line-strong" />
      <button type="button" className="group min-w-0 text-left" onClick={open}>
        <span className="block leading-snug">
          <b className="font-semibold group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4">{result.filename}</b>
          {where && <span className="text-[12.5px] text-ink-3"> · {where}</span>}
        </span>
        <span className="mt-0.5 line-clamp-2 text-[13.5px] text-ink-2">
          “<MarkedTerms text={clip(passage.content, question)} question={question} />”
        </span>
      </button>
      <ResultReason result={result} />
    </div>
  );
}

/** The part of a passage around its first matching word. */
function clip(text: string, question: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= 260) return flat;
  const first = findMatchingWords(flat, question)[0]?.start ?? 0;
  // Back to a word's beginning, so that nothing starts in its middle.
  const start = first <= 60 ? 0 : flat.indexOf(" ", first - 60) + 1;
  return `${start > 0 ? "… " : ""}${flat.slice(start, start + 260)} …`;
}

function MarkedTerms({ text, question }: { text: string; question: string }) {
  const flat = text.replace(/\s+/g, " ").trim();
  const points = new CodePoints(flat);
  return splitAtSpans(points, 0, points.length, findMatchingWords(flat, question)).map((piece) =>
    piece.kinds.length > 0 ? (
      <mark key={piece.start} className="word">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}

const legs = [
  ["lexical", mark("words"), "var(--lexical)"],
  ["dense", mark("meaning"), "var(--dense)"],
  ["links", mark("links"), "var(--links)"],
] as const;

function ResultReason({ result }: { result: Result }) {
  return (
    <div className="hidden sm:block">
      <RetrievalReason result={result} />
      {result.graph_context && <GraphContext found={result.graph_context} />}
    </div>
  );
}

/** The three thin bars and the phrase of why it is here. */
function RetrievalReason({ result }: { result: Result }) {
  const label = (
    <span>
      {result.why_sentence || result.why}
      {legs.map(([key, word, colour]) => (
        <span key={key} className="num mt-1 flex items-center gap-2 first:mt-2">
          <i className="size-2 rounded-full" style={{ background: colour }} />
          {t(word)} {Math.round((result.bars[key] ?? 0) * 100)} %
        </span>
      ))}
    </span>
  );
  return (
    <Tip label={label} side="left">
      <button type="button" className="w-full cursor-help text-left" aria-label={`${result.why}. ${result.filename}: ${result.why_sentence}`}>
        <span className="grid gap-[3px] pt-[6px]">
          {legs.map(([key, , colour]) => (
            <span
              key={key}
              className="block h-1 rounded-[2px]"
              style={{
                width: `${Math.max(2, Math.min(1, result.bars[key] ?? 0) * 100)}%`,
                background: colour,
                opacity: (result.bars[key] ?? 0) > 0 ? 1 : 0.28,
              }}
            />
          ))}
        </span>
        {result.why && <span className="mt-1.5 block text-[12px] leading-snug text-ink-3">{result.why}</span>}
      </button>
    </Tip>
  );
}

/** What the knowledge graph says for a passage, where it gave the results their order. */
function GraphContext({ found }: { found: NonNullable<Result["graph_context"]> }) {
  const { min_distance: steps, episode_mentions: events } = found;
  const near = steps == null ? t("not linked") : tn(steps, "{n} step away", "{n} steps away", { n: steps });
  const said = [
    found.distance_score != null && near,
    found.episode_score != null && tn(events, "{n} recent event", "{n} recent events", { n: events }),
  ];
  return (
    <div className="text-[12px] leading-snug text-ink-3" data-testid="graph-context">
      {t("Graph")}: {said.filter(Boolean).join(", ")}
    </div>
  );
}
