import { agentOf, currentStep } from "../run/agents";
import { plural } from "../text/format";
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
    return step ? `${agentOf(step.agent).name}: ${step.action}` : "Asking";
  }
  const response = turn.response;
  if (!response) return "";
  if (response.status === "not_found") return "Nothing was found. The nearest passages are shown.";
  if (response.status === "clarification_needed") return "Vantage asks back: choose one of the options.";
  if (response.status === "stopped") return "Stopped. What was found so far is shown.";
  return `The answer is ready, with ${plural(response.citations.length, "citation")}. ${response.response_message}`;
}
