import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { t } from "../text/language";

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}

/** A question that needs an answer before going on. */
export function Dialog({ open, onClose, title, description, children, wide = false }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-black/30 backdrop-blur-[2px]" />
        <Radix.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={`fixed top-[14vh] left-1/2 z-50 max-h-[78vh] w-[calc(100vw-28px)] -translate-x-1/2 animate-appear overflow-auto rounded-3 border border-line bg-surface p-5 shadow-high ${wide ? "max-w-[720px]" : "max-w-[460px]"}`}
        >
          <div className="flex items-start gap-4">
            <Radix.Title className="font-serif text-[20px] font-semibold leading-tight">{title}</Radix.Title>
            <Radix.Close className="quietly -mt-1 -mr-1 ml-auto p-1.5" aria-label={t("Close")}>
              <X size={17} />
            </Radix.Close>
          </div>
          {description !== undefined && <Radix.Description className="mt-2 text-ink-2">{description}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
