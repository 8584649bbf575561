import type { Reference } from "../api/types";
import { documentPath, Link, openSource } from "../shell/router";
import { mark, t } from "../text/language";

const words: Record<Reference["kind"], string> = {
  links_to: mark("links to"),
  names_file: mark("names"),
  cites: mark("cites"),
  supersedes: mark("supersedes"),
  amends: mark("amends"),
  refers_to: mark("refers to"),
};
const backwards: Record<Reference["kind"], string> = {
  links_to: mark("links to it"),
  names_file: mark("names it"),
  cites: mark("cites it"),
  supersedes: mark("supersedes it"),
  amends: mark("amends it"),
  refers_to: mark("refers to it"),
};
const SHOWN = 12;

/** The documents that this one names. What no document here goes by is shown as it was written. */
export function OutgoingReferences({ references }: { references: readonly Reference[] }) {
  if (references.length === 0) return null;
  const known = references.filter((one) => one.target_document_id);
  const shown = [...known, ...references.filter((one) => !one.target_document_id)].slice(0, SHOWN);
  return (
    <Section title={t("It refers to")} count={references.length}>
      {shown.map((one) => (
        <li key={one.start} className="border-line border-b py-2 text-[13.5px] text-ink-2 last:border-b-0">
          <span className="mr-1.5 text-ink-3">{t(words[one.kind])}</span>
          {one.target_document_id ? (
            <Link href={documentPath(one.target_document_id)} className="link break-words font-semibold">
              {one.target_filename}
            </Link>
          ) : (
            <bdi className="break-words">{one.target.slice(0, 160)}</bdi>
          )}
          <button
            type="button"
            className="link ml-2 text-[12.5px]"
            onClick={() => openSource({ document: one.document_id, start: one.start, end: one.end })}
          >
            {t("where")}
          </button>
        </li>
      ))}
    </Section>
  );
}

/** The documents that name this one, each at the place where it does. */
export function IncomingReferences({ references }: { references: readonly Reference[] }) {
  if (references.length === 0) return null;
  return (
    <Section title={t("Referred to by")} count={references.length}>
      {references.slice(0, SHOWN).map((one) => (
        <li key={`${one.document_id}${one.start}`} className="border-line border-b py-2 text-[13.5px] text-ink-2 last:border-b-0">
          <button
            type="button"
            className="link break-words text-left font-semibold"
            onClick={() => openSource({ document: one.document_id, start: one.start, end: one.end })}
          >
            {one.filename}
          </button>{" "}
          <span className="text-ink-3">{t(backwards[one.kind])}</span>
        </li>
      ))}
    </Section>
  );
}

function Section({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="eyebrow mb-1">
        {title} {count > SHOWN && <span className="num font-normal">({count})</span>}
      </h2>
      <ul>{children}</ul>
    </section>
  );
}
