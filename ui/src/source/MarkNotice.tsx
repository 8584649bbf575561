import { type ReactNode, useState } from "react";
import { api } from "../api/client";
import type { Citation } from "../api/types";
import { jobs } from "../library/jobs";
import type { SourceAddress } from "../shell/router";
import { t } from "../text/language";

interface Props {
  source: SourceAddress;
  citation: Citation | null;
  generation: number | null;
  found: boolean;
  cannotShow: string;
  loaded: boolean;
  children: ReactNode;
}

/** What the reader must know of the mark: the document has changed, the words are gone, the page cannot show them. */
export function MarkNotice({ source, citation, generation, found, cannotShow, loaded, children }: Props) {
  const changed = citation !== null && generation !== null && citation.generation !== generation;
  const lost = loaded && source.start !== null && !found;
  if (!changed && !cannotShow && !lost) return null;
  return (
    <p role="note" className="border-line border-b bg-[color-mix(in_srgb,var(--warn)_7%,var(--surface))] px-[18px] py-2 text-[13px] text-ink-2">
      {changed && `${t("This document has changed since the answer was given.")} `}
      {lost && citation && t("The quoted words are no longer in it: “{quote}”", { quote: citation.quote.slice(0, 200) })}
      {cannotShow} {cannotShow && children}
    </p>
  );
}

/** Reads a file once more, so that what is kept of it now is there too. */
export function ReadAgainButton({ path, onDone }: { path: string; onDone: () => Promise<void> }) {
  const [state, setState] = useState<"" | "reading" | "failed">("");
  const read = async () => {
    setState("reading");
    try {
      const job = await api.retry(path);
      const last = await jobs.follow(job.id, job);
      if (last && last.files_indexed + last.files_partial > 0) await onDone();
      else setState("failed");
    } catch {
      setState("failed");
    }
  };
  if (state === "failed") return <>{t("It could not be read again: the library shows the reason.")}</>;
  return (
    <button type="button" className="link" disabled={state === "reading"} onClick={() => void read()}>
      {state === "reading" ? t("Reading …") : t("Read it again")}
    </button>
  );
}
