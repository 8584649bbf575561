import { Square } from "lucide-react";
import { useState } from "react";
import { Problem } from "../api/problem";
import type { Job } from "../api/types";
import { count, plural, seconds, shortPath } from "../text/format";
import { isOver, jobs } from "./jobs";

const fileName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

export function jobWords(job: Job): string {
  const left = Math.max(0, job.files_total - job.files_done);
  const parts = [`${count(left)} left`];
  if (job.rate > 0) parts.push(`${job.rate >= 10 ? Math.round(job.rate) : job.rate.toFixed(1)} passages/s`);
  if (job.seconds_left !== null && job.seconds_left > 0) parts.push(`about ${seconds(Math.max(1, Math.round(job.seconds_left))).replace(".00", "")}`);
  return parts.join(" · ");
}

/** How a job ended, in a sentence. */
export function jobEnd(job: Job): { text: string; bad: boolean } {
  const what = job.kind === "upload" ? "your uploads" : fileName(job.path);
  if (job.state === "failed") return { text: `Reading ${what} failed. ${job.error ?? "The library shows which files were read."}`, bad: true };
  const out = job.files_skipped + job.files_failed;
  const parts = [
    `${plural(job.files_indexed + job.files_partial, "file")} read`,
    job.files_unchanged > 0 ? `${count(job.files_unchanged)} unchanged` : "",
    job.files_removed > 0 ? `${count(job.files_removed)} gone` : "",
    out > 0 ? `${count(out)} not read (the library shows why)` : "",
  ].filter(Boolean);
  return { text: `${job.state === "cancelled" ? "Stopped" : "Done"}: ${parts.join(", ")}.`, bad: false };
}

/** An indexing job while it works, with its rate, the time left and the way to stop it. */
export function JobProgress({ job }: { job: Job }) {
  const [error, setError] = useState("");
  const share = job.files_total > 0 ? job.files_done / job.files_total : 0;
  const stop = () => jobs.cancel(job.id).catch((problem: unknown) => setError(Problem.from(problem).title));
  return (
    <div data-testid="job" data-state={job.state}>
      <div className="flex items-baseline gap-3">
        <b className="font-semibold">{job.kind === "upload" ? "Reading your uploads" : `Reading ${fileName(job.path)}`}</b>
        <span className="num ml-auto whitespace-nowrap text-[13px] text-ink-3">{job.state === "queued" ? "waiting" : jobWords(job)}</span>
        {!isOver(job) && (
          <button type="button" className="quietly flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]" onClick={() => void stop()}>
            <Square size={10} aria-hidden className="fill-current" /> Stop
          </button>
        )}
      </div>
      <div
        role="progressbar"
        aria-label="Files read"
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
        <span>
          {plural(job.files_done, "file")} of {count(job.files_total)}
        </span>
        <span>{plural(job.chunks, "passage")}</span>
        <span className="ml-auto min-w-0 truncate text-ink-3" title={job.current}>
          {job.current && shortPath(fileName(job.current), 44)}
        </span>
      </div>
      {(error || job.error) && <div className="mt-1.5 text-[13px] text-bad">{error || job.error}</div>}
    </div>
  );
}
