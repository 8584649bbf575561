import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["e2e/**/*.e2e.ts"],
    environment: "node",
    testTimeout: 120_000,
    hookTimeout: 90_000,
    // An answer takes as long as the machine needs: vitest's own second is too short where other tests run beside the browser.
    expect: { poll: { timeout: 20_000 } },
    // One file after another in one process that has loaded what they share.
    fileParallelism: false,
    isolate: false,
    sequence: { concurrent: false },
  },
});
