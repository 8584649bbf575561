import { Download } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { useTableRows } from "../api/queries";
import type { StoredTable } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { openSource } from "../shell/router";
import { formatCount, formatPlural } from "../text/format";
import { mark, t } from "../text/language";

/** The tables of a document as rows and columns: each can be taken out, and each row leads to its place. */
export function DocumentTables({ document, tables }: { document: string; tables: readonly StoredTable[] }) {
  const [shown, setShown] = useState(tables[0]?.ordinal ?? 0);
  const table = tables.find((one) => one.ordinal === shown) ?? tables[0];
  if (!table) return null;
  return (
    <div className="flex flex-col gap-4" data-testid="tables">
      {tables.length > 1 && (
        <label className="flex items-center gap-2.5 text-[13.5px] text-ink-2">
          {t("Table")}
          <select
            className="field h-8 w-auto max-w-full text-[13.5px]"
            value={table.ordinal}
            onChange={(event) => setShown(Number(event.target.value))}
          >
            {tables.map((one) => (
              <option key={one.ordinal} value={one.ordinal}>
                {nameOf(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      <OneTable key={table.ordinal} document={document} table={table} />
    </div>
  );
}

const nameOf = (table: StoredTable): string => {
  const { page, last_page: last } = table;
  const place = page ? ` (${last && last !== page ? t("pages {from}–{to}", { from: page, to: last }) : t("page {n}", { n: page })})` : "";
  return `${table.caption || table.section.at(-1) || t("Table {n}", { n: table.ordinal + 1 })}${place}`;
};

const types: Record<string, string> = {
  text: "",
  integer: mark("whole number"),
  number: mark("number"),
  amount: mark("amount"),
  percent: "%",
  date: mark("date"),
  boolean: mark("yes / no"),
};

function OneTable({ document, table }: { document: string; table: StoredTable }) {
  const rows = useTableRows(document, table.ordinal);
  const body = rows.data?.pages.flatMap((page) => page.body) ?? [];
  return (
    <section className="card overflow-hidden" aria-label={nameOf(table)}>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2.5">
        <b className="font-semibold">{nameOf(table)}</b>
        <span className="num text-[13px] text-ink-3">
          {formatPlural(table.rows, "row")} · {formatPlural(table.columns.length, "column")}
        </span>
        <span className="ml-auto flex gap-3 text-[13px]">
          <a className="link inline-flex items-center gap-1.5" href={api.tableUrl(document, table.ordinal, "csv")} download>
            <Download size={13} aria-hidden /> CSV
          </a>
          <a className="link" href={api.tableUrl(document, table.ordinal, "markdown")} download>
            Markdown
          </a>
        </span>
      </header>
      {rows.error && <ErrorMessage error={rows.error} onRetry={() => void rows.refetch()} />}
      <div className="overflow-x-auto">
        <table className="grid-table num text-[13px]">
          <thead>
            <tr>
              <th scope="col" className="w-8">
                <span className="sr-only">{t("Row")}</span>
              </th>
              {table.columns.map((column, index) => (
                <th key={`${column.name}${index}`} scope="col" title={[t(types[column.type] ?? ""), column.unit].filter(Boolean).join(", ")}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row) => (
              <tr key={row.ordinal}>
                <td className="text-ink-3">
                  <button
                    type="button"
                    className="quietly px-1"
                    aria-label={t("Show row {n} in the document", { n: row.ordinal + 1 })}
                    onClick={() => openSource({ document, start: row.start, end: row.end })}
                  >
                    {row.ordinal + 1}
                  </button>
                </td>
                {row.cells.map((cell, index) => (
                  <td
                    key={index}
                    className={`max-w-[320px] align-top ${cell.length < 28 ? "whitespace-nowrap" : ""} ${typeof row.values[index] === "number" ? "text-right" : ""}`}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.hasNextPage && (
        <button type="button" className="link px-4 py-2.5 text-[13.5px]" onClick={() => void rows.fetchNextPage()}>
          {t("Show more of {n} rows", { n: formatCount(table.rows) })}
        </button>
      )}
    </section>
  );
}
