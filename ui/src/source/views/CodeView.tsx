import { isMarked, MarkedText } from "../MarkedText";
import type { ViewProps } from "../viewHooks";

/** Source code with line numbers. */
export function CodeView(view: ViewProps) {
  const { content, points, marks } = view;
  let at = 0;
  return (
    <div className="sheet-paper overflow-x-auto py-3">
      <pre className="w-max min-w-full font-mono text-[12.5px] leading-[1.6]">
        {content.text.split("\n").map((line, index) => {
          const start = content.start + points.toCodePoint(at);
          const end = content.start + points.toCodePoint(at + line.length);
          at += line.length + 1;
          return (
            <div
              key={start}
              className={`flex ${isMarked(marks, start, Math.max(end, start + 1)) ? "bg-[color-mix(in_srgb,var(--mark)_45%,transparent)]" : ""}`}
            >
              <span aria-hidden className="num w-12 shrink-0 select-none pr-3 text-right text-ink-3">
                {index + 1}
              </span>
              <code className="pr-4" dir="auto">
                <MarkedText points={points} offset={content.start} start={start} end={end} marks={marks} />
                {line === "" && " "}
              </code>
            </div>
          );
        })}
      </pre>
    </div>
  );
}
