import { useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder, FolderOpen } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { ErrorMessage } from "../parts/ErrorMessage";
import { shortenPath } from "../text/format";
import { t } from "../text/language";

/** Goes through the folders of this machine; the one that is open is the one that is picked. Nothing where the server does not show them. */
export function FolderPicker({ onPick }: { onPick: (path: string) => void }) {
  const [open, setOpen] = useState(false);
  const [under, setUnder] = useState<string | null>(null);
  const choices = useQuery({
    queryKey: ["folders", under],
    queryFn: ({ signal }) => api.folderChoices(under, signal),
    enabled: open,
    staleTime: 10_000,
    placeholderData: (before) => before,
    retry: false,
  });
  const go = (path: string | null) => {
    setUnder(path);
    if (path !== null) onPick(path);
  };
  if (!open)
    return (
      <button type="button" className="link flex items-center gap-1.5 self-start text-[13.5px]" onClick={() => setOpen(true)}>
        <FolderOpen size={14} aria-hidden /> {t("Choose from this computer")}
      </button>
    );
  if (choices.error instanceof Problem && choices.error.status === 403 && under === null)
    return <p className="text-[13.5px] text-ink-2">{t("The folders of the server are not shown to others. Type the path.")}</p>;
  const here = choices.data?.under ?? null;
  return (
    <div className="rounded-2 border border-line" data-testid="folder-picker">
      {here !== null && (
        <div className="flex items-center gap-2 border-line border-b px-2 py-1.5 text-[13px] text-ink-2">
          <button type="button" className="quietly flex items-center gap-1 px-1.5 py-0.5" onClick={() => go(choices.data?.above ?? null)}>
            <CornerLeftUp size={14} aria-hidden /> {t("Up")}
          </button>
          <span className="min-w-0 truncate" title={here} aria-live="polite">
            {shortenPath(here, 44)}
          </span>
        </div>
      )}
      {choices.error && <ErrorMessage error={choices.error} onRetry={() => void choices.refetch()} />}
      <ul className="max-h-[230px] overflow-auto p-1" aria-label={t("Folders")}>
        {choices.data?.folders.map((folder) => (
          <li key={folder.path}>
            <button type="button" className="menu-item w-full text-left" title={folder.path} onClick={() => go(folder.path)}>
              <Folder size={14} aria-hidden className="shrink-0 text-ink-3" />
              <span className="truncate" dir="auto">
                {folder.name}
              </span>
            </button>
          </li>
        ))}
        {choices.data?.folders.length === 0 && (
          <li className="px-2.5 py-1.5 text-[13.5px] text-ink-2">{t("No folders in here. This one can be added.")}</li>
        )}
        {choices.data?.truncated && <li className="px-2.5 py-1.5 text-[13px] text-ink-3">{t("More than 1,000: type the path instead.")}</li>}
      </ul>
    </div>
  );
}
