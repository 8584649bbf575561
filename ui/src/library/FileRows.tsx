import { useState } from "react";
import { api } from "../api/client";
import { invalidateLibrary } from "../api/queries";
import type { LedgerLine } from "../api/types";
import { Tag } from "../parts/Tag";
import { documentPath, Link } from "../shell/router";
import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { excludePath } from "./FolderTable";
import { containerPath, fileName } from "./filePath";
import { jobs } from "./jobs";
import { notifyOnFailure } from "./notify";
import { stateWord, tones, translateReason } from "./reasons";
import { UnlockDialog } from "./UnlockDialog";

/** Files as the ledger has them: what became of each, why, and what can be done about it. */
export function FileRows({ lines, label }: { lines: readonly LedgerLine[]; label: string }) {
  return (
    <table className="grid-table" aria-label={label}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t("File")}</th>
          <th scope="col">{t("State")}</th>
          <th scope="col">{t("Reason")}</th>
          <th scope="col">{t("What helps")}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <FileRow key={line.path} line={line} />
        ))}
      </tbody>
    </table>
  );
}

function FileRow({ line }: { line: LedgerLine }) {
  const [unlocking, setUnlocking] = useState(false);
  const holder = containerPath(line.path);
  return (
    <tr data-file={line.path}>
      <td className="max-w-[300px] max-sm:max-w-[56vw]">
        <b className="block truncate font-semibold" title={line.path}>
          {line.document_id ? <Link href={documentPath(line.document_id)}>{fileName(line.path)}</Link> : fileName(line.path)}
        </b>
        {holder && (
          <span className="block truncate text-[12.5px] text-ink-3" title={holder}>
            {t("in {place}", { place: fileName(holder) })}
          </span>
        )}
        <div className="text-[13px] text-ink-2 sm:hidden">
          <Reason line={line} />
          <Actions line={line} onUnlock={() => setUnlocking(true)} />
        </div>
        {unlocking && <UnlockDialog path={line.path} onClose={() => setUnlocking(false)} />}
      </td>
      <td className="w-24 max-sm:text-right">
        <Tag tone={tones[line.state] ?? "calm"}>{stateWord(line.state)}</Tag>
      </td>
      <td className="text-ink-2 max-sm:hidden">
        <Reason line={line} />
      </td>
      <td className="text-right max-sm:hidden">
        <Actions line={line} onUnlock={() => setUnlocking(true)} />
      </td>
    </tr>
  );
}

/** What the server says of a file, which it says in English; before it the same in two or three words of the page's language. */
function Reason({ line }: { line: LedgerLine }) {
  const translated = translateReason(line.code);
  if (!translated) return line.reason;
  return (
    <>
      <span className="block">{translated}</span>
      <span className="block text-[12.5px] text-ink-3" lang="en">
        {line.reason}
      </span>
    </>
  );
}

function Actions({ line, onUnlock }: { line: LedgerLine; onUnlock: () => void }) {
  const retry = async () => {
    const job = await api.retry(line.path);
    const last = await jobs.follow(job.id, job);
    const name = fileName(line.path);
    if (!last) return;
    showToast(last.files_failed + last.files_skipped > 0 ? t("{name} still cannot be read.", { name }) : t("{name} was read again.", { name }));
  };
  const remove = async () => {
    if (line.document_id) await api.deleteDocument(line.document_id);
    invalidateLibrary();
  };
  const actions: [label: string, act: () => void][] = [];
  if (line.code === "encrypted") actions.push([t("Password"), onUnlock]);
  if (line.code !== "excluded") actions.push([t("Retry"), () => notifyOnFailure(retry())]);
  if (line.document_id) actions.push([t("Remove"), () => notifyOnFailure(remove())]);
  else if (line.code !== "excluded" && !line.container) actions.push([t("Exclude"), () => notifyOnFailure(excludePath(line.path))]);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 sm:justify-end">
      {actions.map(([label, act]) => (
        <button key={label} type="button" className="link" onClick={act}>
          {label}
        </button>
      ))}
      {!line.container && (
        <a className="link" href={api.ledgerFileUrl(line.path)} target="_blank" rel="noreferrer">
          {t("Open")}
        </a>
      )}
    </span>
  );
}
