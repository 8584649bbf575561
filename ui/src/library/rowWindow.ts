import { type RefObject, useEffect, useState } from "react";

/** Rows drawn beyond what is in view, so that scrolling shows no gap. */
const AROUND = 8;

interface Place {
  count: number;
  /** The height of a row, in pixels. */
  row: number;
  /** How far the first row lies above the upper edge of what is in view. */
  above: number;
  /** The height of what is in view. */
  height: number;
}

/** The first row to draw, and the one behind the last. */
export function computeRowWindow({ count, row, above, height }: Place): [number, number] {
  const first = Math.floor(above / row) - AROUND;
  const last = Math.ceil((above + height) / row) + AROUND;
  const inside = (at: number) => Math.max(0, Math.min(count, at));
  return [inside(Math.min(first, count - AROUND)), inside(Math.max(last, AROUND))];
}

function scrollerOf(node: HTMLElement): HTMLElement {
  for (let at = node.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.documentElement;
}

/** Which of `count` rows of the list are in view: only they are drawn, so that thousands scroll like ten. */
export function useRowsInView(list: RefObject<HTMLElement | null>, count: number, row: number): [number, number] {
  const [[first, last], setShown] = useState<[number, number]>([0, 40]);
  useEffect(() => {
    const node = list.current;
    if (!node) return;
    const scroller = scrollerOf(node);
    const look = () => {
      const above = scroller.getBoundingClientRect().top - node.getBoundingClientRect().top;
      const next = computeRowWindow({ count, row, above, height: scroller.clientHeight });
      setShown((now) => (now[0] === next[0] && now[1] === next[1] ? now : next));
    };
    look();
    const watched = new ResizeObserver(look);
    watched.observe(scroller);
    if (scroller.firstElementChild) watched.observe(scroller.firstElementChild);
    scroller.addEventListener("scroll", look, { passive: true });
    return () => {
      watched.disconnect();
      scroller.removeEventListener("scroll", look);
    };
  }, [list, count, row]);
  return [Math.min(first, count), Math.min(last, count)];
}
