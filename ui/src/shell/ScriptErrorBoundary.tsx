import { Component, type ReactNode } from "react";
import { Problem } from "../api/problem";
import { ErrorMessage } from "../parts/ErrorMessage";
import { mark } from "../text/language";

const GONE = /dynamically imported module|importing a module script|module script failed|error loading/i;

/** The server was stopped or has a newer page: the script of a part cannot be fetched, and another load of the page is what helps. */
export class ScriptErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (!GONE.test(error.message)) throw error;
    const problem = new Problem({
      title: mark("This part of the page could not be loaded"),
      detail: mark("The server does not answer, or it was updated while the page was open."),
      fix: mark("Load the page again."),
    });
    return (
      <div className="mx-auto w-full max-w-[560px] p-5">
        <ErrorMessage error={problem} onRetry={() => window.location.reload()} />
      </div>
    );
  }
}
