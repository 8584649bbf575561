import { api } from "../api/client";
import type { Feedback } from "../api/types";
import { t } from "../text/language";

/** What a person opens or asks again says what was worth it. Nothing waits for it to be stored. */
export function sendFeedback(feedback: Feedback): void {
  api.feedback(feedback).catch((error: unknown) => {
    console.info(t("This was not noted."), feedback.kind, error);
  });
}
