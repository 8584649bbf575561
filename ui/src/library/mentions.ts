import { useCallback, useMemo, useState } from "react";
import { useDocumentEntities } from "../api/queries";
import type { DocumentEntity } from "../api/types";
import type { Span } from "../text/codepoints";

/** The mentions of an entity as marks: the one in view strongly, the others lightly. */
export const markMentions = (chosen: DocumentEntity | null, at: number): Span[] =>
  (chosen?.mentions ?? []).map(({ start, end }, index) => ({ start, end, kind: index === at ? "quote" : "passage" }));

/** What a document mentions, which of it is chosen (by hand or in the address), and where its mentions are marked. */
export function useMentions(document: string, inAddress: string | null) {
  const found = useDocumentEntities(document).data ?? null;
  const [choice, setChoice] = useState<{ id: string | null; at: number } | null>(null);
  const id = choice ? choice.id : inAddress;
  const chosen = found?.entities.find((one) => one.entity.id === id) ?? null;
  const at = choice?.at ?? 0;
  const marks = useMemo(() => markMentions(chosen, at), [chosen, at]);
  const choose = useCallback(
    (next: DocumentEntity | null) =>
      setChoice((now) => {
        if (next === null) return { id: null, at: 0 };
        const current = now ? now.id : inAddress;
        return current === next.entity.id
          ? { id: current, at: ((now?.at ?? 0) + 1) % Math.max(1, next.mentions.length) }
          : { id: next.entity.id, at: 0 };
      }),
    [inAddress],
  );
  return { found, chosen, at, marks, choose, key: chosen ? `${chosen.entity.id}:${at}` : "" };
}
