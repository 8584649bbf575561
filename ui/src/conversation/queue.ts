import { tell } from "../shell/Toasts";
import { type Attachment, focusComposer, getDraft, onDraft, setDraft } from "./draft";

export const isBeingRead = (item: Attachment): boolean => item.state === "uploading" || item.state === "reading";

let ask: (text: string) => void = () => undefined;

/** Keeps a question until the files that are being read now can be asked about; then `then` asks it, whatever the person looks at meanwhile. */
export function enqueue(text: string, then: (text: string) => void): void {
  ask = then;
  const files = getDraft()
    .attachments.filter(isBeingRead)
    .map((item) => item.key);
  setDraft({ text: "", queued: { text, files } });
}

/** The question goes back into the field, in front of what was typed since. */
export function takeBack(): void {
  const { queued, text } = getDraft();
  if (!queued) return;
  setDraft({ queued: null, text: text ? `${queued.text}\n${text}` : queued.text });
  focusComposer();
}

/** What the question waits for, by name. */
export function awaited(): string {
  const { queued, attachments } = getDraft();
  const names = attachments.filter((item) => queued?.files.includes(item.key) && isBeingRead(item)).map((item) => item.name);
  return names.length < 2 ? `${names[0] ?? "the file"} is read` : `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are read`;
}

onDraft(() => {
  const { queued, attachments, text } = getDraft();
  if (!queued) return;
  const files = queued.files.map((key) => attachments.find((item) => item.key === key));
  if (files.some((item) => item && isBeingRead(item))) return;
  const lost = files.find((item) => item?.state !== "ready");
  if (lost || files.includes(undefined)) {
    takeBack();
    if (lost) tell(`Your question was not asked, because ${lost.name} could not be read. It is back in the field.`, "bad");
    return;
  }
  setDraft({ queued: null });
  ask(queued.text);
  setDraft({ text });
});
