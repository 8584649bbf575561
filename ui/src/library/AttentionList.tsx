import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useLedgerLines, useLedgerSummary } from "../api/queries";
import type { LedgerReason } from "../api/types";
import { formatCount } from "../text/format";
import { t } from "../text/language";
import { FileRows } from "./FileRows";
import { reasonWord, stateWord } from "./reasons";

const attentionStates = ["failed", "quarantined", "partial", "skipped", "queued"] as const;

/** What is not (wholly) read, why, and the one thing that helps. */
export function AttentionList({ byState }: { byState: Partial<Record<string, number>> }) {
  const [only, setOnly] = useState<string | null>(null);
  const [code, setCode] = useState("");
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim());
  const present = attentionStates.filter((state) => (byState[state] ?? 0) > 0);
  const lines = useLedgerLines({ state: only ? [only] : [...attentionStates], ...(code ? { code } : {}), ...(text ? { text } : {}) });
  const reasons = useLedgerSummary().data?.reasons ?? [];
  // What a rule leaves out on purpose needs nobody's attention; its button shows it.
  const all = (lines.data?.pages.flatMap((page) => page.lines) ?? []).filter((line) => code === "ignored" || text || line.code !== "ignored");
  if (present.length === 0) return null;
  return (
    <section className="card overflow-x-auto px-3 py-1.5" aria-label={t("Needs attention")} data-testid="attention">
      <div className="flex flex-wrap items-center gap-2 px-2.5 pt-2.5 pb-1">
        <h2 className="mr-auto font-semibold">{t("Needs attention")}</h2>
        {present.length > 1 &&
          present.map((state) => (
            <FilterButton key={state} on={only === state} onClick={() => setOnly(only === state ? null : state)}>
              {stateWord(state)} {formatCount(byState[state] ?? 0)}
            </FilterButton>
          ))}
        <label className="relative w-[190px]">
          <span className="sr-only">{t("Find a file by its path")}</span>
          <Search size={14} aria-hidden className="absolute top-[9px] left-2.5 text-ink-3" />
          <input
            className="field h-8 pl-8 text-[13.5px]"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder={t("Find by path")}
          />
        </label>
      </div>
      <Reasons reasons={reasons} code={code} onChoose={setCode} />
      <FileRows lines={all} label={t("Needs attention")} />
      {all.length === 0 && lines.isSuccess && <p className="px-2.5 py-3 text-[13.5px] text-ink-2">{t("No files match.")}</p>}
      {lines.hasNextPage && (
        <button type="button" className="link px-2.5 py-2 text-[13.5px]" onClick={() => void lines.fetchNextPage()}>
          {t("Show more")}
        </button>
      )}
    </section>
  );
}

function FilterButton({ on, onClick, children }: { on: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={`chip num px-2.5 py-0.5 text-[12.5px] ${on ? "border-accent text-accent" : ""}`}
    >
      {children}
    </button>
  );
}

/** How many files have which reason; one chosen shows its files. */
function Reasons({ reasons, code, onChoose }: { reasons: LedgerReason[]; code: string; onChoose: (code: string) => void }) {
  if (reasons.length < 2) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-2.5 pb-2" role="group" aria-label={t("Reasons")}>
      {reasons.slice(0, 12).map((reason) => (
        <FilterButton key={reason.code} on={code === reason.code} onClick={() => onChoose(code === reason.code ? "" : reason.code)}>
          {reasonWord(reason.code)} {formatCount(reason.files)}
        </FilterButton>
      ))}
    </div>
  );
}
