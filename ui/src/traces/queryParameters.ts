import { navigate } from "../shell/router";

/** Keeps a part of what a page shows in its address; an empty value leaves it. */
export function setQueryParameters(values: Record<string, string | null>): void {
  const search = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
  navigate(search.size ? `${window.location.pathname}?${search}` : window.location.pathname, { replace: true });
}
