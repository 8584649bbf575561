import { Problem } from "../api/problem";
import { tell } from "../shell/Toasts";

/** The last part of a path, for people. A file inside an archive or a message has its own name. */
export const fileName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

/** Where a path is: the archive or the message that holds it, or "". */
export const holderOf = (path: string): string => {
  const at = path.lastIndexOf("!/");
  return at < 0 ? "" : path.slice(0, at);
};

/** Says what went wrong when an action outside of a dialog fails. */
export const orTell = (action: Promise<unknown>): void => {
  action.catch((error: unknown) => {
    const problem = Problem.from(error);
    tell(`${problem.title}. ${problem.fix || problem.detail}`, "bad");
  });
};
