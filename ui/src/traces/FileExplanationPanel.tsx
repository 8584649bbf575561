import { Command } from "cmdk";
import { ArrowUpRight, Check, CornerDownRight, FileSearch, FileText, Lightbulb, X } from "lucide-react";
import { useEffect, useState } from "react";
import { type ExplainedSearch, useDocumentPages, useExplanation } from "../api/queries";
import type { FileExplanation, StageStanding } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { documentPath, Link } from "../shell/router";
import { formatCount } from "../text/format";
import { t } from "../text/language";
import { setQueryParameters } from "./queryParameters";
import { describeDrop, formatScore, stageLabel } from "./traceLabels";

/** "Why is this file not here?": choose a document, read at which stage it fell, with which score, and what would bring it back. */
export function FileExplanationPanel({ search, document }: { search: ExplainedSearch; document: string | null }) {
  const name = useExplanation(search, document).data?.filename ?? "";
  return (
    <section className="card scroll-my-6 px-[18px] py-4" aria-label={t("Why is a file not here?")} id="why">
      <h2 className="eyebrow">{t("Why is this file not here?")}</h2>
      <p className="mt-1 mb-3 text-[13.5px] text-ink-2">
        {t("Name a file that you expected among the results. Its path through this run is shown stage by stage.")}
      </p>
      <FileChooser chosen={document} name={name} />
      {document && <LoadedExplanation search={search} document={document} />}
    </section>
  );
}

const typedValue = (text: string): string => `typed ${text.toLowerCase()}`;

/** `name` is that of the chosen file, once it is known: a page that is opened with one shows it. */
function FileChooser({ chosen, name }: { chosen: string | null; name: string }) {
  const [text, setText] = useState("");
  const [listed, setListed] = useState(false);
  const typed = text.trim();
  const found = useDocumentPages({ text: typed });
  const answered = found.data?.pages[0]?.documents ?? [];
  // Until the library has answered, what is shown is what fits of the answer before: Enter never means a file that is not asked for.
  const fitting = found.isPlaceholderData
    ? answered.filter((document) => `${document.filename} ${document.title}`.toLowerCase().includes(typed.toLowerCase()))
    : answered;
  const documents = fitting.slice(0, 8);
  const [picked, setPicked] = useState("");
  // The best match is picked as soon as it is known: Enter means it, and the words as they are written only where nothing matches.
  const best = documents[0]?.id ?? (typed ? typedValue(typed) : "");
  useEffect(() => setPicked(best), [best]);
  const choose = (document: string, name: string) => {
    setQueryParameters({ why: document });
    setText(name);
    setListed(false);
  };
  useEffect(() => {
    if (chosen === null) setText("");
    else if (name) setText(name);
  }, [chosen, name]);
  return (
    <Command
      shouldFilter={false}
      value={picked}
      onValueChange={setPicked}
      label={t("Find the file")}
      className="relative max-w-[620px]"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setListed(false);
      }}
    >
      <div className="relative">
        <FileSearch size={16} aria-hidden className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 text-ink-3" />
        <Command.Input
          value={text}
          onValueChange={(value) => {
            setText(value);
            setListed(true);
          }}
          onFocus={() => setListed(true)}
          onKeyDown={(event) => {
            if (event.key === "Escape") setListed(false);
          }}
          placeholder={t("A file's name, its path or its id")}
          className="field pr-9! pl-9!"
          id="why-input"
        />
        {(chosen || text) && (
          <button
            type="button"
            aria-label={t("Clear")}
            className="quietly -translate-y-1/2 absolute top-1/2 right-2 p-1"
            onClick={() => {
              setText("");
              setQueryParameters({ why: null });
            }}
          >
            <X size={14} />
          </button>
        )}
      </div>
      <Command.List className={listed ? "menu absolute inset-x-0 top-full z-20 mt-1 max-h-[320px] overflow-auto" : "hidden"}>
        {listed && (
          <>
            {documents.map((document) => (
              <Command.Item
                key={document.id}
                value={document.id}
                onSelect={() => choose(document.id, document.filename)}
                className="menu-item cursor-pointer"
              >
                <FileText size={15} aria-hidden className="shrink-0" />
                <span className="min-w-0 flex-1 truncate">{document.filename}</span>
                {document.title && document.title !== document.filename && (
                  <span className="max-w-[45%] truncate text-[12.5px] text-ink-3">{document.title}</span>
                )}
              </Command.Item>
            ))}
            {typed && (
              <Command.Item value={typedValue(typed)} onSelect={() => choose(typed, typed)} className="menu-item cursor-pointer">
                <CornerDownRight size={15} aria-hidden className="shrink-0" />
                <span className="min-w-0 truncate">{t("Ask about “{text}” as typed", { text: typed })}</span>
              </Command.Item>
            )}
            {!typed && documents.length === 0 && <p className="px-2.5 py-2 text-ink-2">{t("There is no document in the library.")}</p>}
          </>
        )}
      </Command.List>
    </Command>
  );
}

function LoadedExplanation({ search, document }: { search: ExplainedSearch; document: string }) {
  const explanation = useExplanation(search, document);
  if (explanation.error)
    return (
      <div className="mt-4">
        <ErrorMessage error={explanation.error} onRetry={() => void explanation.refetch()} />
      </div>
    );
  if (!explanation.data) return <p className="mt-4 min-h-[180px] text-ink-3">{t("Following it through the run…")}</p>;
  return <Explanation found={explanation.data} />;
}

function Explanation({ found }: { found: FileExplanation }) {
  return (
    <div className="mt-4 animate-appear" data-testid="explanation" aria-live="polite">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h3 className="min-w-0 break-words font-serif font-semibold text-[19px] leading-snug">{found.filename}</h3>
        {found.shown ? (
          <Tag tone="good">{found.rank === null ? t("among the results") : t("result {n}", { n: formatCount(found.rank) })}</Tag>
        ) : (
          <Tag tone="warn">{found.fell_at ? describeDrop(found.fell_at) : t("not among the results")}</Tag>
        )}
        {found.document_id && (
          <Link href={documentPath(found.document_id)} className="link inline-flex items-center gap-0.5 text-[13.5px]">
            {t("Open the file")} <ArrowUpRight size={13} aria-hidden />
          </Link>
        )}
      </div>
      <p className="mt-1.5 max-w-[72ch] text-[15.5px]">{found.sentence}</p>
      {found.help && (
        <p className="mt-3 flex max-w-[72ch] gap-2 rounded-2 bg-accent-soft px-3 py-2.5">
          <Lightbulb size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
          <span>
            <span className="sr-only">{t("What helps:")} </span>
            {found.help}
          </span>
        </p>
      )}
      {found.stages.length > 0 && (
        <ol className="mt-4" aria-label={t("Its path through the stages")}>
          {found.stages.map((stage, index) => (
            <StageRow
              key={stage.stage}
              stage={stage}
              last={index === found.stages.length - 1}
              fell={stage.stage === found.fell_at || !stage.passed}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

/** A step of the ladder: passed or not, its place, and its score beside the one that it needed. */
function StageRow({ stage, last, fell }: { stage: StageStanding; last: boolean; fell: boolean }) {
  return (
    <li className="grid grid-cols-[22px_minmax(0,1fr)] gap-x-3 pb-4 md:grid-cols-[22px_minmax(0,1fr)_260px]">
      <span className="relative flex justify-center" aria-hidden>
        {!last && <i className={`absolute top-5 -bottom-4 w-0.5 ${fell ? "bg-line" : "bg-accent"}`} />}
        <span
          className={`relative mt-0.5 grid size-[18px] place-items-center rounded-full ${stage.passed ? "bg-accent text-accent-ink" : "bg-bad text-paper"}`}
        >
          {stage.passed ? <Check size={12} strokeWidth={3} /> : <X size={12} strokeWidth={3} />}
        </span>
      </span>
      <div className="min-w-0">
        <b className="font-semibold">{stageLabel(stage.stage)}</b>
        <span className="sr-only">{stage.passed ? t(", passed") : t(", not passed")}</span>
        {stage.rank !== null && <span className="num ml-2 text-[13px] text-ink-3">{t("place {n}", { n: formatCount(stage.rank) })}</span>}
        <p className="text-[14px] text-ink-2">{stage.sentence}</p>
      </div>
      {stage.score !== null && <Score score={stage.score} needed={stage.needed} passed={stage.passed} />}
    </li>
  );
}

/** The score beside the needed one on one scale; a score by itself is a number only, because stages have scales of their own. */
function Score({ score: value, needed, passed }: { score: number; needed: number | null; passed: boolean }) {
  const scored = (
    <span>
      {t("scored")} <b className="font-semibold text-ink">{formatScore(value)}</b>
    </span>
  );
  const place = "num col-start-2 mt-1.5 text-[12.5px] text-ink-2 md:col-start-3 md:mt-0.5";
  if (needed === null) return <p className={place}>{scored}</p>;
  const lowest = Math.min(0, value, needed);
  const span = Math.max(value, needed, 1e-9) * 1.12 - lowest;
  const at = (number: number) => `${Math.min(100, Math.max(1.5, ((number - lowest) / span) * 100))}%`;
  return (
    <div className={place}>
      <div className="relative h-2 rounded-full bg-sunken" aria-hidden>
        <i className={`absolute inset-y-0 left-0 rounded-full ${passed ? "bg-accent" : "bg-bad"}`} style={{ width: at(value) }} />
        <i className="-inset-y-1 absolute w-0.5 rounded bg-ink" style={{ left: at(needed) }} />
      </div>
      <p className="mt-1 flex justify-between gap-3">
        {scored}
        <span>
          {t("needed")} <b className="font-semibold text-ink">{formatScore(needed)}</b>
        </span>
      </p>
    </div>
  );
}
