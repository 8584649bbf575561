import { useMemo, useState } from "react";
import type { Content } from "../api/types";
import type { Span } from "../text/codepoints";
import { findFirstHit, findHits, foldText, limitHits } from "./textSearch";
import { usePoints } from "./viewHooks";

export interface SearchState {
  open: boolean;
  query: string;
  /** The mark beside which the search stands: another one that is chosen leads the reader, until they go on searching. */
  beside: string;
  /** The place from which it begins, and the steps that were taken from there. */
  from: number;
  steps: number;
}

const CLOSED: SearchState = { open: false, query: "", beside: "", from: 0, steps: 0 };

/** A search in the text of the source: what it looks for and where it is. The places follow from the text (`useHits`). */
export function useTextSearch(markKey: string, start: number) {
  const [search, setSearch] = useState(CLOSED);
  const active = search.open && search.query !== "" && search.beside === markKey;
  return {
    ...search,
    active,
    show: () => setSearch((now) => ({ ...now, open: true, beside: "" })),
    close: () => setSearch(CLOSED),
    /** Looks for other words, from where the reader is. */
    look: (query: string, at: number | null) => setSearch({ open: true, query, beside: markKey, from: at ?? start, steps: 0 }),
    step: (by: number) =>
      setSearch((now) => (active ? { ...now, steps: now.steps + by } : { ...now, beside: markKey, from: start, steps: by < 0 ? by : 0 })),
  };
}

export type SourceSearch = ReturnType<typeof useTextSearch>;

export interface Hits {
  count: number;
  /** The place of the current one among all, from 0; null where a citation leads. */
  index: number | null;
  current: Span | null;
  /** Those around it, to be drawn. */
  drawn: Span[];
}

const NONE: Hits = { count: 0, index: null, current: null, drawn: [] };

/** What the search has found in the whole text; null until the text is there. */
export function useHits(search: SourceSearch, whole: Content | undefined): Hits | null {
  const points = usePoints(search.open ? whole : undefined);
  const folded = useMemo(() => (search.open && whole ? foldText(whole.text) : null), [search.open, whole]);
  const hits = useMemo(() => (folded ? findHits(points, folded, search.query, whole?.start) : null), [folded, points, search.query, whole]);
  const { active, from, steps } = search;
  return useMemo(() => {
    if (!hits) return null;
    if (hits.length === 0) return NONE;
    const first = findFirstHit(hits, from);
    if (!active)
      return { count: hits.length, index: null, current: null, drawn: limitHits(hits, first).map((hit) => ({ ...hit, kind: "hit" as const })) };
    const index = (((first + steps) % hits.length) + hits.length) % hits.length;
    return { count: hits.length, index, current: hits[index] ?? null, drawn: limitHits(hits, index) };
  }, [hits, active, from, steps]);
}
