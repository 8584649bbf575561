import type { Entity, EntityType, Neighbourhood, Relationship } from "../api/types";
import { mark, t } from "../text/language";

export const TYPES: readonly EntityType[] = ["PERSON", "ORGANIZATION", "LOCATION", "CONCEPT", "DATE", "AMOUNT", "IDENTIFIER", "EMAIL"];

/** Numbers and codes: they are no names and no terms, and shown when asked for. */
export const NUMBERS: readonly EntityType[] = ["DATE", "AMOUNT", "IDENTIFIER"];

const names: Record<EntityType, [one: string, many: string]> = {
  PERSON: [mark("person"), mark("People")],
  ORGANIZATION: [mark("organisation"), mark("Organisations")],
  LOCATION: [mark("place"), mark("Places")],
  CONCEPT: [mark("term"), mark("Terms")],
  DATE: [mark("date"), mark("Dates")],
  AMOUNT: [mark("amount"), mark("Amounts")],
  IDENTIFIER: [mark("identifier"), mark("Identifiers")],
  EMAIL: [mark("e-mail address"), mark("E-mail addresses")],
  TERM: [mark("term"), mark("Terms")],
};
export const typeWord = (type: EntityType): string => (names[type] ? t(names[type][0]) : type.toLowerCase());
export const typeHeading = (type: EntityType): string => (names[type] ? t(names[type][1]) : type.toLowerCase());

export const typeColour: Record<EntityType, string> = {
  PERSON: "var(--lexical)",
  ORGANIZATION: "var(--dense)",
  LOCATION: "var(--links)",
  CONCEPT: "var(--rerank)",
  DATE: "var(--ink-3)",
  AMOUNT: "var(--good)",
  IDENTIFIER: "var(--warn)",
  EMAIL: "var(--accent)",
  TERM: "var(--rerank)",
};

/** WORKS_AT → "works at" */
export const relationWord = (type: string): string => t(type.toLowerCase().replaceAll("_", " "));
/** What relationships are called that rules find; a model may name others. */
export const RELATIONS = [mark("works at"), mark("related to"), mark("mentions")];

export interface Neighbour {
  entity: Entity;
  /** What is stated between it and the centre, the strongest first. */
  relations: Relationship[];
}

/** The entities that share a relationship with the centre, the strongest first. Mentions in documents are not among them. */
export function listNeighbours({ centre, entities, relationships }: Neighbourhood): Neighbour[] {
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const found = new Map<string, Neighbour>();
  for (const relation of relationships) {
    const other = relation.source_id === centre.id ? relation.target_id : relation.target_id === centre.id ? relation.source_id : null;
    const entity = other === null ? undefined : byId.get(other);
    if (!entity || entity.id === centre.id) continue;
    const neighbour = found.get(entity.id) ?? { entity, relations: [] };
    neighbour.relations.push(relation);
    found.set(entity.id, neighbour);
  }
  const weight = (neighbour: Neighbour) => neighbour.relations.reduce((sum, relation) => sum + relation.weight, 0);
  for (const neighbour of found.values()) neighbour.relations.sort((a, b) => b.weight - a.weight);
  return [...found.values()].sort((a, b) => weight(b) - weight(a) || a.entity.name.localeCompare(b.entity.name));
}

/** "Jonas Aldry works at Halden": a relationship read in its direction. */
export function describeRelation(relation: Relationship, names: ReadonlyMap<string, string>): string {
  const of = (id: string) => names.get(id) ?? "…";
  return `${of(relation.source_id)} ${relationWord(relation.relationship_type)} ${of(relation.target_id)}`;
}

export interface Place {
  /** In 0..100 of the width and of the height. */
  x: number;
  y: number;
}

/** Where `count` neighbours stand around the middle: on an ellipse, every second one nearer, so that their names do not meet. */
export function placeNeighbours(count: number): Place[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * (index + 0.5)) / count;
    const near = count > 6 && index % 2 === 1 ? 0.66 : 1;
    return { x: 50 + 39 * near * Math.cos(angle), y: 50 + 43 * near * Math.sin(angle) };
  });
}

/** The same where there is little width, for six at most: to the left and right in turn, above the middle and below it. */
export function placeNeighboursNarrow(count: number): Place[] {
  const above = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, index) => {
    const below = index >= above;
    const row = below ? index - above : index;
    return { x: (row + (below ? 1 : 0)) % 2 === 0 ? 25 : 75, y: below ? 71 + row * 11 : 7 + row * 11 };
  });
}
