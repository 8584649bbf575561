import { GalleryHorizontal, Minus, Plus } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { usePlaces } from "../api/queries";
import type { Doc, LinePlace } from "../api/types";
import type { Span } from "../text/codepoints";
import { t } from "../text/language";
import { findLeadMark, withoutHits } from "./MarkedText";
import { type OnError, PageCanvas, type PageMark, type Paint } from "./PageCanvas";
import { type PaintSmall, Thumbnails } from "./Thumbnails";
import { reportManualMove, type ViewProps } from "./viewHooks";

export interface PageStackProps extends ViewProps {
  /** Names the mark, so that a new one is brought into view. */
  markKey: string;
  onPage: (page: number, of: number) => void;
  onTrouble: OnError;
  /** What a search is at is not drawn on its page. */
  onMissed: () => void;
  /** Where the strip of thumbnails stands; without it there is none. */
  strip?: HTMLElement | null;
}

interface Props extends PageStackProps {
  count: number;
  ratio: number;
  paint: Paint;
  /** Draws a page in small, where the document has thumbnails. */
  paintSmall?: PaintSmall;
}

/** The drawn pages of a document, one below the other, with its marks where they stand and the page of the quotation in view. */
export function PageStack({ document, content, points, marks, markKey, onPage, onTrouble, onMissed, strip, count, ratio, paint, paintSmall }: Props) {
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState(1);
  const [small, setSmall] = useState(false);
  const sheets = useRef<HTMLDivElement>(null);
  const { lines, known } = useLines(document, content, marks);
  const byPage = useMemo(() => marksByPage(content, points, marks), [content, points, marks]);
  const target = findTargetPage(content, byPage, marks);
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;
  const missed = useRef(onMissed);
  missed.current = onMissed;
  const nowhere = marks.length > 0 && target === 0;
  const searching = marks.some((mark) => mark.kind === "current");
  // biome-ignore lint/correctness/useExhaustiveDependencies: told for each mark
  useEffect(() => {
    if (nowhere && searching) missed.current();
    else if (nowhere) trouble.current(t("These words stand on none of the pages; they are marked in the text."));
  }, [nowhere, searching, markKey]);
  const seen = (number: number) => {
    setPage(number);
    onPage(number, count);
  };
  const goTo = (number: number) => {
    reportManualMove(sheets.current);
    sheets.current?.querySelector(`[data-page="${number}"]`)?.scrollIntoView({ block: "start" });
  };
  const withSmall = Boolean(strip && paintSmall && count > 1);
  return (
    <div className="relative" ref={sheets}>
      {strip && paintSmall && withSmall && small && (
        <Thumbnails slot={strip} count={count} ratio={ratio} current={page} paint={paintSmall} onChoose={goTo} />
      )}
      <div className="flex w-max min-w-full flex-col gap-4" style={{ width: `${zoom * 100}%` }}>
        {Array.from({ length: count }, (_unused, index) => (
          <PageCanvas
            key={index + 1}
            number={index + 1}
            paint={paint}
            ratio={ratio}
            marks={byPage.get(index + 1) ?? none}
            lines={known ? (lines.get(index + 1) ?? noLines) : undefined}
            target={target === index + 1}
            markKey={markKey}
            onSeen={seen}
            onTrouble={onTrouble}
            onMissed={onMissed}
            zoom={zoom}
          />
        ))}
      </div>
      <Zoom zoom={zoom} onZoom={setZoom}>
        {withSmall && (
          <button
            type="button"
            className="grid size-8 place-items-center border-line border-l text-ink-2 hover:text-ink aria-expanded:text-accent"
            aria-label={t("Page thumbnails")}
            aria-expanded={small}
            onClick={() => setSmall(!small)}
          >
            <GalleryHorizontal size={15} />
          </button>
        )}
      </Zoom>
    </div>
  );
}

const none: PageMark[] = [];
const noLines: LinePlace[] = [];
/** Characters before and behind a find that tell it from the same word elsewhere on its page. */
const AROUND = 24;
const ZOOMS = [1, 1.4, 1.9, 2.6];

function Zoom({ zoom, onZoom, children }: { zoom: number; onZoom: (zoom: number) => void; children: ReactNode }) {
  const at = ZOOMS.indexOf(zoom);
  const button = "grid size-8 place-items-center text-ink-2 hover:text-ink disabled:opacity-35";
  return (
    <div
      className="sticky bottom-1 left-1 z-10 mt-[-40px] flex w-fit rounded-full border border-line bg-surface shadow-calm"
      role="group"
      aria-label={t("Size of the page")}
    >
      <button type="button" className={button} aria-label={t("Smaller")} disabled={at === 0} onClick={() => onZoom(ZOOMS[at - 1] ?? 1)}>
        <Minus size={15} />
      </button>
      <button type="button" className={button} aria-label={t("Larger")} disabled={at === ZOOMS.length - 1} onClick={() => onZoom(ZOOMS[at + 1] ?? 1)}>
        <Plus size={15} />
      </button>
      {children}
    </div>
  );
}

/** Recognised lines under the quotation, and on the page that a search is at. */
function useLines(document: Doc, content: ViewProps["content"], marks: readonly Span[]) {
  const [start, end] = spanExtent(withoutHits(marks));
  const hit = marks.find((mark) => mark.kind === "current");
  const page = hit && content.pages.find((one) => hit.start < one.end && hit.end > one.start);
  const places = usePlaces(end > start ? document.id : null, document.generation, start, end);
  const found = usePlaces(page ? document.id : null, document.generation, page?.start ?? 0, page?.end ?? 0);
  const lines = useMemo(
    () => new Map([...(places.data?.pages ?? []), ...(found.data?.pages ?? [])].map((one) => [one.page, one.lines])),
    [places.data, found.data],
  );
  return { lines, known: (end <= start || places.isFetched) && (!page || found.isFetched) };
}

/** From where to where some marks reach; [0, 0] for none. */
const spanExtent = (marks: readonly Span[]): [number, number] =>
  marks.length === 0 ? [0, 0] : [Math.min(...marks.map((mark) => mark.start)), Math.max(...marks.map((mark) => mark.end))];

function marksByPage(content: ViewProps["content"], points: ViewProps["points"], marks: readonly Span[]): Map<number, PageMark[]> {
  const found = new Map<number, PageMark[]>();
  const said = (start: number, end: number) => points.slice(start - content.start, end - content.start);
  for (const page of content.pages) {
    for (const mark of marks) {
      const start = Math.max(page.start, mark.start);
      const end = Math.min(page.end, mark.end);
      if (end <= start || said(start, end).trim() === "") continue;
      const entry: PageMark = {
        start,
        end,
        text: said(start, end),
        before: said(Math.max(page.start, start - AROUND), start),
        after: said(end, Math.min(page.end, end + AROUND)),
        hint: (start - page.start) / Math.max(1, page.end - page.start),
        kind: mark.kind === "strong" || mark.kind === "word" ? "passage" : mark.kind,
      };
      found.set(page.number, [...(found.get(page.number) ?? []), entry]);
    }
  }
  return found;
}

/** The page that is brought into view; 0 where none holds anything of what is marked. */
function findTargetPage(content: ViewProps["content"], byPage: Map<number, PageMark[]>, marks: readonly Span[]): number {
  const lead = findLeadMark(marks);
  const holding = [...byPage.entries()].find(([, list]) => list.some((mark) => mark.kind === lead?.kind));
  return holding?.[0] ?? findPicturePage(content, lead ? [lead] : marks) ?? [...byPage.keys()][0] ?? 0;
}

/** The page of a picture that a model described: its words stand behind all pages, and their block names the page. */
function findPicturePage(content: ViewProps["content"], marks: readonly Span[]): number | null {
  const described = content.blocks.find(
    (block) => block.kind === "description" && marks.some((mark) => mark.start < block.end && mark.end > block.start),
  );
  return described?.page ?? null;
}

/** The turn in degrees, clockwise, that sets a page upright whose text was recognised in another position. */
export const pageRotation = (content: ViewProps["content"], number: number): number =>
  content.pages.find((page) => page.number === number)?.turned ?? 0;
