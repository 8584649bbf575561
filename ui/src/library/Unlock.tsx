import { LockOpen } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import { Dialog } from "../parts/Dialog";
import { Trouble } from "../parts/Trouble";
import { tell } from "../shell/Toasts";
import { jobs } from "./jobs";
import { fileName } from "./telling";

/** Asks for the password of a locked file. It is used for this reading alone. */
export function Unlock({ path, onClose }: { path: string; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    setError(null);
    setWrong(false);
    try {
      const job = await api.retry(path, password);
      const last = await jobs.follow(job.id, job);
      if (last && last.files_indexed + last.files_partial > 0) {
        tell(`${fileName(path)} was opened and read.`);
        onClose();
      } else setWrong(true);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password) void open();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="This file needs a password"
      description={`${fileName(path)} is locked. The password is used to read it now and is kept nowhere.`}
    >
      <form onSubmit={submit} className="mt-4 flex flex-col gap-3">
        <input
          className="field"
          type="password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          aria-label="Password of the file"
          aria-invalid={wrong}
          autoComplete="off"
        />
        {wrong && (
          <p role="alert" className="text-[13.5px] text-bad">
            This password does not open it.
          </p>
        )}
        {error !== null && <Trouble error={error} />}
        <div className="flex justify-end">
          <button type="submit" className="button" data-kind="main" disabled={!password || busy}>
            <LockOpen size={15} aria-hidden /> {busy ? "Opening …" : "Open and read"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
