import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { type Attachment, focusComposer, getDraft, setDraft, subscribeToDraft } from "./draft";

export const isBeingRead = (item: Attachment): boolean => item.state === "uploading" || item.state === "reading";

let ask: (text: string) => void = () => undefined;

/** Keeps a question until the files that are being read now can be asked about; then `then` asks it, whatever the person looks at meanwhile. */
export function enqueueQuestion(text: string, then: (text: string) => void): void {
  ask = then;
  const files = getDraft()
    .attachments.filter(isBeingRead)
    .map((item) => item.key);
  setDraft({ text: "", queued: { text, files } });
}

/** The question goes back into the field, in front of what was typed since. */
export function restoreQueuedQuestion(): void {
  const { queued, text } = getDraft();
  if (!queued) return;
  setDraft({ queued: null, text: text ? `${queued.text}\n${text}` : queued.text });
  focusComposer();
}

/** What the question waits for, by name, in a sentence. */
export function describeAwaitedFiles(): string {
  const { queued, attachments } = getDraft();
  const names = attachments.filter((item) => queued?.files.includes(item.key) && isBeingRead(item)).map((item) => item.name);
  if (names.length > 1)
    return t("Will be asked as soon as {names} and {last} are read", { names: names.slice(0, -1).join(", "), last: names.at(-1) ?? "" });
  return names[0] ? t("Will be asked as soon as {name} is read", { name: names[0] }) : t("Will be asked as soon as the file is read");
}

subscribeToDraft(() => {
  const { queued, attachments, text } = getDraft();
  if (!queued) return;
  const files = queued.files.map((key) => attachments.find((item) => item.key === key));
  if (files.some((item) => item && isBeingRead(item))) return;
  const lost = files.find((item) => item?.state !== "ready");
  if (lost || files.includes(undefined)) {
    restoreQueuedQuestion();
    if (lost) showToast(t("Your question was not asked, because {name} could not be read. It is back in the field.", { name: lost.name }), "bad");
    return;
  }
  setDraft({ queued: null });
  ask(queued.text);
  setDraft({ text });
});
