import { t } from "../../text/language";
import { Blocks } from "../Prose";
import type { ViewProps } from "../viewHooks";

/** Slides, each on its own card. */
export function SlidesView(view: ViewProps) {
  const { content } = view;
  return (
    <div className="flex flex-col gap-5">
      {content.pages.map((page) => {
        const blocks = content.blocks.filter((block) => block.start >= page.start && block.end <= page.end);
        return (
          <section
            key={page.number}
            aria-label={t("Slide {n}", { n: page.number })}
            className="sheet-paper relative grid w-full grid-cols-[minmax(0,1fr)] font-sans"
          >
            {/* Gives the card the shape of a slide; what a slide has too much of makes it taller. */}
            <i aria-hidden className="col-start-1 row-start-1 aspect-video w-full" />
            <div className="col-start-1 row-start-1 min-w-0 overflow-x-auto px-[7%] py-[6%] text-[14px] leading-normal [overflow-wrap:anywhere] [&_h2]:font-sans [&_h3]:font-sans">
              <Blocks view={view} blocks={blocks} />
            </div>
            <span className="num absolute right-3 bottom-2 text-[11.5px] text-ink-3">{page.number}</span>
          </section>
        );
      })}
    </div>
  );
}
