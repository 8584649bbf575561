import { X } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { t } from "../text/language";

interface Note {
  id: number;
  text: string;
  tone: "calm" | "bad";
}

let notes: readonly Note[] = [];
let counter = 0;
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

/** Says something that has no place of its own on the page. */
export function showToast(text: string, tone: Note["tone"] = "calm"): void {
  notes = [...notes, { id: ++counter, text, tone }].slice(-3);
  changed();
}

const dismiss = (id: number): void => {
  notes = notes.filter((note) => note.id !== id);
  changed();
};

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notes,
  );
  return (
    <div
      className="pointer-events-none fixed right-4 bottom-4 z-[90] flex w-[min(380px,calc(100vw-32px))] flex-col gap-2"
      role="status"
      aria-live="polite"
    >
      {shown.map((note) => (
        <Toast key={note.id} note={note} />
      ))}
    </div>
  );
}

function Toast({ note }: { note: Note }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(note.id), note.tone === "bad" ? 12_000 : 5_000);
    return () => clearTimeout(timer);
  }, [note]);
  return (
    <div
      className={`card pointer-events-auto flex animate-rise items-start gap-3 p-3 text-[13.5px] shadow-high ${note.tone === "bad" ? "border-bad" : ""}`}
    >
      <span className="min-w-0 flex-1 break-words">{note.text}</span>
      <button type="button" className="quietly p-0.5" aria-label={t("Dismiss")} onClick={() => dismiss(note.id)}>
        <X size={14} />
      </button>
    </div>
  );
}
