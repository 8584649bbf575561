import { findMatchingWords } from "../text/words";

/** How much of what two questions name is the same, in 0..1: the smaller of the two shares of their distinctive words, by stem. */
export function measureSimilarity(one: string, other: string): number {
  const share = (text: string, of: string) => {
    const telling = findMatchingWords(text, text).length;
    return telling === 0 ? 0 : findMatchingWords(text, of).length / telling;
  };
  return Math.min(share(one, other), share(other, one));
}

/** Whoever names the same things again was not served. "In March" after "in April" is another question: one word of a short one decides. */
const REPEATED_FROM = 0.8;

export const isRepeatedQuestion = (before: string, now: string): boolean => measureSimilarity(before, now) >= REPEATED_FROM;
