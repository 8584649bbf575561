import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "../text/language";

/** Draws a page into the canvas, `width` pixels wide, without its words; its height by its width. */
export type PaintSmall = (number: number, canvas: HTMLCanvasElement, width: number) => Promise<number>;

interface Props {
  /** Where the strip stands: above the pages, outside of what scrolls with them. */
  slot: HTMLElement;
  count: number;
  ratio: number;
  current: number;
  paint: PaintSmall;
  onChoose: (page: number) => void;
}

const WIDTH = 68;

/** The pages in small, side by side: only those in sight are drawn. Arrow keys, Home and End move among them, Enter goes to the page. */
export function Thumbnails({ slot, count, ratio, current, paint, onChoose }: Props) {
  const strip = useRef<HTMLElement>(null);
  const of = (page: number) => strip.current?.querySelector<HTMLElement>(`[data-thumbnail="${page}"]`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip follows the page that is read
  useEffect(() => {
    of(current)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const press = (event: KeyboardEvent) => {
    const at = Number((event.target as HTMLElement).dataset.thumbnail);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 1, End: count };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    of(Math.max(1, Math.min(count, to)))?.focus();
  };
  return createPortal(
    <nav
      ref={strip}
      aria-label={t("Pages")}
      className="flex gap-2.5 overflow-x-auto border-line border-b bg-surface px-[18px] pt-2.5 pb-1.5"
      onKeyDown={press}
      data-testid="thumbnails"
    >
      {Array.from({ length: count }, (_unused, index) => (
        <Thumbnail key={index + 1} number={index + 1} ratio={ratio} current={current === index + 1} paint={paint} onChoose={onChoose} />
      ))}
    </nav>,
    slot,
  );
}

interface OneProps {
  number: number;
  ratio: number;
  current: boolean;
  paint: PaintSmall;
  onChoose: (page: number) => void;
}

function Thumbnail({ number, ratio, current, paint, onChoose }: OneProps) {
  const holder = useRef<HTMLButtonElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [shape, setShape] = useState(ratio);
  const [state, setState] = useState<"" | "drawn" | "failed">("");
  useEffect(() => {
    const [node, picture] = [holder.current, canvas.current];
    if (!node || !picture) return;
    let alive = true;
    const draw = () =>
      paint(number, picture, WIDTH)
        .then((drawn) => {
          if (!alive) return;
          setShape(drawn);
          setState("drawn");
        })
        .catch((error: unknown) => {
          if (!alive) return;
          setState("failed");
          console.info(`Page ${number} could not be drawn in small.`, error);
        });
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        seen.disconnect();
        void draw();
      },
      { root: node.parentElement, rootMargin: "0px 80px" },
    );
    seen.observe(node);
    return () => {
      alive = false;
      seen.disconnect();
    };
  }, [number, paint]);
  return (
    <button
      ref={holder}
      type="button"
      data-thumbnail={number}
      data-state={state}
      tabIndex={current ? 0 : -1}
      aria-current={current ? "page" : undefined}
      aria-label={t("Page {n}", { n: number })}
      onClick={() => onChoose(number)}
      className="group num flex shrink-0 flex-col items-center gap-1 rounded-1 p-0.5 text-[11.5px] text-ink-3 aria-[current]:font-semibold aria-[current]:text-accent"
    >
      <span
        className="grid max-h-[96px] place-items-center overflow-hidden rounded-[3px] border border-line bg-white text-[#5c5c5c] group-aria-[current]:border-accent group-aria-[current]:outline-2 group-aria-[current]:outline-accent"
        style={{ width: WIDTH, aspectRatio: `1 / ${shape}` }}
      >
        <canvas ref={canvas} aria-hidden className={`w-full ${state === "drawn" ? "" : "hidden"}`} />
        {state === "failed" && "—"}
      </span>
      {number}
    </button>
  );
}
