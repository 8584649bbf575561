import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import type { ResultShift } from "../api/types";
import { documentPath, Link } from "../shell/router";
import { t } from "../text/language";

/** How far a result rose from the left run to the right one: above zero upwards, null where one of the runs does not have it. */
export const rise = (result: ResultShift): number | null =>
  result.left_rank === null || result.right_rank === null ? null : result.left_rank - result.right_rank;

const ROW = 34;
const WIDE = 84;

/** The results of both runs, each run's places on its side, each document one line between them. */
export function ResultShifts({ results }: { results: readonly ResultShift[] }) {
  const left = sortByRank(results, "left_rank");
  const right = sortByRank(results, "right_rank");
  const height = Math.max(left.length, right.length, 1) * ROW;
  const at = (list: readonly ResultShift[], result: ResultShift) => list.indexOf(result) * ROW + ROW / 2;
  return (
    <section className="card px-[18px] py-4" aria-label={t("Results of both runs")}>
      <h2 className="eyebrow mb-2">{t("How the results moved")}</h2>
      {results.length === 0 ? (
        <p className="text-ink-2">{t("Neither run has results.")}</p>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_44px_minmax(0,1fr)] sm:grid-cols-[minmax(0,1fr)_84px_minmax(0,1fr)]">
          <Side results={left} rank="left_rank" title={t("Left")} />
          <svg viewBox={`0 0 ${WIDE} ${height}`} height={height} preserveAspectRatio="none" className="mt-[25px] w-full" aria-hidden>
            {results.map((result) => {
              const moved = rise(result);
              if (moved === null) return null;
              const [from, to] = [at(left, result), at(right, result)];
              return (
                <path
                  key={result.document_id}
                  d={`M4 ${from} C ${WIDE / 2} ${from}, ${WIDE / 2} ${to}, ${WIDE - 4} ${to}`}
                  fill="none"
                  vectorEffect="non-scaling-stroke"
                  stroke={moved === 0 ? "var(--line-strong)" : moved > 0 ? "var(--good)" : "var(--warn)"}
                  strokeWidth={moved === 0 ? 1.4 : 2.2}
                />
              );
            })}
          </svg>
          <Side results={right} rank="right_rank" title={t("Right")} />
        </div>
      )}
    </section>
  );
}

const sortByRank = (results: readonly ResultShift[], rank: "left_rank" | "right_rank"): ResultShift[] =>
  results.filter((result) => result[rank] !== null).sort((a, b) => (a[rank] ?? 0) - (b[rank] ?? 0));

function Side({ results, rank, title }: { results: readonly ResultShift[]; rank: "left_rank" | "right_rank"; title: string }) {
  return (
    <div className="min-w-0">
      <h3 className="h-[25px] text-[12.5px] text-ink-3">{title}</h3>
      {results.length === 0 && <p className="text-[13.5px] text-ink-3">{t("no results")}</p>}
      <ol>
        {results.map((result) => (
          <li key={result.document_id} className="flex items-center gap-2 text-[13.5px]" style={{ height: ROW }}>
            <span className="num w-4 shrink-0 text-right text-ink-3">{result[rank]}</span>
            <Link href={documentPath(result.document_id)} className="min-w-0 flex-1 truncate hover:underline" title={result.filename}>
              {result.filename}
            </Link>
            <RankChange result={result} side={rank} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function RankChange({ result, side }: { result: ResultShift; side: "left_rank" | "right_rank" }) {
  const moved = rise(result);
  if (moved === null) {
    const gone = side === "left_rank";
    return <span className={`shrink-0 text-[12px] ${gone ? "text-warn" : "text-good"}`}>{gone ? t("gone") : t("new")}</span>;
  }
  if (side === "left_rank") return null;
  if (moved === 0)
    return (
      <span className="shrink-0 text-ink-3">
        <Minus size={13} aria-hidden />
        <span className="sr-only">{t("same place")}</span>
      </span>
    );
  const Arrow = moved > 0 ? ArrowUp : ArrowDown;
  return (
    <span className={`num flex shrink-0 items-center text-[12.5px] ${moved > 0 ? "text-good" : "text-warn"}`}>
      <Arrow size={13} aria-hidden />
      <span className="sr-only">{moved > 0 ? t("up") : t("down")} </span>
      {Math.abs(moved)}
    </span>
  );
}
