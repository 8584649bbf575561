import { api } from "../api/client";
import { PasswordDialog } from "../parts/PasswordForm";
import { tell } from "../shell/Toasts";
import { jobs } from "./jobs";
import { fileName } from "./telling";

/** Asks for the password of a locked file. It is used for this reading alone. */
export function Unlock({ path, onClose }: { path: string; onClose: () => void }) {
  const attempt = async (password: string) => {
    const job = await api.retry(path, password);
    const last = await jobs.follow(job.id, job);
    const opened = last !== undefined && last !== null && last.files_indexed + last.files_partial > 0;
    if (opened) tell(`${fileName(path)} was opened and read.`);
    return opened;
  };
  return (
    <PasswordDialog
      title="This file needs a password"
      description={`${fileName(path)} is locked. The password is used to read it now and is not stored.`}
      action="Open and read"
      attempt={attempt}
      onClose={onClose}
    />
  );
}
