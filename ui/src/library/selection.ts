import { useMemo, useRef, useState } from "react";

/** The ids from one row to another, in the order of the list. */
export function idsBetween(ids: readonly string[], from: string | null, to: string): string[] {
  const [start, end] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** `chosen` with `ids`, or without them. */
export function changeSelection(chosen: ReadonlySet<string>, ids: readonly string[], adding: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const id of ids) {
    if (adding) next.add(id);
    else next.delete(id);
  }
  return next;
}

export interface Selection {
  chosen: ReadonlySet<string>;
  /** Chooses a row or lets it go; with `shift` all from the one before. */
  toggle: (id: string, shift: boolean) => void;
  /** Chooses everything from the row before to this one, as with Shift and an arrow key. */
  extend: (id: string) => void;
  replace: (ids: readonly string[]) => void;
}

/** Which of the rows `ids` are chosen. */
export function useSelection(ids: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const before = useRef<string | null>(null);
  return useMemo(
    () => ({
      chosen,
      toggle: (id, shift) => {
        const rows = shift ? idsBetween(ids, before.current, id) : [id];
        setChosen(changeSelection(chosen, rows, !chosen.has(id)));
        before.current = id;
      },
      extend: (id) => {
        setChosen(changeSelection(chosen, idsBetween(ids, before.current, id), true));
        before.current = id;
      },
      replace: (rows) => {
        setChosen(new Set(rows));
        before.current = null;
      },
    }),
    [chosen, ids],
  );
}
