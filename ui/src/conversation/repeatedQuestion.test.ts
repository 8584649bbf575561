import { describe, expect, it } from "vitest";
import { isRepeatedQuestion } from "./repeatedQuestion";

describe("isRepeatedQuestion", () => {
  it("knows the same question in other small words", () => {
    expect(isRepeatedQuestion("How large is the deposit for Quay 7?", "how large was the deposit for Quay 7")).toBe(true);
    expect(isRepeatedQuestion("How large is the deposit for Quay 7?", "Deposit, Quay 7: how large?")).toBe(true);
  });

  it("tells another month, a follow-up and an empty question apart", () => {
    expect(isRepeatedQuestion("What did it cost in March?", "What did it cost in April?")).toBe(false);
    expect(isRepeatedQuestion("How much notice must we give?", "And for the mezzanine?")).toBe(false);
    expect(isRepeatedQuestion("", "")).toBe(false);
  });
});
