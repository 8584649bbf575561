import { LockOpen } from "lucide-react";
import { type FormEvent, type MouseEvent, type ReactNode, useState } from "react";
import { api } from "../api/client";
import { Dialog } from "../parts/Dialog";
import { Trouble } from "../parts/Trouble";
import { isLocked, unlocked } from "./unlocking";

interface Props {
  document: string;
  filename: string;
  /** Where it lies; a file in an archive or a message may be locked there. */
  path: string;
  className: string;
  label?: string;
  children: ReactNode;
}

/** A link that opens the file itself in a tab of its own, and asks for the password first where its archive is locked. */
export function OpenFile({ document, filename, path, className, label, children }: Props) {
  const [asking, setAsking] = useState(false);
  const url = api.fileUrl(document);
  const open = async (event: MouseEvent) => {
    if (!path.includes("!/") || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (await isLocked(document)) setAsking(true);
    else window.open(url, "_blank", "noopener");
  };
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer" className={className} aria-label={label} onClick={(event) => void open(event)}>
        {children}
      </a>
      {asking && <AskPassword document={document} filename={filename} onClose={() => setAsking(false)} />}
    </>
  );
}

/** A download: what was locked is never shown in a tab of ours. */
function save(file: Blob, name: string) {
  const link = window.document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The password goes in the body of the request, never in an address, and stays nowhere. */
function AskPassword({ document, filename, onClose }: { document: string; filename: string; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState(false);
  const open = async () => {
    setBusy(true);
    setError(null);
    setWrong(false);
    try {
      const response = await unlocked(document, password);
      if (response === null) setWrong(true);
      else {
        save(await response.blob(), filename);
        onClose();
      }
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
    <Dialog open onClose={onClose} title="This file is locked" description={`${filename} lies in a locked archive. Its password is kept nowhere.`}>
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
        <button type="submit" className="button self-end" data-kind="main" disabled={!password || busy}>
          <LockOpen size={15} aria-hidden /> {busy ? "Opening …" : "Download it"}
        </button>
      </form>
    </Dialog>
  );
}
