import type { Citation } from "../api/types";
import { Tip } from "../parts/Tip";
import { openSource, parseSource, useAddress } from "../shell/router";
import { formatPage } from "../source/documentKind";
import { t } from "../text/language";
import { sendFeedback } from "./feedback";

export function useOpenCitation(run: string | null) {
  const { search } = useAddress();
  const source = parseSource(search);
  return {
    isOpen: (citation: Citation) => source?.run === run && run !== null && source?.number === citation.number,
    open: (citation: Citation) => {
      if (run) sendFeedback({ trace_id: run, kind: "open_citation", result_id: citation.document_id, rank: citation.number });
      openSource({ document: citation.document_id, start: citation.start, end: citation.end, run, number: citation.number });
    },
  };
}

/** The small numbered tab behind a sentence: hover or focus shows what is quoted, a click opens it in its document. */
export function CitationTab({ citation, run, onOpen }: { citation: Citation; run: string | null; onOpen?: () => void }) {
  const { isOpen, open } = useOpenCitation(run);
  const on = isOpen(citation);
  const press = () => {
    open(citation);
    onOpen?.();
  };
  return (
    <Tip wide label={<CitationCard citation={citation} />}>
      <button
        type="button"
        className="cite"
        data-on={on}
        data-cite={citation.number}
        aria-pressed={on}
        onClick={press}
        aria-label={
          citation.page
            ? t("Source {n}: {name}, page {page}", { n: citation.number, name: citation.filename, page: citation.page })
            : t("Source {n}: {name}", { n: citation.number, name: citation.filename })
        }
      >
        {citation.number}
      </button>
    </Tip>
  );
}

export function CitationCard({ citation }: { citation: Citation }) {
  const where = [formatPage(citation.filename, citation.page), citation.section?.at(-1)].filter(Boolean).join(" · ");
  return (
    <div>
      <div className="text-[13px] leading-snug">
        <b className="font-semibold">{citation.filename}</b>
        {where && <span className="text-ink-3"> · {where}</span>}
      </div>
      <blockquote className="mt-2 border-l-2 border-mark-strong pl-2.5 font-serif text-[14.5px] leading-relaxed text-ink">
        {citation.quote.length > 420 ? `${citation.quote.slice(0, 420)}…` : citation.quote}
      </blockquote>
      <div className="mt-2 text-[12px] text-ink-3">{t("Click to open it in the document")}</div>
    </div>
  );
}
