// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { Problem } from "../api/problem";
import type { Job } from "../api/types";
import { loadLanguage } from "../text/language";
import { describeJob, describeJobEnd } from "./JobProgress";
import { describeFilters } from "./listing";
import { reasonWord, stateWord, translateReason } from "./reasons";

const job = (values: Partial<Job>): Job =>
  ({
    id: "j1",
    kind: "index",
    path: "/srv/papers",
    state: "done",
    error: null,
    files_total: 1210,
    files_done: 1206,
    files_indexed: 1204,
    files_partial: 1,
    files_skipped: 2,
    files_failed: 1,
    files_unchanged: 0,
    files_removed: 0,
    rate: 3.25,
    seconds_left: 7.2,
    ...values,
  }) as Job;

describe("words of the library", () => {
  afterEach(() => loadLanguage("en"));

  it("tell of a job in the language and the numbers of the page", async () => {
    expect(describeJob(job({}))).toBe("4 left · 3.3 passages/s · about 7 s");
    expect(describeJobEnd(job({})).text).toBe("Done: 1,205 files read, 3 not read (the library shows why).");
    expect(describeJobEnd(job({ state: "failed" }))).toEqual({ text: "Reading papers failed. The library shows which files were read.", bad: true });
    await loadLanguage("de");
    expect(describeJob(job({}))).toBe("noch 4 · 3,3 Textstellen/s · etwa 7 s");
    expect(describeJobEnd(job({})).text).toBe("Fertig: 1.205 Dateien gelesen, 3 nicht gelesen (die Bibliothek zeigt den Grund).");
    expect(describeJobEnd(job({ state: "cancelled", files_indexed: 1, files_partial: 0, files_skipped: 0, files_failed: 0 })).text).toBe(
      "Angehalten: 1 Datei gelesen.",
    );
  });

  it("name states, reasons and restrictions; English keeps to what the server says of a reason", async () => {
    expect([stateWord("failed"), reasonWord("encrypted"), reasonWord("quite_new"), translateReason("encrypted")]).toEqual([
      "failed",
      "locked",
      "quite new",
      "",
    ]);
    await loadLanguage("de");
    expect([stateWord("partial"), stateWord("odd"), reasonWord("encrypted"), reasonWord("quite_new")]).toEqual([
      "teilweise gelesen",
      "odd",
      "gesperrt",
      "quite new",
    ]);
    expect([translateReason("malformed"), translateReason("quite_new")]).toEqual(["beschädigt", ""]);
    expect(describeFilters({ kind: "mail", since: "2025-03-31", until: "" })).toBe("E-Mail, ab 31. März 2025");
  });

  it("translate what the server always says alike, and keep its own words", async () => {
    const problem = new Problem({
      title: "Too large",
      detail: "clip.mp4 has 3 GB.",
      fix: "Send less, or raise the limit in config.yaml.",
      status: 413,
    });
    expect(problem.title).toBe("Too large");
    await loadLanguage("de");
    expect([problem.title, problem.detail, problem.fix]).toEqual([
      "Zu groß",
      "clip.mp4 has 3 GB.",
      "Senden Sie weniger, oder erhöhen Sie die Grenze in config.yaml.",
    ]);
    expect(Problem.unreachable().title).toBe("Vantage ist nicht erreichbar");
  });
});
