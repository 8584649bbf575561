import type { Embedder } from "../api/types";
import { formatCount, formatPlural } from "../text/format";
import { t } from "../text/language";

export interface EmbedderLine {
  /** Pieces of a sentence; every second one is a command. */
  text: string[];
  /** The model that a press on "Switch" asks for, or "". */
  model: string;
  /** Documents that are done and all of them, while a switch is under way. */
  done: [number, number] | null;
}

const splitAtCommands = (text: string): string[] => text.split("`");

/** What is to be said of the model that passages are found by, or null where that is nothing. */
export function describeEmbedder(state: Embedder | undefined): EmbedderLine | null {
  if (!state) return null;
  if (state.coming)
    return {
      text: [
        `${t("{model} is being prepared: {n} of {documents}.", { model: state.coming, n: formatCount(state.filled), documents: formatPlural(state.documents, "document") })} ${state.note}`,
      ],
      model: "",
      done: [state.filled, state.documents],
    };
  if (state.better)
    return { text: [t("A better model for finding passages is available: {model}.", { model: state.better })], model: state.better, done: null };
  return state.advice
    ? { text: splitAtCommands(`${t("There is a better model for finding passages.")} ${state.advice}`), model: "", done: null }
    : null;
}
