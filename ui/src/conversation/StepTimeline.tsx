import type { Step } from "../api/types";
import { agentOf } from "../run/agents";
import { formatMilliseconds } from "../text/format";
import { mark, t } from "../text/language";

const outcomeWords: Record<Step["outcome"], string> = {
  running: mark("running"),
  ok: "",
  skipped: mark("skipped"),
  degraded: mark("limited"),
  failed: mark("failed"),
  cancelled: mark("stopped"),
};
const outcomeTone: Record<Step["outcome"], string> = {
  running: "text-accent",
  ok: "",
  skipped: "text-ink-3",
  degraded: "text-warn",
  failed: "text-bad",
  cancelled: "text-warn",
};
const dotTone: Record<Step["outcome"], string> = {
  running: "animate-breathe bg-accent",
  ok: "bg-accent",
  skipped: "bg-ink-3",
  degraded: "bg-warn",
  failed: "bg-bad",
  cancelled: "bg-warn",
};

export interface StepGroup {
  /** The file or sub-question that these steps are about; "" for steps of the whole question. */
  subject: string;
  steps: Step[];
}

/** Steps in their order; where several files or sub-questions were worked on at the same time, the steps of each stand together. */
export function groupSteps(steps: readonly Step[]): StepGroup[] {
  const found: StepGroup[] = [];
  let block: StepGroup[] = [];
  for (const step of steps) {
    const subject = step.subject ?? "";
    if (subject === "") {
      block = [];
      found.push({ subject, steps: [step] });
      continue;
    }
    const known = block.find((stretch) => stretch.subject === subject);
    if (known) known.steps.push(step);
    else {
      const stretch = { subject, steps: [step] };
      block.push(stretch);
      found.push(stretch);
    }
  }
  return found;
}

/** Who did what, in order, and how long it took. */
export function StepTimeline({ steps }: { steps: readonly Step[] }) {
  const longest = Math.max(1, ...steps.map((step) => step.duration_ms ?? 0));
  return (
    <ol className="mt-2 mb-1 animate-appear border-line border-l pl-4" aria-label={t("What each agent did")}>
      {groupSteps(steps).map((stretch) =>
        stretch.subject === "" ? (
          stretch.steps.map((step) => <StepRow key={step.id} step={step} longest={longest} />)
        ) : (
          <li key={`${stretch.subject} ${stretch.steps[0]?.id}`} className="relative py-1.5 text-[13px]" data-subject={stretch.subject}>
            <i aria-hidden className="absolute top-[14px] -left-4 h-px w-3 bg-line" />
            <div className="break-words font-serif text-[14.5px] text-ink">{stretch.subject}</div>
            <ol className="mt-0.5 border-line border-l pl-4" aria-label={t("What was done about {name}", { name: stretch.subject })}>
              {stretch.steps.map((step) => (
                <StepRow key={step.id} step={step} longest={longest} />
              ))}
            </ol>
          </li>
        ),
      )}
    </ol>
  );
}

function StepRow({ step, longest }: { step: Step; longest: number }) {
  const agent = agentOf(step.agent);
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-1.5 text-[13px]">
      <span aria-hidden className={`absolute top-[10px] -left-[21px] size-[9px] rounded-full border-2 border-paper ${dotTone[step.outcome]}`} />
      <div className="min-w-0">
        <span aria-hidden className="mr-1.5">
          {agent.symbol}
        </span>
        <b className="font-semibold">{agent.name}</b>
        {agent.title && <span className="text-ink-3"> {t(agent.title)}</span>}
        <span className="text-ink-2"> · {t(step.action)}</span>
        {step.outcome !== "ok" && <span className={`ml-1.5 ${outcomeTone[step.outcome]}`}>{t(outcomeWords[step.outcome])}</span>}
        {step.details && <div className="break-words text-ink-2">{t(step.details)}</div>}
      </div>
      <div className="flex items-center gap-2 text-ink-3">
        <i
          aria-hidden
          className="hidden h-[5px] rounded-full bg-accent opacity-60 sm:block"
          style={{ width: `${Math.max(2, ((step.duration_ms ?? 0) / longest) * 72)}px` }}
        />
        <span className="num w-14 text-right">{step.duration_ms == null ? "…" : formatMilliseconds(step.duration_ms)}</span>
      </div>
    </li>
  );
}
