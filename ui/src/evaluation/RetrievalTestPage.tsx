import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowLeft, ArrowLeftRight, Columns2, LoaderCircle, Search, X } from "lucide-react";
import { Tabs } from "radix-ui";
import { type FormEvent, useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import type { ExplainedSearch } from "../api/queries";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Link, navigate, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatPlural } from "../text/format";
import { t } from "../text/language";
import { FileExplanationPanel } from "../traces/FileExplanationPanel";
import { setQueryParameters } from "../traces/queryParameters";
import { ResultShifts } from "../traces/ResultShifts";
import { OutcomeView } from "./OutcomeView";
import { SettingEditor } from "./SettingEditor";
import { canSearch, ordinary, readSetting, type Setting, toRequest, writeSetting } from "./searchSetting";

const DEPTHS = [5, 10, 20, 50];

/** A question with both ways of searching it, as the address has them; `right` null: one way alone. */
interface Test {
  query: string;
  depth: number;
  left: Setting;
  right: Setting | null;
}

function readTest(search: URLSearchParams): Test {
  const right = search.get("b");
  return {
    query: search.get("q") ?? "",
    depth: DEPTHS.find((depth) => String(depth) === search.get("k")) ?? 10,
    left: readSetting(search.get("a") ?? ""),
    right: right === null ? null : readSetting(right),
  };
}

function showTest({ query, depth, left, right }: Test): void {
  const search = new URLSearchParams({ q: query, k: String(depth), a: writeSetting(left), ...(right && { b: writeSetting(right) }) });
  navigate(`/app/evaluation/test?${search}`);
}

/** One question searched in one way or in two, side by side. Its address has all of it; nothing of it is kept. */
export function RetrievalTestPage() {
  const { search } = useAddress();
  useTitle(t("Test the search"));
  const [query, depth, a, b] = [search.get("q"), search.get("k"), search.get("a"), search.get("b")];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of the address is no part of the test
  const test = useMemo(() => readTest(search), [query, depth, a, b]);
  const found = useQuery({
    queryKey: ["retrieval-test", test],
    queryFn: ({ signal }) =>
      api.testSearch({ query: test.query, top_k: test.depth }, toRequest(test.left), test.right && toRequest(test.right), signal),
    enabled: test.query.trim() !== "" && canSearch(test.left) && (test.right === null || canSearch(test.right)),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return (
    <main className="h-full overflow-y-auto" data-testid="retrieval-test">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[26px] max-sm:px-3.5 max-sm:py-5">
        <Link href="/app/evaluation" className="quietly -ml-1.5 inline-flex items-center gap-1.5 self-start px-1.5 py-0.5 text-[13px]">
          <ArrowLeft size={14} aria-hidden /> {t("Evaluation")}
        </Link>
        <header className="-mt-3">
          <h1>{t("Test the search")}</h1>
          <p className="mt-1 max-w-[76ch] text-ink-2">
            {t("One question, searched in one way or in two: where each passage stood at every stage. Nothing of it is remembered.")}
          </p>
        </header>
        <TestForm test={test} busy={found.isFetching} />
        <p role="status" className="sr-only">
          {found.isFetching ? t("Looking…") : found.data && formatPlural(found.data.left.results.length, "result")}
        </p>
        {found.error && <ErrorMessage error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && !found.error && (
          <div className={found.isPlaceholderData ? "opacity-50" : ""} aria-busy={found.isFetching} data-testid="test-result">
            <TestResult test={test} found={found.data} />
          </div>
        )}
      </div>
    </main>
  );
}

function TestForm({ test, busy }: { test: Test; busy: boolean }) {
  const [draft, setDraft] = useState(test);
  useEffect(() => setDraft(test), [test]);
  const change = (part: Partial<Test>) => setDraft({ ...draft, ...part });
  const ready = draft.query.trim() !== "" && canSearch(draft.left) && (draft.right === null || canSearch(draft.right));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) showTest({ ...draft, query: draft.query.trim() });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3.5">
      <div className="flex flex-wrap items-end gap-2.5">
        <div className="min-w-0 flex-1 basis-[260px]">
          <label htmlFor="test-question" className="mb-1 block font-[550] text-[14px]">
            {t("Question")}
          </label>
          <input
            id="test-question"
            className="field"
            value={draft.query}
            maxLength={20_000}
            onChange={(event) => change({ query: event.target.value })}
            placeholder={t("What should be found?")}
          />
        </div>
        <div>
          <label htmlFor="test-depth" className="mb-1 block text-[13px] text-ink-2">
            {t("Documents")}
          </label>
          <select id="test-depth" className="field w-[84px]" value={draft.depth} onChange={(event) => change({ depth: Number(event.target.value) })}>
            {DEPTHS.map((depth) => (
              <option key={depth}>{depth}</option>
            ))}
          </select>
        </div>
        <button type="submit" className="button py-2!" data-kind="main" disabled={!ready}>
          {busy ? <LoaderCircle size={15} aria-hidden className="animate-spin" /> : <Search size={15} aria-hidden />} {t("Search")}
        </button>
      </div>
      <div className="grid items-start gap-3.5 lg:grid-cols-2">
        <section className="card border-l-4 border-l-links px-4 py-3.5" aria-label={t("Left setting")}>
          <SideHead title={t("Left")}>
            {draft.right && (
              <button
                type="button"
                className="quietly flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]"
                onClick={() => change({ left: draft.right ?? ordinary, right: draft.left })}
              >
                <ArrowLeftRight size={14} aria-hidden /> {t("Swap sides")}
              </button>
            )}
          </SideHead>
          <SettingEditor setting={draft.left} onChange={(left) => change({ left })} />
        </section>
        {draft.right ? (
          <section className="card border-l-4 border-l-lexical px-4 py-3.5" aria-label={t("Right setting")}>
            <SideHead title={t("Right")}>
              <button type="button" className="quietly flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]" onClick={() => change({ right: null })}>
                <X size={14} aria-hidden /> {t("Remove")}
              </button>
            </SideHead>
            <SettingEditor setting={draft.right} onChange={(right) => change({ right })} />
          </section>
        ) : (
          <button
            type="button"
            className="chip inline-flex items-center gap-1.5 self-start justify-self-start"
            onClick={() => change({ right: draft.left })}
          >
            <Columns2 size={14} aria-hidden /> {t("Compare with a second setting")}
          </button>
        )}
      </div>
    </form>
  );
}

function SideHead({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="mb-2.5 flex min-h-6 items-center justify-between gap-3">
      <h2 className="eyebrow">{title}</h2>
      {children}
    </div>
  );
}

type Side = "left" | "right";

function TestResult({ test, found }: { test: Test; found: Awaited<ReturnType<typeof api.testSearch>> }) {
  const { search } = useAddress();
  const side: Side = found.right && search.get("side") === "right" ? "right" : "left";
  const shown = (side === "right" && found.right) || found.left;
  const setting = (side === "right" && test.right) || test.left;
  const explained: ExplainedSearch = {
    key: ["test", test.query, String(test.depth), writeSetting(setting)],
    ask: (document, signal) => api.explainTest({ query: test.query, top_k: test.depth }, toRequest(setting), document, signal),
  };
  const why = search.get("why");
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address that is opened with a file shows what was said of it
  useEffect(() => {
    if (why) document.getElementById("why")?.scrollIntoView({ block: "nearest" });
  }, []);
  const content = (
    <div className="flex flex-col gap-[22px]">
      <OutcomeView outcome={shown} />
      {shown.strategy && <FileExplanationPanel search={explained} document={why} />}
    </div>
  );
  if (!found.right) return content;
  return (
    <div className="flex flex-col gap-[22px]">
      <div className="grid items-start gap-[22px] xl:grid-cols-2">
        <Differences sentences={found.differences} />
        <ResultShifts results={found.results} />
      </div>
      <Tabs.Root value={side} onValueChange={(value) => setQueryParameters({ side: value === "right" ? value : null })}>
        <Tabs.List className="mb-3.5 flex gap-1.5" aria-label={t("Setting")}>
          {(["left", "right"] as const).map((each) => (
            <Tabs.Trigger
              key={each}
              value={each}
              className="pill data-[state=active]:border-accent data-[state=active]:bg-accent-soft data-[state=active]:text-ink"
            >
              <i aria-hidden className={`size-2 rounded-full ${each === "left" ? "bg-links" : "bg-lexical"}`} />
              {each === "left" ? t("Left setting") : t("Right setting")}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={side} tabIndex={-1}>
          {content}
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}

function Differences({ sentences }: { sentences: readonly string[] }) {
  return (
    <section className="card px-5 py-4" aria-label={t("What differs")}>
      <h2 className="eyebrow mb-2">{t("What differs")}</h2>
      <ul className="flex max-w-[76ch] flex-col gap-1.5 font-serif text-[16px] leading-[1.5]" lang="en">
        {sentences.map((sentence) => (
          <li key={sentence} className="break-words">
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}
