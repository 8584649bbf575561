import { matchingWords } from "../text/words";

/** How much of what two questions name is the same, in 0..1: the smaller of the two shares of their telling words, by stem. */
export function sameness(one: string, other: string): number {
  const share = (text: string, of: string) => {
    const telling = matchingWords(text, text).length;
    return telling === 0 ? 0 : matchingWords(text, of).length / telling;
  };
  return Math.min(share(one, other), share(other, one));
}

/** Whoever names the same things again was not served. "In March" after "in April" is another question: one word of a short one tells. */
const NEARLY = 0.8;

export const asksAgain = (before: string, now: string): boolean => sameness(before, now) >= NEARLY;
