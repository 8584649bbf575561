import { useMemo, useState } from "react";
import type { Content, TableOut } from "../api/types";
import { cellClass, markedCells } from "../conversation/AnswerTable";
import type { Span } from "../text/codepoints";
import { count } from "../text/format";
import { t } from "../text/language";
import { touches } from "./Marked";

interface Props {
  table: TableOut;
  content: Content;
  marks: readonly Span[];
  /** Column letters and row numbers, as a spreadsheet has them. */
  ruled: boolean;
}

const AROUND = 120;

const letter = (index: number): string => (index < 26 ? String.fromCharCode(65 + index) : letter(Math.floor(index / 26) - 1) + letter(index % 26));

/** A table with its marked row and cells. A long one shows the rows around the mark and grows on demand. */
export function Grid({ table, content, marks, ruled }: Props) {
  const centre = useMemo(() => {
    const at = table.row_spans.findIndex((span) =>
      touches(
        marks.filter((mark) => mark.kind === "quote"),
        span[0] ?? 0,
        span[1] ?? 0,
      ),
    );
    return Math.max(0, at);
  }, [table, marks]);
  const [more, setMore] = useState(0);
  const first = Math.max(table.header_rows, centre - AROUND - more);
  const last = Math.min(table.rows.length, Math.max(centre, table.header_rows) + AROUND + more);
  const columns = Math.max(1, ...table.rows.slice(0, 200).map((row) => row.length));
  const indices = Array.from({ length: Math.max(0, last - first) }, (_unused, index) => first + index);
  const grow = (label: string) => (
    <button type="button" className="link px-2 py-1.5 text-[12.5px]" onClick={() => setMore(more + 500)}>
      {label}
    </button>
  );
  return (
    <div className="overflow-x-auto" role="group" aria-label={table.caption || t("Table")} tabIndex={0}>
      {table.caption && <div className="py-1 text-[12.5px] text-ink-3">{table.caption}</div>}
      <table className="cells">
        <thead>
          {ruled && (
            <tr>
              <td className="gutter" />
              {Array.from({ length: columns }, (_unused, index) => (
                <th key={index} className="gutter text-center!" style={{ position: "static" }}>
                  {letter(index)}
                </th>
              ))}
            </tr>
          )}
          {table.rows.slice(0, table.header_rows).map((row, index) => (
            <tr key={index}>
              {ruled && <th className="gutter">{index + 1}</th>}
              {row.map((cell, column) => (
                <th key={column} scope="col" dir="auto">
                  {cell}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {indices.map((index) => (
            <GridRow key={index} index={index} table={table} content={content} marks={marks} ruled={ruled} />
          ))}
        </tbody>
      </table>
      {first > table.header_rows && grow(`${count(first - table.header_rows)} rows above`)}
      {last < table.rows.length && grow(`${count(table.rows.length - last)} rows below`)}
    </div>
  );
}

function GridRow({ index, table, content, marks, ruled }: Props & { index: number }) {
  const span = table.row_spans[index] ?? [0, 0];
  const [start, end] = [span[0] ?? 0, span[1] ?? 0];
  const quotes = marks.filter((mark) => mark.kind === "quote" && mark.start < end && mark.end > start);
  const passage = quotes.length === 0 && touches(marks, start, end);
  const cells = quotes.length > 0 ? quotes.map((mark) => markedCells(content, table, index, mark)) : [];
  const row = table.rows[index] ?? [];
  const any = cells.some((list) => list.some(Boolean));
  return (
    <tr data-mark={quotes.length > 0 ? "quote" : passage ? "passage" : undefined}>
      {ruled && <th className="gutter">{index + 1}</th>}
      {row.map((cell, column) => {
        const strong = quotes.length > 0 && (!any || cells.some((list) => list[column]));
        return (
          <td key={column} dir="auto" className={`${cellClass(cell)} ${strong ? "bg-mark-strong" : quotes.length > 0 || passage ? "bg-mark" : ""}`}>
            {cell}
          </td>
        );
      })}
    </tr>
  );
}
