// The knowledge graph of the invented library: entities found by their names, relationships with the sentence that states them.
import { library } from "./library.mjs";

const named = [
  ["e1", "Alder & Finch Properties", "ORGANIZATION", ["Alder & Finch", "the Landlord"]],
  ["e2", "Brightwater Instruments", "ORGANIZATION", ["the Tenant"]],
  ["e3", "14 Juniper Street", "LOCATION", ["Juniper Street"]],
  ["e4", "Imke Solberg", "PERSON", ["Imke"]],
  ["e5", "Tomas Reyes", "PERSON", ["Tomas"]],
  ["e6", "mezzanine", "CONCEPT", []],
  ["e7", "six months’ written notice", "CONCEPT", ["six months’ notice"]],
  ["e8", "1 March 2022", "DATE", []],
  ["e9", "€ 4,160", "AMOUNT", []],
  ["e10", "imke@brightwater.example", "EMAIL", []],
  ["e11", "First amendment", "CONCEPT", ["the amendment"]],
  ["e12", "new hall", "LOCATION", []],
];
const points = (text) => Array.from(text).length;
const lower = (text) => text.toLowerCase();

function mentionsIn(content, names) {
  const found = [];
  for (const name of names)
    for (let at = lower(content.text).indexOf(lower(name)); at >= 0; at = lower(content.text).indexOf(lower(name), at + name.length)) {
      const start = points(content.text.slice(0, at));
      if (!found.some((one) => start < one.end && start + points(name) > one.start)) found.push({ start, end: start + points(name), page: null });
    }
  return found.sort((a, b) => a.start - b.start);
}

const inDocument = new Map(
  library.map(({ document, content }) => [
    document.id,
    named.flatMap(([id, name, , aliases]) => {
      const mentions = mentionsIn(content, [name, ...aliases]);
      return mentions.length ? [{ id, mentions }] : [];
    }),
  ]),
);
export const entities = named.map(([id, name, entity_type, aliases]) => {
  const documents = [...inDocument].filter(([, found]) => found.some((one) => one.id === id));
  return {
    id,
    name,
    entity_type,
    aliases,
    document_ids: documents.map(([document]) => document),
    mentions: documents.reduce((sum, [, found]) => sum + found.find((one) => one.id === id).mentions.length, 0),
    properties: {},
    created_at: new Date().toISOString(),
  };
});
const entity = (id) => entities.find((one) => one.id === id);

function evidence(document, words) {
  const { document: about, content } = library.find((item) => item.document.id === document);
  const block = content.blocks.find((one) => Array.from(content.text).slice(one.start, one.end).join("").includes(words));
  if (!block) throw new Error(`not in ${document}: ${words}`);
  const text = Array.from(content.text).slice(block.start, block.end).join("");
  return { document_id: document, generation: 1, filename: about.filename, chunk_id: 1, start: block.start, end: block.end, page: block.page, text };
}
const relation = (source, type, target, weight, ...proof) => ({
  id: `${source}-${type}-${target}`,
  source_id: source,
  target_id: target,
  relationship_type: type,
  weight,
  properties: {},
  document_ids: proof.map(([document]) => document),
  evidence: proof.map(([document, words]) => evidence(document, words)),
  created_at: new Date().toISOString(),
});
const relationships = [
  relation("e1", "LETS_TO", "e2", 0.95, ["d1", "Between Alder & Finch Properties"]),
  relation("e2", "RENTS", "e3", 0.9, ["d1", "together with four parking spaces"]),
  relation("e1", "RELATED_TO", "e3", 0.7, ["d1", "together with four parking spaces"]),
  relation("e4", "WRITES_TO", "e5", 0.8, ["d5", "From: Imke Solberg"]),
  relation("e4", "HAS_ADDRESS", "e10", 0.9, ["d5", "From: Imke Solberg"]),
  relation("e4", "WORKS_AT", "e2", 0.75, ["d5", "From: Imke Solberg"]),
  relation("e3", "HAS_PART", "e6", 0.65, ["d1", "together with four parking spaces"]),
  relation("e11", "CHANGES", "e6", 0.85, ["d2", "For the mezzanine"], ["d5", "the amendment of last November"]),
  relation("e3", "RELATED_TO", "e7", 0.6, ["d1", "After the fixed term"], ["d4", "The lease in Juniper Street"]),
  relation("e3", "SINCE", "e8", 0.6, ["d1", "The lease begins"]),
  relation("e3", "COSTS", "e9", 0.5, ["d1", "Ground floor"]),
  relation("e12", "REPLACES", "e3", 0.4, ["d4", "The new hall has"]),
  relation("e11", "AMENDS", "e3", 0.7, ["d2", "First amendment to the lease"]),
];

/** What an ontology says of e1. */
const landlord = {
  uri: "https://terms.example/lease#Landlord",
  name: "Landlord",
  ontology_id: "o1",
  rule: "apposition",
  sentences: 1,
  evidence: evidence("d1", "Between Alder & Finch Properties"),
};

/** One theme, as if the documents had changed since it was found; it is found anew by a press. */
let stale = true;
function theme() {
  const members = ["e1", "e3", "e7"].map(entity);
  const citations = relationships
    .filter((one) => ["LETS_TO", "RENTS"].includes(one.relationship_type))
    .flatMap((one) => one.evidence.map(({ chunk_id, ...said }) => ({ ...said, entity_ids: [one.source_id, one.target_id] })));
  return {
    id: "c1",
    name: `${members[0].name}, ${members[1].name}`,
    level: 0,
    entity_ids: members.map((one) => one.id),
    entity_count: members.length,
    members: members.map(({ id, name, entity_type }) => ({ id, name, entity_type })),
    summary: citations.map((said) => said.text).join(" "),
    keywords: ["lease", "notice"],
    parent_id: null,
    child_ids: [],
    citations,
    documents: 2,
    generated_by: "rules",
    stale,
  };
}

const routes = ({ json, problem }) => [
  [
    "GET",
    /^\/graph\/communities$/,
    (_request, response) =>
      json(response, {
        communities: [theme()],
        total: 1,
        levels: 1,
        stale,
        refreshed_at: new Date().toISOString(),
        smaller_groups: 0,
        smaller_group_entities: 0,
        covered_documents: 2,
        documents: library.length,
        reason: "",
      }),
  ],
  [
    "POST",
    /^\/graph\/communities\/refresh$/,
    (_request, response) => {
      stale = false;
      return json(response, { id: "refresh", state: "queued", kind: "communities" }, 202);
    },
  ],
  [
    "GET",
    /^\/documents\/([^/]+)\/entities$/,
    (_request, response, [id]) => {
      const found = inDocument.get(id);
      if (!found) return json(response, { document_id: id, generation: 1, generated_by: "rules", entities: [], relationships: [] });
      const listed = found.map((one) => ({ entity: entity(one.id), count: one.mentions.length, mentions: one.mentions }));
      listed.sort((a, b) => b.count - a.count);
      const stated = relationships.filter((one) => one.document_ids.includes(id));
      return json(response, { document_id: id, generation: 1, generated_by: "rules", entities: listed, relationships: stated });
    },
  ],
  [
    "GET",
    /^\/graph\/entities$/,
    (request, response) => {
      const { searchParams } = new URL(request.url, "http://x");
      const [text, type] = [lower(searchParams.get("text") ?? ""), searchParams.get("entity_type")];
      const found = entities
        .filter((one) => (!type || one.entity_type === type) && [one.name, ...one.aliases].some((name) => lower(name).includes(text)))
        .sort((a, b) => b.mentions - a.mentions);
      return json(response, { entities: found, total: found.length, next_cursor: null });
    },
  ],
  [
    "GET",
    /^\/graph\/entities\/([^/]+)\/neighbourhood$/,
    (_request, response, [id]) => {
      const centre = entity(id);
      if (!centre) return problem(response, 404, "No such entity", "It may have gone with the documents that mentioned it.");
      const near = relationships.filter((one) => one.source_id === id || one.target_id === id);
      const ids = new Set([id, ...near.flatMap((one) => [one.source_id, one.target_id])]);
      const documents = centre.document_ids.map((document) => {
        const { document: about } = library.find((item) => item.document.id === document);
        const { mentions } = inDocument.get(document).find((one) => one.id === id);
        return { id: document, filename: about.filename, title: about.title, mentions: mentions.length };
      });
      const classes = id === "e1" ? [landlord] : [];
      return json(response, {
        centre: { ...centre, classes },
        entities: entities.filter((one) => ids.has(one.id)),
        relationships: near,
        documents,
        truncated: false,
      });
    },
  ],
];
export const graphRoutes = routes;
