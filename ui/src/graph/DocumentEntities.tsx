import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useNeighbourhood } from "../api/queries";
import type { DocumentEntity, DocumentEntities as Found } from "../api/types";
import { entityPath, Link } from "../shell/router";
import { formatCount } from "../text/format";
import { t } from "../text/language";
import { TYPES, typeColour, typeHeading } from "./entityLabels";

const Neighbours = lazy(() => import("./Neighbours").then((module) => ({ default: module.Neighbours })));

const FIRST = 8;

interface Props {
  found: Found;
  chosen: DocumentEntity | null;
  /** Which mention of the chosen one is in view, from 0. */
  at: number;
  onChoose: (entity: DocumentEntity | null) => void;
}

/** What a document mentions, by kind. Pressed, a name's mentions are marked in the text; pressed again, the next one comes into view. */
export function DocumentEntities({ found, chosen, at, onChoose }: Props) {
  if (found.entities.length === 0) return null;
  return (
    <section aria-labelledby="document-entities" data-testid="document-entities">
      <h2 id="document-entities" className="eyebrow mb-2">
        {t("Names and terms")}
      </h2>
      <div className="grid gap-3">
        {TYPES.map((type) => (
          <Kind
            key={type}
            heading={typeHeading(type)}
            of={found.entities.filter((one) => one.entity.entity_type === type)}
            chosen={chosen}
            at={at}
            onChoose={onChoose}
          />
        ))}
      </div>
      {chosen && <ChosenEntity chosen={chosen} onClose={() => onChoose(null)} />}
    </section>
  );
}

function Kind({ heading, of, chosen, at, onChoose }: { heading: string; of: DocumentEntity[] } & Omit<Props, "found">) {
  const [all, setAll] = useState(false);
  if (of.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1 text-[12.5px] text-ink-3">{heading}</h3>
      <ul className="flex flex-wrap gap-1.5">
        {(all ? of : of.slice(0, FIRST)).map((one) => {
          const on = chosen?.entity.id === one.entity.id;
          return (
            <li key={one.entity.id} className="max-w-full">
              <button
                type="button"
                aria-pressed={on}
                onClick={() => onChoose(one)}
                className="chip flex max-w-full items-center gap-1.5 px-2.5 py-0.5 text-[13px] aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
              >
                <i aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: typeColour[one.entity.entity_type] }} />
                <span className="truncate">{one.entity.name}</span>
                <span className="num text-[12px] text-ink-3">
                  {on && one.mentions.length > 1 ? `${at + 1}/${one.mentions.length}` : one.count > 1 ? formatCount(one.count) : ""}
                </span>
              </button>
            </li>
          );
        })}
        {of.length > FIRST && (
          <li>
            <button type="button" className="link px-1 py-0.5 text-[13px]" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? t("fewer") : t("{n} more", { n: of.length - FIRST })}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

function ChosenEntity({ chosen, onClose }: { chosen: DocumentEntity; onClose: () => void }) {
  const around = useNeighbourhood(chosen.entity.id);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <div ref={card} className="card mt-3 animate-appear px-3 pt-2.5 pb-2.5">
      <div className="flex items-baseline gap-2 text-[13px]">
        <Link href={entityPath(chosen.entity.id)} className="link min-w-0 truncate font-semibold">
          {t("Open {name}", { name: chosen.entity.name })}
        </Link>
        <button type="button" className="quietly ml-auto px-1.5" onClick={onClose}>
          {t("Clear")}
        </button>
      </div>
      <Suspense fallback={<div className="h-[386px]" />}>
        {around.data && around.data.centre.id === chosen.entity.id ? (
          <Neighbours around={around.data} most={6} />
        ) : (
          <div className="h-[386px]" aria-busy />
        )}
      </Suspense>
    </div>
  );
}
