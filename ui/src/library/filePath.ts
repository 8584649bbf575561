/** The last part of a path, for people. A file inside an archive or a message has its own name. */
export const fileName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

/** Where a path is: the archive or the message that holds it, or "". */
export const containerPath = (path: string): string => {
  const at = path.lastIndexOf("!/");
  return at < 0 ? "" : path.slice(0, at);
};
