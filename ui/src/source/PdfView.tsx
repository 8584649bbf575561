import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
  version,
} from "pdfjs-dist";
import worker from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import { mark, t } from "../text/language";
import { LockedFile } from "./LockedFile";
import type { Box } from "./lineBoxes";
import { isLocked, openLockedFile, passwords } from "./lockedFiles";
import type { PageMark, PaintedPage } from "./PageCanvas";
import { PageStack, type PageStackProps, pageRotation } from "./PageStack";
import { locate, locateInContext, locateWhole, reduceText } from "./quoteLocation";
import { locateCells, type PageWords } from "./tableCells";

GlobalWorkerOptions.workerSrc = worker;

/** Rows of a table that are looked for one by one. */
const MOST_ROWS = 400;
/** A quotation of fewer characters stands on its page more than once: what stands around it tells which it is. */
const SHORT = 24;
/** Height by width, until the file says its own. */
const A4 = 297 / 210;

interface OpenedPdf {
  /** The document that it is of. */
  of: string;
  pdf: PDFDocumentProxy;
  ratio: number;
}

/** A locked file waits for its password. */
interface PasswordRequest {
  wrong: boolean;
  give: (password: string) => void;
}

const LOCKED = mark(
  "This file is locked and its password is not stored, so the quotation is marked in the text. Enter it under “Page” to see it there.",
);

export function PdfView(view: PageStackProps) {
  const { document, content, onTrouble } = view;
  const [last, setOpened] = useState<OpenedPdf | null>(null);
  const opened = last?.of === document.id ? last : null;
  const [asked, setAsked] = useState<PasswordRequest | null>(null);
  /** The bytes out of a locked archive, once its password was given. */
  const [bytes, setBytes] = useState<{ of: string; data: ArrayBuffer } | null>(null);
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;
  const marked = useRef(false);
  marked.current = view.marks.length > 0;

  useEffect(() => {
    let task: PDFDocumentLoadingTask | null = getDocument({
      ...(bytes?.of === document.id ? { data: bytes.data.slice(0) } : { url: api.fileUrl(document.id) }),
      cMapUrl: `/assets/pdfjs-${version}/cmaps/`,
      standardFontDataUrl: `/assets/pdfjs-${version}/standard_fonts/`,
      wasmUrl: `/assets/pdfjs-${version}/wasm/`,
      iccUrl: `/assets/pdfjs-${version}/iccs/`,
      isEvalSupported: false,
      enableXfa: false,
    });
    task.onPassword = (give: (password: string) => void, reason: number) => {
      if (!task) return;
      const wrong = reason === PasswordResponses.INCORRECT_PASSWORD;
      const known = passwords.get(document.id);
      if (known !== undefined && !wrong) return give(known);
      passwords.delete(document.id);
      if (marked.current && !wrong) trouble.current(t(LOCKED));
      setAsked({
        wrong,
        give: (password) => {
          passwords.set(document.id, password);
          give(password);
        },
      });
    };
    task.promise
      .then(async (pdf) => {
        const first = await pdf.getPage(1);
        const size = first.getViewport({ scale: 1 });
        setOpened({ of: document.id, pdf, ratio: size.height / size.width });
      })
      .catch(async (error: unknown) => {
        const ofArchive = task !== null && document.file_path.includes("!/") && (await isLocked(document.id));
        const known = passwords.get(document.id);
        if (task && ofArchive && known !== undefined) await openArchive(known).catch(cannot);
        else if (task && ofArchive) {
          if (marked.current) trouble.current(t(LOCKED));
          askForArchive(false);
        } else if (task) cannot(error);
      });
    const cannot = (error: unknown) =>
      trouble.current(t("The pages cannot be drawn ({reason}).", { reason: error instanceof Error ? error.message : String(error) }));
    const askForArchive = (wrong: boolean) => setAsked({ wrong, give: (password) => void openArchive(password).catch(cannot) });
    const openArchive = async (password: string) => {
      const response = await openLockedFile(document.id, password);
      const data = await response?.arrayBuffer();
      if (!task) return;
      if (!data) return askForArchive(true);
      passwords.set(document.id, password);
      setBytes({ of: document.id, data });
    };
    return () => {
      const closing = task;
      task = null;
      setAsked(null);
      closing?.destroy().catch(() => undefined);
    };
  }, [document.id, document.file_path, bytes]);

  const pdf = opened?.pdf;
  const paint = useCallback(
    async (number: number, canvas: HTMLCanvasElement, words: HTMLElement, width: number): Promise<PaintedPage> => {
      if (!pdf) throw new Error("it is closed");
      const page = await pdf.getPage(number);
      return draw(page, (page.rotate + pageRotation(content, number)) % 360, canvas, words, width);
    },
    [pdf, content],
  );
  const paintSmall = useCallback(
    async (number: number, canvas: HTMLCanvasElement, width: number): Promise<number> => {
      if (!pdf) throw new Error("it is closed");
      const page = await pdf.getPage(number);
      return drawPicture(page, (page.rotate + pageRotation(content, number)) % 360, canvas, width).then((drawn) => drawn.ratio);
    },
    [pdf, content],
  );
  if (asked && !opened) return <LockedFile filename={document.filename} wrong={asked.wrong} onPassword={asked.give} />;
  if (!opened)
    return (
      <div
        className="sheet-paper mx-auto w-full animate-breathe"
        style={{ aspectRatio: `1 / ${A4}` }}
        role="status"
        aria-label={t("Loading the pages")}
      />
    );
  return <PageStack {...view} count={opened.pdf.numPages} ratio={opened.ratio} paint={paint} paintSmall={paintSmall} />;
}

async function drawPicture(page: PDFPageProxy, rotation: number, canvas: HTMLCanvasElement, width: number) {
  const natural = page.getViewport({ scale: 1, rotation });
  const viewport = page.getViewport({ scale: width / natural.width, rotation });
  const density = Math.min(2.5, Math.max(1.5, window.devicePixelRatio || 1));
  canvas.width = Math.floor(viewport.width * density);
  canvas.height = Math.floor(viewport.height * density);
  await page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] }).promise;
  return { viewport, ratio: natural.height / natural.width };
}

async function draw(page: PDFPageProxy, rotation: number, canvas: HTMLCanvasElement, words: HTMLElement, width: number): Promise<PaintedPage> {
  const { viewport, ratio } = await drawPicture(page, rotation, canvas, width);
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
  const read: PageWords = { text, reduced: reduceText(text), heightOf: (range) => heightOf(layer, starts, range) };
  const find = (mark: PageMark, sheet: HTMLElement): Box[] =>
    rangesOf(read, mark).flatMap((range) => boxesOf(layer, starts, range, mark.kind, sheet));
  return { ratio, find };
}

/** The stretches of a page's words that a mark is over. */
function rangesOf(page: PageWords, wanted: PageMark): [number, number][] {
  const hit = wanted.kind === "hit" || wanted.kind === "current";
  if (hit || wanted.text.length < SHORT) {
    const own = locateInContext(page.reduced, page.text.length, wanted);
    if (own || hit) return own ? [own] : [];
  }
  const whole = locateWhole(page.reduced, page.text.length, wanted.text, wanted.hint);
  if (whole) return [whole];
  const lines = wanted.text.split("\n");
  if (wanted.text.includes(" | ") && lines.length <= MOST_ROWS) {
    const found = lines.flatMap((line) => {
      const own = locateWhole(page.reduced, page.text.length, line, wanted.hint);
      return own ? [own] : locateCells(page, line, wanted.hint);
    });
    if (found.length > 0) return found;
  }
  const part = locate(page.reduced, page.text.length, wanted.text, wanted.hint);
  return part ? [part] : [];
}

/** From where to where on the screen the pieces of a stretch of words reach. */
function heightOf(layer: TextLayer, starts: readonly number[], range: [number, number]): [number, number] | null {
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = pieceAt(starts, range[0]); index <= pieceAt(starts, range[1] - 1); index++) {
    const frame = layer.textDivs[index]?.getBoundingClientRect();
    if (!frame || frame.height === 0) continue;
    [top, bottom] = [Math.min(top, frame.top), Math.max(bottom, frame.bottom)];
  }
  return bottom > top ? [top, bottom] : null;
}

/** The last piece that begins at an offset or before it. */
function pieceAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a range of the words of a page stands, in percent of the page. */
function boxesOf(layer: TextLayer, starts: readonly number[], range: [number, number], kind: Box["kind"], sheet: HTMLElement): Box[] {
  const frame = sheet.getBoundingClientRect();
  const boxes: Box[] = [];
  layer.textDivs.forEach((div, index) => {
    const start = starts[index] ?? 0;
    const piece = layer.textContentItemsStr[index] ?? "";
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
        kind,
      });
    }
  });
  return boxes;
}
