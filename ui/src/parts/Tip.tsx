import { Tooltip } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

/** A few words on hover and on focus. */
export function Tip({
  label,
  children,
  side = "top",
  wide = false,
}: {
  label: ReactNode;
  children: ReactElement;
  side?: "top" | "bottom" | "left" | "right";
  wide?: boolean;
}) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={12}
          className={`z-[70] animate-appear rounded-2 border border-line bg-surface text-ink shadow-high ${wide ? "max-w-[380px] p-3.5" : "max-w-[280px] px-2.5 py-1.5 text-[12.5px] text-ink-2"}`}
        >
          {label}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
