import { ArrowUp, ChevronDown, FileText, FolderOpen, LoaderCircle, Paperclip, Plus, Square, TriangleAlert, Upload, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLedger } from "../api/queries";
import { useJobs } from "../library/jobs";
import { describeFilters } from "../library/listing";
import { DropdownMenu } from "../parts/Menu";
import { Tip } from "../parts/Tip";
import { type Command, commands } from "../shell/commands";
import { sendSignal } from "../shell/signals";
import { shortenPath } from "../text/format";
import { mark, t } from "../text/language";
import { type Attachment, attachFiles, detach, type ModeChoice, onFocusComposer, type StrategyChoice, setDraft, useDraft } from "./draft";
import { describeAwaitedFiles, enqueueQuestion, isBeingRead, restoreQueuedQuestion } from "./questionQueue";

interface Props {
  live: boolean;
  lastQuestion: string | null;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Where a question is written. Enter sends, Shift+Enter breaks, ↑ in an empty field brings the last question back, Esc stops. */
export function Composer({ live, lastQuestion, onSend, onStop }: Props) {
  const draft = useDraft();
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState(0);
  const waiting = draft.attachments.some(isBeingRead);
  const matches = slashMatches(draft.text);
  const canSend = draft.text.trim() !== "" && !live && !draft.queued && matches.length === 0;

  useEffect(() => onFocusComposer(() => field.current?.focus()), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const node = field.current;
    if (!node) return;
    node.style.height = "auto";
    node.style.height = `${Math.min(node.scrollHeight, 220)}px`;
  }, [draft.text]);

  const send = () => {
    if (canSend && waiting) enqueueQuestion(draft.text.trim(), onSend);
    else if (canSend) onSend(draft.text.trim());
  };
  const command = (item: Command) => {
    setDraft({ text: "" });
    setChosen(0);
    item.run();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (matches.length > 0 && handleMenuKey(event, matches, chosen, setChosen, command)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && draft.text === "" && lastQuestion) {
      event.preventDefault();
      setDraft({ text: lastQuestion });
    } else if (event.key === "Escape" && (live || draft.queued)) {
      event.preventDefault();
      if (live) onStop();
      else restoreQueuedQuestion();
    }
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    void attachFiles(pasted);
  };

  return (
    <form
      className="relative mx-auto w-full max-w-[664px] rounded-3 border border-line bg-surface px-3.5 pt-3 pb-2.5 shadow-calm focus-within:border-line-strong"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {matches.length > 0 && <SlashMenu matches={matches} chosen={chosen} onChoose={command} />}
      {draft.queued && (
        <div className="mb-2 flex items-start gap-3 rounded-2 bg-accent-soft px-3 py-2" role="status" data-testid="queued">
          <div className="min-w-0 flex-1">
            <p className="line-clamp-3 whitespace-pre-wrap break-words">{draft.queued.text}</p>
            <p className="text-[13px] text-ink-2">{describeAwaitedFiles()}</p>
          </div>
          <button type="button" className="button" onClick={restoreQueuedQuestion}>
            {t("Take back")}
          </button>
        </div>
      )}
      <FilterChip />
      {draft.attachments.length > 0 && (
        <ul className="mb-2 flex flex-wrap gap-1.5" aria-label={t("Only these files are searched")}>
          {draft.attachments.map((item) => (
            <Chip key={item.key} item={item} />
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        rows={1}
        value={draft.text}
        onChange={(event) => {
          setDraft({ text: event.target.value });
          setChosen(0);
        }}
        onKeyDown={press}
        onPaste={paste}
        aria-label={t("Your question")}
        aria-controls={matches.length > 0 ? "slash-menu" : undefined}
        aria-activedescendant={matches.length > 0 ? `slash-${matches[chosen]?.name}` : undefined}
        placeholder={draft.attachments.length > 0 ? t("Ask about these files") : t("Ask your documents, or drop a file here")}
        maxLength={20000}
        className="block w-full resize-none bg-transparent leading-normal outline-none"
      />
      <div className="mt-2.5 flex items-center gap-2 text-[13px]">
        <AttachMenu onUpload={() => sendSignal("upload")} />
        <FolderMenu />
        <StrategyMenu />
        <span className="hidden items-center gap-1.5 text-ink-3 sm:flex">
          <kbd>/</kbd> {t("commands")}
        </span>
        {live ? (
          <Tip label={t("Stop (Esc)")}>
            <button
              type="button"
              onClick={onStop}
              aria-label={t("Stop")}
              className="ml-auto grid size-8 shrink-0 place-items-center rounded-full border border-line-strong bg-surface text-ink hover:bg-sunken"
            >
              <Square size={12} className="fill-current" />
            </button>
          </Tip>
        ) : (
          <button
            type="submit"
            disabled={!canSend}
            aria-label={t("Ask")}
            className="ml-auto grid size-8 shrink-0 place-items-center rounded-full bg-accent text-accent-ink transition-opacity duration-150 disabled:opacity-45"
          >
            <ArrowUp size={17} />
          </button>
        )}
      </div>
    </form>
  );
}

function slashMatches(text: string): Command[] {
  const match = /^\/([a-z]*)$/i.exec(text);
  if (!match) return [];
  const typed = (match[1] ?? "").toLowerCase();
  return commands.filter((command) => command.name.startsWith(typed) || command.label.toLowerCase().includes(typed));
}

function handleMenuKey(
  event: KeyboardEvent,
  matches: Command[],
  chosen: number,
  setChosen: (index: number) => void,
  run: (command: Command) => void,
): boolean {
  const move = (by: number) => setChosen((chosen + by + matches.length) % matches.length);
  const actions: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => run(matches[chosen] ?? (matches[0] as Command)),
    Tab: () => run(matches[chosen] ?? (matches[0] as Command)),
    Escape: () => setDraft({ text: "" }),
  };
  const action = actions[event.key];
  if (!action || event.shiftKey) return false;
  event.preventDefault();
  action();
  return true;
}

function SlashMenu({ matches, chosen, onChoose }: { matches: Command[]; chosen: number; onChoose: (command: Command) => void }) {
  return (
    <div
      id="slash-menu"
      role="listbox"
      aria-label={t("Commands")}
      className="menu absolute bottom-full left-0 mb-2 max-h-[300px] w-[320px] max-w-full overflow-auto"
    >
      {matches.map((command, index) => (
        <div
          key={command.name}
          id={`slash-${command.name}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          data-selected={index === chosen}
          className="menu-item"
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(command);
          }}
        >
          <command.icon size={15} aria-hidden />
          <span className="w-[84px] font-medium text-ink">/{command.name}</span>
          <span className="truncate">{command.label}</span>
        </div>
      ))}
    </div>
  );
}

function Chip({ item }: { item: Attachment }) {
  const job = useJobs().find((known) => known.id === item.jobId);
  const busy = item.state === "uploading" || item.state === "reading";
  const progress = item.state === "reading" && job && job.files_total > 0 ? job.files_done / job.files_total : null;
  const words = {
    uploading: t("uploading"),
    reading: job && job.chunks > 0 ? t("reading, {n} passages", { n: job.chunks }) : t("reading"),
    ready: "",
    failed: t("not searchable"),
  }[item.state];
  return (
    <li
      className="relative flex max-w-full items-center gap-1.5 overflow-hidden rounded-1 border border-line bg-sunken py-1 pr-1 pl-2 text-[13px]"
      title={item.note}
      data-testid="attachment"
      data-state={item.state}
    >
      {busy ? (
        <LoaderCircle size={14} aria-hidden className="animate-spin text-accent" />
      ) : item.state === "failed" ? (
        <TriangleAlert size={14} aria-hidden className="text-bad" />
      ) : (
        <FileText size={14} aria-hidden className="text-accent" />
      )}
      <span className="max-w-[220px] truncate">{item.name}</span>
      {words && <span className={item.state === "failed" ? "text-bad" : "text-ink-3"}>{words}</span>}
      {item.state === "failed" && item.note && <span className="max-w-[300px] truncate text-ink-3">· {item.note}</span>}
      <button
        type="button"
        className="quietly grid size-6 place-items-center"
        aria-label={t("Remove {name}", { name: item.name })}
        onClick={() => detach(item.key)}
      >
        <X size={13} />
      </button>
      {progress !== null && (
        <i aria-hidden className="absolute bottom-0 left-0 h-0.5 bg-accent transition-[width] duration-200" style={{ width: `${progress * 100}%` }} />
      )}
    </li>
  );
}

const Menu = ({ children }: { children: React.ReactNode }) => (
  <DropdownMenu.Portal>
    <DropdownMenu.Content
      className="menu max-h-[min(380px,var(--radix-dropdown-menu-content-available-height))] max-w-[min(360px,92vw)] overflow-auto"
      sideOffset={8}
      align="start"
      collisionPadding={12}
    >
      {children}
    </DropdownMenu.Content>
  </DropdownMenu.Portal>
);

function AttachMenu({ onUpload }: { onUpload: () => void }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="pill h-7 px-2.5" aria-label={t("Ask only some files")}>
        <Plus size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <Menu>
        <DropdownMenu.Item className="menu-item" onSelect={onUpload}>
          <Upload size={15} aria-hidden /> {t("Upload files")}
        </DropdownMenu.Item>
        <DropdownMenu.Item className="menu-item" onSelect={() => sendSignal("add-folder")}>
          <FolderOpen size={15} aria-hidden /> {t("Add a folder")}
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="my-1 border-line border-t" />
        <DropdownMenu.Item className="menu-item" onSelect={() => sendSignal("ask-only")}>
          <Paperclip size={15} aria-hidden /> {t("Ask only …")}
        </DropdownMenu.Item>
      </Menu>
    </DropdownMenu.Root>
  );
}

/** The type and the days that the question is restricted to; the folder has its own menu. */
function FilterChip() {
  const words = describeFilters(useDraft().only);
  if (!words) return null;
  return (
    <div
      className="mb-2 flex w-fit max-w-full items-center gap-1 rounded-1 border border-line bg-sunken py-1 pr-1 pl-2 text-[13px]"
      data-testid="narrowed"
    >
      <button type="button" className="truncate" onClick={() => sendSignal("ask-only")}>
        {t("Only {what}", { what: words })}
      </button>
      <button
        type="button"
        className="quietly grid size-6 place-items-center"
        aria-label={t("Ask all types and days")}
        onClick={() => setDraft({ only: { kind: "", since: "", until: "" } })}
      >
        <X size={13} />
      </button>
    </div>
  );
}

function FolderMenu() {
  const { folder } = useDraft();
  const ledger = useLedger();
  const roots = ledger.data?.roots ?? [];
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="pill h-7 min-w-0" aria-label={t("Where to search: {folder}", { folder: folder ?? t("all folders") })}>
        <span className="truncate">{folder ? (folder.split(/[\\/]/).filter(Boolean).at(-1) ?? folder) : t("All folders")}</span>
        <ChevronDown size={13} aria-hidden className="shrink-0" />
      </DropdownMenu.Trigger>
      <Menu>
        <DropdownMenu.RadioGroup value={folder ?? ""} onValueChange={(value) => setDraft({ folder: value || null })}>
          <Choice value="" label={t("All folders")} />
          {roots.map((root) => (
            <Choice key={root.path} value={root.path} label={shortenPath(root.path, 40)} />
          ))}
        </DropdownMenu.RadioGroup>
      </Menu>
    </DropdownMenu.Root>
  );
}

const strategies: [StrategyChoice, string, string][] = [
  ["auto", mark("Auto"), mark("Vantage chooses")],
  ["hybrid", mark("Hybrid"), mark("words and meaning")],
  ["precise", mark("Precise"), mark("the exact words")],
  ["semantic", mark("Semantic"), mark("by meaning")],
  ["temporal", mark("Recent"), mark("newer first")],
  ["exploratory", mark("Explore"), mark("what is related")],
];
const modes: [ModeChoice, string, string][] = [
  ["auto", mark("Auto"), ""],
  ["precision", mark("Fewer, more certain"), "precision"],
  ["balanced", mark("Balanced"), ""],
  ["recall", mark("More, broader"), "recall"],
];

function StrategyMenu() {
  const { strategy, mode } = useDraft();
  const shown = strategies.find(([name]) => name === strategy)?.[1] ?? mark("Auto");
  const depth = mode === "auto" ? "" : ` · ${t(modes.find(([name]) => name === mode)?.[1] ?? "").split(",")[0]}`;
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="pill h-7" aria-label={t("How to search: {how}", { how: `${t(shown)}${depth}` })}>
        {t(shown)}
        {depth}
        <ChevronDown size={13} aria-hidden />
      </DropdownMenu.Trigger>
      <Menu>
        <DropdownMenu.Label className="eyebrow px-2.5 py-1">{t("How to search")}</DropdownMenu.Label>
        <DropdownMenu.RadioGroup value={strategy} onValueChange={(value) => setDraft({ strategy: value as StrategyChoice })}>
          {strategies.map(([name, label, note]) => (
            <Choice key={name} value={name} label={t(label)} note={note && t(note)} />
          ))}
        </DropdownMenu.RadioGroup>
        <DropdownMenu.Separator className="my-1 border-line border-t" />
        <DropdownMenu.Label className="eyebrow px-2.5 py-1">{t("How many results")}</DropdownMenu.Label>
        <DropdownMenu.RadioGroup value={mode} onValueChange={(value) => setDraft({ mode: value as ModeChoice })}>
          {modes.map(([name, label, note]) => (
            <Choice key={name} value={name} label={t(label)} note={note && t(note)} />
          ))}
        </DropdownMenu.RadioGroup>
      </Menu>
    </DropdownMenu.Root>
  );
}

const Choice = ({ value, label, note = "" }: { value: string; label: string; note?: string }) => (
  <DropdownMenu.RadioItem value={value} className="menu-item">
    <span aria-hidden className="grid size-3.5 place-items-center rounded-full border border-line-strong">
      <DropdownMenu.ItemIndicator className="size-1.5 rounded-full bg-accent" />
    </span>
    <span className="truncate">{label}</span>
    {note && <span className="ml-auto pl-4 text-[12.5px] text-ink-3">{note}</span>}
  </DropdownMenu.RadioItem>
);
