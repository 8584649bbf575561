import { locale, t, tn } from "./language";

const made = new Map<string, unknown>();
/** Formatters are dear to make: one for each locale. */
function cached<T>(name: string, make: (locale: string) => T): T {
  const key = `${name} ${locale()}`;
  if (!made.has(key)) made.set(key, make(locale()));
  return made.get(key) as T;
}

export const formatDecimals = (value: number, digits: number): string =>
  cached(`digits ${digits}`, (of) => new Intl.NumberFormat(of, { minimumFractionDigits: digits, maximumFractionDigits: digits })).format(value);

export const formatCount = (value: number): string => cached("number", (of) => new Intl.NumberFormat(of)).format(value);

export const formatPlural = (value: number, one: string, many = `${one}s`): string => `${formatCount(value)} ${tn(value, one, many)}`;

export function formatBytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = value / 1000;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size >= 100 ? Math.round(size) : formatDecimals(size, 1)} ${units[unit]}`;
}

/** Seconds as a person reads them: 0.41 s, 12 s, 3 min. */
export function formatSeconds(value: number): string {
  if (value < 10) return `${formatDecimals(value, 2)} s`;
  if (value < 90) return `${Math.round(value)} s`;
  if (value < 5400) return `${Math.round(value / 60)} min`;
  return `${formatDecimals(value / 3600, 1)} h`;
}

export function formatMilliseconds(value: number): string {
  if (value < 1) return "<1 ms";
  if (value < 1000) return `${Math.round(value)} ms`;
  return `${formatDecimals(value / 1000, 2)} s`;
}

const exactTime = (of: string) =>
  new Intl.DateTimeFormat(of, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const dayTime = (of: string) => new Intl.DateTimeFormat(of, { day: "numeric", month: "short", year: "numeric" });

export const formatDateTime = (iso: string | null | undefined): string => (iso ? cached("exact", exactTime).format(new Date(iso)) : "");
export const formatDay = (iso: string | null | undefined): string => (iso ? cached("day", dayTime).format(new Date(iso)) : "");

const steps: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [60, "minute"],
  [24, "hour"],
  [7, "day"],
  [4.35, "week"],
  [12, "month"],
  [Number.POSITIVE_INFINITY, "year"],
];

export function formatAge(iso: string, now = Date.now()): string {
  let value = (Date.parse(iso) - now) / 1000;
  if (Math.abs(value) < 45) return t("just now");
  for (const [size, unit] of steps) {
    if (Math.abs(value) < size)
      return cached("relative", (of) => new Intl.RelativeTimeFormat(of, { numeric: "auto" })).format(Math.round(value), unit);
    value /= size;
  }
  return formatDateTime(iso);
}

/** The heading under which a conversation stands in the rail. */
export function dayGroup(iso: string, now = new Date()): string {
  const then = new Date(iso);
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(now) - start(then)) / 86_400_000);
  if (days <= 0) return t("Today");
  if (days === 1) return t("Yesterday");
  if (days < 7) return t("Last 7 days");
  if (days < 31) return t("Last 30 days");
  return then.toLocaleDateString(locale(), { month: "long", year: "numeric" });
}

/** A path with its beginning left out, so that its end stays readable. */
export function shortenPath(path: string, size = 48): string {
  if (path.length <= size) return path;
  return `…${path.slice(path.length - size + 1)}`;
}
