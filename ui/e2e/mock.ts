import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";

/** The port that is wished for, or any where something listens there already. */
const free = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" && port !== 0 ? resolve(free(0)) : reject(error)));
    probe.listen(port, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(address !== null && typeof address === "object" ? address.port : port));
    });
  });

/** Starts the development mock on a port of its own; used for the states that a real library does not bring about on demand. */
export async function startMock(wished: number, ...options: string[]): Promise<{ url: string; stop: () => void }> {
  const port = await free(wished);
  const child: ChildProcess = spawn(process.execPath, [new URL("../dev/mock-server.mjs", import.meta.url).pathname, String(port), ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`The mock ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
