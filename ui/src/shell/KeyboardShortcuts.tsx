import { useEffect, useState } from "react";
import { Dialog } from "../parts/Dialog";
import { mark, t } from "../text/language";
import { newQuestion } from "./commands";
import { isMac } from "./Rail";
import { onSignal, sendSignal } from "./signals";

const mod = isMac ? "⌘" : "Ctrl";

const keys: [string, string[]][] = [
  [mark("Ask"), ["Enter"]],
  [mark("New line"), ["Shift", "Enter"]],
  [mark("Stop"), ["Esc"]],
  [mark("Edit the last question"), ["↑"]],
  [mark("Commands"), ["/"]],
  [mark("Open anything"), [mod, "K"]],
  [mark("New question"), [mod, "Shift", "O"]],
  [mark("Next citation"), ["n"]],
  [mark("Previous citation"), ["p"]],
  [mark("Search in the source"), [mod, "F"]],
  [mark("Close the source"), ["Esc"]],
  [mark("Keyboard shortcuts"), ["?"]],
];

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Listens for the keys that work everywhere, and shows them on `?`. */
export function KeyboardShortcuts() {
  const [open, setOpen] = useState(false);
  useEffect(() => onSignal("keys", () => setOpen(true)), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const command = event.metaKey || event.ctrlKey;
      if (command && !event.shiftKey && key === "k") sendSignal("palette");
      else if (command && event.shiftKey && key === "o") newQuestion();
      else if (event.key === "?" && !command && !isTyping(event.target)) setOpen(true);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t("Keyboard shortcuts")}>
      <dl className="mt-4 grid grid-cols-[1fr_auto] gap-y-2.5">
        {keys.map(([label, combination]) => (
          <div key={label} className="contents">
            <dt className="text-ink-2">{t(label)}</dt>
            <dd className="flex justify-end gap-1">
              {combination.map((key) => (
                <kbd key={key} className="px-1.5 text-[12px]">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
