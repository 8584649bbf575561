import { api } from "../api/client";
import { PasswordDialog } from "../parts/PasswordForm";
import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { fileName } from "./filePath";
import { jobs } from "./jobs";

/** Asks for the password of a locked file. It is used for this reading alone. */
export function UnlockDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const attempt = async (password: string) => {
    const job = await api.retry(path, password);
    const last = await jobs.follow(job.id, job);
    const opened = last !== undefined && last !== null && last.files_indexed + last.files_partial > 0;
    if (opened) showToast(t("{name} was opened and read.", { name: fileName(path) }));
    return opened;
  };
  return (
    <PasswordDialog
      title={t("This file needs a password")}
      description={t("{name} is locked. The password is used to read it now and is not stored.", { name: fileName(path) })}
      action={t("Open and read")}
      attempt={attempt}
      onClose={onClose}
    />
  );
}
