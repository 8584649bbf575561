import { type ComponentType, lazy, useEffect, useState } from "react";
import { onSignal, type Signal } from "./signals";

type Load<P> = () => Promise<ComponentType<P>>;
export type LazyPart<P> = ComponentType<P> & { preload: () => Promise<unknown> };

/**
 * A part of the page in a script of its own, fetched by `preload` or when it is shown. One that is there already is rendered at once: `lazy` alone
 * would show its fallback for a moment even then.
 */
export function lazyPart<P extends object>(load: Load<P>): LazyPart<P> {
  let loaded: ComponentType<P> | null = null;
  const preload = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Waiting = lazy(preload) as unknown as ComponentType<P>;
  const Part = (props: P) => {
    const [Shown] = useState(() => loaded ?? Waiting);
    return <Shown {...props} />;
  };
  return Object.assign(Part, { preload });
}

const whenIdle = (work: () => void): void => {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 4000 });
  else setTimeout(work, 800);
};

/** Fetches a part early. One that does not come is asked for again when it is shown, and says so there. */
export const fetchEarly = (part: Pick<LazyPart<never>, "preload">): Promise<void> =>
  part.preload().then(
    () => undefined,
    () => undefined,
  );

/** Fetches the scripts of `parts` one after the other, while nothing else is to be done. */
export function preloadAtIdle(parts: readonly Pick<LazyPart<never>, "preload">[]): void {
  const [first, ...rest] = parts;
  if (!first) return;
  whenIdle(() => void fetchEarly(first).then(() => preloadAtIdle(rest)));
}

/** True from the first time that somebody asked to see `signal`. */
export function useSignalled(signal: Signal): boolean {
  const [asked, setAsked] = useState(false);
  useEffect(() => onSignal(signal, () => setAsked(true)), [signal]);
  return asked;
}
