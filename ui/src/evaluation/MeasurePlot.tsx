import type { EvaluationRun } from "../api/types";
import { evaluationRunPath, Link } from "../shell/router";
import { formatDateTime, formatDay } from "../text/format";
import { t } from "../text/language";
import { placePoints } from "./placePoints";
import { describeSearch, formatMeasure } from "./runLabels";

const percent = (share: number): string => `${share * 100}%`;

/** One measure of the runs of a set over time. A point names its run and opens it. */
export function MeasurePlot({ runs, measure }: { runs: readonly EvaluationRun[]; measure: string }) {
  const { points, ticks } = placePoints(runs, measure);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return <p className="text-ink-2">{t("No run of this set has this measure.")}</p>;
  return (
    <figure className="num mt-1 px-3 pl-12 text-[11.5px] text-ink-3" aria-label={t("{measure} of the runs over time", { measure })}>
      <div className="relative h-[150px]">
        {ticks.map(({ value, share }) => (
          <div key={value} aria-hidden className="absolute inset-x-0 border-line border-t" style={{ bottom: percent(share) }}>
            <span className="-left-12 -top-2 absolute">{formatMeasure(value)}</span>
          </div>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible" aria-hidden>
          <polyline
            points={points.map(({ across, up }) => `${across * 100},${100 - up * 100}`).join(" ")}
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.6}
            opacity={0.55}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {points.map(({ run, across, up, value }) => {
          const name = `${formatMeasure(value)} · ${formatDateTime(run.started_at)} · ${describeSearch(run)}`;
          return (
            <Link
              key={run.id}
              href={evaluationRunPath(run.id)}
              aria-label={name}
              title={name}
              data-point={run.id}
              className="-translate-x-1/2 absolute grid size-6 translate-y-1/2 place-items-center rounded-full hover:bg-accent-soft"
              style={{ left: percent(across), bottom: percent(up) }}
            >
              <i className="size-2.5 rounded-full border-2 border-surface bg-accent" />
            </Link>
          );
        })}
      </div>
      <figcaption className="mt-2.5 flex justify-between">
        <span>{formatDay(first.run.started_at)}</span>
        {first !== last && <span>{formatDay(last.run.started_at)}</span>}
      </figcaption>
    </figure>
  );
}
