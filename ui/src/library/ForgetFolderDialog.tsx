import { useState } from "react";
import { api } from "../api/client";
import { invalidateLibrary } from "../api/queries";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { t } from "../text/language";

/** Asks whether a folder is to be forgotten, and forgets it. */
export function ForgetFolderDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const forget = async () => {
    try {
      await api.removeRoot(path);
      invalidateLibrary();
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Forget this folder?")}
      description={t("What was read from {name} will no longer be searched. The files on the disk stay as they are.", { name: path })}
    >
      {error !== null && <ErrorMessage error={error} />}
      <div className="mt-5 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {t("Keep it")}
        </button>
        <button type="button" className="button" data-kind="bad" onClick={() => void forget()}>
          {t("Forget it")}
        </button>
      </div>
    </Dialog>
  );
}
