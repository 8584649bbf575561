import { Command } from "cmdk";
import { ChevronDown, GitCompareArrows } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { useTraces } from "../api/queries";
import type { Trace, TraceLine } from "../api/types";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { comparisonPath, navigate } from "../shell/router";
import { formatMilliseconds } from "../text/format";
import { t } from "../text/language";
import { statusLabel } from "./traceLabels";

/** Those that belong together first: replays of this run and the run that it replays, then the same question, then the others as they come. */
export function sortByRelation(trace: Pick<Trace, "id" | "query" | "replay_of">, lines: readonly TraceLine[]): TraceLine[] {
  const distance = (line: TraceLine) => {
    if (line.replay_of === trace.id || line.id === trace.replay_of) return 0;
    return line.query.trim().toLowerCase() === trace.query.trim().toLowerCase() ? 1 : 2;
  };
  return lines.filter((line) => line.id !== trace.id).sort((a, b) => distance(a) - distance(b));
}

/** Chooses the run to lay beside this one. The older one of the two stands left. */
export function CompareMenu({ trace }: { trace: Trace }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="chip inline-flex items-center gap-1.5">
        <GitCompareArrows size={14} aria-hidden /> {t("Compare with…")} <ChevronDown size={13} aria-hidden className="text-ink-3" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu w-[440px] max-w-[calc(100vw-24px)] p-0!"
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={t("Compare with another run")}
        >
          <Runs
            trace={trace}
            onChoose={(line) => {
              setOpen(false);
              const older = Date.parse(line.started_at) <= Date.parse(trace.started_at);
              navigate(older ? comparisonPath(line.id, trace.id) : comparisonPath(trace.id, line.id));
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Runs({ trace, onChoose }: { trace: Trace; onChoose: (line: TraceLine) => void }) {
  const traces = useTraces();
  const lines = sortByRelation(trace, traces.data?.pages.flatMap((page) => page.traces) ?? []);
  return (
    <Command label={t("Runs")} loop>
      <Command.Input
        placeholder={t("Find a run by its question")}
        className="h-11 w-full border-line border-b bg-transparent px-4 outline-none placeholder:text-ink-3"
      />
      <Command.List className="max-h-[min(340px,55vh)] overflow-auto p-1.5">
        <Command.Empty className="p-4 text-center text-ink-2">
          {traces.isPending ? t("Looking…") : lines.length === 0 ? t("There is no other run yet.") : t("No runs match.")}
        </Command.Empty>
        {lines.map((line) => {
          const [tone, word] = statusLabel(line.status);
          return (
            <Command.Item key={line.id} value={`${line.query} ${line.id}`} onSelect={() => onChoose(line)} className="menu-item cursor-pointer">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-ink">{line.query}</span>
                <span className="num block text-[12.5px] text-ink-3">
                  <Time at={line.started_at} /> · {formatMilliseconds(line.duration_ms)}
                </span>
              </span>
              {line.replay_of ? <Tag>{t("replay")}</Tag> : <Tag tone={tone}>{word}</Tag>}
            </Command.Item>
          );
        })}
      </Command.List>
    </Command>
  );
}
