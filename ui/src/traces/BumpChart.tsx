import { useMemo, useState } from "react";
import type { TraceMove } from "../api/types";
import { formatPlural } from "../text/format";
import { locale, mark, t } from "../text/language";
import { ANSWER, buildChart, type CandidateChart, type ChartLine, type ChartPoint } from "./candidateChart";
import { legs } from "./legTable";
import { describeEnd } from "./traceLabels";

const FEW = 12;
const LEFT = 268;
const RIGHT = 130;
const TOP = 40;
const ROW = 25;
const WIDTH = 1032;
const colours = ["var(--accent)", "var(--links)", "var(--lexical)", "var(--rerank)", "var(--dense)", "var(--bad)"];

const stageWords: Record<string, string> = {
  ...Object.fromEntries(legs.map((leg) => [leg.name, leg.short])),
  fusion: mark("together"),
  rerank: mark("rerank"),
  passages: mark("passages"),
  links: mark("links"),
  diversity: mark("variety"),
  hops: mark("hops"),
  correct: mark("second try"),
  [ANSWER]: mark("answer"),
};

export const stageWord = (stage: string): string => t(stageWords[stage] ?? stage);

/** "Quay 7 warehouse lease › 6 Deposit": the file without its ending, then the section, each cut where it is too long. */
export function shortLabel(label: string): string {
  const [file = "", ...sections] = label.split(" › ");
  const stem = file.replace(/\.[A-Za-z0-9]{1,5}$/, "");
  const section = sections.join(" › ");
  if (!section) return clip(stem, 38);
  return `${clip(stem, Math.max(18, 34 - section.length))} › ${clip(section, Math.max(16, 34 - stem.length))}`;
}

const clip = (text: string, size: number): string => (text.length > size ? `${text.slice(0, size - 1)}…` : text);

interface Props {
  moves: readonly TraceMove[];
  onOpen: (move: TraceMove) => void;
  /** Why the result that a candidate became is where it is; "" where nothing was said of it. */
  whyOf: (move: TraceMove) => string;
  /** What the numbers of the last column are, where they are not places in an answer. */
  last?: string;
}

/** How every candidate moved from stage to stage. Hover or focus a line to read its scores, press it to open its passage. */
export function BumpChart({ moves, onOpen, whyOf, last }: Props) {
  const [most, setMost] = useState(FEW);
  const [over, setOver] = useState<number | null>(null);
  const drawn = useMemo(() => buildChart(moves, most), [moves, most]);
  if (drawn.lines.length === 0) return <p className="text-[14px] text-ink-2">{t("No candidate was ranked in this run.")}</p>;
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, drawn.stages.length - 1);
  const x = (column: number) => LEFT + (drawn.stages.length === 1 ? (WIDTH - LEFT - RIGHT) / 2 : column * step);
  const y = (row: number) => TOP + row * ROW;
  const height = TOP + drawn.rows * ROW;
  const active = drawn.lines.find((line) => line.move.chunk_id === over) ?? null;
  const told = endings(drawn.lines);
  const ordered = [...drawn.lines].sort((a, b) => drawOrder(a, over) - drawOrder(b, over));
  return (
    <div>
      <div className="overflow-x-auto">
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          className="block w-full min-w-[780px]"
          role="group"
          aria-label={t("How the candidates moved")}
          onMouseLeave={() => setOver(null)}
        >
          {drawn.stages.map((stage, column) => (
            <g key={stage}>
              <text x={x(column)} y={16} textAnchor="middle" fontSize={11.5} fill="var(--ink-3)">
                {last && stage === ANSWER ? last : stageWord(stage)}
              </text>
              <line x1={x(column)} x2={x(column)} y1={26} y2={height - 6} stroke="var(--line)" strokeDasharray="1 5" />
            </g>
          ))}
          {ordered.map((line) => (
            <MoveLine
              key={line.move.chunk_id}
              line={line}
              colour={colourOf(line, drawn.lines)}
              x={x}
              y={y}
              over={over}
              onOver={setOver}
              onOpen={onOpen}
              ending={told.get(line.move.chunk_id) ?? ""}
            />
          ))}
          {drawn.lines.map((line) => (
            <Ending
              key={line.move.chunk_id}
              line={line}
              text={fitEnding(line, told.get(line.move.chunk_id) ?? "", drawn, step)}
              colour={colourOf(line, drawn.lines)}
              x={x}
              y={y}
              over={over}
            />
          ))}
        </svg>
      </div>
      <div
        className="mt-2 flex min-h-[74px] flex-wrap items-start gap-x-4 border-line border-t pt-2.5 text-[13px] text-ink-2"
        aria-live="polite"
        data-testid="move-detail"
      >
        {active ? (
          <Detail line={active} why={whyOf(active.move)} />
        ) : (
          <span className="text-ink-3">{t("Hover over a line for its ranks and scores; select it to open the passage.")}</span>
        )}
        {(drawn.hidden > 0 || most > FEW) && (
          <button type="button" className="link ml-auto" onClick={() => setMost(most > FEW ? FEW : 1000)}>
            {most > FEW ? t("Show fewer") : t("Show {candidates}", { candidates: formatPlural(drawn.hidden, "more candidate") })}
          </button>
        )}
      </div>
    </div>
  );
}

const precise = (value: number): string =>
  new Intl.NumberFormat(locale(), { minimumSignificantDigits: 3, maximumSignificantDigits: 3, useGrouping: false }).format(value);
const isCited = (line: ChartLine): boolean => line.move.cited_as != null;
const drawOrder = (line: ChartLine, over: number | null): number => (line.move.chunk_id === over ? 2 : isCited(line) ? 1 : 0);

function colourOf(line: ChartLine, lines: readonly ChartLine[]): string {
  if (!isCited(line)) return "var(--ink-3)";
  const numbers = [...new Set(lines.flatMap((item) => (item.move.cited_as == null ? [] : [item.move.cited_as])))].sort((a, b) => a - b);
  return colours[numbers.indexOf(line.move.cited_as ?? 0) % colours.length] ?? "var(--accent)";
}

interface LineProps {
  line: ChartLine;
  colour: string;
  x: (column: number) => number;
  y: (row: number) => number;
  over: number | null;
  onOver: (chunk: number | null) => void;
  onOpen: (move: TraceMove) => void;
  /** What is written behind its last dot. */
  ending: string;
}

/** What a screen reader says of a line: what is to be seen of it, then the whole of it. */
function nameOf(line: ChartLine, ending: string): string {
  const { move, dots } = line;
  const seen = `${shortLabel(move.label)} ${ending}`;
  return `${seen}. ${move.label}: ${dots.map((dot) => `${stageWord(dot.stage)} ${dot.rank ?? t("not found")}`).join(", ")}. ${describeEnd(move.ended)}`;
}

/** How each line that no answer cites ended, behind its last dot. An ending that many share is written once, at the topmost. */
function endings(lines: readonly ChartLine[]): Map<number, string> {
  const shared = new Map<string, ChartLine[]>();
  for (const line of lines) if (!isCited(line) && line.move.ended) shared.set(line.move.ended, [...(shared.get(line.move.ended) ?? []), line]);
  const told = new Map<number, string>();
  for (const [ending, group] of shared) {
    const top = [...group].sort((a, b) => (a.dots.at(-1)?.row ?? 0) - (b.dots.at(-1)?.row ?? 0));
    for (const line of group.length > 3 ? top.slice(0, 1) : top)
      told.set(line.move.chunk_id, group.length > 3 ? `${describeEnd(ending)} (${group.length})` : describeEnd(ending));
  }
  return told;
}

/** An ending cut to the room behind its last dot, up to the next dot of the same row; "" where that is too little to read. */
function fitEnding(line: ChartLine, ending: string, drawn: CandidateChart, step: number): string {
  const end = line.dots.at(-1);
  if (!end || !ending) return "";
  const next = Math.min(
    ...drawn.lines.flatMap(({ dots }) => dots.filter((dot) => dot.row === end.row && dot.column > end.column).map((dot) => dot.column)),
  );
  const room = (Number.isFinite(next) ? (next - end.column) * step - 12 : (drawn.stages.length - 1 - end.column) * step + RIGHT) - 12;
  const letters = Math.floor(room / 5.7);
  return letters < 14 ? "" : clip(ending, letters);
}

function MoveLine({ line, colour, x, y, over, onOver, onOpen, ending }: LineProps) {
  const { move, dots } = line;
  const on = over === move.chunk_id;
  const strong = isCited(line) || on;
  const faded = over !== null && !on;
  const open = () => onOpen(move);
  return (
    <g
      role="button"
      tabIndex={0}
      aria-label={nameOf(line, ending)}
      className="cursor-pointer outline-none transition-opacity duration-150 [&:focus-visible>.halo]:opacity-100"
      opacity={faded ? 0.22 : 1}
      data-move={move.chunk_id}
      onMouseEnter={() => onOver(move.chunk_id)}
      onFocus={() => onOver(move.chunk_id)}
      onBlur={() => onOver(null)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          open();
        }
      }}
    >
      <rect
        className="halo opacity-0"
        x={4}
        y={y(dots[0]?.row ?? 0) - 11}
        width={LEFT - 20}
        height={22}
        rx={5}
        fill="none"
        stroke="var(--accent)"
        strokeWidth={2}
      />
      {dots.slice(1).map((dot, index) => (
        <Segment key={dot.column} from={dots[index] as ChartPoint} to={dot} x={x} y={y} colour={colour} strong={strong} />
      ))}
      {dots.map((dot) => (
        <circle
          key={dot.column}
          cx={x(dot.column)}
          cy={y(dot.row)}
          r={strong ? 4.2 : 3}
          fill={dot.rank === null ? "var(--surface)" : colour}
          stroke={dot.rank === null ? "var(--line-strong)" : "var(--surface)"}
          strokeWidth={dot.rank === null ? 1.2 : 1}
        />
      ))}
      <text
        x={LEFT - 16}
        y={y(dots[0]?.row ?? 0) + 4}
        textAnchor="end"
        fontSize={12}
        fontWeight={isCited(line) ? 600 : 400}
        fill={strong ? "var(--ink)" : "var(--ink-2)"}
      >
        {shortLabel(move.label)}
      </text>
      {on &&
        dots.map((dot) => (
          <text
            key={dot.column}
            x={x(dot.column)}
            y={y(dot.row) - 9}
            textAnchor="middle"
            fontSize={11}
            fontWeight={600}
            fill={colour}
            stroke="var(--surface)"
            strokeWidth={3}
            paintOrder="stroke"
          >
            {dot.rank ?? "–"}
          </text>
        ))}
    </g>
  );
}

/** The number of the citation at the right edge, or how the line ended. It stands outside of the button, whose name has it already. */
function Ending({
  line,
  text,
  colour,
  x,
  y,
  over,
}: {
  line: ChartLine;
  text: string;
  colour: string;
  x: (column: number) => number;
  y: (row: number) => number;
  over: number | null;
}) {
  const end = line.dots.at(-1);
  if (!end) return null;
  const number = end.stage === ANSWER ? line.move.cited_as : null;
  if (number == null && !text) return null;
  return (
    <text
      x={x(end.column) + (number == null ? 11 : 13)}
      y={y(end.row) + 4}
      fontSize={number == null ? 11 : 12.5}
      fontWeight={number == null ? 400 : 650}
      fill={number == null ? "var(--ink-3)" : colour}
      stroke="var(--surface)"
      strokeWidth={3}
      paintOrder="stroke"
      opacity={over !== null && over !== line.move.chunk_id ? 0.22 : 1}
      pointerEvents="none"
    >
      {number ?? text}
    </text>
  );
}

function Segment({
  from,
  to,
  x,
  y,
  colour,
  strong,
}: {
  from: ChartPoint;
  to: ChartPoint;
  x: (column: number) => number;
  y: (row: number) => number;
  colour: string;
  strong: boolean;
}) {
  const [x1, y1, x2, y2] = [x(from.column), y(from.row), x(to.column), y(to.row)];
  const middle = (x1 + x2) / 2;
  const missing = from.rank === null || to.rank === null;
  const path = `M${x1} ${y1} C ${middle} ${y1}, ${middle} ${y2}, ${x2} ${y2}`;
  return (
    <>
      <path d={path} fill="none" stroke="transparent" strokeWidth={14} />
      <path
        d={path}
        fill="none"
        stroke={colour}
        strokeWidth={strong ? 2.6 : 1.4}
        strokeDasharray={missing ? "2 5" : undefined}
        opacity={strong ? (missing ? 0.55 : 1) : 0.5}
      />
    </>
  );
}

function Detail({ line, why }: { line: ChartLine; why: string }) {
  return (
    <div className="num min-w-0">
      <b className="font-semibold text-ink">{line.move.label}</b>
      {line.move.ended && <span> · {describeEnd(line.move.ended)}</span>}
      <div>
        {line.dots
          .filter((dot) => dot.stage !== ANSWER)
          .map(
            (dot) =>
              `${stageWord(dot.stage)} ${dot.rank === null ? t("not found") : `${dot.rank}${dot.score === null ? "" : ` (${precise(dot.score)})`}`}`,
          )
          .join("  ›  ")}
      </div>
      {why && <div>{why}</div>}
    </div>
  );
}
