import { ArrowLeft, Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "../shell/router";
import { t } from "../text/language";

/** The frame of a page of the evaluation, with the way back to where its runs are listed. */
export function Frame({ testId, back = true, children }: { testId: string; back?: boolean; children: ReactNode }) {
  return (
    <main className="h-full overflow-y-auto" data-testid={testId}>
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[26px] max-sm:px-3.5 max-sm:py-5">
        {back && (
          <Link href="/app/evaluation" className="quietly -mb-2 -ml-1.5 inline-flex items-center gap-1.5 self-start px-1.5 py-0.5 text-[13px]">
            <ArrowLeft size={14} aria-hidden /> {t("Evaluation")}
          </Link>
        )}
        {children}
      </div>
    </main>
  );
}

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card px-[18px] py-4 max-sm:px-3.5" aria-label={title}>
      <h2 className="eyebrow mb-2.5">{title}</h2>
      {children}
    </section>
  );
}

/** A line for a terminal, with a button that copies it. */
export function CommandLine({ command }: { command: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <span className="inline-flex max-w-full items-center gap-1 rounded-1 bg-sunken py-0.5 pr-1 pl-2.5">
      <code className="min-w-0 break-words font-mono text-[13px]">{command}</code>
      <button type="button" className="quietly p-1.5" onClick={() => void copy()} aria-label={t("Copy the command {command}", { command })}>
        {done ? <Check size={14} aria-hidden className="text-good" /> : <Copy size={14} aria-hidden />}
      </button>
      <span className="sr-only" aria-live="polite">
        {done ? t("Copied") : ""}
      </span>
    </span>
  );
}
