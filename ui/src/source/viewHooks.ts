import { useEffect, useMemo, useRef } from "react";
import type { Content, Doc } from "../api/types";
import { CodePoints, type Span } from "../text/codepoints";

/** What every view of a document is given. */
export interface ViewProps {
  document: Doc;
  content: Content;
  points: CodePoints;
  marks: readonly Span[];
}

export const usePoints = (content: Content | undefined): CodePoints => useMemo(() => new CodePoints(content?.text ?? ""), [content]);

/** What the reader does when they look for themselves: from then on their place is left alone. */
const BY_HAND = ["wheel", "touchstart", "pointerdown", "keydown", "vantage:moved"] as const;
/** Says that the reader went elsewhere by a control that stands outside of the view. */
export const reportManualMove = (view: Element | null): boolean => view?.dispatchEvent(new Event("vantage:moved", { bubbles: true })) ?? false;
/** How long a mark is kept in the middle: what stands above it gets its true height only as it comes near, and panes open slowly. */
const SETTLING_MS = 4_000;

/** The mark to be brought into view: the cited cell, else what is quoted, else its passage. */
const QUOTED = ["[data-mark=quote] [data-cell]", "[data-mark=quote]", "[data-mark]"];
/** While a search is at a place, that alone: it may not be drawn yet, and the quotation stands elsewhere. */
const FOUND = ["[data-hit=current]"];

/** Brings the mark into the middle of the view when another one is chosen, and leaves the reader's place alone otherwise. */
export function useMarkInView(key: string, searching: boolean) {
  const node = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the mark
  useEffect(() => (node.current ? keepInView(node.current, searching ? FOUND : QUOTED) : undefined), [key, searching]);
  return node;
}

/** Keeps the mark of a view in its middle until the view has settled or the reader moves it. The mark may come later than the view. */
function keepInView(view: HTMLElement, wanted: readonly string[]): () => void {
  const scroller = view.closest("[role=tabpanel]") ?? view;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    const mark = wanted.map((selector) => view.querySelector(selector)).find((found) => found !== null);
    if (!mark) return;
    mark.scrollIntoView({ block: "center", inline: "nearest" });
    timer ??= setTimeout(stop, SETTLING_MS);
  };
  const added = new MutationObserver(show);
  const resized = new ResizeObserver(show);
  const stop = () => {
    added.disconnect();
    resized.disconnect();
    clearTimeout(timer);
    for (const name of BY_HAND) scroller.removeEventListener(name, stop, true);
  };
  added.observe(view, { childList: true, subtree: true });
  resized.observe(view);
  resized.observe(scroller);
  for (const name of BY_HAND) scroller.addEventListener(name, stop, { capture: true, passive: true });
  show();
  return stop;
}
