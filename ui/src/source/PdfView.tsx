import { Minus, Plus } from "lucide-react";
import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
  version,
} from "pdfjs-dist";
import worker from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/client";
import type { Span } from "../text/codepoints";
import { locate, type Reduced, reduce } from "./locate";
import type { ViewProps } from "./view";

GlobalWorkerOptions.workerSrc = worker;

/** Height by width, until the file says its own. */
const A4 = 297 / 210;

interface Props extends ViewProps {
  /** Names the mark, so that a new one is brought into view. */
  markKey: string;
  onPage: (page: number, of: number) => void;
  /** The pages cannot be shown, or the marked words are not found on their page. */
  onTrouble: (reason: string) => void;
}

/** What is to be marked on one page: the words, and where on the page they stand (0..1). */
interface PageMark {
  text: string;
  hint: number;
  kind: "quote" | "passage";
}

export function PdfView({ document, content, points, marks, markKey, onPage, onTrouble }: Props) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [ratio, setRatio] = useState(A4);
  const [zoom, setZoom] = useState(1);
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;

  useEffect(() => {
    let task: PDFDocumentLoadingTask | null = getDocument({
      url: api.fileUrl(document.id),
      cMapUrl: `/assets/pdfjs-${version}/cmaps/`,
      standardFontDataUrl: `/assets/pdfjs-${version}/standard_fonts/`,
      wasmUrl: `/assets/pdfjs-${version}/wasm/`,
      iccUrl: `/assets/pdfjs-${version}/iccs/`,
      isEvalSupported: false,
      enableXfa: false,
    });
    task.promise
      .then(async (loaded) => {
        const first = await loaded.getPage(1);
        const size = first.getViewport({ scale: 1 });
        setRatio(size.height / size.width);
        setPdf(loaded);
      })
      .catch((error: unknown) => {
        if (task) trouble.current(`The pages cannot be drawn (${error instanceof Error ? error.message : String(error)}).`);
      });
    return () => {
      const closing = task;
      task = null;
      closing?.destroy().catch(() => undefined);
    };
  }, [document.id]);

  const byPage = useMemo(() => marksByPage(content.pages, points, content.start, marks), [content, points, marks]);
  const target = [...byPage.entries()].find(([, list]) => list.some((mark) => mark.kind === "quote"))?.[0] ?? [...byPage.keys()][0] ?? 0;
  if (!pdf)
    return (
      <div
        className="sheet-paper mx-auto w-full animate-breathe"
        style={{ aspectRatio: `1 / ${ratio}` }}
        role="status"
        aria-label="Loading the pages"
      />
    );
  return (
    <div className="relative">
      <div className="flex w-max min-w-full flex-col gap-4" style={{ width: `${zoom * 100}%` }}>
        {Array.from({ length: pdf.numPages }, (_unused, index) => (
          <PdfPage
            key={index + 1}
            pdf={pdf}
            number={index + 1}
            ratio={ratio}
            marks={byPage.get(index + 1) ?? none}
            target={target === index + 1}
            markKey={markKey}
            onSeen={(page) => onPage(page, pdf.numPages)}
            onTrouble={onTrouble}
            zoom={zoom}
          />
        ))}
      </div>
      <Zoom zoom={zoom} onZoom={setZoom} />
    </div>
  );
}

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

const none: PageMark[] = [];

function marksByPage(
  pages: ViewProps["content"]["pages"],
  points: ViewProps["points"],
  offset: number,
  marks: readonly Span[],
): Map<number, PageMark[]> {
  const found = new Map<number, PageMark[]>();
  for (const page of pages) {
    for (const mark of marks) {
      const start = Math.max(page.start, mark.start);
      const end = Math.min(page.end, mark.end);
      if (end <= start) continue;
      const kind = mark.kind === "quote" ? "quote" : "passage";
      const entry = {
        text: points.slice(start - offset, end - offset),
        hint: (start - page.start) / Math.max(1, page.end - page.start),
        kind,
      } as const;
      found.set(page.number, [...(found.get(page.number) ?? []), entry]);
    }
  }
  return found;
}

interface PageProps {
  pdf: PDFDocumentProxy;
  number: number;
  ratio: number;
  marks: PageMark[];
  target: boolean;
  markKey: string;
  onSeen: (page: number) => void;
  onTrouble: (reason: string) => void;
  zoom: number;
}

interface Drawn {
  layer: TextLayer;
  text: Reduced;
  length: number;
  starts: number[];
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  kind: PageMark["kind"];
}

/** One page: drawn when it comes near the view, with its text above the picture and the marks between them. */
function PdfPage({ pdf, number, ratio, marks, target, markKey, onSeen, onTrouble, zoom }: PageProps) {
  const holder = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(target);
  const [shape, setShape] = useState(ratio);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [boxes, setBoxes] = useState<Box[]>([]);
  const seen = useRef(onSeen);
  seen.current = onSeen;
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;

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
    if (!near) return;
    let alive = true;
    draw(pdf, number, holder.current, canvas.current, words.current, setShape)
      .then((result) => alive && setDrawn(result))
      .catch((error: unknown) => {
        if (alive) console.info(`Page ${number} could not be drawn.`, error);
      });
    return () => {
      alive = false;
    };
  }, [near, pdf, number, zoom]);

  useLayoutEffect(() => {
    if (!drawn || !holder.current) return;
    const found = marks.map((mark) => boxesOf(drawn, mark, holder.current as HTMLElement));
    // What is quoted is drawn over its passage.
    setBoxes(found.flat().sort((a, b) => Number(a.kind === "quote") - Number(b.kind === "quote")));
    const missing = marks.some((mark, index) => mark.kind === "quote" && found[index]?.length === 0);
    if (missing) trouble.current("The quoted words could not be found on the drawn page; they are marked in the text.");
  }, [drawn, marks]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once the boxes stand, the quoted words come into the middle
  useLayoutEffect(() => {
    if (!target || boxes.length === 0) return;
    (holder.current?.querySelector("[data-mark=quote]") ?? holder.current?.querySelector("[data-mark]"))?.scrollIntoView({ block: "center" });
  }, [target, boxes, markKey]);

  return (
    <div
      ref={holder}
      data-page={number}
      className="relative mx-auto w-full overflow-hidden rounded-[4px] border border-line bg-white shadow-calm"
      style={{ aspectRatio: `1 / ${shape}` }}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" role="img" aria-label={`Page ${number}`} />
      <div aria-hidden className="pointer-events-none absolute inset-0 mix-blend-multiply">
        {boxes.map((box, index) => (
          <i
            key={index}
            data-mark={box.kind}
            className={`absolute rounded-[2px] ${box.kind === "quote" ? "bg-[#ffd65c]" : "bg-[#fff0c4]"}`}
            style={{ left: `${box.left}%`, top: `${box.top}%`, width: `${box.width}%`, height: `${box.height}%` }}
          />
        ))}
      </div>
      <div ref={words} className="pdf-words" />
    </div>
  );
}

async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  holder: HTMLElement | null,
  canvas: HTMLCanvasElement | null,
  words: HTMLElement | null,
  onShape: (ratio: number) => void,
): Promise<Drawn | null> {
  if (!holder || !canvas || !words) return null;
  const page: PDFPageProxy = await pdf.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  onShape(natural.height / natural.width);
  const width = holder.clientWidth || 460;
  const viewport = page.getViewport({ scale: width / natural.width });
  const density = Math.min(2.5, Math.max(1.5, window.devicePixelRatio || 1));
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  await page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] }).promise;
  words.replaceChildren();
  words.style.setProperty("--total-scale-factor", String(viewport.scale));
  words.style.setProperty("--scale-factor", String(viewport.scale));
  const layer = new TextLayer({ textContentSource: await page.getTextContent(), container: words, viewport });
  await layer.render();
  const starts: number[] = [];
  let text = "";
  for (const piece of layer.textContentItemsStr) {
    starts.push(text.length);
    text += `${piece} `;
  }
  return { layer, text: reduce(text), length: text.length, starts };
}

/** Where the words of a mark stand, in percent of the page. */
function boxesOf(drawn: Drawn, mark: PageMark, holder: HTMLElement): Box[] {
  const range = locate(drawn.text, drawn.length, mark.text, mark.hint);
  if (!range) return [];
  const frame = holder.getBoundingClientRect();
  const boxes: Box[] = [];
  drawn.layer.textDivs.forEach((div, index) => {
    const start = drawn.starts[index] ?? 0;
    const piece = drawn.layer.textContentItemsStr[index] ?? "";
    const from = Math.max(0, range[0] - start);
    const to = Math.min(piece.length, range[1] - start);
    const node = div.firstChild;
    if (to <= from || !node || piece.slice(from, to).trim() === "") return;
    const words = document.createRange();
    words.setStart(node, from);
    words.setEnd(node, Math.min(to, node.textContent?.length ?? to));
    for (const rect of words.getClientRects()) {
      if (rect.width < 0.5 || rect.height < 0.5) continue;
      boxes.push({
        left: ((rect.left - frame.left - 1) / frame.width) * 100,
        top: ((rect.top - frame.top - 1) / frame.height) * 100,
        width: ((rect.width + 2) / frame.width) * 100,
        height: ((rect.height + 2) / frame.height) * 100,
        kind: mark.kind,
      });
    }
  });
  return boxes;
}
