import { expect, test } from "vitest";
import { nearestName } from "../../../src/lib/diagnostic/index.js";

const names = ["favicon", "footer", "navbar", "navigation", "url", "Note"];
const cases = [
  ["finds one letter missing", "favicn", "favicon"],
  ["looks over case", "NAVBAR", "navbar"],
  ["returns the name as written", "note", "Note"],
  ["takes up to one edit in three letters", "navgtion", "navigation"],
  ["ignores names that are too different", "redirects", undefined],
  ["allows one edit in a short word", "ur", "url"],
  ["does not take a letter for another", "a", undefined],
  ["finds nothing for nothing", "", undefined],
] as const;
for (const [rule, word, expected] of cases) {
  test(`nearestName ${rule}`, () => expect(nearestName(word, names)).toBe(expected));
}
test("nearestName takes the first of several equally near names", () =>
  expect(nearestName("tab", ["tag", "tap"])).toBe("tag"));
for (const [word, other] of [
  ["member_created", "order_created"],
  ["POST /video/generation", "POST /images/generations"],
  ["linux-set-ip", "win-set-ip"],
  ["step-1-install", "step-2-install"],
  ["paytransaction", "voidtransaction"],
] as const)
  test(`nearestName does not take "${word}" for "${other}", of which one word is another`, () =>
    expect(nearestName(word, [other])).toBe(undefined));
test("nearestName finds mistakes in each of several words", () => {
  expect(nearestName("getting-startd/instal", ["getting-started/install"])).toBe("getting-started/install");
});
test("nearestName is fast with a word of a million letters", () => {
  expect(nearestName("x".repeat(1_000_000), names)).toBe(undefined);
});
