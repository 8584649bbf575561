import { useQueries } from "@tanstack/react-query";
import { api } from "../api/client";
import type { AnswerSentence, Citation, Content, TableOut } from "../api/types";
import { CodePoints } from "../text/codepoints";
import { t } from "../text/language";
import { CitationTab } from "./CitationTab";

interface Props {
  sentences: readonly AnswerSentence[];
  citations: Map<number, Citation>;
  run: string | null;
}

interface Row {
  cells: string[];
  marked: boolean[];
  citation: Citation;
}

interface Grid {
  key: string;
  caption: string;
  header: string[] | null;
  /** The citation of the header row, when the answer quotes it as well. */
  headerCitation: Citation | null;
  rows: Row[];
}

const isNumber = (cell: string): boolean => /^[\s£$€¥+\-–−(]*\d[\d\s.,'’]*\s?(%|[A-Za-z²³°/]{0,4})\)?$/.test(cell);
export const cellClass = (cell: string): string =>
  isNumber(cell) ? "text-right whitespace-nowrap" : cell.length < 13 ? "whitespace-nowrap" : "min-w-[6.5rem]";

/** Rows that an answer quotes, set as the table that they come from: its header, and the cited cells marked. */
export function AnswerTable({ sentences, citations, run }: Props) {
  const cited = sentences.flatMap((sentence) => sentence.citations.flatMap((number) => citations.get(number) ?? []));
  const answers = new Map(sentences.flatMap((sentence) => sentence.citations.map((number) => [number, shortAnswer(sentence)] as const)));
  const contents = useQueries({
    queries: cited.map((citation) => ({
      queryKey: ["content", citation.document_id, "table", citation.start, citation.end, citation.passage_start],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.content(citation.document_id, rangeOf(citation), signal),
      staleTime: 300_000,
    })),
  });
  const grids = gather(
    cited,
    answers,
    contents.map((query) => query.data),
  );
  const inGrid = new Set(
    grids.flatMap((grid) => [...grid.rows.map((row) => row.citation.number), ...(grid.headerCitation ? [grid.headerCitation.number] : [])]),
  );
  const plain = sentences.filter((sentence) => !sentence.citations.some((number) => inGrid.has(number)));
  return (
    <div className="block my-3 font-sans text-[14px] leading-normal">
      {grids.map((grid) => (
        <TableGrid key={grid.key} grid={grid} run={run} />
      ))}
      {plain.map((sentence, index) => (
        <p key={index} className="font-serif text-[18px]">
          {sentence.text}
          {sentence.citations.map((number) => {
            const citation = citations.get(number);
            return citation ? <CitationTab key={number} citation={citation} run={run} /> : null;
          })}
        </p>
      ))}
    </div>
  );
}

function TableGrid({ grid, run }: { grid: Grid; run: string | null }) {
  return (
    <section
      className="mb-3 overflow-x-auto rounded-2 border border-line bg-surface"
      tabIndex={0}
      aria-label={grid.caption || t("Rows from the cited table")}
      data-testid="answer-table"
    >
      <table className="grid-table num text-[13.5px]! [overflow-wrap:break-word]">
        {grid.caption && <caption className="px-2.5 pt-2 text-left text-[12.5px] text-ink-3">{grid.caption}</caption>}
        {grid.header && (
          <thead>
            <tr>
              {grid.header.map((cell, index) => (
                <th key={index} scope="col" className={grid.rows.every((row) => isNumber(row.cells[index] ?? "")) ? "text-right!" : ""}>
                  {cell}
                </th>
              ))}
              <th scope="col" className="w-10 text-right!">
                {grid.headerCitation ? <CitationTab citation={grid.headerCitation} run={run} /> : <span className="sr-only">{t("Source")}</span>}
              </th>
            </tr>
          </thead>
        )}
        <tbody>
          {grid.rows.map((row) => (
            <tr key={row.citation.number}>
              {row.cells.map((cell, index) => (
                <td key={index} data-marked={row.marked[index]} className={`${cellClass(cell)} ${row.marked[index] ? "bg-mark" : ""}`}>
                  {row.marked[index] ? <mark className="bg-transparent text-inherit">{cell}</mark> : cell}
                </td>
              ))}
              <td className="w-10 text-right">
                <CitationTab citation={row.citation} run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A little more than the passage, so that the header of its table comes with it. */
const rangeOf = (citation: Citation) => ({
  start: Math.max(0, Math.min(citation.passage_start || citation.start, citation.start) - 4000),
  end: Math.max(citation.passage_end || citation.end, citation.end) + 200,
});

/** The words of a sentence that are likely the answer itself. */
function shortAnswer(sentence: AnswerSentence): string {
  if (!sentence.highlight) return "";
  const [start, end] = sentence.highlight as [number, number];
  return new CodePoints(sentence.text).slice(start, end).trim();
}

/** The cells that hold the short answer where there is one, else those that the citation covers. */
function marksOf(cells: string[], answer: string, cited: () => boolean[]): boolean[] {
  const holding = cells.map((cell) => answer !== "" && cell.trim() !== "" && (cell.includes(answer) || answer.includes(cell)));
  return holding.some(Boolean) ? holding : cited();
}

function gather(cited: Citation[], answers: Map<number, string>, contents: (Content | undefined)[]): Grid[] {
  const grids: Grid[] = [];
  cited.forEach((citation, index) => {
    const content = contents[index];
    const table = content?.tables.find((candidate) => candidate.row_spans.some((span) => overlaps(span, citation)));
    if (!content || !table) return;
    const key = `${citation.document_id}:${table.start}`;
    let grid = grids.find((known) => known.key === key);
    if (!grid) {
      grid = { key, caption: table.caption, header: headerOf(table), headerCitation: null, rows: [] };
      grids.push(grid);
    }
    const rows = table.row_spans.flatMap((span, row) => (row >= table.header_rows && overlaps(span, citation) ? [row] : []));
    if (rows.length === 0) grid.headerCitation = citation;
    for (const row of rows) {
      const cells = table.rows[row] ?? [];
      const marked = marksOf(cells, answers.get(citation.number) ?? "", () => markCells(content, table, row, citation));
      grid.rows.push({ cells, marked, citation });
    }
  });
  return grids.filter((grid) => grid.rows.length > 0);
}

const overlaps = (span: readonly number[], range: { start: number; end: number }): boolean =>
  (span[0] ?? 0) < range.end && (span[1] ?? 0) > range.start;

const headerOf = (table: TableOut): string[] | null => (table.header_rows > 0 ? (table.rows[table.header_rows - 1] ?? null) : null);

const measured = new WeakMap<Content, CodePoints>();
/** Counting the code points of a long text for each of its rows anew would be felt. */
function pointsOf(content: Content): CodePoints {
  const points = measured.get(content) ?? new CodePoints(content.text);
  measured.set(content, points);
  return points;
}

/** Which cells of a row the range touches: each cell is looked for in the row's text, one after the other. */
export function markCells(content: Content, table: TableOut, row: number, range: { start: number; end: number }): boolean[] {
  const span = table.row_spans[row] ?? [0, 0];
  const text = pointsOf(content).slice((span[0] ?? 0) - content.start, (span[1] ?? 0) - content.start);
  const line = new CodePoints(text);
  let from = 0;
  return (table.rows[row] ?? []).map((cell) => {
    const at = cell ? text.indexOf(cell, from) : -1;
    if (at < 0) return false;
    from = at + cell.length;
    const start = (span[0] ?? 0) + line.toCodePoint(at);
    const end = (span[0] ?? 0) + line.toCodePoint(at + cell.length);
    return start < range.end && end > range.start;
  });
}
