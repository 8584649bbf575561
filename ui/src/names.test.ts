import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, it } from "vitest";

it("gives no two modules one name, whatever their folder and the case of their letters", () => {
  const modules = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."));
  const nameOf = (path: string) =>
    basename(path)
      .replace(/\.tsx?$/, "")
      .toLowerCase();
  const repeated = modules.filter((path) => nameOf(path) !== "index" && modules.some((other) => other !== path && nameOf(other) === nameOf(path)));
  expect(modules.length).toBeGreaterThan(100);
  expect(repeated).toEqual([]);
});
