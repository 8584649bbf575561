import { locale, mark, t } from "../text/language";

/** What a node read or wrote, as a person reads it: a name and a value a line; lists and records in their own lines. */
export function FactList({ title, facts, empty = t("nothing") }: { title: string; facts: Record<string, unknown>; empty?: string }) {
  const entries = Object.entries(facts);
  return (
    <div className="min-w-0">
      <h3 className="eyebrow mb-1.5">{title}</h3>
      {entries.length === 0 && <p className="text-ink-3">{empty}</p>}
      <dl className="num flex flex-col">
        {entries.map(([name, value]) => (
          <div key={name} className="grid grid-cols-[minmax(92px,132px)_minmax(0,1fr)] gap-x-4 border-line border-t py-1.5 first:border-t-0">
            <dt className="text-ink-3">{factName(name)}</dt>
            <dd className="min-w-0 break-words">
              <Value value={value} depth={0} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const names: Record<string, string> = {
  request: mark("the request"),
  retrieval_request: mark("what was searched for"),
  retrieval: mark("what the search found"),
  hop_query: mark("sub-question"),
  top_k: mark("at most"),
  chunk_id: mark("passage"),
  document_id: mark("document"),
};
const factName = (name: string): string => t(names[name] ?? name.replaceAll("_", " "));

const formatNumber = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumSignificantDigits: Number.isInteger(value) ? 21 : 4, useGrouping: false }).format(value);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const MANY = 12;

function Value({ value, depth }: { value: unknown; depth: number }) {
  if (value === null || value === undefined || value === "") return <span className="text-ink-3">–</span>;
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (typeof value === "string") return value.length > 400 ? `${value.slice(0, 400)}…` : value;
  if (Array.isArray(value)) return <Items items={value} depth={depth} />;
  if (!isRecord(value)) return String(value);
  if (typeof value.fields === "number" && Object.keys(value).length === 1)
    return <span className="text-ink-3">{t("{n} fields", { n: value.fields })}</span>;
  if (typeof value.count === "number" && Object.keys(value).every((key) => key === "count" || key === "first")) return <CountedItems value={value} />;
  if (depth > 2) return <code className="font-mono text-[12px]">{JSON.stringify(value).slice(0, 300)}</code>;
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="text-ink-3">{t("none")}</span>;
  if (depth > 0 || entries.every(([, inner]) => typeof inner !== "object"))
    return (
      <span className="flex flex-wrap gap-x-3 gap-y-0.5">
        {entries.map(([name, inner]) => (
          <span key={name} className="min-w-0 max-w-full">
            <span className="text-ink-3">{factName(name)}</span> <Value value={inner} depth={depth + 1} />
          </span>
        ))}
      </span>
    );
  return (
    <span className="flex flex-col gap-0.5">
      {entries.map(([name, inner]) => (
        <span key={name} className="block min-w-0">
          <span className="text-ink-3">{factName(name)}</span> <Value value={inner} depth={depth + 1} />
        </span>
      ))}
    </span>
  );
}

/** A long list is stored as its length and the first ids. */
function CountedItems({ value }: { value: Record<string, unknown> }) {
  const first = Array.isArray(value.first) ? value.first : [];
  return (
    <span>
      {String(value.count)}
      {first.length > 0 && (
        <span className="text-ink-3">
          {" "}
          ·{" "}
          {first
            .slice(0, 6)
            .map((item) => (typeof item === "string" && item.length > 14 ? `${item.slice(0, 12)}…` : String(item)))
            .join(", ")}
          {Number(value.count) > Math.min(6, first.length) ? " …" : ""}
        </span>
      )}
    </span>
  );
}

function Items({ items, depth }: { items: unknown[]; depth: number }) {
  if (items.length === 0) return <span className="text-ink-3">{t("none")}</span>;
  if (items.every((item) => typeof item !== "object" || item === null)) {
    const words = items.slice(0, 40).map((item) => (typeof item === "number" ? formatNumber(item) : String(item)));
    return words.join(", ") + (items.length > 40 ? ` … (${items.length})` : "");
  }
  return (
    <ul className="flex flex-col gap-1">
      {items.slice(0, MANY).map((item, index) => (
        <li key={index} className="border-line border-l pl-2">
          <Value value={item} depth={depth + 1} />
        </li>
      ))}
      {items.length > MANY && <li className="text-ink-3">{t("and {n} more", { n: items.length - MANY })}</li>}
    </ul>
  );
}
