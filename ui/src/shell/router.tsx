import { type AnchorHTMLAttributes, type MouseEvent, useMemo, useSyncExternalStore } from "react";

export type Route =
  | { view: "conversation"; id: string | null }
  | { view: "library" }
  | { view: "document"; id: string }
  | { view: "traces" }
  | { view: "trace"; id: string }
  | { view: "comparison" }
  | { view: "memory" }
  | { view: "settings" }
  | { view: "graph"; id: string | null }
  | { view: "evaluation" }
  | { view: "retrieval-test" }
  | { view: "evaluation-run"; id: string }
  | { view: "evaluation-comparison" }
  | { view: "unknown" };

/** What the source pane shows: a citation of a run, or a stretch of a document. Offsets are code points. */
export interface SourceAddress {
  document: string;
  start: number | null;
  end: number | null;
  run: string | null;
  number: number | null;
  tab: string | null;
}

const CHANGED = "vantage:address";

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(CHANGED, listener);
  };
}

const current = (): string => window.location.pathname + window.location.search;

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (to === current()) return;
  if (options.replace) window.history.replaceState(null, "", to);
  else window.history.pushState(null, "", to);
  window.dispatchEvent(new Event(CHANGED));
}

export function useAddress(): { path: string; search: URLSearchParams } {
  const address = useSyncExternalStore(subscribe, current);
  return useMemo(() => {
    const url = new URL(address, window.location.origin);
    return { path: url.pathname, search: url.searchParams };
  }, [address]);
}

export function parseRoute(path: string): Route {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  if (parts.length === 0) return { view: "conversation", id: null };
  if (parts[0] !== "app") return { view: "unknown" };
  const [, view, id] = parts;
  if (view === undefined) return { view: "conversation", id: null };
  if (view === "c" && id) return { view: "conversation", id };
  if (view === "library") return id ? { view: "document", id } : { view: "library" };
  if (view === "traces" && id === "compare") return { view: "comparison" };
  if (view === "traces") return id ? { view: "trace", id } : { view: "traces" };
  if (view === "memory" && id === undefined) return { view: "memory" };
  if (view === "settings" && id === undefined) return { view: "settings" };
  if (view === "graph") return { view: "graph", id: id ?? null };
  if (view === "evaluation") return parseEvaluation(parts.slice(2));
  return { view: "unknown" };
}

function parseEvaluation([part, id, ...more]: string[]): Route {
  if (part === undefined) return { view: "evaluation" };
  if (part === "test" && id === undefined) return { view: "retrieval-test" };
  if (part === "compare" && id === undefined) return { view: "evaluation-comparison" };
  if (part === "runs" && id && more.length === 0) return { view: "evaluation-run", id };
  return { view: "unknown" };
}

const integer = (text: string | null): number | null => {
  if (text === null || !/^\d{1,12}$/.test(text)) return null;
  return Number(text);
};

export function parseSource(search: URLSearchParams): SourceAddress | null {
  const document = search.get("doc");
  if (!document) return null;
  return {
    document,
    start: integer(search.get("from")),
    end: integer(search.get("to")),
    run: search.get("run"),
    number: integer(search.get("n")),
    tab: search.get("tab"),
  };
}

export function withSource(path: string, source: Partial<SourceAddress> | null): string {
  if (!source?.document) return path;
  const search = new URLSearchParams({ doc: source.document });
  if (source.start != null) search.set("from", String(source.start));
  if (source.end != null) search.set("to", String(source.end));
  if (source.run) search.set("run", source.run);
  if (source.number != null) search.set("n", String(source.number));
  if (source.tab) search.set("tab", source.tab);
  return `${path}?${search}`;
}

/** The address without the source pane; what else a page keeps in it stays. */
function withoutSource(): string {
  const search = new URLSearchParams(window.location.search);
  for (const name of ["doc", "from", "to", "run", "n", "tab"]) search.delete(name);
  return search.size ? `${window.location.pathname}?${search}` : window.location.pathname;
}

/** Opens the source pane beside what is shown now, or changes what it shows. */
export function openSource(source: Partial<SourceAddress>): void {
  const replacing = new URLSearchParams(window.location.search).has("doc");
  const [path = "", rest] = withoutSource().split("?");
  const to = withSource(path, source);
  navigate(rest ? to.replace("?", `?${rest}&`) : to, { replace: replacing });
}

export const closeSource = (): void => navigate(withoutSource());

export const conversationPath = (id: string): string => `/app/c/${encodeURIComponent(id)}`;
export const documentPath = (id: string): string => `/app/library/${encodeURIComponent(id)}`;
export const entityPath = (id: string): string => `/app/graph/${encodeURIComponent(id)}`;
export const tracePath = (id: string): string => `/app/traces/${encodeURIComponent(id)}`;
export const comparisonPath = (left: string, right: string): string => `/app/traces/compare?${new URLSearchParams({ left, right })}`;

export const evaluationRunPath = (id: string): string => `/app/evaluation/runs/${encodeURIComponent(id)}`;
export const evaluationComparisonPath = (before: string, after: string): string =>
  `/app/evaluation/compare?${new URLSearchParams({ before, after })}`;
export const retrievalTestPath = (query: string): string => `/app/evaluation/test?${new URLSearchParams({ q: query })}`;

/** A link that stays in the page; with a modifier key the browser does what it always does. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
