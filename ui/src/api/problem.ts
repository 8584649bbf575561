import type { ProblemDocument } from "./types";

/** An error that a person can read: what happened (`title`, `detail`) and what to do (`fix`). */
export class Problem extends Error {
  readonly title: string;
  readonly detail: string;
  readonly fix: string;
  readonly status: number;
  readonly code: string;

  constructor(document: Partial<ProblemDocument>) {
    super(document.detail || document.title || "Something went wrong");
    this.name = "Problem";
    this.title = document.title || "Something went wrong";
    this.detail = document.detail ?? "";
    this.fix = document.fix ?? "";
    this.status = document.status ?? 0;
    this.code = document.code ?? "";
  }

  static unreachable(): Problem {
    return new Problem({
      title: "Vantage cannot be reached",
      detail: "The connection to the server on this machine was lost. Nothing that was stored is gone.",
      fix: "Check that `vantage serve` is running, then try again.",
      code: "unreachable",
    });
  }

  static from(error: unknown): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof TypeError) return Problem.unreachable();
    return new Problem({ title: "Something went wrong on this page", detail: error instanceof Error ? error.message : String(error) });
  }
}

/** Reads the problem document of an answer that is not 2xx; a body of another kind becomes a problem with the status line. */
export async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (body && typeof body === "object" && "title" in body) return new Problem(body as Partial<ProblemDocument>);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return new Problem({ title: `The server answered ${response.status}`, detail: text.slice(0, 300) || response.statusText, status: response.status });
}
