import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { LinePlace } from "../api/types";
import { mark, t } from "../text/language";
import { type Box, findLineBoxes, measureCoverage } from "./lineBoxes";

/** What is to be marked on one page: the words with their place in the document, and where on the page's text they stand (0..1). */
export interface PageMark {
  start: number;
  end: number;
  text: string;
  /** A few characters on either side of it. */
  before: string;
  after: string;
  hint: number;
  kind: Box["kind"];
}

/** A page that is drawn: its height by its width, and where it has words of its own. */
export interface PaintedPage {
  ratio: number;
  find: (mark: PageMark, sheet: HTMLElement) => Box[];
}

/** Draws a page into the canvas, `width` pixels wide, and its words, where it has some, into `words`. */
export type Paint = (number: number, canvas: HTMLCanvasElement, words: HTMLElement, width: number) => Promise<PaintedPage>;

/** The pages cannot be shown, or the marked words are not found on their page; `rereading` says that reading the file again helps. */
export type OnError = (reason: string, rereading?: boolean) => void;

interface Props {
  number: number;
  paint: Paint;
  ratio: number;
  marks: readonly PageMark[];
  /** Where recognised text stands on it; undefined until that is known. */
  lines: readonly LinePlace[] | undefined;
  target: boolean;
  markKey: string;
  onSeen: (page: number) => void;
  onTrouble: OnError;
  onMissed: () => void;
  zoom: number;
}

const LAYERS: readonly Box["kind"][] = ["passage", "quote", "hit", "current"];
const GROUND: Record<Box["kind"], string> = {
  passage: "bg-[#fff0c4]",
  quote: "bg-[#ffd65c]",
  hit: "bg-[#bfe0ff]",
  current: "bg-[#7fc0ff] outline-2 outline-[#1b6fc2]",
};

const READ_BEFORE = mark("This page is a picture. It was read before positions of words were stored, so the quotation is marked in the text.");
const NOT_FOUND = mark("The quoted words could not be found on the drawn page; they are marked in the text.");

/** One page: drawn when it comes near the view, with its words above the picture and the marks between them. */
export function PageCanvas({ number, paint, ratio, marks, lines, target, markKey, onSeen, onTrouble, onMissed, zoom }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(target);
  const [shape, setShape] = useState(ratio);
  const [painted, setPainted] = useState<PaintedPage | null>(null);
  const [failed, setFailed] = useState(false);
  const [boxes, setBoxes] = useState<Box[]>([]);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;
  const missed = useRef(onMissed);
  missed.current = onMissed;

  useEffect(() => {
    if (target) setNear(true);
  }, [target]);

  useEffect(() => {
    const node = holder.current;
    if (!node) return;
    const root = node.closest("[role=tabpanel]");
    const close = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { root, rootMargin: "900px 0px" });
    const middle = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(number), { root, rootMargin: "-45% 0px -45% 0px" });
    close.observe(node);
    middle.observe(node);
    return () => {
      close.disconnect();
      middle.disconnect();
    };
  }, [number]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is brought into view when its mark is chosen
  useLayoutEffect(() => {
    if (target) holder.current?.scrollIntoView({ block: "start" });
  }, [target, markKey]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page of another size is drawn again
  useEffect(() => {
    const [sheet, picture, text] = [holder.current, canvas.current, words.current];
    if (!near || !sheet || !picture || !text) return;
    let alive = true;
    paint(number, picture, text, sheet.clientWidth || 460)
      .then((result) => {
        if (!alive) return;
        setFailed(false);
        setShape(result.ratio);
        setPainted(result);
      })
      .catch((error: unknown) => {
        if (!alive) return;
        setFailed(true);
        const reason = error instanceof Error ? error.message : String(error);
        if (target) trouble.current(t("Page {n} cannot be drawn ({reason}).", { n: number, reason }));
        else console.info(`Page ${number} could not be drawn.`, error);
      });
    return () => {
      alive = false;
    };
  }, [near, paint, number, zoom]);

  useLayoutEffect(() => {
    if (!painted || !lines || !holder.current) return;
    const sheet = holder.current;
    const found = marks.map((mark) => {
      const read = findLineBoxes(lines, mark.start, mark.end, mark.kind);
      // On a page with text of its own and text in pictures, a passage may go on from one to the other.
      return measureCoverage(lines, mark.start, mark.end) > 0.6 ? read : [...painted.find(mark, sheet), ...read];
    });
    // What is quoted is drawn over its passage, and what a search has found over both.
    setBoxes(found.flat().sort((a, b) => LAYERS.indexOf(a.kind) - LAYERS.indexOf(b.kind)));
    const unmarked = (kind: Box["kind"]) => marks.some((mark, index) => mark.kind === kind && found[index]?.length === 0);
    if (unmarked("current")) missed.current();
    // A passage may go on over pages of which one does not have its words; where it was clicked it must be marked.
    const missing = unmarked("quote") || (target && !marks.some((mark) => mark.kind !== "passage") && unmarked("passage"));
    const drawnOnly = !words.current?.textContent?.trim();
    if (missing) trouble.current(t(drawnOnly ? READ_BEFORE : NOT_FOUND), drawnOnly);
  }, [painted, marks, lines, target]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once the boxes stand, the quoted words come into the middle
  useLayoutEffect(() => {
    if (!target || boxes.length === 0) return;
    const wanted = ["[data-hit=current]", "[data-mark=quote]", "[data-mark]"].map((selector) => holder.current?.querySelector(selector));
    wanted.find((box) => box)?.scrollIntoView({ block: "center", inline: "nearest" });
  }, [target, boxes, markKey]);

  return (
    <div
      ref={holder}
      data-page={number}
      className="relative mx-auto w-full overflow-hidden rounded-[4px] border border-line bg-white shadow-calm"
      style={{ aspectRatio: `1 / ${shape}` }}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" role="img" aria-label={t("Page {n}", { n: number })} />
      {!painted && (
        <p role={target ? "status" : undefined} className="absolute inset-0 grid place-items-center text-[#5c5c5c] text-[13px]">
          {failed ? t("Page {n} cannot be drawn.", { n: number }) : t("Loading page {n} …", { n: number })}
        </p>
      )}
      <div aria-hidden className="pointer-events-none absolute inset-0 mix-blend-multiply">
        {boxes.map((box, index) => (
          <i
            key={index}
            {...(box.kind === "quote" || box.kind === "passage" ? { "data-mark": box.kind } : { "data-hit": box.kind })}
            className={`absolute rounded-[2px] ${GROUND[box.kind]}`}
            style={{
              left: `${box.left}%`,
              top: `${box.top}%`,
              width: `${box.width}%`,
              height: `${box.height}%`,
              ...(box.angle ? { rotate: `${box.angle}deg`, transformOrigin: box.origin } : {}),
            }}
          />
        ))}
      </div>
      <div ref={words} className="pdf-words" />
    </div>
  );
}
