import type { Block, TableOut } from "../api/types";
import { Grid } from "./Grid";
import { MarkedText } from "./MarkedText";
import type { ViewProps } from "./viewHooks";

const heading: Record<number, string> = {
  1: "text-[22px] font-semibold leading-tight mt-6 mb-2 first:mt-0",
  2: "text-[18px] font-semibold leading-snug mt-5 mb-1.5 first:mt-0",
  3: "text-[16px] font-semibold leading-snug mt-4 mb-1 first:mt-0",
};

/** The rows of a table that a block holds, below the names of the columns: one that goes on over pages has a block for each. */
function isInside(table: TableOut, block: Block): TableOut {
  if (block.start <= table.start && block.end >= table.end) return table;
  const kept = table.rows.map((_row, index) => {
    const start = table.row_spans[index]?.[0] ?? 0;
    return index < table.header_rows || (start >= block.start && start < block.end);
  });
  const of = <T,>(list: readonly T[]): T[] => list.filter((_one, index) => kept[index]);
  return { ...table, rows: of(table.rows), row_spans: of(table.row_spans), row_numbers: of(table.row_numbers) };
}

/** The blocks of a document set as text: headings, paragraphs, lists, tables, code. */
export function Blocks({ view, blocks }: { view: ViewProps; blocks: readonly Block[] }) {
  return blocks.map((block) => <BlockView key={block.start} block={block} view={view} />);
}

function BlockView({ block, view }: { block: Block; view: ViewProps }) {
  const { points, content, marks } = view;
  const text = <MarkedText points={points} offset={content.start} start={block.start} end={block.end} marks={marks} />;
  switch (block.kind) {
    case "heading": {
      const level = Math.min(6, Math.max(1, block.level || 2));
      const Tag = `h${Math.min(6, level + 1)}` as "h2";
      return (
        <Tag dir="auto" className={`font-serif ${heading[Math.min(level, 3)]}`}>
          {text}
        </Tag>
      );
    }
    case "list_item": {
      const marker = /^\s*([•◦▪‣·*–-]|\(?[0-9a-zA-Z]{1,3}[.)])\s/.test(
        points.slice(block.start - content.start, Math.min(block.end, block.start + 8) - content.start),
      );
      return (
        <div dir="auto" className="mt-1 flex gap-2.5" style={{ paddingLeft: `${Math.max(0, block.level - 1) * 18 + 4}px` }}>
          {!marker && <span aria-hidden className="mt-[0.72em] size-[4.5px] shrink-0 rounded-full bg-ink-3" />}
          <div dir="auto" className="min-w-0 flex-1 whitespace-pre-line">
            {text}
          </div>
        </div>
      );
    }
    case "table": {
      const table = block.table === null ? undefined : content.tables.find((item) => item.start < block.end && item.end > block.start);
      if (!table)
        return (
          <p dir="auto" className="mt-2.5 whitespace-pre-line font-sans text-[13px]">
            {text}
          </p>
        );
      return (
        <div className="my-3">
          <Grid table={isInside(table, block)} content={content} marks={marks} ruled={false} />
        </div>
      );
    }
    case "code":
      return <pre className="my-3 overflow-x-auto rounded-1 bg-sunken p-3 font-mono text-[12.5px] leading-relaxed">{text}</pre>;
    case "quote":
      return (
        <blockquote dir="auto" className="my-2.5 border-line-strong border-l-2 pl-3 text-ink-2 italic">
          {text}
        </blockquote>
      );
    case "caption":
      return (
        <p dir="auto" className="mt-1 mb-2 font-sans text-[12.5px] text-ink-3">
          {text}
        </p>
      );
    case "note":
      return (
        <p dir="auto" className="mt-2 font-sans text-[12.5px] text-ink-2">
          {text}
        </p>
      );
    case "description":
      return (
        <p dir="auto" className="mt-2 border-line-strong border-l-2 border-dashed pl-3 font-sans text-[13.5px] text-ink-2">
          {text}
        </p>
      );
    case "furniture":
      return (
        <p dir="auto" className="my-1 font-sans text-[11.5px] text-ink-3">
          {text}
        </p>
      );
    default:
      return (
        <p dir="auto" className="mt-2.5 whitespace-pre-line first:mt-0">
          {text}
        </p>
      );
  }
}

/** A document without pages of its own, as one sheet. */
export function ProseView(view: ViewProps) {
  return (
    <div className="sheet-paper prose mx-auto max-w-[720px] px-[min(42px,6%)] py-9">
      <Blocks view={view} blocks={view.content.blocks} />
    </div>
  );
}
