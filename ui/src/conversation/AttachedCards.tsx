import { ChevronDown, FileText, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ActionItem, AttachedFile, AttachedReport, CitedText } from "../api/types";
import { Tag } from "../parts/Tag";
import { documentPath, Link, openSource } from "../shell/router";
import { formatPage } from "../source/documentKind";
import { formatCount, formatPlural } from "../text/format";
import { mark, t } from "../text/language";

/** What was found in each attached file: summary, key points, tasks and open questions, every line with its place. */
export function AttachedCards({ report }: { report: AttachedReport }) {
  if (report.files.length === 0) return null;
  return (
    <section aria-label={t("What is in the attached files")} className="grid gap-3" data-testid="attached">
      <h2 className="eyebrow">{t("In the attached files")}</h2>
      {report.files.map((file, index) => (
        <Card key={`${file.document_id} ${index}`} file={file} begun={report.files.length === 1} />
      ))}
    </section>
  );
}

function Card({ file, begun }: { file: AttachedFile; begun: boolean }) {
  const [open, setOpen] = useState(begun);
  if (file.state === "failed") return <UnreadCard file={file} />;
  const found = file.insights;
  const counts = [
    [found?.key_points?.length ?? 0, mark("key point|key points")],
    [found?.action_items?.length ?? 0, mark("action item|action items")],
    [found?.questions_raised?.length ?? 0, mark("open question|open questions")],
  ] as const;
  const more = counts.some(([number]) => number > 0) || Boolean(file.analysis);
  return (
    <article className="card px-4 py-3.5" data-file={file.filename} aria-label={file.filename}>
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <FileText size={15} aria-hidden className="shrink-0 text-accent" />
        <h3 className="min-w-0 break-words font-semibold">
          <Link href={documentPath(file.document_id)} className="hover:underline hover:decoration-line-strong hover:underline-offset-4">
            {file.filename}
          </Link>
        </h3>
        <span className="num text-[12.5px] text-ink-3">{facts(file)}</span>
        {file.state === "partial" && <Tag tone="warn">{t("partly read")}</Tag>}
        {file.cached && (
          <span title={t("The same content was analysed before; it was not read again.")}>
            <Tag>{t("analysed before")}</Tag>
          </span>
        )}
      </header>
      {file.state === "partial" && file.reason && <p className="mt-1.5 text-[13px] text-warn">{file.reason}</p>}
      {(found?.executive_summary?.length ?? 0) > 0 && (
        <p className="mt-2 font-serif text-[16px] leading-relaxed">
          {found?.executive_summary?.map((line) => (
            <CitedLine key={line.start} file={file} line={line} inline />
          ))}
        </p>
      )}
      {more && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="quietly -mx-1.5 mt-2 flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]"
        >
          <ChevronDown size={14} aria-hidden className={`transition-transform duration-150 ${open ? "rotate-180" : ""}`} />
          {counts.flatMap(([number, word]) => (number > 0 ? [formatPlural(number, word.split("|")[0] ?? "", word.split("|")[1])] : [])).join(" · ") ||
            t("Details")}
        </button>
      )}
      {open && found && (
        <div className="mt-2.5 grid animate-appear gap-4 sm:grid-cols-2">
          <CitedLines title={t("Key points")} file={file} lines={found.key_points ?? []} />
          <div className="grid content-start gap-4">
            <CitedLines title={t("Action items")} file={file} lines={found.action_items ?? []} beside={(line) => <ActionOwner item={line} />} />
            <CitedLines title={t("Open questions")} file={file} lines={found.questions_raised ?? []} />
          </div>
        </div>
      )}
      {open && file.analysis && <Analysis file={file} />}
    </article>
  );
}

const facts = (file: AttachedFile): string =>
  [
    file.pages ? formatPlural(file.pages, "page") : file.characters ? t("{n} characters", { n: formatCount(file.characters) }) : "",
    file.analysis?.document_type.replaceAll("_", " "),
  ]
    .filter(Boolean)
    .join(" · ");

const UnreadCard = ({ file }: { file: AttachedFile }) => (
  <article className="card flex items-start gap-2.5 border-[color-mix(in_srgb,var(--bad)_35%,var(--line))] px-4 py-3" data-file={file.filename}>
    <TriangleAlert size={15} aria-hidden className="mt-1 shrink-0 text-bad" />
    <div className="min-w-0">
      <h3 className="break-words font-semibold">{file.filename || file.document_id}</h3>
      <p className="break-words text-[13.5px] text-ink-2">
        {file.reason || t("It could not be read.")} {t("The answer uses the other files.")}
      </p>
    </div>
  </article>
);

/** A line of the file; pressed, the source opens where it stands. */
function CitedLine({ file, line, inline = false, beside }: { file: AttachedFile; line: CitedText; inline?: boolean; beside?: ReactNode }) {
  const place = formatPage(file.filename, line.page ?? null);
  return (
    <>
      <button
        type="button"
        onClick={() => openSource({ document: file.document_id, start: line.start, end: line.end })}
        title={place ? t("Show in the document: {place}", { place }) : t("Show in the document")}
        className={`rounded-[3px] text-left decoration-line-strong underline-offset-4 hover:underline ${inline ? "inline" : "block w-full"}`}
      >
        {line.text}
        {place && <span className="num ml-1.5 whitespace-nowrap font-sans text-[11.5px] text-ink-3">{place}</span>}
      </button>
      {beside}{" "}
    </>
  );
}

function CitedLines<T extends CitedText>({
  title,
  file,
  lines,
  beside,
}: {
  title: string;
  file: AttachedFile;
  lines: readonly T[];
  beside?: (line: T) => ReactNode;
}) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h4 className="eyebrow mb-1">{title}</h4>
      <ul className="grid gap-1.5 text-[13.5px] leading-snug">
        {lines.map((line, index) => (
          <li
            key={`${line.start} ${index}`}
            className="relative pl-3.5 before:absolute before:top-[8px] before:left-0 before:size-[5px] before:rounded-full before:bg-line-strong"
          >
            <CitedLine file={file} line={line} beside={beside?.(line)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function ActionOwner({ item }: { item: ActionItem }) {
  if (!item.owner && !item.due) return null;
  return (
    <span className="mt-0.5 block text-[12.5px] text-ink-3">
      {item.owner && <b className="font-semibold text-ink-2">{item.owner}</b>}
      {item.owner && item.due && " · "}
      {item.due && (
        <>
          {t("due")} {item.due}
        </>
      )}
    </span>
  );
}

function Analysis({ file }: { file: AttachedFile }) {
  const { analysis } = file;
  if (!analysis) return null;
  const rows = [
    [t("Tone"), analysis.sentiment],
    [t("Complexity"), [analysis.complexity, analysis.complexity_note].filter(Boolean).join(" · ")],
    [t("Structure"), analysis.structure],
    [t("About"), (analysis.key_concepts ?? []).slice(0, 8).join(", ")],
    [t("Analysed by"), file.generated_by && file.generated_by !== "rules" ? file.generated_by : t("rules, no model used")],
  ].filter(([, value]) => value);
  return (
    <dl className="num mt-4 grid grid-cols-[92px_minmax(0,1fr)] gap-x-4 gap-y-1 border-line border-t pt-3 text-[13px]">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="text-ink-2">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
