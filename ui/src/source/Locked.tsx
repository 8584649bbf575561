import { LockOpen } from "lucide-react";
import { useState } from "react";

/** Passwords by document: in the memory of this window alone, so that each citation does not ask anew. */
export const passwords = new Map<string, string>();

/** The pages of a locked file, until its password is given. */
export function Locked({ filename, wrong, onPassword }: { filename: string; wrong: boolean; onPassword: (password: string) => void }) {
  const [password, setPassword] = useState("");
  return (
    <form
      className="sheet-paper mx-auto flex max-w-[420px] flex-col gap-3 p-6"
      data-testid="locked"
      onSubmit={(event) => {
        event.preventDefault();
        if (password) onPassword(password);
      }}
    >
      <b className="font-semibold">This file is locked</b>
      <p className="text-[13.5px] text-ink-2">
        Vantage has read {filename} and keeps no passwords. Give it once more to see the pages; it stays in this window. The words are under “Text”.
      </p>
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
      <button type="submit" className="button self-end" data-kind="main" disabled={!password}>
        <LockOpen size={15} aria-hidden /> Show the pages
      </button>
    </form>
  );
}
