import {
  BookOpen,
  Brain,
  Download,
  Ellipsis,
  Gauge,
  Menu,
  MessagesSquare,
  Pencil,
  PenLine,
  Pin,
  Route as RouteIcon,
  Search,
  Settings,
  Trash2,
  Waypoints,
  X,
} from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { queryClient, useConversations, useHealth } from "../api/queries";
import type { Conversation } from "../api/types";
import { Dialog } from "../parts/Dialog";
import { ErrorMessage } from "../parts/ErrorMessage";
import { DropdownMenu } from "../parts/Menu";
import { dayGroup, formatCount, formatDateTime } from "../text/format";
import { t, tn } from "../text/language";
import { newQuestion } from "./commands";
import { RailFoot } from "./RailFoot";
import { conversationPath, Link, navigate, type Route } from "./router";
import { onSignal, sendSignal } from "./signals";
import { showToast } from "./Toasts";

const ConversationList = lazy(() => import("./ConversationList"));

export const Brand = () => (
  <span className="flex items-center gap-[9px] font-[650] tracking-[-0.01em]">
    <svg
      viewBox="0 0 24 24"
      className="size-[22px]"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="2.1"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M2.5 19.5 8.7 8.2a1 1 0 0 1 1.75.02L16 19.5" />
      <path d="m13.4 14.2 2.3-4a1 1 0 0 1 1.74.01l4.06 9.29" />
      <circle cx="17" cy="4.6" r="1.7" fill="var(--accent)" stroke="none" />
    </svg>
    Vantage
  </span>
);

const entry = "flex min-h-9 items-center gap-[9px] rounded-1 px-[9px] py-[7px] text-[14px] text-ink-2 transition-colors duration-100 hover:text-ink";
const on = "bg-surface text-ink shadow-[0_0_0_1px_var(--line)]";

/** The rail beside everything: where to go, and what was asked before. */
export function Rail({ route }: { route: Route }) {
  return (
    <nav aria-label={t("Main")} className="flex h-full min-h-0 flex-col gap-1 border-line border-r bg-sunken px-3 py-3.5 max-md:hidden">
      <RailContent route={route} />
    </nav>
  );
}

/** On a phone the rail is a drawer behind the bar at the top. */
export function TopBar({ route }: { route: Route }) {
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer
  useEffect(() => setOpen(false), [route]);
  useEffect(() => onSignal("rail", () => setOpen(true)), []);
  return (
    <header className="flex h-[50px] items-center gap-1 border-line border-b bg-sunken px-2 md:hidden">
      <Radix.Root open={open} onOpenChange={setOpen}>
        <Radix.Trigger className="quietly grid size-9 place-items-center" aria-label={t("Menu")}>
          <Menu size={19} />
        </Radix.Trigger>
        <Radix.Portal>
          <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-black/30" />
          <Radix.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 flex w-[284px] max-w-[86vw] animate-appear flex-col gap-1 border-line border-r bg-sunken px-3 py-3.5 shadow-high"
          >
            <Radix.Title className="sr-only">{t("Menu")}</Radix.Title>
            <Radix.Close className="quietly absolute top-3 right-2 grid size-8 place-items-center" aria-label={t("Close the menu")}>
              <X size={17} />
            </Radix.Close>
            <RailContent route={route} />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      <Link href="/app" aria-label={t("Vantage: new question")}>
        <Brand />
      </Link>
      <button
        type="button"
        className="quietly ml-auto grid size-9 place-items-center"
        aria-label={t("Search everything")}
        onClick={() => sendSignal("palette")}
      >
        <Search size={18} />
      </button>
      <button type="button" className="quietly grid size-9 place-items-center" aria-label={t("New question")} onClick={newQuestion}>
        <PenLine size={18} />
      </button>
    </header>
  );
}

function RailContent({ route }: { route: Route }) {
  const health = useHealth();
  const conversations = useConversations();
  const documents = health.data?.library.documents;
  const view = route.view;
  return (
    <>
      <Link href="/app" className="rounded-1 px-2 pt-1 pb-3" aria-label={t("Vantage: new question")}>
        <Brand />
      </Link>
      <Link
        href="/app"
        className={`${entry} ${view === "conversation" && route.id === null ? on : ""}`}
        aria-current={view === "conversation" && route.id === null ? "page" : undefined}
      >
        <PenLine size={16} aria-hidden /> {t("New question")} <kbd className="ml-auto max-md:hidden">{isMac ? "⌘ ⇧ O" : "Ctrl ⇧ O"}</kbd>
      </Link>
      <Link
        href="/app/library"
        className={`${entry} ${view === "library" || view === "document" ? on : ""}`}
        aria-current={view === "library" ? "page" : undefined}
      >
        <BookOpen size={16} aria-hidden /> {t("Library")}{" "}
        {documents !== undefined && <span className="num ml-auto text-ink-3">{formatCount(documents)}</span>}
      </Link>
      <Link
        href="/app/traces"
        className={`${entry} ${view === "traces" || view === "trace" || view === "comparison" ? on : ""}`}
        aria-current={view === "traces" ? "page" : undefined}
      >
        <RouteIcon size={16} aria-hidden /> {t("Traces")}
      </Link>
      <Link href="/app/memory" className={`${entry} ${view === "memory" ? on : ""}`} aria-current={view === "memory" ? "page" : undefined}>
        <Brain size={16} aria-hidden /> {t("Memory")}
      </Link>
      <Link href="/app/graph" className={`${entry} ${view === "graph" ? on : ""}`} aria-current={view === "graph" ? "page" : undefined}>
        <Waypoints size={16} aria-hidden /> {t("Names and terms")}
      </Link>
      <Link
        href="/app/evaluation"
        className={`${entry} ${view.startsWith("evaluation") || view === "retrieval-test" ? on : ""}`}
        aria-current={view === "evaluation" ? "page" : undefined}
      >
        <Gauge size={16} aria-hidden /> {t("Evaluation")}
      </Link>
      <Link href="/app/settings" className={`${entry} ${view === "settings" ? on : ""}`} aria-current={view === "settings" ? "page" : undefined}>
        <Settings size={16} aria-hidden /> {t("Settings")}
      </Link>
      <AllConversations active={view === "conversation" ? route.id : null} />
      <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 pb-2">
        {groupByDay(conversations.data?.conversations ?? []).map(([title, items]) => (
          <section key={title} aria-label={title}>
            <h2 className="eyebrow px-[9px] pt-3.5 pb-1">{title}</h2>
            {items.map((conversation) => (
              <ConversationLink key={conversation.id} conversation={conversation} active={view === "conversation" && route.id === conversation.id} />
            ))}
          </section>
        ))}
      </div>
      <RailFoot />
    </>
  );
}

function AllConversations({ active }: { active: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={`${entry} w-full`} onClick={() => setOpen(true)}>
        <MessagesSquare size={16} aria-hidden /> {t("Conversations")}
      </button>
      {open && (
        <Suspense fallback={null}>
          <ConversationList active={active} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

function groupByDay(conversations: Conversation[]): [string, Conversation[]][] {
  const groups = new Map<string, Conversation[]>();
  const pinned = conversations.filter((conversation) => conversation.pinned);
  if (pinned.length > 0) groups.set(t("Pinned"), pinned);
  for (const conversation of conversations.filter((one) => !one.pinned).sort((a, b) => b.updated_at.localeCompare(a.updated_at))) {
    const title = dayGroup(conversation.updated_at);
    groups.set(title, [...(groups.get(title) ?? []), conversation]);
  }
  return [...groups];
}

function ConversationLink({ conversation, active }: { conversation: Conversation; active: boolean }) {
  const [doing, setDoing] = useState<"rename" | "delete" | null>(null);
  const title = conversation.title || t("Untitled");
  const pin = async () => {
    try {
      await api.pinConversation(conversation.id, !conversation.pinned);
    } catch (problem) {
      showToast(Problem.from(problem).detail, "bad");
    }
    await queryClient.invalidateQueries({ queryKey: ["conversations"] });
  };
  return (
    <div className={`group relative flex items-center rounded-1 ${active ? on : ""}`}>
      <Link
        href={conversationPath(conversation.id)}
        aria-current={active ? "page" : undefined}
        title={`${title}\n${formatDateTime(conversation.updated_at)}`}
        className="min-w-0 flex-1 truncate rounded-1 px-[9px] py-[7px] text-[14px] text-ink-2 hover:text-ink group-focus-within:pr-8 group-hover:pr-8 max-md:pr-9"
      >
        {title}
      </Link>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger
          aria-label={t("More about “{title}”", { title })}
          className="quietly absolute right-1 grid size-7 place-items-center opacity-0 focus-visible:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 max-md:opacity-100"
        >
          <Ellipsis size={16} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" onSelect={() => setDoing("rename")}>
              <Pencil size={14} aria-hidden /> {t("Rename")}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => void pin()}>
              <Pin size={14} aria-hidden /> {conversation.pinned ? t("Unpin") : t("Pin")}
            </DropdownMenu.Item>
            {(["markdown", "json"] as const).map((format) => (
              <DropdownMenu.Item key={format} className="menu-item" asChild>
                <a href={api.exportUrl(conversation.id, format)} download>
                  <Download size={14} aria-hidden /> {format === "json" ? t("Export as JSON") : t("Export as Markdown")}
                </a>
              </DropdownMenu.Item>
            ))}
            <DropdownMenu.Item className="menu-item" data-tone="bad" onSelect={() => setDoing("delete")}>
              <Trash2 size={14} aria-hidden /> {t("Delete")}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {doing === "rename" && <Rename conversation={conversation} onClose={() => setDoing(null)} />}
      {doing === "delete" && <Delete conversation={conversation} active={active} onClose={() => setDoing(null)} />}
    </div>
  );
}

function Rename({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [title, setTitle] = useState(conversation.title);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.renameConversation(conversation.id, title.trim());
      await queryClient.invalidateQueries({ queryKey: ["conversations"] });
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog open title={t("Rename this conversation")} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} className="mt-4 flex flex-col gap-3">
        <input className="field" aria-label={t("Title")} value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
        {error !== null && <ErrorMessage error={error} />}
        <button type="submit" className="button self-end" data-kind="main" disabled={!title.trim()}>
          {t("Rename")}
        </button>
      </form>
    </Dialog>
  );
}

function Delete({ conversation, active, onClose }: { conversation: Conversation; active: boolean; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const remove = async () => {
    try {
      await api.deleteConversation(conversation.id);
      if (active) navigate("/app", { replace: true });
      await queryClient.invalidateQueries({ queryKey: ["conversations"] });
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      open
      title={t("Delete this conversation?")}
      onClose={onClose}
      description={tn(
        conversation.turns,
        "“{title}” and its answer will be gone. Your documents stay.",
        "“{title}” and its answers will be gone. Your documents stay.",
        { title: conversation.title },
      )}
    >
      {error !== null && <ErrorMessage error={error} />}
      <div className="mt-5 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {t("Keep it")}
        </button>
        <button type="button" className="button" data-kind="bad" onClick={() => void remove()}>
          {t("Delete")}
        </button>
      </div>
    </Dialog>
  );
}
