import { lazy, Suspense, useEffect } from "react";
import type { Doc } from "../api/types";
import { Trouble } from "../parts/Trouble";
import { count } from "../text/format";
import { mark, t } from "../text/language";
import { CodeView, MailView, SheetView, SlidesView, TextView } from "./Clothes";
import { type Clothes, clothesOf } from "./kind";
import { ProseView } from "./Prose";
import type { OnTrouble } from "./Sheet";
import type { SheetsProps } from "./Sheets";
import { useMarkInView, type ViewProps } from "./view";

const Picture = lazy(() => import("./PictureView").then((module) => ({ default: module.PictureView })));
const Pdf = lazy(() => import("./PdfView").then((module) => ({ default: module.PdfView })));

export type Tab = "page" | "text" | "about" | "linked";

interface Props extends ViewProps {
  tab: "page" | "text";
  markKey: string;
  onPage?: (page: number, of: number) => void;
  onTrouble?: OnTrouble;
  /** What a search is at is not drawn in this view. */
  onMissed?: () => void;
  /** Where thumbnails of the pages may stand. */
  strip?: HTMLElement | null;
}

const nothing = () => undefined;

/** A document in its own clothes (`page`), or its text as it was read (`text`), with the mark in view. */
export function DocumentView({ tab, markKey, onPage = nothing, onTrouble = nothing, onMissed = nothing, strip = null, ...view }: Props) {
  const searching = view.marks.some((mark) => mark.kind === "current");
  const node = useMarkInView(`${view.document.id} ${tab} ${markKey}`, searching);
  const clothes = clothesOf(view.document.file_type, view.document.parser);
  const drawn = clothes === "pdf" || clothes === "picture";
  const marked = view.marks.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each mark; pages that are drawn say it themselves
  useEffect(() => {
    if (tab === "text" || drawn || !marked || node.current?.querySelector(searching ? "[data-hit=current]" : "[data-mark]")) return;
    if (searching) onMissed();
    else onTrouble(t("This view leaves the place out, so the quotation is marked in the text."));
  }, [markKey, tab, drawn, searching, view.content]);
  return (
    <div ref={node} data-testid={`view-${tab}`}>
      <Cut content={view.content} />
      {tab === "text" ? <TextView {...view} /> : <Dressed {...view} clothes={clothes} sheets={{ markKey, onPage, onTrouble, onMissed, strip }} />}
    </div>
  );
}

/** A very long text is shown around its place only. */
function Cut({ content }: { content: ViewProps["content"] }) {
  if (content.start === 0 && content.end >= content.total) return null;
  return (
    <p role="note" className="num mb-3 text-[12.5px] text-ink-3">
      {t("A long document: characters {from} to {to} of {total} are shown here.", {
        from: count(content.start),
        to: count(content.end),
        total: count(content.total),
      })}
    </p>
  );
}

type ForSheets = Pick<SheetsProps, "markKey" | "onPage" | "onTrouble" | "onMissed" | "strip">;

function Dressed({ clothes, sheets, ...view }: ViewProps & { clothes: Clothes; sheets: ForSheets }) {
  switch (clothes) {
    case "pdf":
    case "picture": {
      const Drawn = clothes === "pdf" ? Pdf : Picture;
      return (
        <Suspense fallback={<div className="sheet-paper aspect-[1/1.41] animate-breathe" />}>
          <Drawn key={view.document.id} {...view} {...sheets} />
        </Suspense>
      );
    }
    case "sheet":
      return <SheetView {...view} />;
    case "slides":
      return view.content.pages.length > 0 ? <SlidesView {...view} /> : <ProseView {...view} />;
    case "mail":
      return <MailView {...view} />;
    case "code":
      return <CodeView {...view} />;
    default:
      return <ProseView {...view} />;
  }
}

export const pageTab: Record<ReturnType<typeof clothesOf>, string> = {
  pdf: mark("Page"),
  picture: mark("Picture"),
  sheet: mark("Sheet"),
  slides: mark("Slides"),
  mail: mark("Mail"),
  code: mark("Code"),
  text: mark("Page"),
};

export const ContentTrouble = ({ error, onRetry, document }: { error: unknown; onRetry: () => void; document?: Doc | undefined }) => (
  <div className="p-5">
    <Trouble error={error} onRetry={onRetry}>
      {document && <p className="mt-1 text-ink-2">{t("It was about {name}.", { name: document.filename })}</p>}
    </Trouble>
  </div>
);
