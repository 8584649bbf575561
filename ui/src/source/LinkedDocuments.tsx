import { useDocument, useDocumentEntities, useReferences } from "../api/queries";
import type { GraphExpansion } from "../api/types";
import { describeShared, findLinkedDocuments, type LinkedDocument } from "../graph/relatedDocuments";
import { ErrorMessage } from "../parts/ErrorMessage";
import { documentPath, entityPath, Link, openSource } from "../shell/router";
import { t } from "../text/language";
import { IncomingReferences, OutgoingReferences } from "./References";

/** Documents that belong together with this one: through the names and terms that both mention, and through what this answer walked. */
export function LinkedDocuments({ document, expansion }: { document: string; expansion: GraphExpansion | null }) {
  const entities = useDocumentEntities(document);
  const said = useReferences(document).data ?? { refers_to: [], referred_by: [] };
  if (entities.error) return <ErrorMessage error={entities.error} onRetry={() => void entities.refetch()} />;
  if (!entities.data) return <div className="h-24 animate-breathe" role="status" aria-label={t("Loading")} />;
  const linked = findLinkedDocuments(entities.data);
  const walked = (expansion?.related_documents ?? []).filter((one) => one.document_id !== document).slice(0, 6);
  if (linked.length === 0 && walked.length === 0 && said.refers_to.length === 0 && said.referred_by.length === 0)
    return <p className="text-[14px] text-ink-2">{t("No other document mentions what this one mentions.")}</p>;
  return (
    <div className="grid gap-6" data-testid="linked">
      {walked.length > 0 && (
        <section aria-labelledby="linked-walked">
          <h2 id="linked-walked" className="eyebrow mb-1">
            {t("Found for this question")}
          </h2>
          <ul>
            {walked.map((one) => (
              <DocumentRow key={one.document_id} id={one.document_id}>
                {one.reason}
              </DocumentRow>
            ))}
          </ul>
        </section>
      )}
      <OutgoingReferences references={said.refers_to} />
      <IncomingReferences references={said.referred_by} />
      {linked.length > 0 && (
        <section aria-labelledby="linked-shared">
          <h2 id="linked-shared" className="eyebrow mb-1">
            {t("Through names and terms")}
          </h2>
          <ul>
            {linked.map((one) => (
              <DocumentRow key={one.id} id={one.id}>
                <Reason of={one} />
              </DocumentRow>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Reason({ of }: { of: LinkedDocument }) {
  return (
    <>
      <span className="block">{describeShared(of.shared)}</span>
      <span className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5">
        {of.shared.slice(0, 4).map((entity) => (
          <Link key={entity.id} href={entityPath(entity.id)} className="link max-w-full truncate text-[12.5px]">
            {entity.name}
          </Link>
        ))}
      </span>
    </>
  );
}

function DocumentRow({ id, children }: { id: string; children: React.ReactNode }) {
  const document = useDocument(id);
  return (
    <li className="border-line border-b py-2.5 text-[13.5px] text-ink-2 last:border-b-0" data-linked={id}>
      <span className="flex items-baseline gap-3">
        <button
          type="button"
          className="min-w-0 break-words text-left font-semibold text-ink hover:underline hover:decoration-line-strong hover:underline-offset-4"
          onClick={() => openSource({ document: id })}
        >
          {document.data?.filename ?? "…"}
        </button>
        <Link href={documentPath(id)} className="link ml-auto shrink-0 text-[12.5px]">
          {t("its page")}
        </Link>
      </span>
      {children}
    </li>
  );
}
