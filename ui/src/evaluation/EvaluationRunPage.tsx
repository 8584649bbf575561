import type { EvaluationRun, EvaluationRunDetail } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Time } from "../parts/Time";
import { Link, retrievalTestPath } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatCount, formatDecimals, formatMilliseconds, formatPlural } from "../text/format";
import { mark, t } from "../text/language";
import { useEvaluationRun } from "./evaluationQueries";
import { Card, CommandLine, Frame } from "./parts";
import { describeSearch, formatMeasure } from "./runLabels";

/** One run over a set: its measures, what was refused, how long its steps took, and the questions that it found least for. */
export function EvaluationRunPage({ id }: { id: string }) {
  const found = useEvaluationRun(id);
  useTitle(t("Run {run}", { run: id }));
  if (found.error)
    return (
      <Frame testId="evaluation-run">
        <ErrorMessage error={found.error} onRetry={() => void found.refetch()} />
      </Frame>
    );
  if (!found.data) return <main className="h-full" aria-busy />;
  const { run } = found.data;
  return (
    <Frame testId="evaluation-run">
      <header>
        <h1 className="break-words">
          <bdi>{run.set_name}</bdi>
        </h1>
        <p className="num mt-1.5 break-words text-ink-2">
          {describeSearch(run)} · <Time at={run.started_at} /> · {run.embedder}
        </p>
        <p className="num mt-1 text-[13.5px] text-ink-3">
          {t("{questions}, {judged} of them judged, over {documents}", {
            questions: formatPlural(run.questions, "question"),
            judged: formatCount(run.judged),
            documents: formatPlural(run.documents, "document"),
          })}
          {run.asked_back > 0 && ` · ${t("{n} asked back, searched as written", { n: run.asked_back })}`}
        </p>
        {run.degraded.map((each) => (
          <p key={each} className="mt-1 text-[13.5px] text-warn" lang="en">
            {each}
          </p>
        ))}
      </header>
      <Measures run={run} />
      <div className="grid items-start gap-[22px] lg:grid-cols-2">
        <Steps times={run.times_ms} />
        <Card title={t("Texts and refusals")}>
          <p className="text-[14px]">
            {t("{unique} of {total} retrieved texts are different ({ratio}).", {
              unique: formatCount(run.diversity.unique),
              total: formatCount(run.diversity.total),
              ratio: formatDecimals(run.diversity.ratio, 3),
            })}
          </p>
          <Refusals refusals={run.refusals} />
          <p className="mt-3 text-[13.5px] text-ink-2">
            {t("The same on the command line:")} <CommandLine command={`vantage eval diversity ${run.id}`} />
          </p>
        </Card>
      </div>
      <Weakest found={found.data} />
    </Frame>
  );
}

function Measures({ run }: { run: EvaluationRun }) {
  const measures = Object.entries(run.metrics);
  return (
    <Card title={t("Measures")}>
      {measures.length === 0 ? (
        <p className="text-ink-2">{t("No question of this set is judged.")}</p>
      ) : (
        <dl className="num grid grid-cols-[repeat(auto-fill,minmax(128px,1fr))] gap-x-6 gap-y-3">
          {measures.map(([name, value]) => (
            <div key={name}>
              <dt className="text-[12.5px] text-ink-3">{name}</dt>
              <dd className="font-semibold text-[19px]">{formatMeasure(value)}</dd>
              <div className="mt-1 h-1.5 rounded-full bg-sunken" aria-hidden>
                <i className="block h-1.5 rounded-full bg-accent" style={{ width: `${Math.min(1, value) * 100}%` }} />
              </div>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

const refusalWords: Record<string, string> = {
  unanswerable: mark("{share} of {n} that cannot be answered were refused."),
  answerable: mark("{share} of {n} that can be answered were refused."),
};

function Refusals({ refusals }: { refusals: EvaluationRun["refusals"] }) {
  const shown = Object.keys(refusalWords).filter((kind) => refusals[`${kind}_refused`] !== undefined);
  if (shown.length === 0) return <p className="mt-1.5 text-[14px] text-ink-2">{t("No answers were made, so nothing was refused.")}</p>;
  return (
    <ul className="mt-1.5 text-[14px]">
      {shown.map((kind) => (
        <li key={kind}>
          {t(refusalWords[kind] ?? "", {
            share: `${formatDecimals((refusals[`${kind}_refused`] ?? 0) * 100, 0)} %`,
            n: formatCount(refusals[`${kind}_questions`] ?? 0),
          })}
        </li>
      ))}
    </ul>
  );
}

const WHOLE = "whole question";

function Steps({ times }: { times: EvaluationRun["times_ms"] }) {
  const steps = Object.entries(times);
  const longest = Math.max(1, ...steps.filter(([name]) => name !== WHOLE).map(([, step]) => step.mean));
  return (
    <Card title={t("Where the time went")}>
      <table className="num w-full text-[13.5px]">
        <thead className="text-left text-[12px] text-ink-3">
          <tr>
            <th className="py-1 font-medium">{t("Step")}</th>
            <th aria-hidden className="w-1/4" />
            <th className="py-1 text-right font-medium">{t("Mean")}</th>
            <th className="py-1 pl-3 text-right font-medium">p95</th>
            <th className="py-1 pl-3 text-right font-medium max-sm:hidden">{t("Questions")}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(([name, step]) => (
            <tr key={name} className="border-line border-t">
              <td className="py-1.5 pr-2">{name === WHOLE ? t(mark("whole question")) : t(name.replaceAll("_", " "))}</td>
              <td aria-hidden className="py-1.5">
                {name !== WHOLE && <i className="block h-1.5 min-w-px rounded-full bg-accent" style={{ width: `${(step.mean / longest) * 100}%` }} />}
              </td>
              <td className="whitespace-nowrap py-1.5 text-right">{formatMilliseconds(step.mean)}</td>
              <td className="whitespace-nowrap py-1.5 pl-3 text-right text-ink-2">{formatMilliseconds(step.p95)}</td>
              <td className="py-1.5 pl-3 text-right text-ink-3 max-sm:hidden">{formatCount(step.questions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Weakest({ found }: { found: EvaluationRunDetail }) {
  if (found.weakest.length === 0) return null;
  return (
    <Card title={t("The questions that it found least for, by {measure}", { measure: found.measured_by })}>
      <ol>
        {found.weakest.map((question) => (
          <li key={question.id} className="flex items-baseline gap-3 border-line border-t py-2 text-[14px] first:border-t-0">
            <span className="num w-11 shrink-0 text-right">{formatMeasure(question.scores[found.measured_by] ?? 0)}</span>
            <Link href={retrievalTestPath(question.text)} className="min-w-0 flex-1 break-words hover:underline">
              <bdi>{question.text}</bdi>
            </Link>
            {question.rule && <span className="shrink-0 text-[12.5px] text-ink-3 max-sm:hidden">{question.rule.replaceAll("_", " ")}</span>}
          </li>
        ))}
      </ol>
      <p className="mt-2.5 text-[13px] text-ink-3">{t("A question opens in the test of the search, in your library as it is now.")}</p>
    </Card>
  );
}
