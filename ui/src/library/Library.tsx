import { Ellipsis, FolderPlus, RotateCcw, Trash2, Upload } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { libraryChanged, useHealth, useLedger, useLedgerLines } from "../api/queries";
import type { Health, Ledger, LedgerLine, Root } from "../api/types";
import { indexPath } from "../conversation/Welcome";
import { Dialog } from "../parts/Dialog";
import { Tag, type Tone } from "../parts/Tag";
import { Time } from "../parts/Time";
import { Trouble } from "../parts/Trouble";
import { documentPath, Link } from "../shell/router";
import { show } from "../shell/signals";
import { tell } from "../shell/Toasts";
import { useTitle } from "../shell/title";
import { bytes, count, plural, shortPath } from "../text/format";
import { Documents } from "./Documents";
import { JobProgress } from "./JobProgress";
import { isOver, jobs, useJobs } from "./jobs";

const name = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

/** Says what went wrong when an action outside of a dialog fails. */
const orTell = (action: Promise<unknown>): void => {
  action.catch((error: unknown) => {
    const problem = Problem.from(error);
    tell(`${problem.title}. ${problem.fix || problem.detail}`, "bad");
  });
};

export function Library() {
  const ledger = useLedger();
  useTitle("Library");
  const health = useHealth();
  const empty = ledger.data?.counts.seen === 0;
  return (
    <main className="h-full overflow-y-auto" data-testid="library">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[30px] max-sm:px-4 max-sm:py-5">
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="mr-auto">Library</h1>
          <button type="button" className="button" onClick={() => show("add-folder")}>
            <FolderPlus size={15} aria-hidden /> Add folder
          </button>
          <button type="button" className="button" onClick={() => show("upload")}>
            <Upload size={15} aria-hidden /> Upload
          </button>
        </div>
        {ledger.error && !ledger.data && <Trouble error={ledger.error} onRetry={() => void ledger.refetch()} />}
        {ledger.data && <Summary ledger={ledger.data} health={health.data} />}
        {empty && (
          <p className="text-ink-2">
            Nothing has been read yet. Add a folder, drop files here, or{" "}
            <button type="button" className="link" onClick={() => orTell(indexPath("sample"))}>
              try the sample library
            </button>
            .
          </p>
        )}
        {ledger.data && ledger.data.roots.length > 0 && <Roots roots={ledger.data.roots} />}
        <Attention byState={ledger.data?.counts.by_state ?? {}} />
        {!empty && <Documents />}
      </div>
    </main>
  );
}

const states: [key: string, label: string, colour: string][] = [
  ["indexed", "whole", "var(--accent)"],
  ["partial", "partial", "var(--warn)"],
  ["failed", "failed", "var(--bad)"],
  ["quarantined", "quarantined", "var(--rerank)"],
  ["queued", "waiting", "color-mix(in srgb, var(--accent) 38%, var(--line))"],
  ["skipped", "skipped", "var(--line-strong)"],
];

/** The sentence that counts, the bar of states, and what is being read just now. */
function Summary({ ledger, health }: { ledger: Ledger; health: Health | undefined }) {
  const running = useJobs().filter((job) => !isOver(job));
  const { counts } = ledger;
  const shown = states
    .map(([key, label, colour]) => ({ key, label, colour, value: (counts.by_state as Record<string, number>)[key] ?? 0 }))
    .filter((state) => state.value > 0);
  const more = [health ? plural(health.library.chunks, "passage") : "", health ? `${bytes(health.library.bytes_on_disk)} on disk` : ""]
    .filter(Boolean)
    .join(" · ");
  return (
    <section className="card px-5 py-[18px]" aria-label="How much can be asked about">
      <p className="num">
        <b className="text-[20px] font-semibold tracking-[-0.01em]">
          {count(counts.askable)} of {plural(counts.seen, "file")}
        </b>
        <span className="ml-2.5 text-ink-2">can be asked about{more && ` · ${more}`}</span>
      </p>
      {shown.length > 0 && (
        <>
          <div className="mt-3.5 flex h-3 gap-0.5 overflow-hidden rounded-full" aria-hidden>
            {shown.map((state) => (
              <i
                key={state.key}
                className="block min-w-1 transition-[flex-grow] duration-200"
                style={{ flexGrow: state.value, background: state.colour }}
              />
            ))}
          </div>
          <ul className="num mt-3 flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-ink-2">
            {shown.map((state) => (
              <li key={state.key}>
                <i className="mr-1.5 inline-block size-[7px] rounded-full" style={{ background: state.colour }} />
                {count(state.value)} {state.label}
              </li>
            ))}
          </ul>
        </>
      )}
      {running.map((job) => (
        <div key={job.id} className="mt-4 border-line border-t pt-4">
          <JobProgress job={job} />
        </div>
      ))}
    </section>
  );
}

function Roots({ roots }: { roots: Root[] }) {
  return (
    <section className="card overflow-x-auto px-3 py-1.5" aria-label="Folders">
      <table className="grid-table num">
        <thead>
          <tr>
            <th scope="col">Folder</th>
            <th scope="col">Files</th>
            <th scope="col" className="max-sm:hidden">
              Read
            </th>
            <th scope="col" className="max-sm:hidden">
              Partial
            </th>
            <th scope="col" className="max-sm:hidden">
              Failed
            </th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {roots.map((root) => (
            <RootRow key={root.path + root.collection} root={root} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RootRow({ root }: { root: Root }) {
  const [forgetting, setForgetting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const job = useJobs().find((item) => item.path === root.path && !isOver(item));
  const state: [Tone, string] = job
    ? ["warn", `reading, ${count(Math.max(0, job.files_total - job.files_done))} left`]
    : root.missing
      ? ["bad", "not there any more"]
      : ["good", "read"];
  const forget = async () => {
    try {
      await api.removeRoot(root.path);
      libraryChanged();
      setForgetting(false);
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <tr>
      <td className="max-w-[340px] max-sm:max-w-[40vw]">
        <b className="block truncate font-semibold" title={root.path}>
          {/[\\/]uploads[\\/][^\\/]+$/.test(root.path) ? "Uploaded files" : shortPath(root.path, 46)}
        </b>
      </td>
      <td>{count(root.files)}</td>
      <td className="max-sm:hidden">{count(root.indexed)}</td>
      <td className="max-sm:hidden">{count(root.partial)}</td>
      <td className="max-sm:hidden">{count(root.failed)}</td>
      <td>
        <Tag tone={state[0]}>{state[1]}</Tag>
        {root.last_indexed_at && !job && <Time at={root.last_indexed_at} className="ml-2.5 text-[12.5px] text-ink-3 max-sm:hidden" />}
      </td>
      <td className="w-10 py-1! text-right">
        <DropdownMenu.Root>
          <DropdownMenu.Trigger className="quietly inline-grid size-8 place-items-center" aria-label={`Actions for ${root.path}`}>
            <Ellipsis size={17} />
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
              <DropdownMenu.Item className="menu-item" onSelect={() => orTell(indexPath(root.path))}>
                <RotateCcw size={14} aria-hidden /> Look for changes
              </DropdownMenu.Item>
              <DropdownMenu.Item className="menu-item" data-tone="bad" onSelect={() => setForgetting(true)}>
                <Trash2 size={14} aria-hidden /> Forget this folder
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
        <Dialog
          open={forgetting}
          onClose={() => setForgetting(false)}
          title="Forget this folder?"
          description={`What was read from ${root.path} can no longer be asked about. The files on the disk stay as they are.`}
        >
          {error !== null && <Trouble error={error} />}
          <div className="mt-5 flex justify-end gap-2">
            <button type="button" className="button" onClick={() => setForgetting(false)}>
              Keep it
            </button>
            <button type="button" className="button" data-kind="bad" onClick={() => void forget()}>
              Forget it
            </button>
          </div>
        </Dialog>
      </td>
    </tr>
  );
}

const attention = ["failed", "quarantined", "partial", "skipped"] as const;
const tones: Record<string, Tone> = { failed: "bad", quarantined: "bad", partial: "warn", skipped: "calm", queued: "calm", indexed: "good" };

/** What is not (wholly) read, why, and the one thing that helps. */
function Attention({ byState }: { byState: Partial<Record<string, number>> }) {
  const [only, setOnly] = useState<string | null>(null);
  const present = attention.filter((state) => (byState[state] ?? 0) > 0);
  const lines = useLedgerLines(only ? [only] : [...attention]);
  const all = lines.data?.pages.flatMap((page) => page.lines) ?? [];
  if (present.length === 0) return null;
  return (
    <section className="card overflow-x-auto px-3 py-1.5" aria-label="Needs attention" data-testid="attention">
      <div className="flex flex-wrap items-center gap-2 px-2.5 pt-2.5 pb-1">
        <h2 className="mr-auto font-semibold">Needs attention</h2>
        {present.length > 1 &&
          present.map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={only === state}
              onClick={() => setOnly(only === state ? null : state)}
              className={`chip num px-2.5 py-0.5 text-[12.5px] ${only === state ? "border-accent text-accent" : ""}`}
            >
              {state} {count(byState[state] ?? 0)}
            </button>
          ))}
      </div>
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
      {lines.hasNextPage && (
        <button type="button" className="link px-2.5 py-2 text-[13.5px]" onClick={() => void lines.fetchNextPage()}>
          Show more
        </button>
      )}
    </section>
  );
}

function AttentionRow({ line }: { line: LedgerLine }) {
  const retry = async () => {
    const job = await api.retry(line.path);
    const last = await jobs.follow(job.id, job);
    if (last) tell(last.files_failed + last.files_skipped > 0 ? `${name(line.path)} still cannot be read.` : `${name(line.path)} was read again.`);
  };
  const remove = async () => {
    if (line.document_id) await api.deleteDocument(line.document_id);
    libraryChanged();
  };
  return (
    <tr>
      <td className="max-w-[300px] max-sm:max-w-[46vw]">
        <b className="block truncate font-semibold" title={line.path}>
          {line.document_id ? <Link href={documentPath(line.document_id)}>{name(line.path)}</Link> : name(line.path)}
        </b>
        <span className="block text-[13px] text-ink-2 sm:hidden">{line.reason}</span>
      </td>
      <td className="w-24">
        <Tag tone={tones[line.state] ?? "calm"}>{line.state}</Tag>
      </td>
      <td className="text-ink-2 max-sm:hidden">{line.reason}</td>
      <td className="whitespace-nowrap text-right">
        <button type="button" className="link" onClick={() => orTell(retry())}>
          Retry
        </button>
        {line.document_id && (
          <>
            <span className="text-ink-3"> · </span>
            <button type="button" className="link" onClick={() => orTell(remove())}>
              Remove
            </button>
          </>
        )}
      </td>
    </tr>
  );
}
