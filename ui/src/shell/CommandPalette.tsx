import { Command } from "cmdk";
import { FileText, MessageSquare } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useEffect, useState } from "react";
import { useConversations, useDocuments } from "../api/queries";
import { t } from "../text/language";
import { commands, groupNames } from "./commands";
import { conversationPath, documentPath, navigate } from "./router";
import { onSignal } from "./signals";

const item = "menu-item min-h-9";

/** Every typed word must occur; what begins with them comes first. */
function containsAll(value: string, typed: string): number {
  const text = value.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  return text.startsWith(words[0] ?? "") ? 1 : 0.5;
}

/** Cmd/Ctrl+K: everything that can be opened or done, by typing. It is mounted when it is first asked for, and open then. */
export function CommandPalette() {
  const [open, setOpen] = useState(true);
  const conversations = useConversations();
  const documents = useDocuments(open);
  useEffect(() => onSignal("palette", () => setOpen((now) => !now)), []);
  const go = (action: () => void) => {
    setOpen(false);
    setTimeout(action, 0);
  };
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-black/30 backdrop-blur-[2px]" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-24px)] max-w-[600px] -translate-x-1/2 animate-appear overflow-hidden rounded-3 border border-line bg-surface shadow-high"
        >
          <Radix.Title className="sr-only">{t("Open anything")}</Radix.Title>
          <Command label={t("Open anything")} loop filter={containsAll}>
            <Command.Input
              placeholder={t("Open a document, a conversation, or do something…")}
              className="h-[52px] w-full border-line border-b bg-transparent px-5 text-[16px] outline-none placeholder:text-ink-3"
            />
            <Command.List className="max-h-[min(420px,60vh)] overflow-auto p-2 pt-0 text-[14px]">
              <Command.Empty className="p-6 text-center text-ink-2">{t("No matches.")}</Command.Empty>
              {(["Go", "Library", "This question", "Appearance"] as const).map((group) => (
                <Command.Group key={group} heading={t(groupNames[group])}>
                  {commands
                    .filter((command) => command.group === group)
                    .map((command) => (
                      <Command.Item
                        key={command.name}
                        value={`${t(command.label)} ${command.name}`}
                        onSelect={() => go(command.run)}
                        className={item}
                      >
                        <command.icon size={15} aria-hidden /> {t(command.label)}
                        {command.keys && <kbd className="ml-auto">{command.keys}</kbd>}
                      </Command.Item>
                    ))}
                </Command.Group>
              ))}
              <Command.Group heading={t("Conversations")}>
                {(conversations.data?.conversations ?? []).map((conversation) => (
                  <Command.Item
                    key={conversation.id}
                    value={`${conversation.title} ${conversation.id}`}
                    onSelect={() => go(() => navigate(conversationPath(conversation.id)))}
                    className={item}
                  >
                    <MessageSquare size={15} aria-hidden className="shrink-0" />{" "}
                    <span className="truncate">{conversation.title || t("Untitled")}</span>
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading={t("Documents")}>
                {(documents.data?.documents ?? []).map((document) => (
                  <Command.Item
                    key={document.id}
                    value={`${document.filename} ${document.title} ${document.id}`}
                    onSelect={() => go(() => navigate(documentPath(document.id)))}
                    className={item}
                  >
                    <FileText size={15} aria-hidden className="shrink-0" /> <span className="truncate">{document.filename}</span>
                    {document.title && document.title !== document.filename && (
                      <span className="ml-auto max-w-[50%] truncate pl-4 text-[12.5px] text-ink-3">{document.title}</span>
                    )}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
