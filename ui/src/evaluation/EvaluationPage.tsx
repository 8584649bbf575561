import { FlaskConical, GitCompareArrows } from "lucide-react";
import { useState } from "react";
import type { EvaluationRun, EvaluationSetList } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Time } from "../parts/Time";
import { evaluationComparisonPath, evaluationRunPath, Link, navigate, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatCount, formatPlural } from "../text/format";
import { t } from "../text/language";
import { setQueryParameters } from "../traces/queryParameters";
import { toggleMark } from "../traces/traceFilter";
import { useEvaluationRuns, useEvaluationSets } from "./evaluationQueries";
import { MeasurePlot } from "./MeasurePlot";
import { Card, CommandLine, Frame } from "./parts";
import { describeSearch, formatMeasure, groupBySet, orderRuns } from "./runLabels";

/** What was measured: the kept runs by their sets, each measure over time, and two of them to compare. */
export function EvaluationPage() {
  const runs = useEvaluationRuns();
  const sets = useEvaluationSets();
  const { search } = useAddress();
  useTitle(t("Evaluation"));
  const groups = groupBySet(runs.data?.runs ?? []);
  const names = [...groups.keys()];
  const shown = names.find((name) => name === search.get("set")) ?? names[0];
  const group = shown === undefined ? undefined : groups.get(shown);
  const error = runs.error ?? sets.error;
  return (
    <Frame testId="evaluation" back={false}>
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div>
          <h1>{t("Evaluation")}</h1>
          <p className="mt-1 max-w-[70ch] text-ink-2">
            {t("How well the search finds what you know is there: sets of questions, and what was measured with them.")}
          </p>
        </div>
        <Link href="/app/evaluation/test" className="button" data-kind="main">
          <FlaskConical size={15} aria-hidden /> {t("Test the search")}
        </Link>
      </header>
      {error && <ErrorMessage error={error} onRetry={() => void Promise.all([runs.refetch(), sets.refetch()])} />}
      {group && shown !== undefined && (
        <>
          {names.length > 1 && <SetChoice names={names} shown={shown} />}
          <SetRuns key={shown} name={shown} runs={group} wanted={search.get("by")} />
        </>
      )}
      {runs.isSuccess && names.length === 0 && (
        <p className="card px-5 py-8 text-center text-ink-2" data-testid="no-runs">
          {t("No run is kept that you may see: runs belong to the account that serves Vantage.")}
        </p>
      )}
      {runs.data && runs.data.total > runs.data.runs.length && (
        <p className="text-[13.5px] text-ink-3">
          {t("The newest {n} of {total} runs are shown.", { n: runs.data.runs.length, total: runs.data.total })}
        </p>
      )}
      {runs.data && runs.data.unreadable.length > 0 && (
        <p className="text-[13.5px] text-warn">{t("No runs of this version: {names}", { names: runs.data.unreadable.join(", ") })}</p>
      )}
      {sets.data && <Sets sets={sets.data.sets} />}
    </Frame>
  );
}

function SetChoice({ names, shown }: { names: readonly string[]; shown: string }) {
  return (
    <div role="group" aria-label={t("Set")} className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === shown}
          onClick={() => setQueryParameters({ set: name })}
          className="pill aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-ink"
        >
          <bdi className="truncate">{name}</bdi>
        </button>
      ))}
    </div>
  );
}

function SetRuns({ name, runs, wanted }: { name: string; runs: readonly EvaluationRun[]; wanted: string | null }) {
  const [marks, setMarks] = useState<readonly string[]>([]);
  const measures = [...new Set(runs.flatMap((run) => Object.keys(run.metrics)))];
  const measure = measures.find((each) => each === wanted) ?? measures[0] ?? "";
  const pair = orderRuns(runs, marks);
  return (
    <section className="card px-[18px] py-4 max-sm:px-3.5" aria-label={t("Runs of {set}", { set: name })}>
      <div className="mb-2.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="eyebrow">{t("Runs of {set}", { set: name })}</h2>
        <label className="ml-auto flex items-center gap-2 text-[13px] text-ink-2">
          {t("Measure")}
          <select className="field w-auto py-1!" value={measure} onChange={(event) => setQueryParameters({ by: event.target.value })}>
            {measures.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <button type="button" className="button" disabled={!pair} onClick={() => pair && navigate(evaluationComparisonPath(...pair))}>
          <GitCompareArrows size={15} aria-hidden /> {pair ? t("Compare") : t("Select two to compare")}
        </button>
      </div>
      {measure && <MeasurePlot runs={runs} measure={measure} />}
      <div className="mt-3 overflow-x-auto">
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col" className="w-8">
                <span className="sr-only">{t("Compare")}</span>
              </th>
              <th scope="col">{t("Run")}</th>
              <th scope="col" className="text-right!">
                {measure}
              </th>
              <th scope="col" className="text-right! max-sm:hidden">
                {t("Questions")}
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <RunRow
                key={run.id}
                run={run}
                measure={measure}
                marked={marks.includes(run.id)}
                onMark={() => setMarks((now) => toggleMark(now, run.id))}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function RunRow({ run, measure, marked, onMark }: { run: EvaluationRun; measure: string; marked: boolean; onMark: () => void }) {
  return (
    <tr className={marked ? "bg-accent-soft" : ""} data-run={run.id}>
      <td className="pr-0!">
        <input
          type="checkbox"
          className="mt-[3px] size-4 cursor-pointer accent-(--accent)"
          checked={marked}
          onChange={onMark}
          aria-label={t("Compare: {run}", { run: run.id })}
        />
      </td>
      <td className="min-w-[170px]">
        <Link href={evaluationRunPath(run.id)} className="font-semibold hover:underline">
          <bdi>{describeSearch(run)}</bdi>
        </Link>
        <span className="block break-words text-[12.5px] text-ink-3">
          <Time at={run.started_at} /> · {run.embedder}
        </span>
      </td>
      <td className="num text-right">{run.metrics[measure] === undefined ? "–" : formatMeasure(run.metrics[measure])}</td>
      <td className="num text-right text-ink-2 max-sm:hidden">{formatCount(run.questions)}</td>
    </tr>
  );
}

/** The sets that are kept, and how a run is started: it takes minutes, and the command shows how far it is and can be stopped. */
function Sets({ sets }: { sets: EvaluationSetList["sets"] }) {
  return (
    <Card title={t("Sets")}>
      {sets.length > 0 && (
        <ul className="mb-3.5 flex flex-col">
          {sets.map((set) => (
            <li key={set.name} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line border-b py-2.5">
              <b className="font-semibold">
                <bdi>{set.name}</bdi>
              </b>
              {set.problem ? (
                <span className="text-[13.5px] text-warn" lang="en">
                  {set.problem}
                </span>
              ) : (
                <span className="num text-[13.5px] text-ink-2">
                  {formatPlural(set.questions, "question")}
                  {set.unanswerable > 0 && ` · ${t("{n} without an answer", { n: set.unanswerable })}`}
                  <span className="text-ink-3">{Object.entries(set.rules).map(([rule, n]) => ` · ${rule.replaceAll("_", " ")} ${n}`)}</span>
                </span>
              )}
              {!set.problem && (
                <span className="ml-auto max-sm:ml-0">
                  <CommandLine command={`vantage eval run ${set.name}`} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="text-[14px] text-ink-2">
        {t(
          "A run is started in a terminal, which shows how far it is and stops with Ctrl+C. These make questions of your own documents, and ask them:",
        )}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <CommandLine command="vantage eval make" />
        <CommandLine command="vantage eval run silver" />
      </div>
    </Card>
  );
}
