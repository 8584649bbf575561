import { ArrowLeftRight } from "lucide-react";
import type { EvaluationComparison, EvaluationRun } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { evaluationComparisonPath, evaluationRunPath, Link, navigate, retrievalTestPath, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatCount, formatPlural } from "../text/format";
import { t } from "../text/language";
import { useEvaluationComparison } from "./evaluationQueries";
import { Card, Frame } from "./parts";
import { describeSearch, formatChange, formatMeasure } from "./runLabels";

type Measure = EvaluationComparison["measures"][number];

/** Two runs over the same questions: each measure's difference with its interval, and the questions that moved most. */
export function EvaluationComparisonPage() {
  const { search } = useAddress();
  const [before, after] = [search.get("before") ?? "", search.get("after") ?? ""];
  const found = useEvaluationComparison(before, after);
  useTitle(t("Two runs"));
  if (!before || !after || found.error)
    return (
      <Frame testId="evaluation-comparison">
        {found.error ? (
          <ErrorMessage error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <p className="card px-5 py-6 text-ink-2">{t("Select two runs of one set on the page of the evaluation.")}</p>
        )}
      </Frame>
    );
  if (!found.data) return <main className="h-full" aria-busy />;
  const { data } = found;
  return (
    <Frame testId="evaluation-comparison">
      <header>
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
          <h1>{t("Two runs side by side")}</h1>
          <button
            type="button"
            className="chip ml-auto inline-flex items-center gap-1.5"
            onClick={() => navigate(evaluationComparisonPath(after, before), { replace: true })}
          >
            <ArrowLeftRight size={14} aria-hidden /> {t("Swap sides")}
          </button>
        </div>
        <div className="mt-3.5 grid gap-3.5 md:grid-cols-2">
          <RunCard run={data.before} place={t("Before")} mark="border-l-links" />
          <RunCard run={data.after} place={t("After")} mark="border-l-lexical" />
        </div>
      </header>
      <Card title={t("What differs")}>
        <Measures found={data} />
      </Card>
      <Card title={t("What moved most, by {measure}", { measure: data.moved_by })}>
        {data.moved.length === 0 ? (
          <p className="text-ink-2">{t("No question moved.")}</p>
        ) : (
          <ol>
            {data.moved.map((question) => {
              const change = question.after - question.before;
              return (
                <li key={question.id} className="flex items-baseline gap-3 border-line border-t py-2 text-[14px] first:border-t-0">
                  <b className={`num w-14 shrink-0 text-right font-semibold ${change > 0 ? "text-good" : "text-warn"}`}>{formatChange(change)}</b>
                  <Link href={retrievalTestPath(question.text)} className="min-w-0 flex-1 break-words hover:underline">
                    <bdi>{question.text}</bdi>
                  </Link>
                  <span className="num shrink-0 text-[13px] text-ink-3 max-sm:hidden">
                    {formatMeasure(question.before)} → {formatMeasure(question.after)}
                  </span>
                </li>
              );
            })}
          </ol>
        )}
      </Card>
    </Frame>
  );
}

function RunCard({ run, place, mark }: { run: EvaluationRun; place: string; mark: string }) {
  return (
    <article className={`card border-l-4 px-4 py-3.5 ${mark}`} aria-label={place}>
      <span className="eyebrow">{place}</span>
      <Link href={evaluationRunPath(run.id)} className="mt-1 block break-words font-semibold hover:underline">
        <bdi>{describeSearch(run)}</bdi>
      </Link>
      <p className="num mt-0.5 break-words text-[13px] text-ink-3">
        {run.set_name} · <Time at={run.started_at} /> · {run.embedder}
      </p>
    </article>
  );
}

function Measures({ found }: { found: EvaluationComparison }) {
  const widest = Math.max(0.01, ...found.measures.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  return (
    <>
      <div className="overflow-x-auto">
        <table className="grid-table num">
          <thead>
            <tr>
              <th scope="col">{t("Measure")}</th>
              <th scope="col" className="text-right! max-sm:hidden">
                {t("Before")}
              </th>
              <th scope="col" className="text-right! max-sm:hidden">
                {t("After")}
              </th>
              <th scope="col" className="text-right!">
                {t("Difference")}
              </th>
              <th scope="col" className="w-[34%]">
                {t("{level} % interval", { level: formatCount(found.level * 100) })}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.measures.map((measure) => (
              <tr key={measure.name} data-measure={measure.name}>
                <td>
                  {measure.name}
                  <span className="block text-[12px] text-ink-3 sm:hidden">
                    {formatMeasure(measure.before)} → {formatMeasure(measure.after)}
                  </span>
                </td>
                <td className="text-right max-sm:hidden">{formatMeasure(measure.before)}</td>
                <td className="text-right max-sm:hidden">{formatMeasure(measure.after)}</td>
                <td className="text-right">
                  <b className="font-semibold">{formatChange(measure.difference)}</b>
                </td>
                <td>
                  <Interval measure={measure} widest={widest} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2.5 text-[13px] text-ink-3">
        {t("{questions} in common, resampled {n} times in pairs. Where the interval holds 0 the difference may be chance.", {
          questions: formatPlural(found.questions, "question"),
          n: formatCount(found.resamples),
        })}
      </p>
    </>
  );
}

/** The interval on one scale with those of the other measures, 0 in the middle. */
function Interval({ measure, widest }: { measure: Measure; widest: number }) {
  const at = (value: number) => `${50 + (value / widest) * 48}%`;
  const colour = !measure.certain ? "bg-line-strong" : measure.low > 0 ? "bg-good" : "bg-warn";
  return (
    <div>
      <div className="relative h-2.5" aria-hidden>
        <i className="absolute inset-y-0 left-1/2 w-px bg-ink-3" />
        <i
          className={`absolute top-[3px] h-1 min-w-px rounded-full ${colour}`}
          style={{ left: at(measure.low), width: `${((measure.high - measure.low) / widest) * 48}%` }}
        />
        <i className="absolute top-0 h-2.5 w-0.5 rounded bg-ink" style={{ left: at(measure.difference) }} />
      </div>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-[12.5px] text-ink-2">
        {t("{low} to {high}", { low: formatChange(measure.low), high: formatChange(measure.high) })}
        {measure.certain ? (
          <Tag tone={measure.low > 0 ? "good" : "warn"}>{measure.low > 0 ? t("better") : t("worse")}</Tag>
        ) : (
          <span className="text-ink-3">{t("may be chance")}</span>
        )}
      </p>
    </div>
  );
}
