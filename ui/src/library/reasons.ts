import type { Tone } from "../parts/Tag";
import { mark, t } from "../text/language";

export const tones: Record<string, Tone> = { failed: "bad", quarantined: "bad", partial: "warn", skipped: "calm", queued: "calm", indexed: "good" };

const states: Record<string, string> = {
  failed: mark("failed"),
  quarantined: mark("quarantined"),
  partial: mark("partial"),
  skipped: mark("skipped"),
  queued: mark("queued"),
  indexed: mark("indexed"),
};

/** A state of the ledger, in the language that is shown. */
export const stateWord = (state: string): string => t(states[state] ?? state);

const reasons: Record<string, string> = {
  encrypted: mark("locked"),
  sealed: mark("sealed"),
  recognition_off: mark("text recognition is off"),
  unsupported: mark("unsupported type"),
  malformed: mark("damaged"),
  empty: mark("no text"),
  limit_exceeded: mark("too large"),
  ignored: mark("ignored"),
  excluded: mark("excluded by you"),
  needs_recognition: mark("waiting for text recognition"),
  needs_description: mark("pictures not described yet"),
  nothing_seen: mark("nothing found in its pictures"),
  partial: mark("partly read"),
  removed_by_user: mark("removed by you"),
  permission_denied: mark("no permission to read"),
};

/** A reason in two or three words, for a button; the ledger's own word where there is none. */
export const reasonWord = (code: string): string => t(reasons[code] ?? code.replaceAll("_", " "));

/** The reason in the language that is shown, where the page has words for its code; "" in English, in which the server says it in full. */
export const translateReason = (code: string): string => {
  const english = reasons[code];
  const shown = english === undefined ? "" : t(english);
  return shown === english ? "" : shown;
};
