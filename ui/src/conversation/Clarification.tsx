import { CircleHelp } from "lucide-react";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { Problem } from "../api/problem";
import type { RunAnswer, SearchRequest, SearchResponse } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { runs } from "../run/runStore";
import { isTyping } from "../shell/KeyboardShortcuts";
import { t } from "../text/language";
import { getDraft } from "./draft";
import type { TurnView } from "./turnView";

interface Props {
  turn: TurnView;
  response: SearchResponse;
  last: boolean;
  onAsk: (query: string, change?: Partial<SearchRequest>) => void;
}

/** Socrates asks back: one of his choices, other words, or the question as it stands. The same run goes on with what is answered. */
export function Clarification({ turn, response, last, onAsk }: Props) {
  const choices = response.clarification_questions ?? [];
  const run = response.clarification_of ?? null;
  const [words, setWords] = useState("");
  const [sending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<{ problem: Problem; instead: string } | null>(null);
  const answer = useCallback(
    async (given: RunAnswer, instead: string) => {
      if (run === null) return onAsk(instead);
      setSending(true);
      try {
        await runs.answer({ runId: run, query: turn.query, askedAt: turn.askedAt, response }, given);
      } catch (error) {
        setTrouble({ problem: Problem.from(error), instead });
        setSending(false);
      }
    },
    [run, turn.query, turn.askedAt, response, onAsk],
  );
  const choose = useCallback((index: number) => void answer({ choice: index }, choices[index] ?? turn.query), [answer, choices, turn.query]);
  const group = useRef<HTMLFieldSetElement>(null);
  useNumberKeys(last && !sending && trouble === null ? choices.length : 0, choose);
  useEffect(() => {
    if (last && getDraft().text === "" && !document.querySelector("[role=dialog]")) group.current?.focus({ preventScroll: true });
  }, [last]);
  if (trouble) return <ExpiredClarification trouble={trouble} query={turn.query} onAsk={onAsk} onRetry={() => setTrouble(null)} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (words.trim()) void answer({ text: words.trim() }, words.trim());
  };
  const said = response.response_message || t("Which of these do you mean?");
  return (
    <fieldset ref={group} tabIndex={-1} disabled={sending} className="card animate-appear p-5 outline-none" data-testid="clarification">
      <legend className="sr-only">{said}</legend>
      <div className="flex items-start gap-2.5">
        <CircleHelp size={18} aria-hidden className="mt-1 shrink-0 text-accent" />
        <p className="font-serif text-[18px] leading-snug">{said}</p>
      </div>
      <ol className="mt-4 flex flex-col items-start gap-2 sm:pl-7">
        {choices.map((choice, index) => (
          <li key={choice} className="max-w-full">
            <button
              type="button"
              className="chip flex items-baseline gap-2.5 rounded-2"
              onClick={() => choose(index)}
              aria-keyshortcuts={index < 9 ? String(index + 1) : undefined}
            >
              {index < 9 && (
                <kbd aria-hidden className="shrink-0">
                  {index + 1}
                </kbd>
              )}
              <span className="min-w-0 break-words">{choice}</span>
            </button>
          </li>
        ))}
      </ol>
      <form onSubmit={submit} className="mt-3.5 flex flex-wrap items-center gap-2 sm:pl-7">
        <input
          className="field h-9 min-w-[180px] flex-1 text-[14px]"
          aria-label={t("Say it in other words")}
          placeholder={choices.length > 0 ? t("Something else: say it in other words") : t("Say it in other words")}
          value={words}
          maxLength={2000}
          onChange={(event) => setWords(event.target.value)}
        />
        <button type="submit" className="button" disabled={!words.trim()}>
          {t("Answer")}
        </button>
        <button type="button" className="quietly px-2 py-1.5 text-[13.5px]" onClick={() => void answer({ skip: true }, turn.query)}>
          {t("Search anyway")}
        </button>
      </form>
    </fieldset>
  );
}

/** 1 to 9 choose, unless something is being written. */
function useNumberKeys(choices: number, choose: (index: number) => void) {
  useEffect(() => {
    if (choices === 0) return undefined;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const number = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
      if (number === 0 || number > choices || document.querySelector("[role=dialog],[role=menu]")) return;
      event.preventDefault();
      choose(number - 1);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [choices, choose]);
}

const OVER = new Set([404, 409]);

/** The answer was not taken: the run waits no more (the server was started again, or it was too long ago), or it could not be reached. */
function ExpiredClarification({
  trouble,
  query,
  onAsk,
  onRetry,
}: {
  trouble: { problem: Problem; instead: string };
  query: string;
  onAsk: Props["onAsk"];
  onRetry: () => void;
}) {
  if (!OVER.has(trouble.problem.status)) return <ErrorMessage error={trouble.problem} onRetry={onRetry} />;
  return (
    <div className="card animate-appear p-5" role="alert" data-testid="no-longer-waiting">
      <p className="font-serif text-[18px] leading-snug">{t("This question is no longer waiting for an answer.")}</p>
      <p className="mt-1.5 text-ink-2">
        {t("The server was restarted, or some minutes have passed. Nothing is lost: you can ask what you chose as a new question.")}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <button type="button" className="button" data-kind="main" onClick={() => onAsk(trouble.instead)}>
          {trouble.instead === query ? t("Ask it again") : t("Ask what I chose")}
        </button>
        {trouble.instead !== query && (
          <button type="button" className="button" onClick={() => onAsk(query)}>
            {t("Ask the first question again")}
          </button>
        )}
      </div>
    </div>
  );
}
