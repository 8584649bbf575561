import type { Span } from "./codepoints";
import { CodePoints } from "./codepoints";

const common = new Set(
  "the and for are was were how what when where which who whom why does did has have had with from into that this these those our your their its his her they them you not can must should would could will about than then there any all been being also only such each per much many more most some".split(
    " ",
  ),
);

const stem = (word: string): string => {
  const lower = word.toLocaleLowerCase();
  if (lower.length <= 4) return lower.replace(/s$/u, "");
  return lower.replace(/(ations?|ings?|ments?|edly|ies|ied|ed|es|s|ly)$/u, "").replace(/[ey]$/u, "");
};

/** The stretches of `text` (code points) whose word shares its stem with a word of the question. For the eye only: nothing is decided by it. */
export function findMatchingWords(text: string, question: string): Span[] {
  const wanted = new Set(
    (question.match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !common.has(word.toLowerCase()) && (word.length > 2 || /\d/.test(word))).map(stem),
  );
  if (wanted.size === 0) return [];
  const points = new CodePoints(text);
  const spans: Span[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
    if (!wanted.has(stem(match[0]))) continue;
    const start = points.toCodePoint(match.index);
    spans.push({ start, end: start + Array.from(match[0]).length, kind: "word" });
  }
  return spans;
}
