import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { SearchResponse, Step } from "../api/types";
import { agentOf, currentStep } from "../run/agents";
import { formatPlural, formatSeconds } from "../text/format";
import { t, tn } from "../text/language";
import { StepTimeline } from "./StepTimeline";
import { describeSearchScope } from "./searchScope";

/** One line of what happened; it opens into the timeline. */
export function RunSummary({
  steps,
  response,
  live,
  note,
}: {
  steps: readonly Step[];
  response: SearchResponse | null;
  live: boolean;
  note: string;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        data-testid="run-line"
        className="group -mx-1.5 flex min-h-7 max-w-full items-center gap-2 rounded-1 px-1.5 py-0.5 text-left text-[13px] text-ink-2 hover:text-ink"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-ink-3 transition-transform duration-150 ${open ? "rotate-90" : ""}`} />
        {live ? <CurrentStep steps={steps} note={note} /> : <RunCounts steps={steps} response={response} />}
      </button>
      <div id={id} hidden={!open}>
        {open && <StepTimeline steps={steps} />}
      </div>
    </div>
  );
}

function CurrentStep({ steps, note }: { steps: readonly Step[]; note: string }) {
  const step = currentStep(steps);
  if (note || !step) return <span className="animate-breathe text-ink">{note || t("Asking…")}</span>;
  const agent = agentOf(step.agent);
  const others = new Set(steps.filter((one) => one.outcome === "running" && one.subject && one.subject !== step.subject).map((one) => one.subject))
    .size;
  const subject = step.subject ? `${step.subject}${others > 0 ? ` ${t("and {n} more", { n: others })}` : ""}: ` : "";
  return (
    <span className="flex min-w-0 items-baseline gap-2" data-testid="now">
      <span aria-hidden>{agent.symbol}</span>
      <span className="shrink-0">
        <b className="animate-breathe font-semibold text-ink">{agent.name}</b>
        {agent.title && <span className="text-ink-3"> {t(agent.title)}</span>}
      </span>
      <span className="truncate">
        {subject}
        {t(step.details || step.action)}
      </span>
    </span>
  );
}

const words: [key: string, said: (number: number) => string][] = [
  ["sub_queries", (number) => formatPlural(number, "sub-question", "sub-questions")],
  ["passages", (number) => formatPlural(number, "passage", "passages")],
  ["kept", (number) => formatPlural(number, "kept", "kept")],
  ["cited", (number) => formatPlural(number, "cited", "cited")],
];

function RunCounts({ steps, response }: { steps: readonly Step[]; response: SearchResponse | null }) {
  const hops = response?.reasoning?.reasoning_trace?.length ?? 0;
  const counts: Record<string, unknown> = { ...(hops > 1 ? { sub_queries: hops } : {}), ...response?.searched };
  const parts = words.flatMap(([key, said]) => {
    const value = counts[key];
    return typeof value === "number" && value > 0 ? [said(value)] : [];
  });
  const asked = describeSearchScope(response?.searched);
  if (asked) parts.splice(hops > 1 ? 1 : 0, 0, asked);
  const shown = parts.length > 0 ? parts : [tn(steps.length, "{n} step", "{n} steps", { n: steps.length })];
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      {shown.map((part, index) => (
        <span key={part} className="num whitespace-nowrap">
          {index > 0 && (
            <span aria-hidden className="mr-1.5 text-ink-3">
              ›
            </span>
          )}
          {part}
        </span>
      ))}
      {response && <span className="num ml-1.5 text-ink-3">{formatSeconds(response.total_time)}</span>}
    </span>
  );
}
