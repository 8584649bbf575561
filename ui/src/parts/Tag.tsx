import type { ReactNode } from "react";

export type Tone = "good" | "warn" | "bad" | "calm";

const tones: Record<Tone, string> = {
  good: "text-good bg-[color-mix(in_srgb,var(--good)_13%,transparent)]",
  warn: "text-warn bg-[color-mix(in_srgb,var(--warn)_13%,transparent)]",
  bad: "text-bad bg-[color-mix(in_srgb,var(--bad)_11%,transparent)]",
  calm: "text-ink-2 bg-sunken",
};

export const Tag = ({ tone = "calm", children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`inline-block whitespace-nowrap rounded-full px-2.5 py-0.5 text-[12px] ${tones[tone]}`}>{children}</span>
);
