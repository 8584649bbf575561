// @vitest-environment happy-dom
import { act, type ReactNode, Suspense } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { lazyPart, preloadAtIdle } from "./lazyPart";
import { ScriptErrorBoundary } from "./ScriptErrorBoundary";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
const Greeting = ({ name }: { name: string }) => <p>Good morning, {name}</p>;

let root: Root | null = null;
afterEach(() => act(async () => root?.unmount()));

/** What is on the page right after rendering, before anything that is awaited has come. */
function draw(node: ReactNode): HTMLElement {
  const place = document.createElement("div");
  root = createRoot(place);
  act(() => root?.render(<Suspense fallback="waiting">{node}</Suspense>));
  return place;
}

describe("a part in a script of its own", () => {
  it("is rendered at once, without the fallback, when it was fetched before", async () => {
    const Part = lazyPart(async () => Greeting);
    await Part.preload();
    expect(draw(<Part name="Ada" />).textContent).toBe("Good morning, Ada");
  });

  it("shows the fallback until it has come", async () => {
    let arrive: (part: typeof Greeting) => void = () => undefined;
    const Part = lazyPart(() => new Promise<typeof Greeting>((resolve) => (arrive = resolve)));
    const place = draw(<Part name="Ada" />);
    expect(place.textContent).toBe("waiting");
    await act(async () => arrive(Greeting));
    expect(place.textContent).toBe("Good morning, Ada");
  });

  it("says what to do when its script cannot be had", async () => {
    const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const Part = lazyPart<{ name: string }>(() => Promise.reject(new TypeError("Failed to fetch dynamically imported module: /assets/x.js")));
    const place = draw(
      <ScriptErrorBoundary>
        <Part name="Ada" />
      </ScriptErrorBoundary>,
    );
    await act(async () => undefined);
    expect(place.querySelector("[role=alert]")?.textContent).toContain("This part of the page could not be loaded");
    quiet.mockRestore();
  });
});

it("fetches parts one after the other, and goes on after one that does not come", async () => {
  const asked: string[] = [];
  const part = (name: string, comes: boolean) =>
    lazyPart(() => {
      asked.push(name);
      return comes ? Promise.resolve(Greeting) : Promise.reject(new TypeError("gone"));
    });
  preloadAtIdle([part("library", true), part("traces", false), part("memory", true)]);
  await vi.waitFor(() => expect(asked).toEqual(["library", "traces", "memory"]), { timeout: 5000 });
});
