import { agentOf, currentStep } from "../run/agents";
import { t, tn } from "../text/language";
import type { TurnView } from "./turnView";

/** Says to a screen reader who is at work, and how it ended. */
export function Announcer({ turn }: { turn: TurnView | undefined }) {
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {turn ? words(turn) : ""}
    </div>
  );
}

function words(turn: TurnView): string {
  if (turn.problem) return "";
  if (turn.live) {
    const step = currentStep(turn.steps);
    return step ? `${agentOf(step.agent).name}: ${t(step.action)}` : t("Asking");
  }
  const response = turn.response;
  if (!response) return "";
  if (response.status === "not_found") return t("Nothing was found. The nearest passages are shown.");
  if (response.status === "clarification_needed") return t("Vantage asks back: choose one of the options.");
  if (response.status === "stopped") return t("Stopped. What was found so far is shown.");
  return `${tn(response.citations.length, "The answer is ready, with {n} citation.", "The answer is ready, with {n} citations.", { n: response.citations.length })} ${response.response_message}`;
}
