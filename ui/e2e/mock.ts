import { type ChildProcess, spawn } from "node:child_process";

/** Starts the development mock on a port of its own; used for the states that a real library does not bring about on demand. */
export async function startMock(port: number, ...options: string[]): Promise<{ url: string; stop: () => void }> {
  const child: ChildProcess = spawn(process.execPath, [new URL("../dev/mock-server.mjs", import.meta.url).pathname, String(port), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`The mock ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
