import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { formatCount } from "../text/format";
import { t, tn } from "../text/language";
import type { Hits, SourceSearch } from "./useTextSearch";

interface Props {
  search: SourceSearch;
  /** null while the text is on its way. */
  hits: Hits | null;
  /** The current place is not drawn in this view. */
  missed: boolean;
  onShowText: () => void;
  onClose: () => void;
}

/** The search in the text of a source: Enter goes on, Shift+Enter back, Escape closes it. */
export function FindBar({ search, hits, missed, onShowText, onClose }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) search.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const many = (hits?.count ?? 0) > 0;
  return (
    <search className="flex flex-wrap items-center gap-x-1 border-line border-b py-1.5 pr-2.5 pl-[18px]" data-testid="find-bar">
      <input
        ref={field}
        className="field min-w-0 flex-1 px-2.5! py-1! text-[13.5px]"
        type="text"
        dir="auto"
        value={search.query}
        onChange={(event) => search.look(event.target.value, hits?.current?.start ?? null)}
        onKeyDown={press}
        placeholder={t("Search in this document")}
        aria-label={t("Search in this document")}
        autoComplete="off"
        spellCheck={false}
      />
      <span className="num min-w-16 px-1 text-center text-[12.5px] text-ink-2" role="status" data-testid="find-place">
        {search.query === "" ? "" : place(hits)}
      </span>
      <button
        type="button"
        className="quietly grid size-8 place-items-center disabled:opacity-35"
        disabled={!many}
        onClick={() => search.step(-1)}
        aria-label={t("Previous match")}
      >
        <ChevronUp size={17} />
      </button>
      <button
        type="button"
        className="quietly grid size-8 place-items-center disabled:opacity-35"
        disabled={!many}
        onClick={() => search.step(1)}
        aria-label={t("Next match")}
      >
        <ChevronDown size={17} />
      </button>
      <button type="button" className="quietly grid size-8 place-items-center" onClick={onClose} aria-label={t("Close the search")}>
        <X size={17} />
      </button>
      {missed && (
        <p className="w-full pt-1 text-[12.5px] text-ink-2" role="note">
          {t("This match is not drawn here.")}{" "}
          <button type="button" className="link" onClick={onShowText}>
            {t("Show it in the text")}
          </button>
        </p>
      )}
    </search>
  );
}

function place(hits: Hits | null): string {
  if (!hits) return t("Loading …");
  if (hits.count === 0) return t("Not found");
  if (hits.index === null) return tn(hits.count, "{n} match", "{n} matches", { n: formatCount(hits.count) });
  return t("{at} of {n}", { at: formatCount(hits.index + 1), n: formatCount(hits.count) });
}
