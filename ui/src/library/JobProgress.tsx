import { Square } from "lucide-react";
import { useState } from "react";
import { Problem } from "../api/problem";
import type { Job } from "../api/types";
import { formatCount, formatDecimals, formatPlural, formatSeconds, shortenPath } from "../text/format";
import { mark, t } from "../text/language";
import { fileName } from "./filePath";
import { isOver, jobs } from "./jobs";

export function describeJob(job: Job): string {
  const left = Math.max(0, job.files_total - job.files_done);
  const parts = [t("{n} left", { n: formatCount(left) })];
  if (job.rate > 0) parts.push(t("{n} passages/s", { n: formatDecimals(job.rate, job.rate >= 10 ? 0 : 1) }));
  const seconds_left = Math.round(job.seconds_left ?? 0);
  if ((job.seconds_left ?? 0) > 0) parts.push(t("about {time}", { time: formatSeconds(Math.max(1, seconds_left)).replace(/[.,]00/, "") }));
  return parts.join(" · ");
}

/** How a job ended, in a sentence. */
export function describeJobEnd(job: Job): { text: string; bad: boolean } {
  const what = job.kind === "upload" ? t("your uploads") : fileName(job.path);
  const why = job.error ?? t("The library shows which files were read.");
  if (job.state === "failed") return { text: `${t("Reading {what} failed.", { what })} ${why}`, bad: true };
  const out = job.files_skipped + job.files_failed;
  const parts = [
    t("{files} read", { files: formatPlural(job.files_indexed + job.files_partial, "file") }),
    job.files_unchanged > 0 ? t("{n} unchanged", { n: formatCount(job.files_unchanged) }) : "",
    job.files_removed > 0 ? t("{n} gone", { n: formatCount(job.files_removed) }) : "",
    out > 0 ? t("{n} not read (the library shows why)", { n: formatCount(out) }) : "",
  ].filter(Boolean);
  return { text: t(job.state === "cancelled" ? mark("Stopped: {what}.") : mark("Done: {what}."), { what: parts.join(", ") }), bad: false };
}

/** An indexing job while it works, with its rate, the time left and the way to stop it. */
export function JobProgress({ job }: { job: Job }) {
  const [error, setError] = useState("");
  const share = job.files_total > 0 ? job.files_done / job.files_total : 0;
  const stop = () => jobs.cancel(job.id).catch((problem: unknown) => setError(Problem.from(problem).title));
  return (
    <div data-testid="job" data-state={job.state}>
      <div className="flex items-baseline gap-3">
        <b className="font-semibold">{job.kind === "upload" ? t("Reading your uploads") : t("Reading {name}", { name: fileName(job.path) })}</b>
        <span className="num ml-auto whitespace-nowrap text-[13px] text-ink-3">{job.state === "queued" ? t("waiting") : describeJob(job)}</span>
        {!isOver(job) && (
          <button type="button" className="quietly flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]" onClick={() => void stop()}>
            <Square size={10} aria-hidden className="fill-current" /> {t("Stop")}
          </button>
        )}
      </div>
      <div
        role="progressbar"
        aria-label={t("Files read")}
        aria-valuemin={0}
        aria-valuemax={job.files_total}
        aria-valuenow={job.files_done}
        className="mt-2.5 h-[7px] overflow-hidden rounded-full bg-line"
      >
        <i
          className="block h-full rounded-full bg-accent transition-[width] duration-200 ease-calm"
          style={{ width: `${Math.max(job.state === "running" ? 2 : 0, share * 100)}%` }}
        />
      </div>
      <div className="num mt-2 flex gap-3 text-[13px] text-ink-2">
        <span>{t("{files} of {all}", { files: formatPlural(job.files_done, "file"), all: formatCount(job.files_total) })}</span>
        <span>{formatPlural(job.chunks, "passage")}</span>
        <span className="ml-auto min-w-0 truncate text-ink-3" title={job.current}>
          {job.current && shortenPath(fileName(job.current), 44)}
        </span>
      </div>
      {(error || job.error) && <div className="mt-1.5 text-[13px] text-bad">{error || job.error}</div>}
    </div>
  );
}
