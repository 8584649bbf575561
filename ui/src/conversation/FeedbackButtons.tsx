import { ThumbsDown, ThumbsUp } from "lucide-react";
import { Popover } from "radix-ui";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { invalidateMemory } from "../api/queries";
import { mark, t } from "../text/language";

type Rating = "thumbs_up" | "thumbs_down";

/** Good or not, and what would have been right: the next searches learn from it. */
export function FeedbackButtons({ trace }: { trace: string }) {
  const [said, setSaid] = useState<Rating | null>(null);
  const [note, setNote] = useState("");
  const [asking, setAsking] = useState(false);
  const [right, setRight] = useState("");
  const send = async (kind: Rating | "correction", more: { reason?: string; correction?: string } = {}) => {
    try {
      const stored = await api.feedback({ trace_id: trace, kind, ...more });
      if (kind !== "correction") setSaid(kind);
      setNote(stored.stored ? (kind === "correction" ? t("Noted, thank you") : t("Stored, thank you")) : t("Not stored"));
      invalidateMemory();
    } catch (error) {
      setNote(t("Not stored: {why}", { why: Problem.from(error).title }));
    }
  };
  const correct = (event: FormEvent) => {
    event.preventDefault();
    if (!right.trim()) return;
    void send("correction", { correction: right.trim() });
    setRight("");
    setAsking(false);
  };
  return (
    <>
      <button
        type="button"
        className="quietly grid size-8 place-items-center"
        aria-label={t("This answer is good")}
        aria-pressed={said === "thumbs_up"}
        onClick={() => void send("thumbs_up")}
      >
        <ThumbsUp size={15} className={said === "thumbs_up" ? "fill-accent-soft text-accent" : ""} />
      </button>
      <Popover.Root open={asking} onOpenChange={setAsking}>
        <Popover.Trigger
          className="quietly grid size-8 place-items-center"
          aria-label={t("This answer is not good")}
          aria-pressed={said === "thumbs_down"}
          onClick={() => void send("thumbs_down")}
        >
          <ThumbsDown size={15} className={said === "thumbs_down" ? "fill-accent-soft text-accent" : ""} />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            side="top"
            sideOffset={6}
            collisionPadding={12}
            aria-label={t("What was wrong with the answer")}
            className="z-50 w-[300px] animate-appear rounded-2 border border-line bg-surface p-3.5 text-[13.5px] shadow-high"
          >
            <div className="mb-2 text-ink-2">{t("What was wrong with it?")}</div>
            <div className="flex flex-wrap gap-1.5">
              {[mark("The wrong passage"), mark("Something is missing"), mark("Out of date"), mark("Does not answer the question")].map((reason) => (
                <button
                  key={reason}
                  type="button"
                  className="chip px-2.5 py-1 text-[12.5px]"
                  onClick={() => {
                    void send("thumbs_down", { reason });
                    setAsking(false);
                  }}
                >
                  {t(reason)}
                </button>
              ))}
            </div>
            <form onSubmit={correct} className="mt-3 border-line border-t pt-3">
              <label className="block">
                <span className="text-ink-2">{t("What would be right?")}</span>
                <textarea
                  className="field mt-1.5 block resize-none text-[13.5px]"
                  rows={2}
                  maxLength={4000}
                  value={right}
                  onChange={(event) => setRight(event.target.value)}
                  placeholder={t("Saved as one of your notes")}
                />
              </label>
              <button type="submit" className="button mt-2 px-3 py-1 text-[13px]" disabled={!right.trim()}>
                {t("Save")}
              </button>
            </form>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      <span aria-live="polite" className={note ? "px-1 text-[12.5px] text-ink-2" : "sr-only"}>
        {note}
      </span>
    </>
  );
}
