import { Search } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { api } from "../api/client";
import { libraryChanged, useLedgerLines, useLedgerSummary } from "../api/queries";
import type { LedgerLine, LedgerReason } from "../api/types";
import { Tag, type Tone } from "../parts/Tag";
import { documentPath, Link } from "../shell/router";
import { tell } from "../shell/Toasts";
import { count } from "../text/format";
import { leaveOut } from "./Folders";
import { jobs } from "./jobs";
import { fileName, holderOf, orTell } from "./telling";
import { Unlock } from "./Unlock";

const attention = ["failed", "quarantined", "partial", "skipped", "queued"] as const;
const tones: Record<string, Tone> = { failed: "bad", quarantined: "bad", partial: "warn", skipped: "calm", queued: "calm", indexed: "good" };
/** A reason in two or three words, for a button; the ledger's own word where there is none. */
const short: Record<string, string> = {
  encrypted: "locked",
  sealed: "sealed",
  recognition_off: "text recognition is off",
  unsupported: "unsupported type",
  malformed: "damaged",
  empty: "no text",
  limit_exceeded: "too large",
  ignored: "ignored",
  excluded: "excluded by you",
  needs_recognition: "waiting for text recognition",
  needs_description: "pictures not described yet",
  nothing_seen: "nothing found in its pictures",
  partial: "partly read",
  removed_by_user: "removed by you",
  permission_denied: "no permission to read",
};

/** What is not (wholly) read, why, and the one thing that helps. */
export function Attention({ byState }: { byState: Partial<Record<string, number>> }) {
  const [only, setOnly] = useState<string | null>(null);
  const [code, setCode] = useState("");
  const [typed, setTyped] = useState("");
  const text = useDeferredValue(typed.trim());
  const present = attention.filter((state) => (byState[state] ?? 0) > 0);
  const lines = useLedgerLines({ state: only ? [only] : [...attention], ...(code ? { code } : {}), ...(text ? { text } : {}) });
  const reasons = useLedgerSummary().data?.reasons ?? [];
  // What a rule leaves out on purpose needs nobody's attention; its button shows it.
  const all = (lines.data?.pages.flatMap((page) => page.lines) ?? []).filter((line) => code === "ignored" || text || line.code !== "ignored");
  if (present.length === 0) return null;
  return (
    <section className="card overflow-x-auto px-3 py-1.5" aria-label="Needs attention" data-testid="attention">
      <div className="flex flex-wrap items-center gap-2 px-2.5 pt-2.5 pb-1">
        <h2 className="mr-auto font-semibold">Needs attention</h2>
        {present.length > 1 &&
          present.map((state) => (
            <Choice key={state} on={only === state} onClick={() => setOnly(only === state ? null : state)}>
              {state} {count(byState[state] ?? 0)}
            </Choice>
          ))}
        <label className="relative w-[190px]">
          <span className="sr-only">Find a file by its path</span>
          <Search size={14} aria-hidden className="absolute top-[9px] left-2.5 text-ink-3" />
          <input
            className="field h-8 pl-8 text-[13.5px]"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder="Find by path"
          />
        </label>
      </div>
      <Reasons reasons={reasons} code={code} onChoose={setCode} />
      <table className="grid-table">
        <thead className="sr-only">
          <tr>
            <th scope="col">File</th>
            <th scope="col">State</th>
            <th scope="col">Reason</th>
            <th scope="col">What helps</th>
          </tr>
        </thead>
        <tbody>
          {all.map((line) => (
            <AttentionRow key={line.path} line={line} />
          ))}
        </tbody>
      </table>
      {all.length === 0 && lines.isSuccess && <p className="px-2.5 py-3 text-[13.5px] text-ink-2">No files match.</p>}
      {lines.hasNextPage && (
        <button type="button" className="link px-2.5 py-2 text-[13.5px]" onClick={() => void lines.fetchNextPage()}>
          Show more
        </button>
      )}
    </section>
  );
}

function Choice({ on, onClick, children }: { on: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={`chip num px-2.5 py-0.5 text-[12.5px] ${on ? "border-accent text-accent" : ""}`}
    >
      {children}
    </button>
  );
}

/** How many files have which reason; one chosen shows its files. */
function Reasons({ reasons, code, onChoose }: { reasons: LedgerReason[]; code: string; onChoose: (code: string) => void }) {
  if (reasons.length < 2) return null;
  return (
    <div className="flex flex-wrap gap-1.5 px-2.5 pb-2" role="group" aria-label="Reasons">
      {reasons.slice(0, 12).map((reason) => (
        <Choice key={reason.code} on={code === reason.code} onClick={() => onChoose(code === reason.code ? "" : reason.code)}>
          {short[reason.code] ?? reason.code.replaceAll("_", " ")} {count(reason.files)}
        </Choice>
      ))}
    </div>
  );
}

function AttentionRow({ line }: { line: LedgerLine }) {
  const [unlocking, setUnlocking] = useState(false);
  const holder = holderOf(line.path);
  return (
    <tr>
      <td className="max-w-[300px] max-sm:max-w-[46vw]">
        <b className="block truncate font-semibold" title={line.path}>
          {line.document_id ? <Link href={documentPath(line.document_id)}>{fileName(line.path)}</Link> : fileName(line.path)}
        </b>
        {holder && (
          <span className="block truncate text-[12.5px] text-ink-3" title={holder}>
            in {fileName(holder)}
          </span>
        )}
        <span className="block text-[13px] text-ink-2 sm:hidden">{line.reason}</span>
      </td>
      <td className="w-24">
        <Tag tone={tones[line.state] ?? "calm"}>{line.state}</Tag>
      </td>
      <td className="text-ink-2 max-sm:hidden">{line.reason}</td>
      <td className="text-right sm:whitespace-nowrap">
        <Actions line={line} onUnlock={() => setUnlocking(true)} />
        {unlocking && <Unlock path={line.path} onClose={() => setUnlocking(false)} />}
      </td>
    </tr>
  );
}

function Actions({ line, onUnlock }: { line: LedgerLine; onUnlock: () => void }) {
  const retry = async () => {
    const job = await api.retry(line.path);
    const last = await jobs.follow(job.id, job);
    if (last)
      tell(last.files_failed + last.files_skipped > 0 ? `${fileName(line.path)} still cannot be read.` : `${fileName(line.path)} was read again.`);
  };
  const remove = async () => {
    if (line.document_id) await api.deleteDocument(line.document_id);
    libraryChanged();
  };
  const actions: [label: string, act: () => void][] = [];
  if (line.code === "encrypted") actions.push(["Password", onUnlock]);
  if (line.code !== "excluded") actions.push(["Retry", () => orTell(retry())]);
  if (line.document_id) actions.push(["Remove", () => orTell(remove())]);
  else if (line.code !== "excluded" && !line.container) actions.push(["Exclude", () => orTell(leaveOut(line.path))]);
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
      {actions.map(([label, act]) => (
        <button key={label} type="button" className="link" onClick={act}>
          {label}
        </button>
      ))}
      {!line.container && (
        <a className="link" href={api.ledgerFileUrl(line.path)} target="_blank" rel="noreferrer">
          Open
        </a>
      )}
    </span>
  );
}
