import { api } from "../api/client";
import { Problem } from "../api/problem";

/** Passwords by document: in the memory of this window alone, so that each citation does not ask anew. */
export const passwords = new Map<string, string>();

const isLockedError = (error: unknown) => Problem.from(error).code === "encrypted";

/** Whether the archive in which a file lies gives it out with a password only. Every other trouble is told where the file is opened. */
export async function isLocked(document: string): Promise<boolean> {
  try {
    const response = await api.openFile(api.fileUrl(document));
    await response.body?.cancel();
    return false;
  } catch (error) {
    return isLockedError(error);
  }
}

/** The file under a password, null where that does not open it. Throws what else is in the way. */
export async function openLockedFile(document: string, password: string): Promise<Response | null> {
  try {
    return await api.openFile(api.fileUrl(document), password);
  } catch (error) {
    if (isLockedError(error)) return null;
    throw error;
  }
}
