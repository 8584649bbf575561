import { useSyncExternalStore } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { invalidateLibrary } from "../api/queries";
import { openJob, readStream } from "../api/sse";
import type { Job } from "../api/types";

type Listener = () => void;

export const isOver = (job: Job): boolean => job.state === "done" || job.state === "cancelled" || job.state === "failed";

/** The indexing jobs that this page follows, newest last. A job that another window started is found through /health. */
class Jobs {
  private jobs: readonly Job[] = [];
  private readonly followed = new Map<string, Promise<Job | null>>();
  private readonly listeners = new Set<Listener>();
  onFinished: (job: Job) => void = () => undefined;

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Job[] => this.jobs;

  /** Follows a job to its end; resolves with its last state, or with null when it could not be followed. */
  follow(id: string, known?: Job): Promise<Job | null> {
    const already = this.followed.get(id);
    if (already) return already;
    if (known) this.put(known);
    const following = this.read(id);
    this.followed.set(id, following);
    return following;
  }

  async cancel(id: string): Promise<void> {
    await api.cancelJob(id);
  }

  private async read(id: string): Promise<Job | null> {
    const { signal } = new AbortController();
    let told = 0;
    try {
      await readStream({
        open: (inner) => openJob(id, "", inner),
        resume: (lastId, inner) => openJob(id, lastId, inner),
        onEvent: (event) => {
          if (event.kind !== "job") return;
          this.put(event.data as Job);
          if (Date.now() - told > 2000) {
            told = Date.now();
            invalidateLibrary();
          }
        },
        signal,
        last: "done",
      });
    } catch (error) {
      console.info("The job's stream broke; its state is read once.", Problem.from(error).title);
    }
    try {
      this.put(await api.job(id));
    } catch (error) {
      console.info("The job's state could not be read.", Problem.from(error).title);
      this.jobs = this.jobs.filter((job) => job.id !== id);
    }
    invalidateLibrary();
    for (const listener of this.listeners) listener();
    const last = this.jobs.find((job) => job.id === id) ?? null;
    if (last && isOver(last)) this.onFinished(last);
    return last;
  }

  private put(job: Job): void {
    this.jobs = this.jobs.some((known) => known.id === job.id) ? this.jobs.map((known) => (known.id === job.id ? job : known)) : [...this.jobs, job];
    for (const listener of this.listeners) listener();
  }
}

export const jobs = new Jobs();

export const useJobs = (): readonly Job[] => useSyncExternalStore(jobs.subscribe, jobs.snapshot);

/** The last job that is still at work. */
export const useRunningJob = (): Job | null => {
  const all = useJobs();
  return all.findLast((job) => !isOver(job)) ?? null;
};
