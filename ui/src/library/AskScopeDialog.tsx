import { Search } from "lucide-react";
import { type FormEvent, useDeferredValue, useEffect, useState } from "react";
import { useDocumentPages } from "../api/queries";
import { attach, detach, focusComposer, setDraft, useDraft } from "../conversation/draft";
import { Dialog } from "../parts/Dialog";
import { navigate } from "../shell/router";
import { onSignal } from "../shell/signals";
import { formatPlural } from "../text/format";
import { t } from "../text/language";
import { Choice, DayField, FolderChoice } from "./Filters";
import { ALL_DOCUMENTS, KINDS, toQuery } from "./listing";

/** What the next question is restricted to: documents out of the whole library, a folder, a type, days. Mounted when first asked for, and open then. */
export function AskScopeDialog() {
  const [open, setOpen] = useState(true);
  const [typed, setTyped] = useState("");
  const draft = useDraft();
  const { kind, since, until } = draft.only;
  const only = (change: Partial<typeof draft.only>) => setDraft({ only: { ...draft.only, ...change } });
  const listing = { ...ALL_DOCUMENTS, text: useDeferredValue(typed), folder: draft.folder ?? "", kind, since, until };
  const pages = useDocumentPages(toQuery(listing));
  const found = pages.data?.pages[0]?.documents ?? [];
  const total = pages.data?.pages[0]?.total ?? 0;
  const chosen = new Map(draft.attachments.flatMap((item) => (item.documentId ? [[item.documentId, item.key] as const] : [])));
  useEffect(() => onSignal("ask-only", () => setOpen(true)), []);
  const close = () => setOpen(false);
  const done = (event: FormEvent) => {
    event.preventDefault();
    close();
    if (!window.location.pathname.startsWith("/app/c/")) navigate("/app");
    focusComposer();
  };
  return (
    <Dialog open={open} onClose={close} wide title={t("Ask only …")} description={t("The next question looks in these documents and nowhere else.")}>
      <form onSubmit={done} className="mt-4 flex flex-col gap-3" data-testid="ask-only">
        <div className="flex flex-wrap gap-2">
          <FolderChoice value={draft.folder ?? ""} onChange={(folder) => setDraft({ folder: folder || null })} />
          <Choice label={t("Type")} value={kind} onChange={(next) => only({ kind: next })} all={t("All types")}>
            {KINDS.map(([name, label]) => (
              <option key={name} value={name}>
                {t(label)}
              </option>
            ))}
          </Choice>
          <DayField label={t("Changed from")} short={t("from")} value={since} onChange={(day) => only({ since: day })} />
          <DayField label={t("Changed until")} short={t("until")} value={until} onChange={(day) => only({ until: day })} />
        </div>
        <label className="relative block">
          <span className="sr-only">{t("Find documents")}</span>
          <Search size={14} aria-hidden className="absolute top-[9px] left-2.5 text-ink-3" />
          <input
            className="field h-8 pl-8 text-[13.5px]"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder={t("Find in all documents")}
          />
        </label>
        <ul className="max-h-[34vh] overflow-auto rounded-2 border border-line p-1" aria-label={t("Documents to ask")}>
          {found.map((document) => (
            <li key={document.id}>
              <label className="menu-item flex cursor-pointer items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-[var(--accent)]"
                  checked={chosen.has(document.id)}
                  onChange={() => {
                    const key = chosen.get(document.id);
                    if (key) detach(key);
                    else attach(document);
                  }}
                />
                <span className="truncate" dir="auto" title={document.file_path}>
                  {document.filename}
                </span>
              </label>
            </li>
          ))}
          {pages.hasNextPage && <li className="px-2.5 py-1.5 text-[13px] text-ink-3">{t("Type more of the name to see the others.")}</li>}
        </ul>
        <div className="flex items-center gap-3">
          <span className="num text-[13px] text-ink-2" role="status">
            {chosen.size > 0
              ? t("{documents} chosen", { documents: formatPlural(chosen.size, "document") })
              : t("{documents} will be asked", { documents: formatPlural(total, "document") })}
          </span>
          <button type="submit" className="button ml-auto" data-kind="main">
            {t("Ask")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
