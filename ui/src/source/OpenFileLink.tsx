import { type MouseEvent, type ReactNode, useState } from "react";
import { api } from "../api/client";
import { PasswordDialog } from "../parts/PasswordForm";
import { t } from "../text/language";
import { isLocked, openLockedFile } from "./lockedFiles";

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
export function OpenFileLink({ document, filename, path, className, label, children }: Props) {
  const [asking, setAsking] = useState(false);
  const url = api.fileUrl(document);
  const open = async (event: MouseEvent) => {
    if (!path.includes("!/") || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (await isLocked(document)) setAsking(true);
    else window.open(url, "_blank", "noopener");
  };
  const download = async (password: string) => {
    const response = await openLockedFile(document, password);
    if (response !== null) save(await response.blob(), filename);
    return response !== null;
  };
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer" className={className} aria-label={label} onClick={(event) => void open(event)}>
        {children}
      </a>
      {asking && (
        <PasswordDialog
          title={t("This file is locked")}
          description={t("{name} is in a locked archive. Its password is not stored.", { name: filename })}
          action={t("Download it")}
          attempt={download}
          onClose={() => setAsking(false)}
        />
      )}
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
