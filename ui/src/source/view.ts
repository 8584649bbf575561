import { useLayoutEffect, useMemo, useRef } from "react";
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

/** Brings the mark into the middle of the view when another one is chosen, and leaves the reader's place alone otherwise. */
export function useMarkInView(key: string, ready: boolean) {
  const node = useRef<HTMLDivElement>(null);
  const done = useRef("");
  useLayoutEffect(() => {
    if (!ready || !node.current || done.current === key) return;
    done.current = key;
    const show = () =>
      (node.current?.querySelector("[data-mark=quote]") ?? node.current?.querySelector("[data-mark]"))?.scrollIntoView({ block: "center" });
    show();
    // A tab that was just chosen is not laid out yet, and what stands above the mark gets its true height only as it comes near.
    requestAnimationFrame(() => {
      show();
      requestAnimationFrame(show);
    });
  });
  return node;
}
