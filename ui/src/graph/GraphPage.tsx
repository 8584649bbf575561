import { Search } from "lucide-react";
import { useDeferredValue, useEffect, useState } from "react";
import { useEntityCount, useEntityPages } from "../api/queries";
import type { Entity, EntityType } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { entityPath, Link, navigate, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatCount, formatPlural } from "../text/format";
import { mark, t, tn } from "../text/language";
import { EntityPage } from "./EntityPage";
import { NUMBERS, TYPES, typeColour, typeHeading, typeWord } from "./entityLabels";

export const GraphPage = ({ id }: { id: string | null }) => (id === null ? <Entities /> : <EntityPage key={id} id={id} />);

const typeOf = (text: string | null): EntityType | "" => TYPES.find((type) => type === text) ?? "";

/** Who and what the documents are about, by name and kind. What is typed and chosen stands in the address. */
function Entities() {
  const { search } = useAddress();
  const [typed, setTyped] = useState(search.get("q") ?? "");
  const type = typeOf(search.get("type"));
  const text = useDeferredValue(typed.trim());
  const pages = useEntityPages(text, type);
  const all = search.has("numbers") || type !== "";
  const aside = useEntityCount(text, all ? none : NUMBERS);
  useTitle(t("Names and terms"));
  const go = (change: { q?: string; type?: string; numbers?: string }) => {
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    navigate(next.size ? `/app/graph?${next}` : "/app/graph", { replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what is typed, not the other way round
  useEffect(() => go({ q: text }), [text]);
  const entities = (pages.data?.pages.flatMap((page) => page.entities) ?? []).filter((entity) => all || !NUMBERS.includes(entity.entity_type));
  const total = aside === null ? null : (pages.data?.pages[0]?.total ?? 0) - aside;
  // A page of numbers and codes alone shows nothing: the next one is asked for, until there are some names; ten at most without being asked.
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const few = entities.length < 30 && (pages.data?.pages.length ?? 0) < 10;
  useEffect(() => {
    if (few && hasNextPage && !isFetching) void fetchNextPage();
  }, [few, hasNextPage, isFetching, fetchNextPage]);
  return (
    <main className="h-full overflow-y-auto" data-testid="graph">
      <div className="mx-auto w-full max-w-[980px] px-[38px] py-[26px] max-sm:px-4 max-sm:py-5">
        <h1>{t("Names and terms")}</h1>
        <p className="num mt-1 text-ink-2">
          {pages.data && total !== null ? t(type || text ? FOUND : MENTIONED, { n: formatCount(total) }) : "\u00a0"}
        </p>
        <label className="relative mt-5 block">
          <span className="sr-only">{t("Find by name")}</span>
          <Search size={16} aria-hidden className="absolute top-3 left-3 text-ink-3" />
          <input
            className="field h-10 pl-9"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            placeholder={t("A name, a place, a term")}
          />
        </label>
        <fieldset className="mt-3 flex flex-wrap gap-1.5">
          <legend className="sr-only">{t("Kind")}</legend>
          {(["", ...TYPES] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={type === one}
              onClick={() => go({ type: one })}
              className="chip flex items-center gap-1.5 px-2.5 py-1 text-[13px] aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            >
              {one && <i aria-hidden className="size-2 rounded-full" style={{ background: typeColour[one] }} />}
              {one ? typeHeading(one) : t("All")}
            </button>
          ))}
        </fieldset>
        <label className={`mt-3 flex w-fit items-center gap-2 text-[13.5px] text-ink-2 ${type === "" ? "" : "invisible"}`}>
          <input
            type="checkbox"
            className="accent-[var(--accent)]"
            checked={search.has("numbers")}
            onChange={(event) => go({ numbers: event.target.checked ? "1" : "" })}
          />
          {t("Numbers and codes too")}
        </label>
        {pages.error && (
          <div className="mt-5">
            <ErrorMessage error={pages.error} onRetry={() => void pages.refetch()} />
          </div>
        )}
        {pages.isSuccess && !hasNextPage && entities.length === 0 && <NoEntities text={text} type={type} />}
        {entities.length > 0 && (
          <ul className="card mt-5 grid px-2 py-1.5 sm:grid-cols-2" data-testid="entities">
            {entities.map((entity) => (
              <Row key={entity.id} entity={entity} />
            ))}
          </ul>
        )}
        {pages.hasNextPage && (
          <button type="button" className="link mt-3 px-2.5 text-[13.5px]" onClick={() => void pages.fetchNextPage()}>
            {t("Show more")}
          </button>
        )}
      </div>
    </main>
  );
}

const none: readonly EntityType[] = [];
const FOUND = mark("{n} found.");
const MENTIONED = mark("{n} that your documents mention.");

const NoEntities = ({ text, type }: { text: string; type: EntityType | "" }) => (
  <p className="mt-6 text-ink-2" data-testid="no-entities">
    {text
      ? type
        ? t("Nothing is called “{text}” among: {kind}.", { text, kind: typeHeading(type) })
        : t("Nothing is called “{text}”.", { text })
      : type
        ? t("Nothing of this kind was found in the documents yet: {kind}.", { kind: typeWord(type) })
        : t("Nothing was found in the documents yet. Names and terms appear here as files are read.")}
  </p>
);

const Row = ({ entity }: { entity: Entity }) => (
  <li>
    <Link href={entityPath(entity.id)} className="flex items-center gap-2.5 rounded-1 px-2.5 py-2 hover:bg-sunken">
      <i aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: typeColour[entity.entity_type] }} />
      <span className="min-w-0">
        <span className="block truncate font-[550]">{entity.name}</span>
        <span className="num block text-[12.5px] text-ink-3">
          {typeWord(entity.entity_type)} · {formatPlural(entity.mentions ?? 0, "mention")} ·{" "}
          {tn((entity.document_ids ?? []).length, "in {n} document", "in {n} documents", { n: formatCount((entity.document_ids ?? []).length) })}
        </span>
      </span>
    </Link>
  </li>
);
