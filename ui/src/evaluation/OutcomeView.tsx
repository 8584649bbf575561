import type { LegShare, Result, SearchOutcome, TraceMove } from "../api/types";
import { openSource } from "../shell/router";
import { formatCount, formatDay, formatDecimals, formatMilliseconds, formatPlural } from "../text/format";
import { mark, t } from "../text/language";
import { BumpChart, stageWord } from "../traces/BumpChart";
import { stageNames } from "../traces/candidateChart";
import { Stages } from "../traces/TraceTimeline";
import { formatScore } from "../traces/traceLabels";
import { numberMoves } from "./numberMoves";

const legColours: Record<string, string> = { lexical: "bg-lexical", dense: "bg-dense", graph: "bg-links", time: "bg-rerank" };
const TIME = mark("time");
const legWord = (leg: string): string => (leg === "time" ? t(TIME) : stageWord(leg));

/** What one way of searching came to: the share of each leg, every result at every stage, and how the passages moved. */
export function OutcomeView({ outcome }: { outcome: SearchOutcome }) {
  if (!outcome.strategy)
    return (
      <p className="card px-5 py-6 text-ink-2">{t("This question needed no documents: nothing was searched. Ask something that stands in them.")}</p>
    );
  const numbered = numberMoves(outcome.moves, outcome.results);
  return (
    <>
      <Head outcome={outcome} />
      <section className="card px-[18px] py-4 max-sm:px-3.5" aria-label={t("Results, stage by stage")}>
        <h2 className="eyebrow mb-2">{t("Results, stage by stage")}</h2>
        {outcome.results.length > 0 ? <ResultTable outcome={outcome} /> : <p className="text-ink-2">{t("Nothing was found in this way.")}</p>}
      </section>
      <section className="card px-[18px] py-4 max-sm:px-3.5" aria-label={t("How the passages moved")}>
        <h2 className="eyebrow mb-3">{t("How the passages moved")}</h2>
        <BumpChart
          moves={numbered}
          last={t("result")}
          onOpen={(move) => openMove(move, outcome.results)}
          whyOf={(move) => outcome.results.find((result) => result.id === move.document_id)?.why_sentence ?? ""}
        />
        <Stages reports={outcome.reports} />
      </section>
    </>
  );
}

function Head({ outcome }: { outcome: SearchOutcome }) {
  return (
    <section className="card px-[18px] py-4" aria-label={t("The share of each leg")}>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="eyebrow">{t("The share of each leg")}</h2>
        <span className="num ml-auto text-[13px] text-ink-3">
          {t(outcome.strategy?.name ?? "")} · {formatMilliseconds(outcome.duration_ms)}
        </span>
      </div>
      <ShareBar shares={outcome.shares} />
      <p className="mt-2.5 text-[13.5px] text-ink-2">
        <span lang="en">{outcome.strategy?.reason}</span> {t("Searched: “{text}”", { text: outcome.text })}
      </p>
      {outcome.degraded.map((item) => (
        <p key={item.part} className="mt-1.5 text-[13.5px] text-warn" lang="en">
          {item.part}: {item.reason}
        </p>
      ))}
    </section>
  );
}

function ShareBar({ shares }: { shares: readonly LegShare[] }) {
  if (shares.length === 0) return <p className="mt-2 text-ink-2">{t("No leg found anything.")}</p>;
  return (
    <>
      <div className="mt-3 flex h-3 gap-0.5 overflow-hidden rounded-full" aria-hidden>
        {shares.map((share) => (
          <i key={share.leg} className={legColours[share.leg] ?? "bg-accent"} style={{ width: `${share.share * 100}%` }} />
        ))}
      </div>
      <ul className="num mt-2 flex flex-wrap gap-x-6 gap-y-1 text-[13.5px]">
        {shares.map((share) => (
          <li key={share.leg} className="flex flex-wrap items-baseline gap-x-1.5">
            <i aria-hidden className={`size-2 rounded-full ${legColours[share.leg] ?? "bg-accent"}`} />
            {legWord(share.leg)} <b className="whitespace-nowrap font-semibold">{formatDecimals(share.share * 100, 0)} %</b>
            <span className="text-ink-3">
              {t("weight {weight}", { weight: formatScore(share.weight) })}
              {share.found !== null && ` · ${t("{n} found", { n: formatCount(share.found) })} · ${formatPlural(share.results ?? 0, "result")}`}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Every result with its place and score at each stage that it passed, and what else it is weighed by. */
function ResultTable({ outcome }: { outcome: SearchOutcome }) {
  const stages = stageNames(outcome.results.map((result) => ({ stages: result.stages }) as unknown as TraceMove));
  return (
    <div className="overflow-x-auto">
      <table className="grid-table num min-w-[760px]">
        <thead>
          <tr>
            <th scope="col">{t("Result")}</th>
            {stages.map((stage) => (
              <th key={stage} scope="col" className="text-right!">
                {stageWord(stage)}
              </th>
            ))}
            <th scope="col" className="text-right!" title={t("How alike the neighbouring passages are that were merged")}>
              {t("Coherence")}
            </th>
            <th scope="col" className="text-right!">
              {t("Changed")}
            </th>
          </tr>
        </thead>
        <tbody>
          {outcome.results.map((result, index) => (
            <ResultRow key={result.id} result={result} place={index + 1} stages={stages} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ResultRow({ result, place, stages }: { result: Result; place: number; stages: readonly string[] }) {
  const passage = result.passages[0];
  return (
    <tr>
      <td className="min-w-[220px] max-w-[320px]">
        <button
          type="button"
          className="block max-w-full truncate text-left font-semibold text-[14px] text-ink hover:underline"
          title={result.file_path}
          onClick={() => openSource({ document: result.id, start: passage?.start ?? null, end: passage?.end ?? null })}
        >
          <span className="text-ink-3">{place}</span> {result.filename}
        </button>
        <span className="block text-[12.5px] text-ink-3" lang="en">
          {result.why}
        </span>
      </td>
      {stages.map((stage) => {
        const standing = result.stages[stage];
        return (
          <td key={stage} className="whitespace-nowrap text-right">
            {standing ? (
              <>
                <b className="font-semibold">{standing.rank}</b> <span className="block text-[12px] text-ink-3">{formatScore(standing.score)}</span>
              </>
            ) : (
              <span className="text-ink-3">–</span>
            )}
          </td>
        );
      })}
      <td className="text-right">{passage ? formatDecimals(passage.coherence_score, 2) : "–"}</td>
      <td className="whitespace-nowrap text-right text-ink-2">{formatDay(result.modified_at) || "–"}</td>
    </tr>
  );
}

function openMove(move: TraceMove, results: readonly Result[]): void {
  const passage = results
    .flatMap((result) => result.passages)
    .find((item) => item.document_id === move.document_id && item.chunks.includes(move.chunk_id));
  openSource({ document: move.document_id, start: passage?.start ?? null, end: passage?.end ?? null });
}
