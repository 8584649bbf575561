import type { DocumentEntities, Entity } from "../api/types";
import { t } from "../text/language";

export interface LinkedDocument {
  id: string;
  score: number;
  /** What both documents mention, the rarest first. */
  shared: Entity[];
}

/** Dates and amounts are the same by chance more often than names are. */
const WEAK = new Set(["DATE", "AMOUNT"]);

/**
 * Documents that mention what this one mentions. An entity counts the more, the fewer documents mention it (inverse document frequency).
 */
export function findLinkedDocuments(found: DocumentEntities, most = 12): LinkedDocument[] {
  const linked = new Map<string, LinkedDocument>();
  for (const { entity } of found.entities) {
    const others = (entity.document_ids ?? []).filter((id) => id !== found.document_id);
    const worth = (WEAK.has(entity.entity_type) ? 0.25 : 1) / Math.log2(2 + others.length);
    for (const id of others) {
      const known = linked.get(id) ?? { id, score: 0, shared: [] };
      known.score += worth;
      known.shared.push(entity);
      linked.set(id, known);
    }
  }
  const rare = (a: Entity, b: Entity) =>
    Number(WEAK.has(a.entity_type)) - Number(WEAK.has(b.entity_type)) || (a.document_ids?.length ?? 0) - (b.document_ids?.length ?? 0);
  for (const one of linked.values()) one.shared.sort(rare);
  return [...linked.values()].sort((a, b) => b.score - a.score || a.id.localeCompare(b.id)).slice(0, most);
}

/** "Both mention Halden, Quay 7 and 3 more." */
export function describeShared(shared: readonly Entity[]): string {
  const named = shared.slice(0, 3).map((entity) => entity.name);
  const more = shared.length - named.length;
  const last = more > 0 ? t("{n} more", { n: more }) : (named.pop() ?? "");
  return t("Both mention {names}.", { names: named.length > 0 ? t("{first} and {last}", { first: named.join(", "), last }) : last });
}
