import { formatDateTime } from "../../text/format";
import { t } from "../../text/language";
import { MarkedText } from "../MarkedText";
import { Blocks } from "../Prose";
import type { ViewProps } from "../viewHooks";

const headerLine = /^(From|To|Cc|Bcc|Subject|Date|Sent|Reply-To|Attachments?)\s*:\s*/i;

/** A mail: its header set apart, then what it says. */
export function MailView(view: ViewProps) {
  const { content, points, marks, document } = view;
  const lines = headerOf(content.text);
  const rows = lines.map((line) => ({
    ...line,
    named: content.start + points.toCodePoint(line.at),
    from: content.start + points.toCodePoint(line.start),
    to: content.start + points.toCodePoint(line.end),
  }));
  const headerEnd = rows.at(-1)?.to ?? content.start;
  const body = content.blocks.filter((block) => block.end > headerEnd);
  const named = rows.length > 0;
  return (
    <div className="sheet-paper mx-auto max-w-[720px]">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-line border-b px-[min(36px,6%)] py-5 text-[13.5px]">
        {rows.map((row) => (
          <div key={row.start} className="contents">
            <dt dir="auto" className="text-ink-3">
              <MarkedText points={points} offset={content.start} start={row.named} end={row.named + row.name.length} marks={marks} />
            </dt>
            <dd dir="auto" className={/subject/i.test(row.name) ? "font-semibold" : ""}>
              <MarkedText points={points} offset={content.start} start={row.from} end={row.to} marks={marks} />
            </dd>
          </div>
        ))}
        {!named && (
          <>
            <dt className="text-ink-3">{t("Subject")}</dt>
            <dd dir="auto" className="font-semibold">
              {document.title || document.filename}
            </dd>
            {document.created_at && (
              <>
                <dt className="text-ink-3">{t("Date")}</dt>
                <dd>{formatDateTime(document.created_at)}</dd>
              </>
            )}
          </>
        )}
      </dl>
      <div className="prose px-[min(36px,6%)] py-6">
        <Blocks view={view} blocks={body.map((block) => (block.start < headerEnd ? { ...block, start: headerEnd } : block))} />
      </div>
    </div>
  );
}

interface HeaderLine {
  name: string;
  at: number;
  start: number;
  end: number;
}

/** The "Name: value" lines that a mail's text begins with, with the place of each value (UTF-16). */
export function headerOf(text: string): HeaderLine[] {
  const found: HeaderLine[] = [];
  let at = 0;
  for (const line of text.split("\n").slice(0, 16)) {
    const match = headerLine.exec(line);
    if (match) found.push({ name: match[1] ?? "", at, start: at + match[0].length, end: at + line.trimEnd().length });
    else if (line.trim() !== "" && !(found.length === 0 && at < 200)) break;
    at += line.length + 1;
  }
  return found;
}
