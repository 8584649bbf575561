import { Sparkles } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { indexPath } from "../conversation/Welcome";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { onSignal } from "../shell/signals";
import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { FolderPicker } from "./FolderPicker";

/** Asks for a folder and has it read. It is mounted when it is first asked for, and open then. */
export function AddFolderDialog() {
  const [open, setOpen] = useState(true);
  const [path, setPath] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => onSignal("add-folder", () => setOpen(true)), []);
  const start = async (folder: string) => {
    setBusy(true);
    setError(null);
    try {
      await indexPath(folder);
      setOpen(false);
      setPath("");
      showToast(t("Reading has started. You can ask questions meanwhile."));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim()) void start(path.trim());
  };
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={t("Add a folder")}
      description={t("Its files are read where they are; nothing is copied or changed. A single file works as well.")}
    >
      <form onSubmit={submit} className="mt-4 flex flex-col gap-3">
        <input
          className="field"
          value={path}
          onChange={(event) => setPath(event.target.value)}
          aria-label={t("Path of the folder")}
          placeholder={t("/home/me/Documents")}
          spellCheck={false}
          autoComplete="off"
        />
        <FolderPicker onPick={setPath} />
        {error !== null && <ErrorMessage error={error} />}
        <div className="flex items-center gap-2">
          <button
            type="button"
            className="quietly flex items-center gap-1.5 px-1.5 py-1 text-[13.5px]"
            disabled={busy}
            onClick={() => void start("sample")}
          >
            <Sparkles size={14} aria-hidden /> {t("Use the sample library")}
          </button>
          <button type="submit" className="button ml-auto" data-kind="main" disabled={!path.trim() || busy}>
            {t("Read it")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
