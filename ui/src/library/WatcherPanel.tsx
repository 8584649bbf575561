import { Switch } from "radix-ui";
import { useEffect } from "react";
import { api } from "../api/client";
import { invalidateLibrary, queryClient, useWatcher } from "../api/queries";
import type { WatchEvent } from "../api/types";
import { Time } from "../parts/Time";
import { formatDecimals, formatPlural } from "../text/format";
import { mark, t } from "../text/language";
import { fileName } from "./filePath";
import { notifyOnFailure } from "./notify";

const words: Record<string, string> = { added: mark("new"), changed: mark("changed"), moved: mark("moved"), removed: mark("gone") };

/** The watcher: its switch, and the last changes that it followed. */
export function WatcherPanel() {
  const watcher = useWatcher();
  const seen = watcher.data ? `${watcher.data.recent[0]?.at ?? ""} ${watcher.data.recent.length} ${watcher.data.waiting}` : "";
  useEffect(() => {
    if (seen) invalidateLibrary(["watcher"]);
  }, [seen]);
  if (!watcher.data) return null;
  const { enabled, waiting, recent } = watcher.data;
  const turn = async (on: boolean) => {
    queryClient.setQueryData(["watcher"], await api.watch(on));
    invalidateLibrary();
  };
  return (
    <section className="card px-5 py-4" aria-label={t("Changes")} data-testid="watching">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="font-semibold">{t("Changes")}</h2>
        <span className="text-[13.5px] text-ink-2" role="status">
          {enabled
            ? waiting > 0
              ? t("{changes} being read", { changes: formatPlural(waiting, "change") })
              : t("Your folders are followed: changes are picked up automatically.")
            : t("Folders are not followed.")}
        </span>
        <div className="ml-auto flex items-center gap-2.5 text-[13.5px]">
          <label htmlFor="follow-changes">{t("Follow changes")}</label>
          <Switch.Root
            id="follow-changes"
            checked={enabled}
            onCheckedChange={(on) => notifyOnFailure(turn(on))}
            className="relative h-[22px] w-[38px] rounded-full bg-line-strong transition-colors duration-150 data-[state=checked]:bg-accent"
          >
            <Switch.Thumb className="block size-[18px] translate-x-0.5 rounded-full bg-surface transition-transform duration-150 data-[state=checked]:translate-x-[18px]" />
          </Switch.Root>
        </div>
      </div>
      {recent.length > 0 && (
        <ul className="num mt-3 text-[13.5px]">
          {recent.slice(0, 6).map((event) => (
            <ChangeRow key={`${event.at}${event.path}`} event={event} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ChangeRow({ event }: { event: WatchEvent }) {
  return (
    <li className="flex items-baseline gap-3 border-line border-t py-1.5 first:border-t-0">
      <span className="w-[84px] shrink-0 text-ink-3">{t(words[event.change] ?? event.change)}</span>
      <span className="min-w-0 truncate" title={event.moved_from ? `${event.moved_from} → ${event.path}` : event.path}>
        {event.moved_from ? `${fileName(event.moved_from)} → ${fileName(event.path)}` : fileName(event.path)}
      </span>
      <span className="ml-auto shrink-0 text-[12.5px] text-ink-3">
        {event.seconds != null && <span className="max-sm:hidden">{t("searchable after {n} s", { n: formatDecimals(event.seconds, 1) })} · </span>}
        <Time at={event.at} />
      </span>
    </li>
  );
}
