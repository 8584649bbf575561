import { Brain, Undo2 } from "lucide-react";
import { useId, useState } from "react";
import type { MemoryUsed } from "../api/types";
import { Tag } from "../parts/Tag";
import { Link } from "../shell/router";
import { t } from "../text/language";
import { listWeightChanges, summarizeMemoryUse, tierWords } from "./memoryEffects";

/** Says that memory changed this answer, how, and takes it back: the same question without memory. */
export function MemoryNotice({ used, onUndo }: { used: readonly MemoryUsed[]; onUndo: () => void }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const line = summarizeMemoryUse(used);
  if (!line) return null;
  return (
    <div className="rounded-2 border border-line text-[13px]" data-testid="memory-used">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="num -mx-1 flex min-w-0 flex-1 basis-[220px] items-center gap-2 rounded-1 px-1 py-0.5 text-left text-ink-2 hover:text-ink"
        >
          <Brain size={14} aria-hidden className="shrink-0 text-accent" />
          <span className="underline decoration-dotted decoration-line-strong underline-offset-4">{line}</span>
        </button>
        <button type="button" className="quietly flex items-center gap-1.5 px-1.5 py-0.5" onClick={onUndo}>
          <Undo2 size={14} aria-hidden /> {t("Answer without memory")}
        </button>
      </div>
      <div id={id} hidden={!open} className="border-line border-t px-3 py-2.5">
        <ul className="grid gap-2.5">
          {used.map((one, index) => (
            <li key={`${one.tier} ${one.item_id} ${index}`}>
              <Tag>{t(tierWords[one.tier])}</Tag>{" "}
              {listWeightChanges(one).map((change) => (
                <b key={change} className="num mr-1.5 whitespace-nowrap font-semibold">
                  {change}
                </b>
              ))}
              {one.text && <span className="break-words font-serif text-[14.5px]">{one.text}</span>}
              <div className="mt-0.5 break-words text-ink-2">{one.used_for}</div>
            </li>
          ))}
        </ul>
        <Link href="/app/memory" className="link mt-2.5 inline-block">
          {t("See everything that is remembered")}
        </Link>
      </div>
    </div>
  );
}
