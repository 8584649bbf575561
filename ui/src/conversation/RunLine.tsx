import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { SearchResponse, Step } from "../api/types";
import { agentOf, currentStep } from "../run/agents";
import { count, milliseconds, seconds } from "../text/format";

/** One line of what happened; it opens into the timeline. */
export function RunLine({ steps, response, live, note }: { steps: readonly Step[]; response: SearchResponse | null; live: boolean; note: string }) {
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
        {live ? <Now steps={steps} note={note} /> : <Path steps={steps} response={response} />}
      </button>
      <div id={id} hidden={!open}>
        {open && <Timeline steps={steps} />}
      </div>
    </div>
  );
}

function Now({ steps, note }: { steps: readonly Step[]; note: string }) {
  const step = currentStep(steps);
  if (note || !step) return <span className="animate-breathe">{note || "Asking…"}</span>;
  const agent = agentOf(step.agent);
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span aria-hidden>{agent.symbol}</span>
      <b className="animate-breathe font-semibold text-ink">{agent.name}</b>
      <span className="truncate">{step.details || step.action}</span>
    </span>
  );
}

const words: [key: string, one: string, many: string][] = [
  ["sub_queries", "sub-question", "sub-questions"],
  ["documents", "document", "documents"],
  ["passages", "passage", "passages"],
  ["kept", "kept", "kept"],
  ["cited", "cited", "cited"],
];

function Path({ steps, response }: { steps: readonly Step[]; response: SearchResponse | null }) {
  const parts = words.flatMap(([key, one, many]) => {
    const value = response?.searched?.[key];
    return typeof value === "number" && value > 0 ? [`${count(value)} ${value === 1 ? one : many}`] : [];
  });
  const shown = parts.length > 0 ? parts : [`${steps.length} steps`];
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
      {response && <span className="num ml-1.5 text-ink-3">{seconds(response.total_time)}</span>}
    </span>
  );
}

const outcomeWords: Record<Step["outcome"], string> = {
  running: "at work",
  ok: "",
  skipped: "skipped",
  degraded: "with less",
  failed: "failed",
  cancelled: "stopped",
};
const outcomeTone: Record<Step["outcome"], string> = {
  running: "text-accent",
  ok: "",
  skipped: "text-ink-3",
  degraded: "text-warn",
  failed: "text-bad",
  cancelled: "text-warn",
};

function Timeline({ steps }: { steps: readonly Step[] }) {
  const longest = Math.max(1, ...steps.map((step) => step.duration_ms ?? 0));
  return (
    <ol className="mt-2 mb-1 animate-appear border-l border-line pl-4" aria-label="What each agent did">
      {steps.map((step) => {
        const agent = agentOf(step.agent);
        return (
          <li key={step.id} className="relative grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-1.5 text-[13px]">
            <span
              aria-hidden
              className={`absolute top-[10px] -left-[21px] size-[9px] rounded-full border-2 border-paper ${step.outcome === "running" ? "animate-breathe bg-accent" : step.outcome === "ok" ? "bg-accent" : "bg-ink-3"}`}
            />
            <div className="min-w-0">
              <span aria-hidden className="mr-1.5">
                {agent.symbol}
              </span>
              <b className="font-semibold">{agent.name}</b>
              {agent.title && <span className="text-ink-3"> {agent.title}</span>}
              <span className="text-ink-2"> · {step.action}</span>
              {step.outcome !== "ok" && <span className={`ml-1.5 ${outcomeTone[step.outcome]}`}>{outcomeWords[step.outcome]}</span>}
              {step.details && <div className="break-words text-ink-2">{step.details}</div>}
            </div>
            <div className="flex items-center gap-2 text-ink-3">
              <i
                aria-hidden
                className="hidden h-[5px] rounded-full bg-accent opacity-60 sm:block"
                style={{ width: `${Math.max(2, ((step.duration_ms ?? 0) / longest) * 72)}px` }}
              />
              <span className="num w-14 text-right">{step.duration_ms == null ? "…" : milliseconds(step.duration_ms)}</span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
