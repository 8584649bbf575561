import { mark, t } from "../text/language";
import type { ProblemDocument } from "./types";

const SOMETHING = mark("Something went wrong");

/** An error that a person can read: what happened (`title`, `detail`) and what to do (`fix`). */
export class Problem extends Error {
  private readonly said: { title: string; detail: string; fix: string };
  readonly status: number;
  readonly code: string;

  constructor(document: Partial<ProblemDocument>) {
    super(document.detail || document.title || SOMETHING);
    this.name = "Problem";
    this.said = { title: document.title || SOMETHING, detail: document.detail ?? "", fix: document.fix ?? "" };
    this.status = document.status ?? 0;
    this.code = document.code ?? "";
  }

  /** In the language that is shown where the page has it (`de.server.ts`); what the server words by itself stays as it said it. */
  get title(): string {
    return t(this.said.title);
  }

  get detail(): string {
    return t(this.said.detail);
  }

  get fix(): string {
    return t(this.said.fix);
  }

  static unreachable(): Problem {
    return new Problem({
      title: mark("Vantage cannot be reached"),
      detail: mark("The connection to the server on this machine was lost. Nothing that was stored is gone."),
      fix: mark("Check that `vantage serve` is running, then try again."),
      code: "unreachable",
    });
  }

  static from(error: unknown): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof TypeError) return Problem.unreachable();
    return new Problem({ title: mark("Something went wrong on this page"), detail: error instanceof Error ? error.message : String(error) });
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
  return new Problem({
    title: t("The server answered {status}", { status: response.status }),
    detail: text.slice(0, 300) || response.statusText,
    status: response.status,
  });
}
