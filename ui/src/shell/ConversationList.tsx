import { useQuery } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { api } from "../api/client";
import { queryClient } from "../api/queries";
import type { Conversation } from "../api/types";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { formatCount, formatDateTime } from "../text/format";
import { t, tn } from "../text/language";
import { conversationPath, Link, navigate } from "./router";

const number = (many: number): string => tn(many, "1 conversation", "{n} conversations", { n: formatCount(many) });

/** Every conversation: found by the words of its questions and answers, and deleted several at a time. */
export default function ConversationList({ active, onClose }: { active: string | null; onClose: () => void }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const wanted = useDeferredValue(text.trim());
  const found = useQuery({ queryKey: ["conversations", "text", wanted], queryFn: ({ signal }) => api.conversations(signal, wanted) });
  const shown = found.data?.conversations ?? [];
  const marked = shown.filter((item) => chosen.has(item.id));
  const choose = (id: string) => {
    setAsked(false);
    setChosen((now) => new Set(now.has(id) ? [...now].filter((other) => other !== id) : [...now, id]));
  };
  const remove = async () => {
    try {
      await api.deleteConversations(marked.map((item) => item.id));
      if (marked.some((item) => item.id === active)) navigate("/app", { replace: true });
      setChosen(new Set());
      setAsked(false);
      setError(null);
    } catch (problem) {
      setError(problem);
    }
    await queryClient.invalidateQueries({ queryKey: ["conversations"] });
  };
  return (
    <Dialog open title={t("Conversations")} onClose={onClose} wide>
      <input
        type="search"
        className="field mt-4 w-full"
        aria-label={t("Search questions and answers")}
        placeholder={t("Search questions and answers")}
        value={text}
        maxLength={400}
        onChange={(event) => setText(event.target.value)}
      />
      {(found.error ?? error) !== null && <ErrorMessage error={found.error ?? error} />}
      <p role="status" className="num mt-3 text-[13px] text-ink-2">
        {found.data ? (shown.length === 0 ? t("No conversation has these words.") : number(shown.length)) : "…"}
      </p>
      <ul className="mt-1 max-h-[46vh] overflow-y-auto" aria-label={t("Found conversations")}>
        {shown.map((item) => (
          <Row key={item.id} item={item} chosen={chosen.has(item.id)} onChoose={() => choose(item.id)} onOpen={onClose} />
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
        {asked && <span className="mr-auto text-ink-2">{t("Their answers will be gone. Your documents stay.")}</span>}
        <button
          type="button"
          className="button"
          onClick={() => setChosen(new Set(marked.length === shown.length ? [] : shown.map((item) => item.id)))}
        >
          {marked.length > 0 && marked.length === shown.length ? t("Select none") : t("Select all")}
        </button>
        <button
          type="button"
          className="button"
          data-kind="bad"
          disabled={marked.length === 0}
          onClick={() => (asked ? void remove() : setAsked(true))}
        >
          {asked
            ? t("Yes, delete {what}", { what: number(marked.length) })
            : marked.length > 0
              ? t("Delete {what}", { what: number(marked.length) })
              : t("Delete")}
        </button>
      </div>
    </Dialog>
  );
}

function Row({ item, chosen, onChoose, onOpen }: { item: Conversation; chosen: boolean; onChoose: () => void; onOpen: () => void }) {
  const title = item.title || t("Untitled");
  return (
    <li className="flex items-start gap-3 border-line border-b py-2">
      <input type="checkbox" className="mt-1.5 size-4" aria-label={t("Select “{title}”", { title })} checked={chosen} onChange={onChoose} />
      <Link
        href={conversationPath(item.id)}
        className="min-w-0 flex-1 rounded-1 hover:text-accent"
        title={formatDateTime(item.updated_at)}
        onClick={onOpen}
      >
        <span className="flex items-center gap-1.5">
          {item.pinned && <Pin size={13} aria-label={t("Pinned")} className="shrink-0 text-ink-3" />}
          <span className="truncate">{title}</span>
        </span>
        {item.excerpt && <span className="block break-words text-[13px] text-ink-2">{item.excerpt}</span>}
      </Link>
    </li>
  );
}
