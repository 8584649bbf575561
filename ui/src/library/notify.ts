import { Problem } from "../api/problem";
import { showToast } from "../shell/Toasts";

/** Says what went wrong when an action outside of a dialog fails. */
export const notifyOnFailure = (action: Promise<unknown>): void => {
  action.catch((error: unknown) => {
    const problem = Problem.from(error);
    showToast(`${problem.title}. ${problem.fix || problem.detail}`, "bad");
  });
};
