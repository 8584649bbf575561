import type { Job } from "../api/types";
import { navigate } from "../shell/router";
import { formatPlural } from "../text/format";
import { t, tn } from "../text/language";
import { fileName } from "./filePath";

/** Who waits less than that is still looking, or has not gone far. */
const LONG = 60_000;
const KEY = "vantage.notices";

export interface Notice {
  title: string;
  body: string;
}

/** The desktop, as far as a notice needs it. */
export interface Desktop {
  permission: () => "granted" | "denied" | "default" | "unsupported";
  /** Asks the person; browsers do that on a click alone. */
  ask: () => Promise<"granted" | "denied" | "default">;
  /** The person sees this window. */
  inFront: () => boolean;
  show: (notice: Notice, tag: string, onClick: () => void) => void;
}

export const desktop: Desktop = {
  permission: () => ("Notification" in window && window.isSecureContext ? Notification.permission : "unsupported"),
  ask: () => Notification.requestPermission(),
  inFront: () => document.visibilityState === "visible" && document.hasFocus(),
  show: ({ title, body }, tag, onClick) => {
    const shown = new Notification(title, { body, tag, icon: "/favicon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onClick();
    };
  },
};

/** Whether this browser shall tell; what it may is another thing. */
export function areNoticesEnabled(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch (error) {
    console.info("Nobody is notified: this browser denies storage.", error);
    return false;
  }
}

export type NoticePermission = ReturnType<Desktop["permission"]> | "unstored";

/** Turns notices on or off; on a click, for the browser may ask. What the browser then allows. */
export async function enableNotices(on: boolean, where: Desktop = desktop): Promise<NoticePermission> {
  const allowed = on && where.permission() === "default" ? await where.ask() : where.permission();
  try {
    if (on && allowed === "granted") localStorage.setItem(KEY, "on");
    else localStorage.removeItem(KEY);
  } catch (error) {
    console.info("The choice is not remembered: this browser denies storage.", error);
    return "unstored";
  }
  return allowed;
}

/** What is to be said of a job that is over: nothing of a short one, and nothing of one that a person stopped. */
export function buildNotice(job: Job): Notice | null {
  if (job.state === "cancelled" || !job.started_at || !job.finished_at) return null;
  if (Date.parse(job.finished_at) - Date.parse(job.started_at) < LONG) return null;
  const name = job.kind === "upload" ? t("your uploads") : fileName(job.path);
  const read = job.files_indexed + job.files_partial;
  const attention = job.files_partial + job.files_skipped + job.files_failed;
  const facts = [
    t("{files} read", { files: formatPlural(read, "file") }),
    attention > 0 ? tn(attention, "{n} needs attention", "{n} need attention", { n: attention }) : t("nothing needs attention"),
  ];
  const title = job.state === "failed" ? t("Reading failed: {name}", { name }) : t("Reading has ended: {name}", { name });
  return { title, body: `${job.state === "failed" && job.error ? `${job.error} ` : ""}${facts.join(", ")}.` };
}

/** Tells of a long job that ended while the person looked elsewhere, if they want that; a click leads to the library. */
export function notifyOfJob(job: Job, where: Desktop = desktop): void {
  const notice = buildNotice(job);
  if (!notice || !areNoticesEnabled() || where.permission() !== "granted" || where.inFront()) return;
  try {
    // Two windows that tell of the same job show one notice.
    where.show(notice, `vantage-${job.id}`, () => navigate("/app/library"));
  } catch (error) {
    // Some telephones let only a service worker notify. What is said is on the page as well.
    console.info("This browser shows no notices of a page.", error);
  }
}
