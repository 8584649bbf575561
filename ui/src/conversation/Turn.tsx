import { Brain, Pencil, RotateCcw, Search, Split, TriangleAlert } from "lucide-react";
import { lazy, Suspense } from "react";
import type { SearchRequest, SearchResponse } from "../api/types";
import { useRunningJob } from "../library/jobs";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tip } from "../parts/Tip";
import { formatCount, formatDateTime } from "../text/format";
import { t, tn } from "../text/language";
import { AnswerFooter } from "./AnswerFooter";
import { AnswerText } from "./AnswerText";
import { AttachedCards } from "./AttachedCards";
import { AttachedProgress } from "./AttachedProgress";
import { Clarification } from "./Clarification";
import { ComparisonTable } from "./ComparisonTable";
import { focusComposer, setDraft } from "./draft";
import { MemoryNotice } from "./MemoryNotice";
import { Reasoning } from "./Reasoning";
import { RunSummary } from "./RunSummary";
import { NearestRow, Sources } from "./Sources";
import { describeSearchScope } from "./searchScope";
import { findSeparateLead, type TurnView } from "./turnView";

const StreamedAnswer = lazy(() => import("./Markdown").then((module) => ({ default: module.StreamedMarkdown })));

interface Props {
  turn: TurnView;
  last: boolean;
  onAsk: (query: string, change?: Partial<SearchRequest>) => void;
  onRetry: () => void;
  /** Begins a new conversation with what stands before this question; null where it is not stored yet. */
  onBranch: (() => void) | null;
}

export function Turn({ turn, last, onAsk, onRetry, onBranch }: Props) {
  return (
    <article
      className="flex flex-col gap-[18px]"
      data-testid="turn"
      data-state={turn.live ? "live" : turn.interrupted ? "interrupted" : (turn.response?.status ?? "failed")}
      aria-label={t("Question: {text}", { text: turn.query })}
    >
      <Question turn={turn} onRegenerate={turn.response && !turn.interrupted ? onRetry : null} onBranch={onBranch} />
      {(turn.steps.length > 0 || turn.live) && <RunSummary steps={turn.steps} response={turn.response} live={turn.live} note={turn.note} />}
      {turn.live && <AttachedProgress steps={turn.steps} asked={turn.request?.attached_documents ?? []} />}
      {turn.problem && (
        <ErrorMessage error={turn.problem} onRetry={onRetry}>
          {turn.text && <PartialAnswer text={turn.text} />}
        </ErrorMessage>
      )}
      {turn.interrupted && <InterruptedNotice onRetry={onRetry} />}
      {!turn.response && !turn.problem && turn.text && <PartialAnswer text={turn.text} />}
      {turn.response && !turn.problem && <AnsweredTurn turn={turn} response={turn.response} last={last} onAsk={onAsk} />}
    </article>
  );
}

/** What was found before, if anything, stands below. */
const InterruptedNotice = ({ onRetry }: { onRetry: () => void }) => (
  <div role="status" className="card flex flex-wrap items-center gap-3 p-4" data-testid="interrupted">
    <div className="min-w-0 flex-1">
      <div className="font-semibold">{t("Interrupted")}</div>
      <div className="mt-0.5 text-ink-2">{t("The connection or the server was lost before the answer was finished. Your question is kept.")}</div>
    </div>
    <button type="button" className="button" onClick={onRetry}>
      <RotateCcw size={14} aria-hidden /> {t("Retry")}
    </button>
  </div>
);

const PartialAnswer = ({ text }: { text: string }) => (
  <Suspense fallback={<div className="answer whitespace-pre-wrap">{text}</div>}>
    <StreamedAnswer text={text} />
  </Suspense>
);

const act = "quietly p-1.5 opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 max-md:opacity-100";

function Question({ turn, onRegenerate, onBranch }: { turn: TurnView; onRegenerate: (() => void) | null; onBranch: (() => void) | null }) {
  const edit = () => {
    setDraft({ text: turn.query });
    focusComposer();
  };
  return (
    <div className="group flex max-w-full items-end justify-end gap-1.5">
      {onBranch && (
        <Tip label={t("Branch: a new conversation with what stands before")}>
          <button type="button" className={act} aria-label={t("Branch here")} onClick={onBranch}>
            <Split size={14} />
          </button>
        </Tip>
      )}
      {onRegenerate && (
        <Tip label={t("Answer again, in this place")}>
          <button type="button" className={act} aria-label={t("Answer again")} onClick={onRegenerate}>
            <RotateCcw size={14} />
          </button>
        </Tip>
      )}
      <button type="button" className={act} aria-label={t("Edit this question")} onClick={edit}>
        <Pencil size={14} />
      </button>
      <div
        title={formatDateTime(turn.askedAt)}
        className="max-w-[85%] whitespace-pre-wrap break-words rounded-[16px_16px_4px_16px] bg-accent-soft px-[15px] py-2.5"
      >
        {turn.query}
      </div>
    </div>
  );
}

function AnsweredTurn({ turn, response, last, onAsk }: { turn: TurnView; response: SearchResponse; last: boolean; onAsk: Props["onAsk"] }) {
  const written = !["extractive", "none", "memory"].includes(response.generated_by);
  // Quoted, a comparison's sentences are its cells: the table alone says it once.
  const tabled = Boolean(response.comparison_result) && !written;
  if (response.status === "clarification_needed") return <Clarification turn={turn} response={response} last={last} onAsk={onAsk} />;
  if (response.status === "not_found")
    return (
      <div className="flex flex-col gap-[18px]">
        <SpellingNotice turn={turn} response={response} onAsk={onAsk} />
        <NotFoundAnswer turn={turn} response={response} onAsk={onAsk} />
      </div>
    );
  return (
    <div className="flex animate-appear flex-col gap-[18px]">
      {response.status === "stopped" && <NoticeLine icon="stop">{describeStop(response)}</NoticeLine>}
      <MemoryEffect turn={turn} response={response} onAsk={onAsk} />
      <SpellingNotice turn={turn} response={response} onAsk={onAsk} />
      {response.answer_kind === "documents" && (
        <p className="font-serif text-[19px] leading-snug" data-testid="listing">
          {response.answer.split("\n\n")[0]}
        </p>
      )}
      {tabled && !findSeparateLead(response) ? null : response.answer_sentences.length > 0 ? (
        <AnswerText
          sentences={tabled ? [] : response.answer_sentences}
          citations={response.citations}
          run={response.trace_id}
          written={written}
          lead={findSeparateLead(response)}
        />
      ) : (
        <WholeAnswer response={response} written={written} />
      )}
      {(response.answer_notes ?? []).length > 0 && (
        <div className="flex flex-col gap-1 text-[13.5px] text-ink-2" data-testid="notes">
          {response.answer_notes?.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
      {response.comparison_result && (
        <ComparisonTable comparison={response.comparison_result} citations={response.citations} run={response.trace_id} />
      )}
      {response.reasoning && <Reasoning reasoning={response.reasoning} citations={response.citations} run={response.trace_id} />}
      <DegradedSteps response={response} />
      {(response.citations.length > 0 || response.answer_sentences.length > 0 || response.insights) && <AnswerFooter response={response} />}
      {response.insights && <AttachedCards report={response.insights} />}
      {(response.citations.length > 0 || response.results.length > 0) && (
        <Sources response={response} question={turn.query} run={response.trace_id} />
      )}
      {last && <FollowUps response={response} onAsk={onAsk} />}
    </div>
  );
}

/** What memory did to the answer, with its undo; or that the answer was given without it. */
function MemoryEffect({ turn, response, onAsk }: { turn: TurnView; response: SearchResponse; onAsk: Props["onAsk"] }) {
  const used = response.memory_used ?? [];
  const without = turn.request?.use_memory === false;
  if (without)
    return (
      <p className="flex items-center gap-2 text-[13px] text-ink-2" data-testid="without-memory">
        <Brain size={14} aria-hidden className="text-ink-3" /> {t("Answered without memory: nothing that is remembered about you was used.")}
      </p>
    );
  if (used.length === 0) return null;
  const { attached_documents, filters } = turn.request ?? {};
  const kept = { ...(attached_documents ? { attached_documents } : {}), ...(filters ? { filters } : {}) };
  return <MemoryNotice used={used} onUndo={() => onAsk(turn.query, { ...kept, use_memory: false })} />;
}

/** Which words of the question were read as words of the library, with its undo. */
function SpellingNotice({ turn, response, onAsk }: { turn: TurnView; response: SearchResponse; onAsk: Props["onAsk"] }) {
  const corrected = response.spelling ?? [];
  if (corrected.length === 0) return null;
  const { attached_documents, filters } = turn.request ?? {};
  const kept = { ...(attached_documents ? { attached_documents } : {}), ...(filters ? { filters } : {}) };
  return (
    <p className="text-[13px] text-ink-2" data-testid="spelling">
      {corrected.map((word, place) => (
        <span key={word.written}>
          {place === 0 ? "" : ", "}
          {t("“{word}” was read as", { word: word.written })} <b className="font-semibold text-ink">{word.meant}</b>
        </span>
      ))}
      .{" "}
      <button type="button" className="underline underline-offset-2" onClick={() => onAsk(turn.query, { ...kept, correct_spelling: false })}>
        {t("Search for exactly what I typed")}
      </button>
    </p>
  );
}

/** What a run that was stopped leaves behind. */
function describeStop(response: SearchResponse): string {
  if (response.answer_sentences.length > 0) return t("Stopped. This is what was found so far.");
  if (response.answer) return t("Stopped. This is what had been written so far, without its citations.");
  return response.results.length > 0 ? t("Stopped. These documents had been found so far.") : t("Stopped before anything was found.");
}

/** An answer that did not come in sentences: from the library's own numbers, from a model's knowledge, or cut off while it was written. */
function WholeAnswer({ response, written }: { response: SearchResponse; written: boolean }) {
  const stopped = response.status === "stopped";
  if (stopped && !response.answer) return null;
  return written || stopped ? (
    <PartialAnswer text={response.answer} />
  ) : (
    <PlainAnswer text={response.answer || response.summary || response.response_message} />
  );
}

const PlainAnswer = ({ text }: { text: string }) => (
  <div className="answer" data-testid="answer">
    {text
      .split(/\n{2,}/)
      .filter(Boolean)
      .map((paragraph, index) => (
        <p key={index} className="whitespace-pre-line">
          {paragraph}
        </p>
      ))}
  </div>
);

function NoticeLine({ children, icon }: { children: React.ReactNode; icon: "stop" | "warn" }) {
  return (
    <div className="flex items-start gap-2 text-[13.5px] text-ink-2">
      {icon === "warn" ? (
        <TriangleAlert size={15} aria-hidden className="mt-[3px] shrink-0 text-warn" />
      ) : (
        <span aria-hidden className="mt-[7px] size-2 shrink-0 rounded-[2px] bg-warn" />
      )}
      <span>{children}</span>
    </div>
  );
}

function DegradedSteps({ response }: { response: SearchResponse }) {
  if (response.degraded.length === 0) return null;
  return (
    <div className="rounded-2 bg-[color-mix(in_srgb,var(--warn)_7%,transparent)] px-3.5 py-2.5" data-testid="degraded">
      {response.degraded.map((item) => (
        <NoticeLine key={item.part + item.reason} icon="warn">
          {t("Answered without")} <b className="font-semibold text-ink">{item.part.replaceAll("_", " ")}</b>: {item.reason}
        </NoticeLine>
      ))}
    </div>
  );
}

function FollowUps({ response, onAsk }: { response: SearchResponse; onAsk: Props["onAsk"] }) {
  if (response.suggested_followups.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2" role="group" aria-label={t("Follow-up questions")}>
      {response.suggested_followups.map((question) => (
        <button key={question} type="button" className="chip" onClick={() => onAsk(question)}>
          {question}
        </button>
      ))}
    </div>
  );
}

function firstSentence(text: string): [string, string] {
  const end = /[.!?](\s|$)/.exec(text);
  return end ? [text.slice(0, end.index + 1), text.slice(end.index + 1).trim()] : [text, ""];
}

function NotFoundAnswer({ turn, response, onAsk }: { turn: TurnView; response: SearchResponse; onAsk: Props["onAsk"] }) {
  const searched = response.searched ?? {};
  const numbers = [
    describeSearchScope(searched),
    typeof searched.passages === "number"
      ? tn(searched.passages, "{n} passage compared", "{n} passages compared", { n: formatCount(searched.passages) })
      : "",
  ].filter(Boolean);
  const restricted = Boolean(turn.request?.attached_documents?.length || turn.request?.filters);
  const near = response.results.filter((result) => result.passages.length > 0);
  const job = useRunningJob();
  const [said, rest] = firstSentence(response.response_message || response.answer || t("Your documents do not seem to answer this."));
  return (
    <div className="flex animate-appear flex-col gap-4" data-testid="not-found">
      <MemoryEffect turn={turn} response={response} onAsk={onAsk} />
      <div>
        <p className="font-serif text-[20px] leading-snug">{said}</p>
        {rest && <p className="mt-1.5 text-ink-2">{rest}</p>}
        {job && (
          <p className="mt-1.5 text-ink-2">
            {t("Some files are still being read. The answer may be in one of them: ask again when they have been read.")}
          </p>
        )}
        {numbers.length > 0 && (
          <p className="num mt-1 text-[13px] text-ink-3">
            {t("Searched:")} {numbers.join(" · ")}
          </p>
        )}
      </div>
      <DegradedSteps response={response} />
      {response.insights && <AttachedCards report={response.insights} />}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="chip flex items-center gap-2" onClick={() => onAsk(turn.query, { mode: "recall", top_k: 10 })}>
          <Search size={14} aria-hidden /> {t("Search wider")}
        </button>
        {restricted && (
          <button type="button" className="chip" onClick={() => onAsk(turn.query, { attached_documents: null, filters: null })}>
            {t("Ask all documents")}
          </button>
        )}
        <button
          type="button"
          className="chip"
          onClick={() => {
            setDraft({ text: turn.query });
            focusComposer();
          }}
        >
          {t("Rephrase the question")}
        </button>
      </div>
      {near.length > 0 && (
        <section aria-label={t("The nearest passages")}>
          <h2 className="eyebrow mb-1">{t("The nearest passages")}</h2>
          <div className="border-line border-t">
            {near.map((result, index) => (
              <NearestRow key={result.id} result={result} question={turn.query} run={response.trace_id} rank={index + 1} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}
