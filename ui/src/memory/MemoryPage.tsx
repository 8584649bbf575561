import { Ellipsis, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { invalidateMemory, PERSON, useMemory } from "../api/queries";
import type { ConsolidationRecord, MemoryItem, MemoryOverview } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { DropdownMenu } from "../parts/Menu";
import { Time } from "../parts/Time";
import { Link } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatCount, formatMilliseconds } from "../text/format";
import { t, tn } from "../text/language";
import { ForgetDialog } from "./ForgetDialog";
import { MemoryRow } from "./MemoryRow";
import { changesOf, isMemoryEmpty, SECTIONS, type SectionName, sessionsOf } from "./memoryItems";
import { SearchWeights } from "./SearchWeights";

/** What Vantage remembers about the person, by tier; every line can be read and removed. */
export function MemoryPage() {
  const memory = useMemory();
  useTitle(t("Memory"));
  return (
    <main className="h-full overflow-y-auto" data-testid="memory">
      <div className="mx-auto w-full max-w-[860px] px-[38px] py-[26px] max-sm:px-4 max-sm:py-5">
        {memory.error ? (
          <>
            <h1>{t("Memory")}</h1>
            <div className="mt-6">
              <ErrorMessage error={memory.error} onRetry={() => void memory.refetch()} />
            </div>
          </>
        ) : memory.data ? (
          <Overview overview={memory.data} />
        ) : (
          <h1 aria-busy>{t("Memory")}</h1>
        )}
      </div>
    </main>
  );
}

function Overview({ overview }: { overview: MemoryOverview }) {
  const [forgetting, setForgetting] = useState<{ session: string | null } | null>(null);
  const empty = isMemoryEmpty(overview);
  const total = SECTIONS.reduce((sum, { name }) => sum + overview[name].total, 0);
  return (
    <>
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="mr-auto min-w-0">
          <h1>{t("Memory")}</h1>
          <p className="num mt-1 text-ink-2">
            {empty
              ? t("Nothing is remembered about you yet.")
              : tn(total, "{n} entry about you, stored where this server runs.", "{n} entries about you, stored where this server runs.", {
                  n: formatCount(total),
                })}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Consolidate />
          {!empty && (
            <button type="button" className="button" onClick={() => setForgetting({ session: null })}>
              <Trash2 size={14} aria-hidden /> {t("Forget everything")}
            </button>
          )}
        </div>
      </header>
      {empty && <Empty />}
      <div className="mt-6 grid gap-6">
        {!empty && <SearchWeights preferences={overview.preferences} />}
        {!empty &&
          SECTIONS.map(({ name }) => <Section key={name} name={name} overview={overview} onForget={(session) => setForgetting({ session })} />)}
        <Consolidations records={overview.consolidations ?? []} />
      </div>
      {forgetting && <ForgetDialog overview={overview} session={forgetting.session} onClose={() => setForgetting(null)} />}
    </>
  );
}

const Empty = () => (
  <div className="card mt-6 px-6 py-7" data-testid="memory-empty">
    <p className="font-serif text-[19px] leading-snug">{t("Vantage learns from what you ask, open and like.")}</p>
    <ul className="mt-3 grid list-disc gap-1.5 pl-5 text-ink-2">
      <li>{t("Finished questions help with similar ones.")}</li>
      <li>{t("The citations you open slowly adjust how much keywords and meaning count.")}</li>
      <li>{t("What you correct, or ask to remember, becomes a note.")}</li>
    </ul>
    <p className="mt-3 text-ink-2">{t("You can see all of it here, and an answer that used it says so.")}</p>
    <Link href="/app" className="button mt-5" data-kind="main">
      {t("Ask a question")}
    </Link>
  </div>
);

const FIRST = 6;

function Section({ name, overview, onForget }: { name: SectionName; overview: MemoryOverview; onForget: (session: string) => void }) {
  const about = SECTIONS.find((section) => section.name === name);
  const { items, total } = overview[name];
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, FIRST);
  return (
    <section className="card px-5 py-4" aria-labelledby={`memory-${name}`} data-section={name}>
      <h2 id={`memory-${name}`} className="font-semibold">
        {t(about?.title ?? "")} <span className="num ml-1 font-normal text-ink-3">{formatCount(total)}</span>
      </h2>
      <p className="mt-0.5 text-[13.5px] text-ink-3">{t(about?.says ?? "")}</p>
      {total === 0 && <p className="mt-3 text-[14px] text-ink-2">{t(about?.empty ?? "")}</p>}
      {name === "session" ? (
        sessionsOf(shown).map((session) => <Session key={session.id} session={session} onForget={() => onForget(session.id)} />)
      ) : (
        <ul className="mt-1.5">
          {shown.map((item) => (
            <MemoryRow key={item.id} item={item} />
          ))}
        </ul>
      )}
      {items.length > FIRST && (
        <button type="button" className="link mt-2 text-[13.5px]" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("Show fewer") : t("Show {n} more", { n: formatCount(items.length - FIRST) })}
        </button>
      )}
      {all && total > items.length && (
        <p className="num mt-2 text-[13px] text-ink-3">{t("The newest {n} are shown.", { n: formatCount(items.length) })}</p>
      )}
    </section>
  );
}

function Session({ session, onForget }: { session: { id: string; items: MemoryItem[] }; onForget: () => void }) {
  const first = session.items.at(-1)?.text ?? "";
  return (
    <div className="mt-2 flex items-start gap-1" data-session={session.id}>
      <ul className="min-w-0 flex-1 border-line border-l-2 pl-3">
        {session.items.map((item) => (
          <MemoryRow key={item.id} item={item} />
        ))}
      </ul>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger
          className="quietly mt-3 grid size-8 shrink-0 place-items-center"
          aria-label={t("More about the conversation “{title}”", { title: first.slice(0, 60) })}
        >
          <Ellipsis size={16} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" data-tone="bad" onSelect={onForget}>
              <Trash2 size={14} aria-hidden /> {t("Forget this conversation")}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  );
}

function Consolidate() {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      setDone(changesOf(await api.consolidate(PERSON)));
      invalidateMemory();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="relative">
      <button type="button" className="button" onClick={() => void run()} disabled={busy}>
        <RefreshCw size={14} aria-hidden className={busy ? "animate-spin" : ""} /> {t("Consolidate now")}
      </button>
      <div role="status" className="absolute top-full right-0 z-20 w-[min(340px,86vw)] max-sm:right-auto max-sm:left-0">
        {done && (
          <div className="menu mt-2 px-3.5 py-3" data-testid="consolidated">
            {done.length === 0 ? (
              <p className="text-ink-2">{t("Nothing to tidy up.")}</p>
            ) : (
              <ul className="grid list-disc gap-1 pl-4 text-ink-2">
                {done.map((change) => (
                  <li key={change}>{change}</li>
                ))}
              </ul>
            )}
            <button type="button" className="link mt-2 text-[13px]" onClick={() => setDone(null)}>
              {t("Close")}
            </button>
          </div>
        )}
      </div>
      {error !== null && (
        <div className="absolute top-full right-0 z-20 mt-2 w-[min(340px,86vw)]">
          <ErrorMessage error={error} />
        </div>
      )}
    </div>
  );
}

/** What was tidied up, and when. */
function Consolidations({ records }: { records: readonly ConsolidationRecord[] }) {
  const telling = records.filter((record) => (record.changes ?? []).length > 0);
  if (telling.length === 0) return null;
  return (
    <section className="px-1" aria-labelledby="consolidations" data-testid="consolidations">
      <h2 id="consolidations" className="eyebrow">
        {t("Tidied up")}
      </h2>
      <ol className="mt-2 grid gap-2 text-[13.5px] text-ink-2">
        {telling.map((record) => (
          <li key={record.id} className="grid gap-x-4 sm:grid-cols-[130px_minmax(0,1fr)]">
            <Time at={record.at} className="text-ink-3" />
            <span>
              {(record.changes ?? []).join(" ")} <span className="num text-ink-3">{formatMilliseconds(record.duration_ms)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
