import { useId, useState } from "react";
import type { GraphEvidence, Neighbourhood, Relationship } from "../api/types";
import { entityPath, Link, openSource } from "../shell/router";
import { formatPage } from "../source/documentKind";
import { t } from "../text/language";
import {
  describeRelation,
  listNeighbours,
  type Neighbour,
  placeNeighbours,
  placeNeighboursNarrow,
  relationWord,
  typeColour,
  typeWord,
} from "./entityLabels";

/** So many names at most are set for a narrow place: a phone, the margin of a page. */
export const NARROW = 6;

/** What surrounds an entity, drawn: a line for each relationship, and below it the sentence that states it. The list beside it says the same in words. */
export function Neighbours({ around, most }: { around: Neighbourhood; most: number }) {
  const all = listNeighbours(around);
  const shown = all.slice(0, most);
  const narrow = most <= NARROW;
  const at = narrow ? placeNeighboursNarrow(shown.length) : placeNeighbours(shown.length);
  const [chosen, setChosen] = useState<string | null>(null);
  const id = useId();
  const active = shown.find((neighbour) => neighbour.entity.id === chosen) ?? null;
  const names = new Map(around.entities.map((entity) => [entity.id, entity.name]));
  if (shown.length === 0) return <p className="py-4 text-[14px] text-ink-2">{t("No sentence relates it to anything else yet.")}</p>;
  return (
    <figure data-testid="neighbours" aria-labelledby={id}>
      <div className={`relative w-full ${narrow ? "h-[300px]" : "h-[420px]"}`}>
        <svg className="absolute inset-0 size-full" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {shown.map((neighbour, index) => (
            <Edge
              key={neighbour.entity.id}
              neighbour={neighbour}
              at={at[index]}
              on={chosen === neighbour.entity.id}
              onChoose={() => setChosen(neighbour.entity.id)}
            />
          ))}
        </svg>
        <span
          className="absolute top-1/2 left-1/2 z-[2] max-w-[44%] -translate-x-1/2 -translate-y-1/2 truncate rounded-full bg-accent px-3.5 py-1.5 font-semibold text-[13.5px] text-accent-ink"
          title={around.centre.name}
        >
          {around.centre.name}
        </span>
        {shown.map((neighbour, index) => (
          <Node
            key={neighbour.entity.id}
            neighbour={neighbour}
            at={at[index]}
            on={chosen === neighbour.entity.id}
            narrow={narrow}
            onLook={() => setChosen(neighbour.entity.id)}
          />
        ))}
      </div>
      <figcaption id={id} className="min-h-[76px] border-line border-t pt-2.5 text-[13.5px]" aria-live="polite">
        {active ? (
          <StatedRelation relation={active.relations[0] as Relationship} names={names} />
        ) : (
          <span className="text-ink-3">
            {t("Hover over a line to read its sentence; select a name to open it.")}
            {all.length > shown.length && ` ${t("The {n} strongest of {all} are shown.", { n: shown.length, all: all.length })}`}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

interface NodeProps {
  neighbour: Neighbour;
  at: { x: number; y: number } | undefined;
  on: boolean;
}

function Edge({ neighbour, at, on, onChoose }: NodeProps & { onChoose: () => void }) {
  if (!at) return null;
  const weight = neighbour.relations[0]?.weight ?? 0;
  const line = { x1: 50, y1: 50, x2: at.x, y2: at.y, vectorEffect: "non-scaling-stroke" as const };
  return (
    <g onPointerEnter={onChoose}>
      <line {...line} stroke="transparent" strokeWidth={16} />
      <line
        {...line}
        stroke={on ? "var(--accent)" : "var(--line-strong)"}
        strokeWidth={1 + weight * 2.2}
        className="transition-[stroke] duration-150"
      />
    </g>
  );
}

function Node({ neighbour, at, on, narrow, onLook }: NodeProps & { narrow: boolean; onLook: () => void }) {
  if (!at) return null;
  const { entity } = neighbour;
  return (
    <Link
      href={entityPath(entity.id)}
      onPointerEnter={onLook}
      onFocus={onLook}
      style={{ left: `${at.x}%`, top: `${at.y}%` }}
      title={`${entity.name}, ${typeWord(entity.entity_type)}`}
      className={`absolute z-[1] flex -translate-x-1/2 -translate-y-1/2 items-center gap-1.5 rounded-full border bg-surface px-2.5 py-1 text-[12.5px] hover:border-accent ${narrow ? "max-w-[118px]" : "max-w-[168px]"} ${on ? "border-accent" : "border-line"}`}
    >
      <i aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: typeColour[entity.entity_type] }} />
      <span className="truncate">{entity.name}</span>
    </Link>
  );
}

/** A relationship in words with the sentence that states it; pressed, the source opens there. */
export function StatedRelation({ relation, names }: { relation: Relationship; names: ReadonlyMap<string, string> }) {
  const evidence = relation.evidence?.[0];
  return (
    <div className="min-w-0">
      <div className="break-words text-[13px]">
        <b className="font-semibold">{names.get(relation.source_id) ?? t("This document")}</b>{" "}
        <span className="text-ink-2">{relationWord(relation.relationship_type)}</span>{" "}
        <b className="font-semibold">{names.get(relation.target_id) ?? "…"}</b>
      </div>
      {evidence && <Evidence evidence={evidence} label={describeRelation(relation, names)} />}
    </div>
  );
}

export function Evidence({ evidence, label }: { evidence: GraphEvidence; label: string }) {
  const place = [evidence.filename, formatPage(evidence.filename, evidence.page)].filter(Boolean).join(" · ");
  return (
    <button
      type="button"
      aria-label={`${label}: “${evidence.text}”, ${place}`}
      onClick={() => openSource({ document: evidence.document_id, start: evidence.start, end: evidence.end })}
      className="group mt-0.5 block w-full text-left"
    >
      <span className="line-clamp-2 font-serif text-[14.5px] text-ink-2 group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4">
        “{evidence.text.replace(/\s+/g, " ").trim()}”
      </span>
      <span className="text-[12px] text-ink-3">{place}</span>
    </button>
  );
}
