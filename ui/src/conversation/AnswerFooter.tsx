import { Check, Copy, Route } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactNode, useState } from "react";
import type { SearchResponse } from "../api/types";
import { Tip } from "../parts/Tip";
import { Link, tracePath } from "../shell/router";
import { mark, t } from "../text/language";
import { FeedbackButtons } from "./FeedbackButtons";
import { formatAnswerWithSources } from "./plainText";

const labels = { high: mark("Well supported"), medium: mark("Partly supported"), low: mark("Weakly supported") } as const;
const tones = { high: "var(--good)", medium: "var(--warn)", low: "var(--bad)" } as const;

/** How sure, who wrote it, and what can be done with it. */
export function AnswerFooter({ response }: { response: SearchResponse }) {
  return (
    <div className="flex flex-col gap-2">
      <Confidence response={response} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 text-[13px] text-ink-3">
        <span data-testid="generated-by">{describeOrigin(response.generated_by, Boolean(response.calculations?.length))}</span>
        <span className="ml-auto flex items-center gap-0.5">
          <CopyButton response={response} />
          <FeedbackButtons trace={response.trace_id} />
          <Tip label={t("How this answer came about")}>
            <Link href={tracePath(response.trace_id)} className="quietly flex h-8 items-center gap-1.5 px-2">
              <Route size={15} aria-hidden /> {t("Trace")}
            </Link>
          </Tip>
        </span>
      </div>
    </div>
  );
}

function describeOrigin(generatedBy: string, computed: boolean): ReactNode {
  if (computed) return t("Computed from a table of your documents, no model used");
  if (generatedBy === "extractive") return t("Quoted from your documents, no model used");
  if (generatedBy === "memory") return t("From your own notes, not from a document");
  if (generatedBy === "none" || generatedBy === "") return t("No model used");
  return <>{t("Written by {model}, each sentence checked against its source", { model: generatedBy })}</>;
}

const factorWords: Record<string, string> = {
  base: mark("starting value"),
  probability_answerable: mark("chance that the documents answer the question"),
  support: mark("sentences supported by their sources"),
  sources: mark("number of sources"),
  top_score: mark("best match"),
  length: mark("length of the answer"),
  retrieval_quality: mark("quality of what was found"),
  certainty: mark("certainty of the wording"),
  raw: mark("sum before calibration"),
};

/** A reason as the rest of a line: without its full stop, beginning small where its first word allows. */
function asClause(reason: string): string {
  const plain = reason.trim().replace(/\.$/, "");
  return /^[A-Z][a-z]/.test(plain) ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain;
}

function Confidence({ response }: { response: SearchResponse }) {
  const filled = Math.max(1, Math.min(5, Math.round(response.confidence * 5)));
  const factors = Object.entries(response.confidence_factors);
  return (
    <Popover.Root>
      <Popover.Trigger
        className="-mx-1 flex w-fit max-w-full items-center gap-2 rounded-1 px-1 text-left text-[13px] text-ink-2 hover:text-ink"
        data-testid="confidence"
      >
        <span
          className="inline-flex shrink-0 gap-0.5"
          role="img"
          aria-label={t("Confidence {n} of 100", { n: Math.round(response.confidence * 100) })}
        >
          {[1, 2, 3, 4, 5].map((part) => (
            <i
              key={part}
              className="h-[5px] w-3.5 rounded-[3px]"
              style={{ background: part <= filled ? tones[response.confidence_label] : "var(--line)" }}
            />
          ))}
        </span>
        <span className="min-w-0">
          {t(labels[response.confidence_label])}
          {response.confidence_reason && <span> · {asClause(response.confidence_reason)}</span>}
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          sideOffset={8}
          align="start"
          collisionPadding={12}
          className="z-50 w-[300px] animate-appear rounded-2 border border-line bg-surface p-4 text-[13px] shadow-high"
        >
          <div className="font-semibold">{t("Confidence {n} of 100", { n: Math.round(response.confidence * 100) })}</div>
          <p className="mt-1 text-ink-2">{t("Calibrated from these factors; it says how well the documents support the answer.")}</p>
          <dl className="num mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-ink-2">
            {factors.map(([name, value]) => (
              <div key={name} className="contents">
                <dt>{factorWords[name] ? t(factorWords[name]) : name.replaceAll("_", " ")}</dt>
                <dd className="text-right text-ink">{value.toFixed(2)}</dd>
              </div>
            ))}
          </dl>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function CopyButton({ response }: { response: SearchResponse }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(formatAnswerWithSources(response));
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <Tip label={t("Copy the answer with its sources")}>
      <button type="button" className="quietly flex h-8 items-center gap-1.5 px-2" onClick={() => void copy()}>
        {done ? <Check size={15} aria-hidden className="text-good" /> : <Copy size={15} aria-hidden />}
        <span aria-live="polite">{done ? t("Copied") : t("Copy")}</span>
      </button>
    </Tip>
  );
}
