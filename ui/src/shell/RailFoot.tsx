import { Keyboard, Monitor, Moon, Sun } from "lucide-react";
import { useHealth } from "../api/queries";
import { describeJob } from "../library/JobProgress";
import { useRunningJob } from "../library/jobs";
import { DropdownMenu } from "../parts/Menu";
import { Tip } from "../parts/Tip";
import { formatCount } from "../text/format";
import { mark, t } from "../text/language";
import { navigate } from "./router";
import { SignOut } from "./SignOut";
import { sendSignal } from "./signals";
import { setTheme, type Theme, useTheme } from "./theme";

const themes: [Theme, string, typeof Sun][] = [
  ["light", mark("Light"), Sun],
  ["dark", mark("Dark"), Moon],
  ["system", mark("As the system"), Monitor],
];

/** How the server is, who is signed in, the theme and the keyboard shortcuts. */
export function RailFoot() {
  const theme = useTheme();
  const Icon = themes.find(([name]) => name === theme)?.[2] ?? Monitor;
  return (
    <div className="-mx-1 flex items-center gap-1 border-line border-t px-2 pt-2.5 text-[13px] text-ink-2">
      <Status />
      <span className="ml-auto flex">
        <SignOut />
        <DropdownMenu.Root>
          <DropdownMenu.Trigger className="quietly grid size-7 place-items-center" aria-label={t("Theme")}>
            <Icon size={15} />
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content className="menu min-w-[160px]" side="top" align="end" sideOffset={6}>
              {themes.map(([name, label, ThemeIcon]) => (
                <DropdownMenu.Item key={name} className={`menu-item ${theme === name ? "text-accent!" : ""}`} onSelect={() => setTheme(name)}>
                  <ThemeIcon size={15} aria-hidden /> {t(label)}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
        <Tip label={t("Keyboard shortcuts (?)")}>
          <button
            type="button"
            className="quietly grid size-7 place-items-center max-md:hidden"
            aria-label={t("Keyboard shortcuts")}
            onClick={() => sendSignal("keys")}
          >
            <Keyboard size={15} />
          </button>
        </Tip>
      </span>
    </div>
  );
}

function Status() {
  const health = useHealth();
  const job = useRunningJob();
  const dot = (colour: string, calm = true) => (
    <i aria-hidden className={`mr-2 inline-block size-[7px] shrink-0 rounded-full ${calm ? "" : "animate-breathe"}`} style={{ background: colour }} />
  );
  const state = (() => {
    if (health.error) return [dot("var(--bad)", false), t("Reconnecting…"), t("The server on this machine does not answer.")] as const;
    if (!health.data) return [dot("var(--line-strong)"), "…", ""] as const;
    if (job)
      return [
        dot("var(--accent)", false),
        t("Reading · {n} left", { n: formatCount(Math.max(0, job.files_total - job.files_done)) }),
        describeJob(job),
      ] as const;
    if (!health.data.ready) return [dot("var(--warn)", false), t("Getting ready"), t("The index is being loaded.")] as const;
    const bad = health.data.parts.filter((part) => part.state === "down" || part.state === "degraded");
    const detail = bad.map((part) => `${part.name}: ${part.detail}`).join("\n");
    if (bad.length > 0) return [dot("var(--warn)"), t("Running with limits"), detail] as const;
    return [
      dot("var(--good)"),
      t("On this machine"),
      health.data.parts.map((part) => `${part.name}: ${part.detail || part.state}`).join("\n"),
    ] as const;
  })();
  return (
    <Tip label={<span className="whitespace-pre-line">{state[2] || state[1]}</span>} side="top">
      <button
        type="button"
        className="num flex min-w-0 items-center truncate text-left"
        onClick={() => navigate("/app/library")}
        data-testid="status"
      >
        {state[0]}
        <span className="truncate">{state[1]}</span>
      </button>
    </Tip>
  );
}
