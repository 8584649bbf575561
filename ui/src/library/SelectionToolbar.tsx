import { MessageSquareQuote, RotateCcw, Trash2, X } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { invalidateLibrary } from "../api/queries";
import type { Doc, DocumentList } from "../api/types";
import { attach, focusComposer } from "../conversation/draft";
import { Dialog } from "../parts/Dialog";
import { navigate } from "../shell/router";
import { showToast } from "../shell/Toasts";
import { formatCount, formatPlural } from "../text/format";
import { mark, t, tn } from "../text/language";
import { type Failure, runForEach } from "./bulkAction";
import { jobs } from "./jobs";
import type { Selection } from "./selection";

interface Pages {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ data?: { pages: DocumentList[] } | undefined; hasNextPage: boolean }>;
}

interface Props {
  documents: readonly Doc[];
  total: number;
  selection: Selection;
  pages: Pages;
}

/** How many rows a question may be restricted to. */
const MOST_ASKED = 50;

/** What can be done with the rows that are chosen. */
export function SelectionToolbar({ documents, total, selection, pages }: Props) {
  const [deleting, setDeleting] = useState(false);
  const [busy, setBusy] = useState("");
  const [failed, setFailed] = useState<Failure[]>([]);
  const chosen = documents.filter((document) => selection.chosen.has(document.id));
  const work = async (words: string, one: (document: Doc) => Promise<unknown>): Promise<number> => {
    setFailed([]);
    const problems = await runForEach(chosen, one, (done) => setBusy(t(words, { done: formatCount(done), all: formatCount(chosen.length) })));
    setBusy("");
    setFailed(problems);
    selection.replace(problems.map((failure) => failure.id));
    invalidateLibrary();
    return chosen.length - problems.length;
  };
  const reread = async () => {
    const begun = await work(mark("Asked for {done} of {all}"), async (document) => {
      const job = await api.retry(document.file_path);
      void jobs.follow(job.id, job);
    });
    if (begun > 0) showToast(tn(begun, "{n} document is being read again.", "{n} documents are being read again.", { n: formatCount(begun) }));
  };
  const remove = async () => {
    setDeleting(false);
    const gone = await work(mark("Deleted {done} of {all}"), (document) => api.deleteDocument(document.id));
    if (gone > 0)
      showToast(
        tn(
          gone,
          "{n} document is out of the library. Files in your folders are untouched.",
          "{n} documents are out of the library. Files in your folders are untouched.",
          { n: formatCount(gone) },
        ),
      );
  };
  const ask = () => {
    for (const document of chosen) attach(document);
    navigate("/app");
    focusComposer();
  };
  const all = async () => {
    let known = documents;
    for (let more = pages.hasNextPage; more; ) {
      const next = await pages.fetchNextPage();
      known = next.data?.pages.flatMap((page) => page.documents) ?? known;
      more = next.hasNextPage;
    }
    selection.replace(known.map((document) => document.id));
  };
  if (chosen.length === 0 && failed.length === 0 && !busy) return null;
  return (
    <div className="sticky top-0 z-[5] mb-1 rounded-2 border border-line bg-surface px-2.5 py-2 text-[13.5px] shadow-calm" data-testid="chosen">
      <div className="flex flex-wrap items-center gap-2" role="toolbar" aria-label={t("With the chosen documents")}>
        <span className="num mr-auto font-semibold" role="status">
          {busy || t("{n} chosen", { n: formatCount(chosen.length) })}
        </span>
        {chosen.length < total && !busy && (
          <button type="button" className="link" onClick={() => void all()}>
            {t("Choose all {n}", { n: formatCount(total) })}
          </button>
        )}
        <button type="button" className="button" disabled={busy !== "" || chosen.length === 0 || chosen.length > MOST_ASKED} onClick={ask}>
          <MessageSquareQuote size={14} aria-hidden /> {t("Ask only these")}
        </button>
        <button type="button" className="button" disabled={busy !== "" || chosen.length === 0} onClick={() => void reread()}>
          <RotateCcw size={14} aria-hidden /> {t("Read again")}
        </button>
        <button type="button" className="button" disabled={busy !== "" || chosen.length === 0} onClick={() => setDeleting(true)}>
          <Trash2 size={14} aria-hidden /> {t("Delete")}
        </button>
        <button type="button" className="quietly grid size-8 place-items-center" aria-label={t("Choose none")} onClick={() => selection.replace([])}>
          <X size={15} />
        </button>
      </div>
      {failed.length > 0 && <FailureList failures={failed} onClose={() => setFailed([])} />}
      {deleting && (
        <Dialog
          open
          onClose={() => setDeleting(false)}
          title={t("Delete {documents} from the library?", { documents: formatPlural(chosen.length, "document") })}
          description={t(
            "They cannot be asked about any more, and their passages go out of stored answers. Files in your folders stay; uploaded copies are deleted.",
          )}
        >
          <div className="mt-5 flex justify-end gap-2">
            <button type="button" className="button" onClick={() => setDeleting(false)}>
              {t("Keep them")}
            </button>
            <button type="button" className="button" data-kind="bad" onClick={() => void remove()}>
              {t("Delete")}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** What could not be done, document by document; these stay chosen. */
function FailureList({ failures, onClose }: { failures: readonly Failure[]; onClose: () => void }) {
  return (
    <div role="alert" className="mt-2 border-line border-t pt-2 text-ink-2">
      <p className="font-semibold text-bad">
        {tn(failures.length, "{n} document stayed as it was:", "{n} documents stayed as they were:", { n: formatCount(failures.length) })}
      </p>
      <ul className="mt-1 max-h-[180px] overflow-auto">
        {failures.map((failure) => (
          <li key={failure.id} className="break-words">
            {failure.name}: {Problem.from(failure.error).fix || Problem.from(failure.error).title}
          </li>
        ))}
      </ul>
      <button type="button" className="link mt-1" onClick={onClose}>
        {t("Close")}
      </button>
    </div>
  );
}
