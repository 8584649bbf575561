import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { Citation, Reasoning as ReasoningOut } from "../api/types";
import { formatPlural } from "../text/format";
import { mark, t } from "../text/language";
import { CitationTab } from "./CitationTab";

const kindWords: Record<string, string> = {
  comparison: mark("asked for each side"),
  conjunction: mark("asked for each part"),
  sequence: mark("asked in order"),
  bridge: mark("found the link first, then asked about it"),
};

/** How the parts came together: what was asked, what each found, and where it stands. Folded until someone wants to see it. */
export function Reasoning({ reasoning, citations, run }: { reasoning: ReasoningOut; citations: readonly Citation[]; run: string | null }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const trace = reasoning.reasoning_trace;
  if (trace.length === 0) return null;
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]));
  return (
    <section className="min-w-0" data-testid="reasoning">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="-mx-1.5 flex min-h-7 max-w-full items-center gap-2 rounded-1 px-1.5 py-0.5 text-left text-[13px] text-ink-2 hover:text-ink"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 text-ink-3 transition-transform duration-150 ${open ? "rotate-90" : ""}`} />
        {t("How the parts came together:")} {formatPlural(trace.length, "sub-question")}
        {kindWords[reasoning.kind] && <span className="text-ink-3 max-sm:hidden">· {t(kindWords[reasoning.kind] ?? "")}</span>}
      </button>
      <ol id={id} hidden={!open} className="mt-2 grid gap-3 border-line border-l pl-4">
        {trace.map((step, index) => (
          <li key={step.id} className="text-[14px]">
            <div className="flex items-baseline gap-2">
              <span aria-hidden className="num text-[12.5px] text-ink-3">
                {index + 1}
              </span>
              <b className="min-w-0 break-words font-semibold">{step.asked}</b>
            </div>
            {step.purpose && <div className="pl-[18px] text-[12.5px] text-ink-3">{step.purpose}</div>}
            <div className="pl-[18px] font-serif text-[15.5px] leading-relaxed">
              {step.found || <span className="text-ink-3">{t("nothing was found")}</span>}
              {(step.citations ?? []).map((number) => {
                const citation = byNumber.get(number);
                return citation ? <CitationTab key={number} citation={citation} run={run} /> : null;
              })}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
