import { useEffect } from "react";

/** Names the window's tab and the entry in the browser's history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Vantage` : "Vantage";
  }, [title]);
}
