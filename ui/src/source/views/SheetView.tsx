import { useState } from "react";
import { t } from "../../text/language";
import { Grid } from "../Grid";
import { findLeadMark } from "../MarkedText";
import { Blocks } from "../Prose";
import type { ViewProps } from "../viewHooks";

/** A workbook: a tab for each sheet, the grid with its row marked. */
export function SheetView(given: ViewProps) {
  // A passage is often the whole sheet: only what is quoted is marked here.
  const quoted = given.marks.some((mark) => mark.kind === "quote");
  const view = { ...given, marks: quoted ? given.marks.filter((mark) => mark.kind !== "passage") : given.marks };
  const { content, marks } = view;
  const lead = findLeadMark(marks);
  const marked = content.pages.find((page) => lead && lead.start < page.end && lead.end > page.start)?.number ?? content.pages[0]?.number ?? null;
  const [chosen, setChosen] = useState<number | null>(null);
  const [lastLead, setLastLead] = useState(lead?.start);
  if (lastLead !== lead?.start) {
    setLastLead(lead?.start);
    setChosen(null);
  }
  const sheet = chosen ?? marked;
  const tables = content.tables.filter((table) => sheet === null || table.page === null || table.page === sheet);
  const inTable = (start: number, end: number) => tables.some((table) => table.start <= start && table.end >= end);
  const others = content.blocks.filter(
    (block) => (sheet === null || block.page === null || block.page === sheet) && block.table === null && !inTable(block.start, block.end),
  );
  return (
    <div className="flex min-h-0 flex-col gap-3">
      {content.pages.length > 1 && (
        <div className="flex flex-wrap gap-1" role="tablist" aria-label={t("Sheets")}>
          {content.pages.map((page) => (
            <button
              key={page.number}
              type="button"
              role="tab"
              aria-selected={page.number === sheet}
              onClick={() => setChosen(page.number)}
              className={`rounded-1 px-2.5 py-1 text-[13px] ${page.number === sheet ? "bg-accent-soft text-accent" : "text-ink-2 hover:bg-sunken"}`}
            >
              <bdi>{page.label || t("Sheet {n}", { n: page.number })}</bdi>
            </button>
          ))}
        </div>
      )}
      <div className="sheet-paper overflow-auto p-3">
        {others.length > 0 && (
          <div className="prose mb-3">
            <Blocks view={view} blocks={others} />
          </div>
        )}
        {tables.map((table) => (
          <div key={table.start} className="mb-4 last:mb-0">
            <Grid table={table} content={content} marks={marks} ruled />
          </div>
        ))}
      </div>
    </div>
  );
}
