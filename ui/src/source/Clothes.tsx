import { useState } from "react";
import { exact } from "../text/format";
import { mark, t } from "../text/language";
import { Grid } from "./Grid";
import { leading, Marked, touches } from "./Marked";
import { Blocks } from "./Prose";
import type { ViewProps } from "./view";

/** A workbook: a tab for each sheet, the grid with its row marked. */
export function SheetView(given: ViewProps) {
  // A passage is often the whole sheet: only what is quoted is marked here.
  const quoted = given.marks.some((mark) => mark.kind === "quote");
  const view = { ...given, marks: quoted ? given.marks.filter((mark) => mark.kind !== "passage") : given.marks };
  const { content, marks } = view;
  const lead = leading(marks);
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

/** Slides, each on its own card. */
export function SlidesView(view: ViewProps) {
  const { content } = view;
  return (
    <div className="flex flex-col gap-5">
      {content.pages.map((page) => {
        const blocks = content.blocks.filter((block) => block.start >= page.start && block.end <= page.end);
        return (
          <section
            key={page.number}
            aria-label={t("Slide {n}", { n: page.number })}
            className="sheet-paper relative grid w-full grid-cols-[minmax(0,1fr)] font-sans"
          >
            {/* Gives the card the shape of a slide; what a slide has too much of makes it taller. */}
            <i aria-hidden className="col-start-1 row-start-1 aspect-video w-full" />
            <div className="col-start-1 row-start-1 min-w-0 overflow-x-auto px-[7%] py-[6%] text-[14px] leading-normal [overflow-wrap:anywhere] [&_h2]:font-sans [&_h3]:font-sans">
              <Blocks view={view} blocks={blocks} />
            </div>
            <span className="num absolute right-3 bottom-2 text-[11.5px] text-ink-3">{page.number}</span>
          </section>
        );
      })}
    </div>
  );
}

const headerLine = /^(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Attachments?)\s*:\s*/i;

/** A mail: its header set apart, then what it says. */
export function MailView(view: ViewProps) {
  const { content, points, marks, document } = view;
  const lines = headerOf(content.text);
  const rows = lines.map((line) => ({
    ...line,
    named: content.start + points.toCodePoint(line.at),
    from: content.start + points.toCodePoint(line.start),
    to: content.start + points.toCodePoint(line.end),
  }));
  const headerEnd = rows.at(-1)?.to ?? content.start;
  const body = content.blocks.filter((block) => block.end > headerEnd);
  const named = rows.length > 0;
  return (
    <div className="sheet-paper mx-auto max-w-[720px]">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-line border-b px-[min(36px,6%)] py-5 text-[13.5px]">
        {rows.map((row) => (
          <div key={row.start} className="contents">
            <dt dir="auto" className="text-ink-3">
              <Marked points={points} offset={content.start} start={row.named} end={row.named + row.name.length} marks={marks} />
            </dt>
            <dd dir="auto" className={/subject/i.test(row.name) ? "font-semibold" : ""}>
              <Marked points={points} offset={content.start} start={row.from} end={row.to} marks={marks} />
            </dd>
          </div>
        ))}
        {!named && (
          <>
            <dt className="text-ink-3">{t("Subject")}</dt>
            <dd dir="auto" className="font-semibold">
              {document.title || document.filename}
            </dd>
            {document.created_at && (
              <>
                <dt className="text-ink-3">{t("Date")}</dt>
                <dd>{exact(document.created_at)}</dd>
              </>
            )}
          </>
        )}
      </dl>
      <div className="prose px-[min(36px,6%)] py-6">
        <Blocks view={view} blocks={body.map((block) => (block.start < headerEnd ? { ...block, start: headerEnd } : block))} />
      </div>
    </div>
  );
}

interface HeaderLine {
  name: string;
  at: number;
  start: number;
  end: number;
}

/** The "Name: value" lines that a mail's text begins with, with the place of each value (UTF-16). */
export function headerOf(text: string): HeaderLine[] {
  const found: HeaderLine[] = [];
  let at = 0;
  for (const line of text.split("\n").slice(0, 16)) {
    const match = headerLine.exec(line);
    if (match) found.push({ name: match[1] ?? "", at, start: at + match[0].length, end: at + line.trimEnd().length });
    else if (line.trim() !== "" && !(found.length === 0 && at < 200)) break;
    at += line.length + 1;
  }
  return found;
}

/** Source code with line numbers. */
export function CodeView(view: ViewProps) {
  const { content, points, marks } = view;
  let at = 0;
  return (
    <div className="sheet-paper overflow-x-auto py-3">
      <pre className="w-max min-w-full font-mono text-[12.5px] leading-[1.6]">
        {content.text.split("\n").map((line, index) => {
          const start = content.start + points.toCodePoint(at);
          const end = content.start + points.toCodePoint(at + line.length);
          at += line.length + 1;
          return (
            <div
              key={start}
              className={`flex ${touches(marks, start, Math.max(end, start + 1)) ? "bg-[color-mix(in_srgb,var(--mark)_45%,transparent)]" : ""}`}
            >
              <span aria-hidden className="num w-12 shrink-0 select-none pr-3 text-right text-ink-3">
                {index + 1}
              </span>
              <code className="pr-4" dir="auto">
                <Marked points={points} offset={content.start} start={start} end={end} marks={marks} />
                {line === "" && " "}
              </code>
            </div>
          );
        })}
      </pre>
    </div>
  );
}

const UNIT: Partial<Record<string, string>> = { sheet: mark("Sheet {n}"), slide: mark("Slide {n}") };

/** The text exactly as it was read, which is what the answer quotes from. */
export function TextView(view: ViewProps) {
  const { content, points, marks, document } = view;
  const pieces = content.blocks.map((block, index) => ({
    start: index === 0 ? content.start : block.start,
    end: content.blocks[index + 1]?.start ?? content.end,
    page: block.page,
  }));
  const shown = pieces.length > 0 ? pieces : [{ start: content.start, end: content.end, page: null }];
  return (
    <div className="text-[13.5px] leading-[1.65]">
      {shown.map((piece, index) => (
        <div key={piece.start} className="[content-visibility:auto] [contain-intrinsic-size:auto_60px]">
          {piece.page !== null && piece.page !== shown[index - 1]?.page && (
            <div className="num mt-4 mb-1.5 flex items-center gap-3 text-[11.5px] text-ink-3 first:mt-0">
              {t(UNIT[document.page_unit] ?? "Page {n}", { n: piece.page })} <i aria-hidden className="h-px flex-1 bg-line" />
            </div>
          )}
          <div dir="auto" className="whitespace-pre-wrap break-words">
            <Marked points={points} offset={content.start} start={piece.start} end={piece.end} marks={marks} />
          </div>
        </div>
      ))}
    </div>
  );
}
