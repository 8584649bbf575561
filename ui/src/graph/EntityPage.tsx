import { ArrowLeft } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useNeighbourhood } from "../api/queries";
import type { Neighbourhood } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { documentPath, entityPath, Link } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatCount, formatPlural } from "../text/format";
import { t, tn } from "../text/language";
import { describeRelation, listNeighbours, relationWord, typeColour, typeWord } from "./entityLabels";
import { Evidence, NARROW, Neighbours } from "./Neighbours";

const wide = window.matchMedia("(min-width: 640px)");
const useWide = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      wide.addEventListener("change", listener);
      return () => wide.removeEventListener("change", listener);
    },
    () => wide.matches,
  );

/** One person, place or term: what surrounds it, the sentences that say so, and the documents that mention it. */
export function EntityPage({ id }: { id: string }) {
  const found = useNeighbourhood(id);
  useTitle(found.data?.centre.name ?? "");
  return (
    <main className="h-full overflow-y-auto" data-testid="entity">
      <div className="mx-auto w-full max-w-[980px] px-[38px] py-[26px] max-sm:px-4 max-sm:py-5">
        <Link href="/app/graph" className="quietly -ml-1.5 inline-flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]">
          <ArrowLeft size={14} aria-hidden /> {t("Names and terms")}
        </Link>
        {found.error ? (
          <div className="mt-5">
            <ErrorMessage error={found.error} onRetry={() => void found.refetch()} />
          </div>
        ) : (
          found.data && <EntityNeighbourhood around={found.data} />
        )}
      </div>
    </main>
  );
}

function EntityNeighbourhood({ around }: { around: Neighbourhood }) {
  const { centre, documents } = around;
  const drawn = useWide() ? 12 : NARROW;
  return (
    <>
      <h1 className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="break-words">{centre.name}</span>
        <span className="flex items-center gap-1.5 font-normal font-sans text-[14px] text-ink-3">
          <i aria-hidden className="size-2 rounded-full" style={{ background: typeColour[centre.entity_type] }} />
          {typeWord(centre.entity_type)} · {formatPlural(centre.mentions ?? 0, "mention")}
        </span>
      </h1>
      {(centre.aliases ?? []).length > 0 && (
        <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-[13px] text-ink-3">
          {t("also")}{" "}
          {centre.aliases?.map((alias) => (
            <Tag key={alias}>{alias}</Tag>
          ))}
        </p>
      )}
      {(centre.classes ?? []).length > 0 && (
        <ul className="mt-3" aria-label={t("Classes")} data-testid="classes">
          {centre.classes?.map((one) => (
            <li key={one.ontology_id + one.uri} className="py-1 text-[13px]">
              <Tag>{one.name}</Tag>
              <Evidence evidence={one.evidence} label={one.name} />
            </li>
          ))}
        </ul>
      )}
      <section className="card mt-5 px-5 pt-2 pb-3 max-sm:px-3" aria-label={t("What is related to {name}", { name: centre.name })}>
        <Neighbours key={centre.id} around={around} most={drawn} />
      </section>
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_290px]">
        <Relations around={around} />
        <section aria-labelledby="entity-documents">
          <h2 id="entity-documents" className="eyebrow mb-1.5">
            {tn(documents.length, "In {n} document", "In {n} documents", { n: formatCount(documents.length) })}
          </h2>
          <ul className="text-[14px]">
            {documents.map((document) => (
              <li key={document.id} className="border-line border-b py-2 last:border-b-0">
                <Link
                  href={`${documentPath(document.id)}?entity=${encodeURIComponent(centre.id)}`}
                  className="block break-words font-[550] hover:underline hover:decoration-line-strong hover:underline-offset-4"
                >
                  {document.filename}
                </Link>
                <span className="num text-[12.5px] text-ink-3">{formatPlural(document.mentions, "mention")}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

const SENTENCES = 3;

/** The same as the picture, in words: every neighbour with what is stated and where. */
function Relations({ around }: { around: Neighbourhood }) {
  const names = new Map(around.entities.map((entity) => [entity.id, entity.name]));
  const neighbours = listNeighbours(around);
  if (neighbours.length === 0) return <div />;
  return (
    <section aria-labelledby="entity-relations" data-testid="relations">
      <h2 id="entity-relations" className="eyebrow mb-1.5">
        {t("Relationships")}
      </h2>
      <ul>
        {neighbours.map(({ entity, relations }) => (
          <li key={entity.id} className="border-line border-b py-3 last:border-b-0">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <i aria-hidden className="size-2 self-center rounded-full" style={{ background: typeColour[entity.entity_type] }} />
              <Link
                href={entityPath(entity.id)}
                className="break-words font-semibold hover:underline hover:decoration-line-strong hover:underline-offset-4"
              >
                {entity.name}
              </Link>
              <span className="text-[12.5px] text-ink-3">
                {typeWord(entity.entity_type)} · {[...new Set(relations.map((relation) => relationWord(relation.relationship_type)))].join(", ")}
              </span>
            </div>
            {relations
              .flatMap((relation) => (relation.evidence ?? []).map((evidence) => ({ relation, evidence })))
              .slice(0, SENTENCES)
              .map(({ relation, evidence }) => (
                <Evidence
                  key={`${relation.id} ${evidence.document_id} ${evidence.start}`}
                  evidence={evidence}
                  label={describeRelation(relation, names)}
                />
              ))}
          </li>
        ))}
      </ul>
      {around.truncated && <p className="mt-2 text-[13px] text-ink-3">{t("It has more relationships than are shown here.")}</p>}
    </section>
  );
}
