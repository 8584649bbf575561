import { CircleAlert, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { Problem } from "../api/problem";
import { t } from "../text/language";

/** An error where it happened: what, what to do, and the way to try again. */
export function ErrorMessage({ error, onRetry, children }: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const problem = Problem.from(error);
  return (
    <div role="alert" className="card flex gap-3 border-[color-mix(in_srgb,var(--bad)_35%,var(--line))] p-4">
      <CircleAlert size={18} className="mt-0.5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1">
        <div className="font-semibold">{problem.title}</div>
        {problem.detail && problem.detail !== problem.title && <div className="mt-0.5 break-words text-ink-2">{problem.detail}</div>}
        {problem.fix && <div className="mt-1.5 text-ink-2">{problem.fix}</div>}
        {children}
        {onRetry && (
          <button type="button" className="button mt-3" onClick={onRetry}>
            <RotateCcw size={14} aria-hidden /> {t("Try again")}
          </button>
        )}
      </div>
    </div>
  );
}
