import { FolderPlus, Upload } from "lucide-react";
import { useHealth, useLedger } from "../api/queries";
import type { Health, Ledger } from "../api/types";
import { indexPath } from "../conversation/Welcome";
import { ErrorMessage } from "../parts/ErrorMessage";
import { sendSignal } from "../shell/signals";
import { useTitle } from "../shell/title";
import { formatBytes, formatCount, formatDecimals, formatPlural } from "../text/format";
import { mark, t } from "../text/language";
import { AttentionList } from "./AttentionList";
import { DocumentTable } from "./DocumentTable";
import { EmbedderStatus } from "./EmbedderStatus";
import { Exclusions } from "./Exclusions";
import { FolderTable } from "./FolderTable";
import { JobProgress } from "./JobProgress";
import { isOver, useJobs } from "./jobs";
import { notifyOnFailure } from "./notify";
import { Themes } from "./Themes";
import { WatcherPanel } from "./WatcherPanel";

export function LibraryPage() {
  const ledger = useLedger();
  useTitle(t("Library"));
  const health = useHealth();
  const empty = ledger.data?.counts.seen === 0;
  return (
    <main className="h-full overflow-y-auto" data-testid="library">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[30px] max-sm:px-4 max-sm:py-5">
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="mr-auto">{t("Library")}</h1>
          <button type="button" className="button" onClick={() => sendSignal("add-folder")}>
            <FolderPlus size={15} aria-hidden /> {t("Add folder")}
          </button>
          <button type="button" className="button" onClick={() => sendSignal("upload")}>
            <Upload size={15} aria-hidden /> {t("Upload")}
          </button>
        </div>
        {ledger.error && !ledger.data && <ErrorMessage error={ledger.error} onRetry={() => void ledger.refetch()} />}
        {ledger.data && <Summary ledger={ledger.data} health={health.data} />}
        {!empty && <EmbedderStatus />}
        {empty && (
          <p className="text-ink-2">
            {t("Nothing has been read yet. Add a folder, drop files here, or")}{" "}
            <button type="button" className="link" onClick={() => notifyOnFailure(indexPath("sample"))}>
              {t("try the sample library")}
            </button>
            .
          </p>
        )}
        {ledger.data && ledger.data.roots.length > 0 && <FolderTable roots={ledger.data.roots} />}
        {!empty && <Themes />}
        <AttentionList byState={ledger.data?.counts.by_state ?? {}} />
        <Exclusions />
        {!empty && <WatcherPanel />}
        {!empty && <DocumentTable />}
      </div>
    </main>
  );
}

const states: [key: string, label: string, colour: string][] = [
  ["indexed", mark("fully read"), "var(--accent)"],
  ["partial", mark("partly read"), "var(--warn)"],
  ["failed", mark("failed"), "var(--bad)"],
  ["quarantined", mark("quarantined"), "var(--rerank)"],
  ["queued", mark("waiting"), "color-mix(in srgb, var(--accent) 38%, var(--line))"],
  ["skipped", mark("skipped"), "var(--line-strong)"],
];

/** The sentence that counts, the bar of states, and what is being read just now. */
function Summary({ ledger, health }: { ledger: Ledger; health: Health | undefined }) {
  const running = useJobs().filter((job) => !isOver(job));
  const { counts } = ledger;
  const shown = states
    .map(([key, label, colour]) => ({ key, label, colour, value: (counts.by_state as Record<string, number>)[key] ?? 0 }))
    .filter((state) => state.value > 0);
  const more = [
    health ? formatPlural(health.library.chunks, "passage") : "",
    health ? t("{size} on disk", { size: formatBytes(health.library.bytes_on_disk) }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <section className="card px-5 py-[18px]" aria-label={t("How much is searchable")}>
      <p className="num">
        <b className="text-[20px] font-semibold tracking-[-0.01em]">
          {t("{n} of {files}", { n: formatCount(counts.askable), files: formatPlural(counts.seen, "file") })}
        </b>
        <span className="ml-2.5 text-ink-2">
          {t("searchable")}
          {more && ` · ${more}`}
        </span>
      </p>
      {shown.length > 0 && (
        <>
          <div className="mt-3.5 flex h-3 gap-0.5 overflow-hidden rounded-full" aria-hidden>
            {shown.map((state) => (
              <i
                key={state.key}
                className="block min-w-1 transition-[flex-grow] duration-200"
                style={{ flexGrow: state.value, background: state.colour }}
              />
            ))}
          </div>
          <ul className="num mt-3 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
            {shown.map((state) => (
              <li key={state.key}>
                <i className="mr-1.5 inline-block size-[7px] rounded-full" style={{ background: state.colour }} />
                {formatCount(state.value)} {t(state.label)}
              </li>
            ))}
          </ul>
        </>
      )}
      {running.map((job) => (
        <div key={job.id} className="mt-4 border-line border-t pt-4">
          <JobProgress job={job} />
        </div>
      ))}
      {running.length === 0 && <Queue queue={ledger.queue} />}
    </section>
  );
}

/** What is read without a job that anyone started: the files that the watcher saw change. */
function Queue({ queue }: { queue: Ledger["queue"] }) {
  if (queue.waiting === 0) return null;
  const facts = [
    t("{files} to read", { files: formatPlural(queue.waiting, "file") }),
    queue.files_per_second > 0 ? t("{n} files/s", { n: formatDecimals(queue.files_per_second, 1) }) : "",
    queue.seconds_left !== null && queue.seconds_left > 0 ? t("about {n} s left", { n: formatCount(Math.ceil(queue.seconds_left)) }) : "",
    queue.current.split(/[\\/]/).at(-1) ?? "",
  ].filter(Boolean);
  return (
    <p className="num mt-3 text-[13px] text-ink-2" data-testid="queue">
      {facts.join(" · ")}
    </p>
  );
}
