import { lazy, Suspense, useEffect } from "react";
import type { Doc } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { formatCount } from "../text/format";
import { mark, t } from "../text/language";
import { type DocumentKind, documentKind } from "./documentKind";
import type { OnError } from "./PageCanvas";
import type { PageStackProps } from "./PageStack";
import { ProseView } from "./Prose";
import { useMarkInView, type ViewProps } from "./viewHooks";
import { CodeView } from "./views/CodeView";
import { MailView } from "./views/MailView";
import { SheetView } from "./views/SheetView";
import { SlidesView } from "./views/SlidesView";
import { TextView } from "./views/TextView";

const Picture = lazy(() => import("./PictureView").then((module) => ({ default: module.PictureView })));
const Pdf = lazy(() => import("./PdfView").then((module) => ({ default: module.PdfView })));

export type Tab = "page" | "text" | "about" | "linked";

interface Props extends ViewProps {
  tab: "page" | "text";
  markKey: string;
  onPage?: (page: number, of: number) => void;
  onTrouble?: OnError;
  /** What a search is at is not drawn in this view. */
  onMissed?: () => void;
  /** Where thumbnails of the pages may stand. */
  strip?: HTMLElement | null;
}

const noop = () => undefined;

/** A document as its kind is shown (`page`), or its text as it was read (`text`), with the mark in view. */
export function DocumentView({ tab, markKey, onPage = noop, onTrouble = noop, onMissed = noop, strip = null, ...view }: Props) {
  const searching = view.marks.some((mark) => mark.kind === "current");
  const node = useMarkInView(`${view.document.id} ${tab} ${markKey}`, searching);
  const kind = documentKind(view.document.file_type, view.document.parser);
  const drawn = kind === "pdf" || kind === "picture";
  const marked = view.marks.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each mark; pages that are drawn say it themselves
  useEffect(() => {
    if (tab === "text" || drawn || !marked || node.current?.querySelector(searching ? "[data-hit=current]" : "[data-mark]")) return;
    if (searching) onMissed();
    else onTrouble(t("This view leaves the place out, so the quotation is marked in the text."));
  }, [markKey, tab, drawn, searching, view.content]);
  return (
    <div ref={node} data-testid={`view-${tab}`}>
      <TruncationNote content={view.content} />
      {tab === "text" ? <TextView {...view} /> : <KindView {...view} kind={kind} sheets={{ markKey, onPage, onTrouble, onMissed, strip }} />}
    </div>
  );
}

/** A very long text is shown around its place only. */
function TruncationNote({ content }: { content: ViewProps["content"] }) {
  if (content.start === 0 && content.end >= content.total) return null;
  return (
    <p role="note" className="num mb-3 text-[12.5px] text-ink-3">
      {t("A long document: characters {from} to {to} of {total} are shown here.", {
        from: formatCount(content.start),
        to: formatCount(content.end),
        total: formatCount(content.total),
      })}
    </p>
  );
}

type PageHandlers = Pick<PageStackProps, "markKey" | "onPage" | "onTrouble" | "onMissed" | "strip">;

function KindView({ kind, sheets, ...view }: ViewProps & { kind: DocumentKind; sheets: PageHandlers }) {
  switch (kind) {
    case "pdf":
    case "picture": {
      const Drawn = kind === "pdf" ? Pdf : Picture;
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

export const pageTab: Record<ReturnType<typeof documentKind>, string> = {
  pdf: mark("Page"),
  picture: mark("Picture"),
  sheet: mark("Sheet"),
  slides: mark("Slides"),
  mail: mark("Mail"),
  code: mark("Code"),
  text: mark("Page"),
};

export const ContentError = ({ error, onRetry, document }: { error: unknown; onRetry: () => void; document?: Doc | undefined }) => (
  <div className="p-5">
    <ErrorMessage error={error} onRetry={onRetry}>
      {document && <p className="mt-1 text-ink-2">{t("It was about {name}.", { name: document.filename })}</p>}
    </ErrorMessage>
  </div>
);
