import { Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import { invalidateMemory, PERSON, useDocument } from "../api/queries";
import type { MemoryItem } from "../api/types";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { documentPath, Link, tracePath } from "../shell/router";
import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { itemBody, listDetails, tagsOf, traceOf, wordingsOf } from "./memoryItems";

/** One thing that is remembered: readable, removable, and a note can be put in other words. */
export function MemoryRow({ item }: { item: MemoryItem }) {
  const [doing, setDoing] = useState<"edit" | "remove" | null>(null);
  const [open, setOpen] = useState(false);
  const more = itemBody(item);
  const wordings = wordingsOf(item);
  const trace = traceOf(item);
  const print = listDetails(item);
  if (doing === "edit") return <EditForm item={item} onClose={() => setDoing(null)} />;
  return (
    <li className="group border-line border-b py-3 last:border-b-0" data-memory={item.id}>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="break-words font-serif text-[16px] leading-snug">{item.text}</p>
          {item.tier === "profile" && typeof item.detail?.document_id === "string" && <DocumentName id={item.detail.document_id} />}
          <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-[12.5px] text-ink-3">
            {item.at && <Time at={item.at} />}
            {print.map((words) => (
              <span key={words}>· {words}</span>
            ))}
            {tagsOf(item).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
            {(more || wordings.length > 0 || trace) && (
              <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
                {open ? t("Less") : t("More")}
              </button>
            )}
          </div>
          {open && (
            <div className="mt-2 grid animate-appear gap-2 border-line border-l-2 pl-3 text-[13.5px] text-ink-2">
              {more && <p className="whitespace-pre-line break-words">{more}</p>}
              {wordings.map((wording) => (
                <p key={wording.at} className="break-words">
                  <span className="text-ink-3">{t("Before:")} </span>“{wording.content}”
                  {wording.reason && <span className="text-ink-3"> · {wording.reason}</span>}
                </p>
              ))}
              {trace && (
                <Link href={tracePath(trace)} className="link w-fit">
                  {t("The run it came from")}
                </Link>
              )}
            </div>
          )}
        </div>
        <div className="flex shrink-0 opacity-60 transition-opacity duration-150 focus-within:opacity-100 group-hover:opacity-100">
          {item.editable && (
            <button
              type="button"
              className="quietly grid size-8 place-items-center"
              aria-label={t("Edit “{text}”", { text: item.text.slice(0, 60) })}
              onClick={() => setDoing("edit")}
            >
              <Pencil size={15} />
            </button>
          )}
          <button
            type="button"
            className="quietly grid size-8 place-items-center"
            aria-label={t("Forget “{text}”", { text: item.text.slice(0, 60) })}
            onClick={() => setDoing("remove")}
          >
            <Trash2 size={15} />
          </button>
        </div>
      </div>
      {doing === "remove" && <RemoveDialog item={item} onClose={() => setDoing(null)} />}
    </li>
  );
}

function DocumentName({ id }: { id: string }) {
  const document = useDocument(id);
  if (document.error) return <span className="text-[13px] text-ink-3">{t("It is no longer in the library.")}</span>;
  return (
    <Link href={documentPath(id)} className="link block w-fit max-w-full truncate text-[13.5px]">
      {document.data?.filename ?? "…"}
    </Link>
  );
}

function EditForm({ item, onClose }: { item: MemoryItem; onClose: () => void }) {
  const [text, setText] = useState(item.text);
  const [error, setError] = useState<unknown>(null);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.editMemory(PERSON, item.id, text.trim());
      invalidateMemory();
      showToast(t("Saved. The earlier wording stays in its history."));
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <li className="border-line border-b py-3 last:border-b-0">
      <form onSubmit={(event) => void save(event)}>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to write here
          autoFocus
          aria-label={t("Text of the note")}
          className="field resize-y font-serif text-[16px] leading-snug"
          rows={Math.min(8, Math.max(2, Math.ceil(text.length / 70)))}
          maxLength={4000}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && onClose()}
        />
        {error !== null && (
          <div className="mt-2">
            <ErrorMessage error={error} />
          </div>
        )}
        <div className="mt-2 flex gap-2">
          <button type="submit" className="button" data-kind="main" disabled={!text.trim() || text.trim() === item.text}>
            {t("Save")}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {t("Cancel")}
          </button>
        </div>
      </form>
    </li>
  );
}

function RemoveDialog({ item, onClose }: { item: MemoryItem; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    try {
      await api.removeMemory(PERSON, item.id);
      onClose();
      invalidateMemory();
      showToast(t("Forgotten. Later answers will not use it."));
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog open onClose={onClose} title={t("Forget this?")} description={t("It is removed for good; this cannot be undone.")}>
      <blockquote className="mt-3 max-h-[30vh] overflow-auto border-line border-l-2 pl-3 font-serif text-[15.5px]">{item.text}</blockquote>
      {error !== null && (
        <div className="mt-3">
          <ErrorMessage error={error} />
        </div>
      )}
      <div className="mt-5 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {t("Keep it")}
        </button>
        <button type="button" className="button" data-kind="bad" onClick={() => void remove()}>
          {t("Forget it")}
        </button>
      </div>
    </Dialog>
  );
}
