import { FolderOpen, Sparkles, Upload } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import { invalidateLibrary, useStarters } from "../api/queries";
import type { Starter } from "../api/types";
import { JobProgress } from "../library/JobProgress";
import { jobs, useRunningJob } from "../library/jobs";
import { ErrorMessage } from "../parts/ErrorMessage";
import { sendSignal } from "../shell/signals";
import { formatCount } from "../text/format";
import { mark, t, tn } from "../text/language";

export async function indexPath(path: string): Promise<void> {
  const job = await api.index(path);
  void jobs.follow(job.id, job);
  invalidateLibrary();
}

/** The first page of all: nothing is indexed, and there is one question. */
export function FirstVisit() {
  const [path, setPath] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const job = useRunningJob();
  const start = async (folder: string) => {
    setBusy(true);
    setError(null);
    try {
      await indexPath(folder);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim()) void start(path.trim());
  };
  return (
    <div className="mx-auto flex w-full max-w-[560px] flex-1 animate-appear flex-col justify-center px-5 py-10" data-testid="first-visit">
      <h1 className="text-[34px]">{t("Which folder should Vantage read?")}</h1>
      <p className="mt-3 text-ink-2">
        {t("Vantage reads your documents on this machine and answers by quoting them, each sentence with its source. Nothing leaves this computer.")}
      </p>
      {job ? (
        <div className="card mt-6 p-4">
          <JobProgress job={job} />
        </div>
      ) : (
        <>
          <form onSubmit={submit} className="mt-6 flex gap-2 max-sm:flex-col">
            <label className="relative flex-1">
              <span className="sr-only">{t("Path of the folder")}</span>
              <FolderOpen size={16} aria-hidden className="absolute top-3 left-3 text-ink-3" />
              <input
                className="field h-10 pl-9"
                value={path}
                onChange={(event) => setPath(event.target.value)}
                placeholder={t("/home/me/Documents")}
                spellCheck={false}
                autoComplete="off"
              />
            </label>
            <button type="submit" className="button h-10 rounded-[8px]" data-kind="main" disabled={!path.trim() || busy}>
              {t("Read this folder")}
            </button>
          </form>
          {error !== null && (
            <div className="mt-3">
              <ErrorMessage error={error} />
            </div>
          )}
          <div className="mt-5 flex flex-wrap items-center gap-2 text-ink-2">
            <button type="button" className="chip flex items-center gap-2" onClick={() => void start("sample")} disabled={busy}>
              <Sparkles size={14} aria-hidden /> {t("Try the sample library")}
            </button>
            <button type="button" className="chip flex items-center gap-2" onClick={() => sendSignal("upload")}>
              <Upload size={14} aria-hidden /> {t("Upload files")}
            </button>
          </div>
          <p className="mt-8 text-[13px] text-ink-3">{t("PDF, Word, Excel, PowerPoint, HTML, Markdown, text, CSV, JSON, e-mail and source code.")}</p>
        </>
      )}
    </div>
  );
}

const intentWords: Record<string, string> = {
  document_search: mark("Find"),
  comparison: mark("Compare"),
  analysis: mark("Analyse"),
  summarization: mark("Summarise"),
  system_meta: mark("About the library"),
  general_knowledge: mark("General"),
  clarification_needed: mark("Open question"),
};

/** An empty conversation over a library that has something in it. */
export function Starters({ documents, onAsk }: { documents: number; onAsk: (question: string) => void }) {
  const starters = useStarters(true);
  return (
    <div className="mx-auto flex w-full max-w-[720px] flex-1 animate-appear flex-col justify-center px-7 py-10 max-sm:px-4" data-testid="starters">
      <h1 className="text-[34px]">{t("What would you like to know?")}</h1>
      <p className="num mt-2 text-ink-2">
        {tn(documents, "{n} document can be searched.", "{n} documents can be searched.", { n: formatCount(documents) })}
      </p>
      {starters.data && starters.data.starters.length > 0 && (
        <ul className="mt-7 grid gap-2.5 sm:grid-cols-2">
          {starters.data.starters.map((starter) => (
            <li key={starter.question} className="flex sm:last:odd:col-span-2">
              <StarterCard starter={starter} onAsk={onAsk} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const StarterCard = ({ starter, onAsk }: { starter: Starter; onAsk: (question: string) => void }) => (
  <button
    type="button"
    onClick={() => onAsk(starter.question)}
    title={starter.why}
    className="card group flex w-full flex-col gap-1.5 px-4 py-3.5 text-left transition-colors duration-150 hover:border-line-strong"
  >
    <span className="eyebrow">{t(intentWords[starter.intent] ?? starter.intent)}</span>
    <span className="font-serif text-[16px] leading-snug">{starter.question}</span>
  </button>
);
