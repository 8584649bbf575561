import { useMemo, useState } from "react";
import type { Content, TableOut } from "../api/types";
import { cellClass, markCells } from "../conversation/AnswerTable";
import type { Span } from "../text/codepoints";
import { formatCount } from "../text/format";
import { t, tn } from "../text/language";
import { findHits, findLeadMark, isMarked } from "./MarkedText";

interface Props {
  table: TableOut;
  content: Content;
  marks: readonly Span[];
  /** Column letters and row numbers, as the spreadsheet itself has them; without where they are not known. */
  ruled: boolean;
}

const AROUND = 120;

const letter = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : letter(Math.floor(index / 26) - 1) + letter(index % 26));

/** A table with its marked row and cells. A long one shows the rows around the mark and grows on demand. */
export function Grid({ table, content, marks, ruled: asSheet }: Props) {
  const ruled = asSheet && table.row_numbers.length > 0;
  const centre = useMemo(() => {
    const lead = findLeadMark(marks);
    if (!lead || (lead.start <= table.start && lead.end >= table.end)) return 0;
    return Math.max(
      0,
      table.row_spans.findIndex((span) => lead.start < (span[1] ?? 0) && lead.end > (span[0] ?? 0)),
    );
  }, [table, marks]);
  const [more, setMore] = useState(0);
  const first = Math.max(table.header_rows, centre - AROUND - more);
  const last = Math.min(table.rows.length, Math.max(centre, table.header_rows) + AROUND + more);
  const columns = Math.max(1, ...table.rows.slice(0, 200).map((row) => row.length));
  const heads = Array.from({ length: Math.min(table.header_rows, table.rows.length) }, (_unused, index) => index);
  const indices = Array.from({ length: Math.max(0, last - first) }, (_unused, index) => first + index);
  const grow = (label: string) => (
    <button type="button" className="link px-2 py-1.5 text-[12.5px]" onClick={() => setMore(more + 500)}>
      {label}
    </button>
  );
  const row = (index: number) => <GridRow key={index} index={index} table={table} content={content} marks={marks} ruled={ruled} />;
  return (
    <div className="overflow-x-auto" role="group" aria-label={table.caption || t("Table")} tabIndex={0}>
      {table.caption && (
        <div className="py-1 text-[12.5px] text-ink-3" dir="auto">
          {table.caption}
        </div>
      )}
      <table className="cells">
        <thead>
          {ruled && (
            <tr>
              <td className="gutter" />
              {Array.from({ length: columns }, (_unused, index) => (
                <th key={index} className="gutter text-center!" style={{ position: "static" }}>
                  {table.column_numbers[index] ? letter(table.column_numbers[index] - 1) : ""}
                </th>
              ))}
            </tr>
          )}
          {heads.map(row)}
        </thead>
        <tbody>{indices.map(row)}</tbody>
      </table>
      {first > table.header_rows &&
        grow(tn(first - table.header_rows, "{n} row above", "{n} rows above", { n: formatCount(first - table.header_rows) }))}
      {last < table.rows.length &&
        grow(tn(table.rows.length - last, "{n} row below", "{n} rows below", { n: formatCount(table.rows.length - last) }))}
    </div>
  );
}

function GridRow({ index, table, content, marks, ruled }: Props & { index: number }) {
  const span = table.row_spans[index] ?? [0, 0];
  const [start, end] = [span[0] ?? 0, span[1] ?? 0];
  const quotes = marks.filter((mark) => mark.kind === "quote" && mark.start < end && mark.end > start);
  const passage = quotes.length === 0 && isMarked(marks, start, end);
  const cells = quotes.length > 0 ? quotes.map((mark) => markCells(content, table, index, mark)) : [];
  const hits = findHits(marks, start, end).map((hit) => ({ hit, cells: markCells(content, table, index, hit) }));
  const any = cells.some((list) => list.some(Boolean));
  const Cell = index < table.header_rows ? "th" : "td";
  return (
    <tr data-mark={quotes.length > 0 ? "quote" : passage ? "passage" : undefined}>
      {ruled && <th className="gutter">{table.row_numbers[index]}</th>}
      {(table.rows[index] ?? []).map((cell, column) => {
        const strong = quotes.length > 0 && (!any || cells.some((list) => list[column]));
        const found = hits.filter((hit) => hit.cells[column]).map(({ hit }) => hit.kind);
        const hit = found.includes("current") ? "current" : found.length > 0 ? "hit" : undefined;
        const ground = strong ? "bg-mark-strong!" : quotes.length > 0 || passage ? "bg-mark!" : "";
        return (
          <Cell
            key={column}
            scope={Cell === "th" ? "col" : undefined}
            dir="auto"
            data-cell={strong || undefined}
            data-hit={hit}
            className={`scroll-mx-10 ${Cell === "td" ? cellClass(cell) : ""} ${ground} ${hit ? `hit ${hit}` : ""}`}
          >
            {cell}
          </Cell>
        );
      })}
    </tr>
  );
}
