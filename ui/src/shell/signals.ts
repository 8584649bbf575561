/** Things that any part of the page may ask the shell to show. */
export type Signal = "palette" | "keys" | "add-folder" | "ask-only" | "upload" | "rail";

const PREFIX = "vantage:show-";

export const sendSignal = (signal: Signal): void => void window.dispatchEvent(new Event(PREFIX + signal));

export function onSignal(signal: Signal, listener: () => void): () => void {
  window.addEventListener(PREFIX + signal, listener);
  return () => window.removeEventListener(PREFIX + signal, listener);
}
