import { ChevronRight, Ellipsis, Eye, EyeOff, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { invalidateLibrary, queryClient, useFolders } from "../api/queries";
import type { Folder, Root } from "../api/types";
import { indexPath } from "../conversation/Welcome";
import { ErrorMessage } from "../parts/ErrorMessage";
import { DropdownMenu } from "../parts/Menu";
import { Tag, type Tone } from "../parts/Tag";
import { Time } from "../parts/Time";
import { Tip } from "../parts/Tip";
import { showToast } from "../shell/Toasts";
import { formatCount, shortenPath } from "../text/format";
import { mark, t, tn } from "../text/language";
import { ForgetFolderDialog } from "./ForgetFolderDialog";
import { fileName } from "./filePath";
import { isOver, useJobs } from "./jobs";
import { notifyOnFailure } from "./notify";

/** The folders that are read, each with what became of its files and whether its changes are followed. */
export function FolderTable({ roots }: { roots: Root[] }) {
  return (
    <section className="card overflow-x-auto px-3 py-1.5" aria-label={t("Folders")} data-testid="folders">
      <table className="grid-table num">
        <thead>
          <tr>
            <th scope="col">{t("Folder")}</th>
            <th scope="col">{t("Files")}</th>
            <th scope="col" className="max-sm:hidden">
              {t("Searchable")}
            </th>
            <th scope="col" className="max-sm:hidden">
              {t("Need attention")}
            </th>
            <th scope="col">{t("State")}</th>
            <th scope="col">
              <span className="sr-only">{t("Actions")}</span>
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

const watchWords: Record<Root["watch"], [Tone, string]> = {
  watching: ["good", mark("followed")],
  scanning: ["warn", mark("comparing")],
  paused: ["bad", mark("paused")],
  off: ["calm", mark("not followed")],
};

function RootRow({ root }: { root: Root }) {
  const [open, setOpen] = useState(false);
  const job = useJobs().find((item) => item.path === root.path && !isOver(item));
  const [tone, word] = job
    ? (["warn", t("reading, {n} left", { n: formatCount(Math.max(0, job.files_total - job.files_done)) })] satisfies [Tone, string])
    : root.missing
      ? (["bad", t("no longer there")] satisfies [Tone, string])
      : watchWords[root.watch];
  const own = /[\\/]uploads[\\/][^\\/]+%3A[^\\/]+$/.test(root.path) ? t("Your uploads") : t("Uploaded files");
  const title = /[\\/]uploads[\\/][^\\/]+$/.test(root.path) ? own : shortenPath(root.path, 46);
  return (
    <>
      <tr data-root={root.path}>
        <td className="max-w-[340px] max-sm:max-w-[34vw]">
          <Opener open={open} onToggle={() => setOpen(!open)} label={title} title={root.path} depth={0} />
        </td>
        <td>{formatCount(root.files)}</td>
        <td className="max-sm:hidden">{formatCount(root.indexed + root.partial)}</td>
        <td className="max-sm:hidden">{formatCount(root.partial + root.failed + root.skipped)}</td>
        <td>
          {root.watch_reason && !job ? (
            <Tip label={root.watch_reason}>
              <span>
                <Tag tone={tone}>{t(word)}</Tag>
              </span>
            </Tip>
          ) : (
            <Tag tone={tone}>{t(word)}</Tag>
          )}
          {root.last_indexed_at && !job && <Time at={root.last_indexed_at} className="ml-2.5 text-[12.5px] text-ink-3 max-sm:hidden" />}
        </td>
        <td className="w-10 py-1! text-right">
          <RootMenu root={root} />
        </td>
      </tr>
      {root.watch === "paused" && root.watch_reason && (
        <tr>
          <td colSpan={6} className="text-[13px] text-bad">
            {root.watch_reason}
          </td>
        </tr>
      )}
      {open && <FolderContents under={root.path} depth={1} />}
    </>
  );
}

/** The folders directly in a folder, opened one at a time: a large tree is never asked for whole. */
function FolderContents({ under, depth }: { under: string; depth: number }) {
  const folders = useFolders(under, true);
  if (folders.error)
    return (
      <tr>
        <td colSpan={6}>
          <ErrorMessage error={folders.error} onRetry={() => void folders.refetch()} />
        </td>
      </tr>
    );
  if (!folders.data) return null;
  return (
    <>
      {folders.data.folders.map((folder) => (
        <FolderRow key={folder.path} folder={folder} depth={depth} />
      ))}
      {folders.data.folders.length === 0 && (
        <tr>
          <td colSpan={6} className="text-[13px] text-ink-3" style={{ paddingLeft: `${10 + depth * 18}px` }}>
            {t("No folders in it.")}
          </td>
        </tr>
      )}
      {folders.data.truncated && (
        <tr>
          <td colSpan={6} className="text-[13px] text-ink-3">
            {t("Only the first {n} folders are shown.", { n: formatCount(folders.data.folders.length) })}
          </td>
        </tr>
      )}
    </>
  );
}

function FolderRow({ folder, depth }: { folder: Folder; depth: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr data-folder={folder.path}>
        <td className="max-w-[340px] max-sm:max-w-[34vw]">
          <Opener
            open={open}
            {...(folder.folders > 0 ? { onToggle: () => setOpen(!open) } : {})}
            label={folder.name || fileName(folder.path)}
            title={folder.path}
            depth={depth}
          />
        </td>
        <td>{formatCount(folder.files)}</td>
        <td className="max-sm:hidden">{formatCount(folder.askable)}</td>
        <td className="max-sm:hidden">{formatCount(folder.with_reasons)}</td>
        <td>{folder.excluded && <Tag>{t("excluded by you")}</Tag>}</td>
        <td className="py-1! text-right">
          {!folder.excluded && (
            <button
              type="button"
              className="quietly whitespace-nowrap px-1.5 py-1 text-[12.5px]"
              aria-label={t("Exclude {name}", { name: folder.path })}
              onClick={() => notifyOnFailure(excludePath(folder.path))}
            >
              {t("Exclude")}
            </button>
          )}
        </td>
      </tr>
      {open && <FolderContents under={folder.path} depth={depth + 1} />}
    </>
  );
}

interface OpenerProps {
  open: boolean;
  onToggle?: () => void;
  label: string;
  title: string;
  depth: number;
}

function Opener({ open, onToggle, label, title, depth }: OpenerProps) {
  const style = { paddingLeft: `${depth * 18}px` };
  if (!onToggle)
    return (
      <span className="block truncate pl-5" title={title}>
        <span style={style}>{label}</span>
      </span>
    );
  return (
    <button type="button" className="flex w-full items-center gap-1.5 text-left" aria-expanded={open} title={title} onClick={onToggle} style={style}>
      <ChevronRight size={14} aria-hidden className={`shrink-0 text-ink-3 transition-transform duration-150 ${open ? "rotate-90" : ""}`} />
      <b className={`truncate ${depth === 0 ? "font-semibold" : "font-normal"}`}>{label}</b>
    </button>
  );
}

/** Takes a file or a folder out of the library for good; the disk stays as it is. */
export async function excludePath(path: string): Promise<void> {
  const gone = await api.exclude(path);
  invalidateLibrary();
  const name = fileName(path);
  const removed = { name, n: formatCount(gone.documents) };
  showToast(
    gone.documents > 0
      ? tn(
          gone.documents,
          "{name} is excluded; {n} document was removed from the library. The files stay on the disk.",
          "{name} is excluded; {n} documents were removed from the library. The files stay on the disk.",
          removed,
        )
      : t("{name} is excluded. The files stay on the disk.", { name }),
  );
}

async function followFolder(path: string, on: boolean): Promise<void> {
  queryClient.setQueryData(["watcher"], await api.watch(on, path));
  invalidateLibrary();
}

function RootMenu({ root }: { root: Root }) {
  const [forgetting, setForgetting] = useState(false);
  const followed = root.watch !== "off";
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="quietly inline-grid size-8 place-items-center" aria-label={t("Actions for {name}", { name: root.path })}>
          <Ellipsis size={17} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" onSelect={() => notifyOnFailure(indexPath(root.path))}>
              <RotateCcw size={14} aria-hidden /> {t("Check for changes")}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => notifyOnFailure(followFolder(root.path, !followed))}>
              {followed ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
              {followed ? t("Stop following changes") : t("Follow changes")}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" data-tone="bad" onSelect={() => setForgetting(true)}>
              <Trash2 size={14} aria-hidden /> {t("Forget this folder")}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {forgetting && <ForgetFolderDialog path={root.path} onClose={() => setForgetting(false)} />}
    </>
  );
}
