import { useState } from "react";
import { api } from "../api/client";
import { invalidateMemory, PERSON, queryClient } from "../api/queries";
import type { Forgotten, MemoryOverview } from "../api/types";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { formatCount } from "../text/format";
import { t } from "../text/language";
import { describeRemoved, SECTIONS } from "./memoryItems";

/** Forgets a conversation or everything: says what will go, asks once, and says what went. */
export function ForgetDialog({ overview, session, onClose }: { overview: MemoryOverview; session: string | null; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [gone, setGone] = useState<Forgotten | null>(null);
  const [busy, setBusy] = useState(false);
  const forget = async () => {
    setBusy(true);
    try {
      setGone(await api.forget(PERSON, session === null ? {} : { session_id: session }));
      invalidateMemory();
      void queryClient.invalidateQueries({ queryKey: ["traces"] });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  if (gone) return <ForgottenDialog gone={gone} onClose={onClose} />;
  const all = session === null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={all ? t("Forget everything about me?") : t("Forget this conversation?")}
      description={
        all
          ? t("Everything below is removed for good. Your documents and conversations stay.")
          : t("What was remembered from this conversation is removed for good. The conversation itself stays in the list.")
      }
    >
      {all && (
        <dl className="num mt-3 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-[14px]">
          {SECTIONS.map(({ name, title }) => (
            <div key={name} className="contents">
              <dt className="text-ink-2">{t(title)}</dt>
              <dd className="text-right">{formatCount(overview[name].total)}</dd>
            </div>
          ))}
        </dl>
      )}
      {error !== null && (
        <div className="mt-3">
          <ErrorMessage error={error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {t("Keep it")}
        </button>
        <button type="button" className="button" data-kind="bad" disabled={busy} onClick={() => void forget()}>
          {all ? t("Forget everything") : t("Forget it")}
        </button>
      </div>
    </Dialog>
  );
}

function ForgottenDialog({ gone, onClose }: { gone: Forgotten; onClose: () => void }) {
  const items = gone.items ?? [];
  return (
    <Dialog open onClose={onClose} title={t("Forgotten")} description={t("Removed: {what}.", { what: describeRemoved(gone) })}>
      {items.length > 0 && (
        <ul className="mt-3 grid max-h-[34vh] gap-1.5 overflow-auto border-line border-l-2 pl-3 text-[13.5px] text-ink-2" data-testid="removed">
          {items.map((item) => (
            <li key={`${item.tier} ${item.id}`} className="break-words">
              {item.text}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5 flex justify-end">
        <button type="button" className="button" data-kind="main" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
    </Dialog>
  );
}
