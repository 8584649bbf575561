import type { Doc } from "../api/types";
import { Tag } from "../parts/Tag";
import { formatBytes, formatCount, formatDateTime } from "../text/format";
import { t, tn } from "../text/language";

/** What is known of a document: what it is, when it is from, how it was read, and what could not be read. */
export function DocumentFacts({ document }: { document: Doc }) {
  const rows: [string, string][] = [
    [t("Kind"), [document.doc_type.replaceAll("_", " "), document.file_type].filter(Boolean).join(" · ")],
    [(document.authors ?? []).length > 1 ? t("Authors") : t("Author"), (document.authors ?? []).join(", ")],
    [t("Language"), document.language],
    [
      document.page_unit === "sheet" ? t("Sheets") : document.page_unit === "slide" ? t("Slides") : t("Pages"),
      document.pages > 0 ? formatCount(document.pages) : "",
    ],
    [t("Written"), formatDateTime(document.created_at)],
    [t("Changed"), formatDateTime(document.modified_at)],
    [t("Read"), formatDateTime(document.indexed_at)],
    [t("Read by"), document.parser],
    [
      t("Size"),
      [
        formatBytes(document.file_size),
        tn(document.characters, "{n} character", "{n} characters", { n: formatCount(document.characters) }),
        tn(document.chunks, "{n} passage", "{n} passages", { n: formatCount(document.chunks) }),
      ].join(" · "),
    ],
    [t("Version"), tn(document.generation, "read once", "read {n} times", { n: formatCount(document.generation) })],
  ];
  return (
    <div className="flex flex-col gap-5 text-[13.5px]">
      {document.reason && (
        <p className="rounded-2 bg-[color-mix(in_srgb,var(--warn)_8%,transparent)] px-3.5 py-2.5">
          <b className="font-semibold">{t("Partly read.")}</b> {document.reason}
        </p>
      )}
      {document.detailed_summary && (
        <p className="font-serif text-[15.5px] leading-relaxed" dir="auto">
          {document.detailed_summary}
        </p>
      )}
      {document.keywords.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {document.keywords.map((word) => (
            <Tag key={word}>
              <bdi>{word}</bdi>
            </Tag>
          ))}
        </div>
      )}
      <dl className="num grid grid-cols-[110px_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {rows
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        <dt className="text-ink-3">{document.paths.length > 1 ? t("Locations") : t("Location")}</dt>
        <dd className="break-all">
          {(document.paths.length > 0 ? document.paths : [document.file_path]).map((path) => (
            <div key={path} dir="auto">
              {path}
            </div>
          ))}
        </dd>
      </dl>
    </div>
  );
}
