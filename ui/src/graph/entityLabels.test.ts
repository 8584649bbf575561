import { describe, expect, it } from "vitest";
import type { DocumentEntities, Entity, Neighbourhood, Relationship } from "../api/types";
import { describeRelation, listNeighbours, placeNeighbours, placeNeighboursNarrow } from "./entityLabels";
import { describeShared, findLinkedDocuments } from "./relatedDocuments";

const entity = (id: string, documents: string[] = [], entity_type: Entity["entity_type"] = "PERSON"): Entity => ({
  id,
  name: id.toUpperCase(),
  entity_type,
  aliases: [],
  document_ids: documents,
  mentions: 1,
  properties: {},
  created_at: "2026-01-01T00:00:00Z",
});
const relation = (source_id: string, target_id: string, weight: number, relationship_type = "WORKS_AT"): Relationship => ({
  id: `${source_id}${target_id}${relationship_type}`,
  source_id,
  target_id,
  relationship_type,
  weight,
  properties: {},
  document_ids: [],
  evidence: [],
  created_at: "2026-01-01T00:00:00Z",
});

describe("neighboursOf", () => {
  const around = {
    centre: entity("c"),
    entities: [entity("c"), entity("a"), entity("b")],
    relationships: [
      relation("d1", "c", 1, "MENTIONS"),
      relation("c", "a", 0.4),
      relation("b", "c", 0.5),
      relation("c", "a", 0.3, "KNOWS"),
      relation("a", "b", 1),
    ],
    documents: [],
    truncated: false,
  } as Neighbourhood;

  it("gathers what is stated with each neighbour, the strongest first, and leaves out mentions and others' relations", () => {
    expect(listNeighbours(around).map((one) => [one.entity.id, one.relations.map((each) => each.relationship_type)])).toEqual([
      ["a", ["WORKS_AT", "KNOWS"]],
      ["b", ["WORKS_AT"]],
    ]);
  });

  it("reads a relationship in its direction", () => {
    const names = new Map(around.entities.map((one) => [one.id, one.name]));
    expect(describeRelation(relation("b", "c", 1), names)).toBe("B works at C");
  });
});

describe("the picture", () => {
  /** Names that meet: at a width and height in pixels, with names of a size, around a middle of a size. */
  const meeting = (at: { x: number; y: number }[], width: number, height: number, name: [number, number], middle: [number, number]): number => {
    const boxes = [
      { x: width / 2, y: height / 2, size: middle },
      ...at.map(({ x, y }) => ({ x: (x * width) / 100, y: (y * height) / 100, size: name })),
    ];
    return boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (other) => Math.abs(one.x - other.x) < (one.size[0] + other.size[0]) / 2 && Math.abs(one.y - other.y) < (one.size[1] + other.size[1]) / 2,
        ),
    ).length;
  };

  it.each([1, 2, 3, 5, 6, 7, 9, 12])("keeps %i names apart where there is room", (count) => {
    expect(meeting(placeNeighbours(count), 780, 420, [150, 28], [180, 34])).toBe(0);
  });

  it.each([1, 2, 3, 4, 5, 6])("keeps %i names apart on a phone", (count) => {
    expect(meeting(placeNeighboursNarrow(count), 262, 300, [118, 28], [116, 34])).toBe(0);
  });
});

describe("linkedDocuments", () => {
  const found: DocumentEntities = {
    document_id: "d0",
    generation: 1,
    generated_by: "rules",
    relationships: [],
    entities: [
      { entity: entity("rare", ["d0", "d1"]), count: 1, mentions: [] },
      { entity: entity("common", ["d0", "d1", "d2", "d3", "d4"]), count: 9, mentions: [] },
      { entity: entity("day", ["d0", "d4"], "DATE"), count: 1, mentions: [] },
    ],
  };

  it("puts what shares a rare name first, and names the rarest", () => {
    const linked = findLinkedDocuments(found);
    expect(linked.map((one) => one.id)).toEqual(["d1", "d4", "d2", "d3"]);
    expect(linked[0]?.shared.map((one) => one.id)).toEqual(["rare", "common"]);
    expect(linked[1]?.shared.map((one) => one.id)).toEqual(["common", "day"]);
  });

  it("says the reason in a sentence", () => {
    expect(describeShared([entity("a")])).toBe("Both mention A.");
    expect(describeShared([entity("a"), entity("b")])).toBe("Both mention A and B.");
    expect(describeShared(["a", "b", "c", "d", "e"].map((id) => entity(id)))).toBe("Both mention A, B, C and 2 more.");
  });
});
