import { lazy, Suspense } from "react";
import type { Doc } from "../api/types";
import { Trouble } from "../parts/Trouble";
import { count } from "../text/format";
import { CodeView, MailView, SheetView, SlidesView, TextView } from "./Clothes";
import { clothesOf } from "./kind";
import { ProseView } from "./Prose";
import type { OnTrouble } from "./Sheet";
import { useMarkInView, type ViewProps } from "./view";

const Picture = lazy(() => import("./PictureView").then((module) => ({ default: module.PictureView })));
const Pdf = lazy(() => import("./PdfView").then((module) => ({ default: module.PdfView })));

export type Tab = "page" | "text" | "about" | "linked";

interface Props extends ViewProps {
  tab: "page" | "text";
  markKey: string;
  onPage?: (page: number, of: number) => void;
  onTrouble?: OnTrouble;
}

/** A document in its own clothes (`page`), or its text as it was read (`text`), with the mark in view. */
export function DocumentView({ tab, markKey, onPage, onTrouble, ...view }: Props) {
  const node = useMarkInView(`${view.document.id} ${tab} ${markKey}`, true);
  return (
    <div ref={node} data-testid={`view-${tab}`}>
      <Cut content={view.content} />
      {tab === "text" ? <TextView {...view} /> : <Dressed {...view} markKey={markKey} onPage={onPage} onTrouble={onTrouble} />}
    </div>
  );
}

/** A very long text is shown around its place only. */
function Cut({ content }: { content: ViewProps["content"] }) {
  if (content.start === 0 && content.end >= content.total) return null;
  return (
    <p role="note" className="num mb-3 text-[12.5px] text-ink-3">
      A long document: characters {count(content.start)} to {count(content.end)} of {count(content.total)} are shown here.
    </p>
  );
}

function Dressed({
  markKey,
  onPage,
  onTrouble,
  ...view
}: ViewProps & { markKey: string; onPage?: Props["onPage"] | undefined; onTrouble?: Props["onTrouble"] | undefined }) {
  const clothes = clothesOf(view.document.file_type, view.document.parser);
  switch (clothes) {
    case "pdf":
    case "picture": {
      const Drawn = clothes === "pdf" ? Pdf : Picture;
      return (
        <Suspense fallback={<div className="sheet-paper aspect-[1/1.41] animate-breathe" />}>
          <Drawn key={view.document.id} {...view} markKey={markKey} onPage={onPage ?? (() => undefined)} onTrouble={onTrouble ?? (() => undefined)} />
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
  pdf: "Page",
  picture: "Picture",
  sheet: "Sheet",
  slides: "Slides",
  mail: "Mail",
  code: "Code",
  text: "Page",
};

export const ContentTrouble = ({ error, onRetry, document }: { error: unknown; onRetry: () => void; document?: Doc | undefined }) => (
  <div className="p-5">
    <Trouble error={error} onRetry={onRetry}>
      {document && <p className="mt-1 text-ink-2">It was about {document.filename}.</p>}
    </Trouble>
  </div>
);
