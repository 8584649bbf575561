import { Check, FileText, LoaderCircle, TriangleAlert } from "lucide-react";
import { useDocument } from "../api/queries";
import type { Step } from "../api/types";
import { agentNamed } from "../run/agents";
import { t } from "../text/language";
import { FILE_AGENTS, type FileProgress, trackFileProgress } from "./fileProgress";

/** The files that a question is about, each with its own way through the three agents while they are at work. */
export function AttachedProgress({ steps, asked }: { steps: readonly Step[]; asked: readonly string[] }) {
  const files = trackFileProgress(steps);
  if (asked.length === 0 && files.length === 0) return null;
  const waiting = Math.max(0, asked.length - files.length);
  return (
    <ul className="flex flex-col gap-1.5" aria-label={t("The attached files")} data-testid="attached-progress">
      {files.map((file) => (
        <Row key={file.name} file={file} />
      ))}
      {files.length === 0 && asked.slice(0, 12).map((id) => <WaitingFile key={id} id={id} />)}
      {files.length > 0 && waiting > 0 && <li className="num px-1 text-[12.5px] text-ink-3">{t("{n} more to come", { n: waiting })}</li>}
    </ul>
  );
}

const row = "flex min-h-9 min-w-0 items-center gap-2.5 rounded-2 border border-line bg-surface px-3 py-1.5 text-[13px]";

function WaitingFile({ id }: { id: string }) {
  const document = useDocument(id);
  return (
    <li className={row}>
      <FileText size={14} aria-hidden className="shrink-0 text-ink-3" />
      <span className="truncate">{document.data?.filename ?? id}</span>
      <span className="ml-auto shrink-0 text-ink-3">{t("waiting")}</span>
    </li>
  );
}

const icons = {
  waiting: <FileText size={14} aria-hidden className="shrink-0 text-ink-3" />,
  working: <LoaderCircle size={14} aria-hidden className="shrink-0 animate-spin text-accent" />,
  done: <Check size={14} aria-hidden className="shrink-0 text-good" />,
  failed: <TriangleAlert size={14} aria-hidden className="shrink-0 text-bad" />,
};

function Row({ file }: { file: FileProgress }) {
  return (
    <li className={`${row} ${file.state === "failed" ? "flex-wrap" : ""}`} data-file={file.name} data-state={file.state}>
      {icons[file.state]}
      <span className="max-w-[45%] shrink-0 truncate font-[550]">{file.name}</span>
      <span className={file.state === "failed" ? "order-last basis-full break-words text-bad" : "min-w-0 truncate text-ink-3"} title={file.says}>
        {file.says}
      </span>
      <span className="ml-auto flex shrink-0 gap-1">
        {FILE_AGENTS.map(([name, does]) => {
          const step = file.at[name];
          const over = step && step.outcome !== "running";
          const tone = !step ? "opacity-30 grayscale" : over ? "" : "animate-breathe";
          return (
            <span
              key={name}
              className={`grid size-6 place-items-center rounded-full border text-[12px] ${over ? "border-line-strong" : "border-line"} ${tone}`}
            >
              <span aria-hidden title={`${name} ${t(does)}`}>
                {agentNamed(name)?.symbol}
              </span>
              <span className="sr-only">{`${name} ${t(does)}: ${!step ? t("not yet") : over ? t(step.outcome) : t("now")}`}</span>
            </span>
          );
        })}
      </span>
    </li>
  );
}
