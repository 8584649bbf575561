import { useMutation } from "@tanstack/react-query";
import { Check, ChevronDown, LoaderCircle, RotateCcw } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { queryClient } from "../api/queries";
import type { StageName } from "../api/types";
import { DropdownMenu as Menu } from "../parts/Menu";
import { comparisonPath, navigate } from "../shell/router";
import { showToast } from "../shell/Toasts";
import { t } from "../text/language";
import { joinList, stageLabel, stages } from "./traceLabels";

/** Asks the same once more without the stages that are chosen, and lays the old run and the new one side by side. */
export function ReplayMenu({ trace }: { trace: string }) {
  const [off, setOff] = useState<readonly StageName[]>([]);
  const replay = useMutation({
    mutationFn: (without: readonly StageName[]) => api.replay(trace, without),
    onSuccess: (response) => {
      void queryClient.invalidateQueries({ queryKey: ["traces"] });
      if (response.trace_id) navigate(comparisonPath(trace, response.trace_id));
    },
    onError: (error) => {
      const problem = Problem.from(error);
      showToast([problem.title, problem.detail, problem.fix].filter(Boolean).join(" "), "bad");
    },
  });
  const names = joinList(stages.filter((stage) => off.includes(stage.name)).map((stage) => t(stage.word)));
  return (
    <Menu.Root onOpenChange={(open) => open && setOff([])}>
      <Menu.Trigger className="chip inline-flex items-center gap-1.5" disabled={replay.isPending}>
        {replay.isPending ? <LoaderCircle size={14} aria-hidden className="animate-spin" /> : <RotateCcw size={14} aria-hidden />}
        {replay.isPending
          ? t("Asking again without {stages}…", { stages: joinList((replay.variables ?? []).map(stageLabel)) })
          : t("Replay without…")}
        <ChevronDown size={13} aria-hidden className="text-ink-3" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="menu w-[320px] max-w-[calc(100vw-24px)]" align="end" sideOffset={6} collisionPadding={12}>
          <Menu.Label className="px-2.5 pt-1.5 pb-1 text-[12.5px] text-ink-3">{t("Ask the same question, but skip")}</Menu.Label>
          {stages.map((stage) => (
            <Menu.CheckboxItem
              key={stage.name}
              className="menu-item cursor-pointer"
              checked={off.includes(stage.name)}
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={(on) => setOff((now) => (on ? [...now, stage.name] : now.filter((name) => name !== stage.name)))}
            >
              <span
                aria-hidden
                className={`grid size-4 shrink-0 place-items-center rounded-[4px] border ${off.includes(stage.name) ? "border-accent bg-accent text-accent-ink" : "border-line-strong"}`}
              >
                {off.includes(stage.name) && <Check size={11} strokeWidth={3.2} />}
              </span>
              <span className="text-ink">{t(stage.word)}</span>
              <span className="ml-auto text-right text-[12.5px] text-ink-3">{t(stage.what)}</span>
            </Menu.CheckboxItem>
          ))}
          <Menu.Separator className="my-1.5 h-px bg-line" />
          <Menu.Item
            disabled={off.length === 0}
            onSelect={() => replay.mutate(off)}
            className="menu-item cursor-pointer justify-center bg-accent! font-medium text-accent-ink! data-[disabled]:cursor-default data-[disabled]:bg-sunken! data-[highlighted]:ring-2 data-[highlighted]:ring-ink data-[disabled]:text-ink-3!"
          >
            {off.length === 0 ? t("Choose what to skip") : t("Replay without {stages}", { stages: names })}
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
