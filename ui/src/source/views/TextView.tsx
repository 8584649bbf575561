import { mark, t } from "../../text/language";
import { MarkedText } from "../MarkedText";
import type { ViewProps } from "../viewHooks";

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
            <MarkedText points={points} offset={content.start} start={piece.start} end={piece.end} marks={marks} />
          </div>
        </div>
      ))}
    </div>
  );
}
