// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job } from "../api/types";
import { loadLanguage } from "../text/language";
import { areNoticesEnabled, buildNotice, type Desktop, enableNotices, type Notice, notifyOfJob } from "./desktopNotice";

const job = (values: Partial<Job> = {}): Job =>
  ({
    id: "j1",
    kind: "index",
    path: "/srv/papers",
    state: "done",
    error: null,
    started_at: "2026-05-20T10:00:00Z",
    finished_at: "2026-05-20T10:01:30Z",
    files_indexed: 40,
    files_partial: 1,
    files_skipped: 2,
    files_failed: 0,
    ...values,
  }) as Job;

/** A desktop that keeps what it was told to show. */
function fakeDesktop(permission: "granted" | "denied" | "default", answer = permission, front = false) {
  const shown: { notice: Notice; tag: string; click: () => void }[] = [];
  const asked = { times: 0 };
  let now = permission;
  const desktop: Desktop = {
    permission: () => now,
    ask: async () => {
      asked.times++;
      now = answer;
      return now;
    },
    inFront: () => front,
    show: (notice, tag, click) => void shown.push({ notice, tag, click }),
  };
  return { desktop, shown, asked };
}

describe("the notice of a long indexing", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => loadLanguage("en"));

  it("says what was read and what needs attention, in the language of the page", async () => {
    expect(buildNotice(job())).toEqual({ title: "Reading has ended: papers", body: "41 files read, 3 need attention." });
    expect(buildNotice(job({ kind: "upload", files_partial: 0, files_skipped: 0 }))?.body).toBe("40 files read, nothing needs attention.");
    expect(buildNotice(job({ state: "failed", error: "No space left." }))).toEqual({
      title: "Reading failed: papers",
      body: "No space left. 41 files read, 3 need attention.",
    });
    await loadLanguage("de");
    expect(buildNotice(job({ files_partial: 0, files_skipped: 1 }))).toEqual({
      title: "Lesen beendet: papers",
      body: "40 Dateien gelesen, 1 zu prüfen.",
    });
  });

  it("is not made of a job that was short, was stopped, or never began", () => {
    const none = [{ finished_at: "2026-05-20T10:00:59Z" }, { state: "cancelled" as const }, { started_at: null }, { finished_at: null }];
    expect(none.map((values) => buildNotice(job(values)))).toEqual([null, null, null, null]);
  });

  it("asks the browser once, on being turned on, and remembers only what was allowed", async () => {
    const willing = fakeDesktop("default", "granted");
    expect([await enableNotices(true, willing.desktop), areNoticesEnabled(), willing.asked.times]).toEqual(["granted", true, 1]);
    await enableNotices(false, willing.desktop);
    expect([areNoticesEnabled(), willing.asked.times]).toEqual([false, 1]);
    const unwilling = fakeDesktop("default", "denied");
    expect([await enableNotices(true, unwilling.desktop), areNoticesEnabled()]).toEqual(["denied", false]);
    expect([await enableNotices(true, unwilling.desktop), unwilling.asked.times]).toEqual(["denied", 1]);
  });

  it("is shown where it is wanted and allowed, and the window is not in front; a click leads to the library", async () => {
    const there = fakeDesktop("granted");
    notifyOfJob(job(), there.desktop);
    expect(there.shown).toEqual([]);
    await enableNotices(true, there.desktop);
    notifyOfJob(job(), there.desktop);
    expect(there.shown.map(({ notice, tag }) => [notice.title, tag])).toEqual([["Reading has ended: papers", "vantage-j1"]]);
    there.shown[0]?.click();
    expect(window.location.pathname).toBe("/app/library");
    for (const { desktop, shown } of [fakeDesktop("granted", "granted", true), fakeDesktop("denied")]) {
      notifyOfJob(job(), desktop);
      expect(shown).toEqual([]);
    }
  });
});
