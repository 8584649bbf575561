import { GitCompareArrows, Route as RouteIcon, Search, X } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTraces } from "../api/queries";
import type { TraceLine } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { comparisonPath, Link, navigate, tracePath, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatMilliseconds, formatPlural } from "../text/format";
import { t } from "../text/language";
import { setQueryParameters } from "./queryParameters";
import { filterTraces, sortByTime, type TraceFilter, toggleMark } from "./traceFilter";
import { statusLabel, statusTag, writerLabel } from "./traceLabels";

/** How many runs are looked through by themselves when a filter finds too few. */
const ENOUGH = 12;
const FURTHEST = 400;

/** Every run that was kept, the newest first; two of them can be marked and compared. */
export function TracesPage() {
  const traces = useTraces();
  const { search } = useAddress();
  useTitle(t("Traces"));
  const [marks, setMarks] = useState<readonly string[]>([]);
  const wanted = useMemo<TraceFilter>(() => ({ text: search.get("text") ?? "", kind: search.get("kind") ?? "" }), [search]);
  const lines = useMemo(() => traces.data?.pages.flatMap((page) => page.traces) ?? [], [traces.data]);
  const shown = useMemo(() => filterTraces(lines, wanted), [lines, wanted]);
  const filtered = wanted.text !== "" || wanted.kind !== "";
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = traces;
  useEffect(() => {
    if (filtered && shown.length < ENOUGH && lines.length < FURTHEST && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [filtered, shown.length, lines.length, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <main className="h-full overflow-y-auto" data-testid="traces">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[18px] px-[38px] py-[30px] max-sm:px-3.5 max-sm:py-5">
        <div>
          <h1>{t("Traces")}</h1>
          <p className="mt-1 text-ink-2">{t("How each answer came about: who decided what, and how every candidate moved.")}</p>
        </div>
        {traces.error && <ErrorMessage error={traces.error} onRetry={() => void traces.refetch()} />}
        {traces.isSuccess && lines.length === 0 && <NoTraces />}
        {lines.length > 0 && (
          <>
            <Filters wanted={wanted} lines={lines} />
            {shown.length > 0 ? (
              <section className="card px-3 py-1.5" aria-label={t("Runs")}>
                <Table lines={shown} marks={marks} onMark={(id) => setMarks((now) => toggleMark(now, id))} />
              </section>
            ) : (
              <p className="card px-5 py-8 text-center text-ink-2" role="status">
                {isFetchingNextPage ? t("Looking through older runs…") : t("None of {runs} matches.", { runs: formatPlural(lines.length, "run") })}
              </p>
            )}
            {hasNextPage && (
              <button
                type="button"
                className="link self-start px-2.5 text-[13.5px]"
                disabled={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                {filtered ? t("Look through older ones ({runs} so far)", { runs: formatPlural(lines.length, "run") }) : t("Show older ones")}
              </button>
            )}
          </>
        )}
      </div>
      {marks.length > 0 && <MarkedRuns marks={sortByTime(lines, marks)} onClear={() => setMarks([])} />}
    </main>
  );
}

function NoTraces() {
  return (
    <section className="card flex flex-col items-center px-6 py-14 text-center" data-testid="no-traces">
      <span aria-hidden className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <RouteIcon size={22} />
      </span>
      <h2 className="mt-4 font-serif font-semibold text-[20px]">{t("No question has been asked yet")}</h2>
      <p className="mt-1.5 max-w-[46ch] text-ink-2">
        {t("Every answer is recorded here: which agent decided what, how each passage moved from stage to stage, and why a file was not used.")}
      </p>
      <Link href="/app" className="button mt-5" data-kind="main">
        {t("Ask a question")}
      </Link>
    </section>
  );
}

function Filters({ wanted, lines }: { wanted: TraceFilter; lines: readonly TraceLine[] }) {
  const kinds = [...Object.keys(statusTag).filter((kind) => lines.some((line) => line.status === kind))];
  if (lines.some((line) => line.replay_of)) kinds.push("replay");
  if (wanted.kind && !kinds.includes(wanted.kind)) kinds.push(wanted.kind);
  const word = (kind: string) => (kind === "" ? t("All") : kind === "replay" ? t("replays") : statusLabel(kind)[1]);
  return (
    <search className="flex flex-wrap items-center gap-2.5">
      <div className="relative w-[320px] max-w-full max-sm:w-full">
        <Search size={15} aria-hidden className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 text-ink-3" />
        <input
          className="field py-1.5! pl-9!"
          aria-label={t("Find a run by its question")}
          placeholder={t("Find a run by its question")}
          value={wanted.text}
          onChange={(event) => setQueryParameters({ text: event.target.value })}
        />
      </div>
      <div role="group" aria-label={t("Outcome")} className="flex flex-wrap gap-1.5">
        {["", ...kinds].map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={wanted.kind === kind}
            onClick={() => setQueryParameters({ kind: wanted.kind === kind ? null : kind })}
            className="pill aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink"
          >
            {word(kind)}
          </button>
        ))}
      </div>
    </search>
  );
}

function Table({ lines, marks, onMark }: { lines: readonly TraceLine[]; marks: readonly string[]; onMark: (id: string) => void }) {
  return (
    <table className="grid-table">
      <thead>
        <tr>
          <th scope="col" className="w-8">
            <span className="sr-only">{t("Compare")}</span>
          </th>
          <th scope="col">{t("Question")}</th>
          <th scope="col">{t("Outcome")}</th>
          <th scope="col" className="text-right! max-sm:hidden">
            {t("Took")}
          </th>
          <th scope="col" className="max-lg:hidden">
            {t("Answer by")}
          </th>
          <th scope="col" className="max-sm:hidden">
            {t("Asked")}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row key={line.id} line={line} mark={marks.includes(line.id)} onMark={onMark} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ line, mark, onMark }: { line: TraceLine; mark: boolean; onMark: (id: string) => void }) {
  const [tone, word] = statusLabel(line.status);
  return (
    <tr className={mark ? "bg-accent-soft" : "transition-colors duration-150 hover:bg-[color-mix(in_srgb,var(--sunken)_60%,transparent)]"}>
      <td className="pr-0!">
        <input
          type="checkbox"
          checked={mark}
          onChange={() => onMark(line.id)}
          aria-label={t("Compare: {question}", { question: line.query })}
          className="mt-[3px] size-4 cursor-pointer accent-(--accent)"
        />
      </td>
      <td className="max-w-[520px] max-sm:max-w-[48vw]">
        <Link
          href={tracePath(line.id)}
          className="block font-semibold max-sm:line-clamp-2 hover:underline sm:truncate hover:decoration-line-strong hover:underline-offset-4"
          title={line.query}
        >
          {line.query}
        </Link>
        <span className="block truncate text-[12.5px] text-ink-3 max-sm:hidden">{line.routing_path}</span>
        <span className="num block text-[12.5px] text-ink-3 sm:hidden">
          <Time at={line.started_at} /> · {formatMilliseconds(line.duration_ms)}
        </span>
      </td>
      <td>
        <span className="flex flex-wrap gap-1.5">
          <Tag tone={tone}>{word}</Tag>
          {line.replay_of && <Tag>{t("replay")}</Tag>}
        </span>
      </td>
      <td className="num whitespace-nowrap text-right text-ink-2 max-sm:hidden">{formatMilliseconds(line.duration_ms)}</td>
      <td className="text-ink-2 max-lg:hidden">{writerLabel(line.generated_by)}</td>
      <td className="whitespace-nowrap text-ink-2 max-sm:hidden">
        <Time at={line.started_at} />
      </td>
    </tr>
  );
}

/** What can be done with the marked runs; it floats, so that nothing moves when it comes. */
function MarkedRuns({ marks, onClear }: { marks: readonly string[]; onClear: () => void }) {
  const [left, right] = marks;
  return (
    <section
      aria-label={t("Selected runs")}
      className="-translate-x-1/2 fixed bottom-5 left-1/2 z-20 flex animate-appear items-center gap-3 whitespace-nowrap rounded-full border border-line bg-surface py-2 pr-2 pl-4 text-[14px] shadow-high md:left-[calc(50%+124px)]"
    >
      <span className="text-ink-2" role="status">
        {right ? t("Two runs selected") : t("Select one more")}
      </span>
      <button
        type="button"
        className="button"
        data-kind="main"
        disabled={!left || !right}
        onClick={() => left && right && navigate(comparisonPath(left, right))}
      >
        <GitCompareArrows size={15} aria-hidden /> {t("Compare")}
      </button>
      <button type="button" className="quietly p-1.5" aria-label={t("Clear the selection")} onClick={onClear}>
        <X size={15} />
      </button>
    </section>
  );
}
