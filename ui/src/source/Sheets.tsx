import { Minus, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { usePlaces } from "../api/queries";
import type { LinePlace } from "../api/types";
import { type OnTrouble, type PageMark, type Paint, Sheet } from "./Sheet";
import type { ViewProps } from "./view";

export interface SheetsProps extends ViewProps {
  /** Names the mark, so that a new one is brought into view. */
  markKey: string;
  onPage: (page: number, of: number) => void;
  onTrouble: OnTrouble;
}

interface Props extends SheetsProps {
  count: number;
  ratio: number;
  paint: Paint;
}

/** The drawn pages of a document, one below the other, with its marks where they stand and the page of the quotation in view. */
export function Sheets({ document, content, points, marks, markKey, onPage, onTrouble, count, ratio, paint }: Props) {
  const [zoom, setZoom] = useState(1);
  const start = Math.min(...marks.map((mark) => mark.start));
  const end = Math.max(...marks.map((mark) => mark.end));
  const places = usePlaces(marks.length > 0 ? document.id : null, document.generation, start, end);
  const known = marks.length === 0 || places.isFetched;
  const lines = useMemo(() => new Map((places.data?.pages ?? []).map((page) => [page.page, page.lines])), [places.data]);
  const byPage = useMemo(() => marksByPage(content, points, marks), [content, points, marks]);
  const target =
    [...byPage.entries()].find(([, list]) => list.some((mark) => mark.kind === "quote"))?.[0] ??
    [...byPage.keys()][0] ??
    pictured(content, marks) ??
    0;
  return (
    <div className="relative">
      <div className="flex w-max min-w-full flex-col gap-4" style={{ width: `${zoom * 100}%` }}>
        {Array.from({ length: count }, (_unused, index) => (
          <Sheet
            key={index + 1}
            number={index + 1}
            paint={paint}
            ratio={ratio}
            marks={byPage.get(index + 1) ?? none}
            lines={known ? (lines.get(index + 1) ?? noLines) : undefined}
            target={target === index + 1}
            markKey={markKey}
            onSeen={(page) => onPage(page, count)}
            onTrouble={onTrouble}
            zoom={zoom}
          />
        ))}
      </div>
      <Zoom zoom={zoom} onZoom={setZoom} />
    </div>
  );
}

const none: PageMark[] = [];
const noLines: LinePlace[] = [];
const ZOOMS = [1, 1.4, 1.9, 2.6];

function Zoom({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const at = ZOOMS.indexOf(zoom);
  const button = "grid size-8 place-items-center text-ink-2 hover:text-ink disabled:opacity-35";
  return (
    <div
      className="sticky bottom-1 left-1 z-10 mt-[-40px] flex w-fit rounded-full border border-line bg-surface shadow-calm"
      role="group"
      aria-label="Size of the page"
    >
      <button type="button" className={button} aria-label="Smaller" disabled={at === 0} onClick={() => onZoom(ZOOMS[at - 1] ?? 1)}>
        <Minus size={15} />
      </button>
      <button type="button" className={button} aria-label="Larger" disabled={at === ZOOMS.length - 1} onClick={() => onZoom(ZOOMS[at + 1] ?? 1)}>
        <Plus size={15} />
      </button>
    </div>
  );
}

function marksByPage(content: ViewProps["content"], points: ViewProps["points"], marks: ViewProps["marks"]): Map<number, PageMark[]> {
  const found = new Map<number, PageMark[]>();
  for (const page of content.pages) {
    for (const mark of marks) {
      const start = Math.max(page.start, mark.start);
      const end = Math.min(page.end, mark.end);
      if (end <= start) continue;
      const entry: PageMark = {
        start,
        end,
        text: points.slice(start - content.start, end - content.start),
        hint: (start - page.start) / Math.max(1, page.end - page.start),
        kind: mark.kind === "quote" ? "quote" : "passage",
      };
      found.set(page.number, [...(found.get(page.number) ?? []), entry]);
    }
  }
  return found;
}

/** The page of a picture that a model described: its words stand behind all pages, and their block names the page. */
function pictured(content: ViewProps["content"], marks: ViewProps["marks"]): number | null {
  const described = content.blocks.find(
    (block) => block.kind === "description" && marks.some((mark) => mark.start < block.end && mark.end > block.start),
  );
  return described?.page ?? null;
}

/** The turn in degrees, clockwise, that sets a page upright whose text was recognised in another position. */
export const turnOf = (content: ViewProps["content"], number: number): number => content.pages.find((page) => page.number === number)?.turned ?? 0;
