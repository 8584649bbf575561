import { LockOpen } from "lucide-react";
import { useState } from "react";
import { t } from "../text/language";
import { Dialog } from "./Dialog";
import { ErrorMessage } from "./ErrorMessage";

interface Props {
  /** What the button says. */
  action: string;
  wrong: boolean;
  busy?: boolean;
  error?: unknown;
  onPassword: (password: string) => void;
}

/** Asks for the password of a file. */
export function PasswordForm({ action, wrong, busy = false, error = null, onPassword }: Props) {
  const [password, setPassword] = useState("");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (password) onPassword(password);
      }}
    >
      <input
        className="field"
        type="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        aria-label={t("Password of the file")}
        aria-invalid={wrong}
        autoComplete="off"
      />
      {wrong && (
        <p role="alert" className="text-[13.5px] text-bad">
          {t("This password does not open it.")}
        </p>
      )}
      {error !== null && <ErrorMessage error={error} />}
      <button type="submit" className="button self-end" data-kind="main" disabled={!password || busy}>
        <LockOpen size={15} aria-hidden /> {busy ? t("Opening …") : action}
      </button>
    </form>
  );
}

interface DialogProps {
  title: string;
  description: string;
  action: string;
  /** Tries a password; whether it opened the file. What it throws is shown. */
  attempt: (password: string) => Promise<boolean>;
  onClose: () => void;
}

/** The same in a dialog, which closes once the file is open. */
export function PasswordDialog({ title, description, action, attempt, onClose }: DialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const open = async (password: string) => {
    setBusy(true);
    setError(null);
    setWrong(false);
    try {
      if (await attempt(password)) onClose();
      else setWrong(true);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <div className="mt-4">
        <PasswordForm action={action} wrong={wrong} busy={busy} error={error} onPassword={(password) => void open(password)} />
      </div>
    </Dialog>
  );
}
