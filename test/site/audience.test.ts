import { describe, expect, test } from "vitest";
import { admits, readPartRestriction, readRestriction } from "../../src/site/audience.js";

const cases: readonly (readonly [rule: string, groups: unknown, staff: boolean, contractors: boolean])[] = [
  // `groups` …                              written                                        staff  staff and contractors
  ["admits readers in a group that it names", ["staff", "partners"], true, true],
  ["keeps out readers in other groups", ["partners"], false, false],
  ["may be one name", "staff", true, true],
  ["may name groups by rules", [{ includes: ["staff"] }], true, true],
  ["may be one rule", { includes: ["staff"], excludes: ["contractors"] }, true, false],
  [
    "keeps out readers that a rule excludes, whatever else admits them",
    ["staff", { excludes: ["contractors"] }],
    true,
    false,
  ],
  ["admits readers in any other group, if a rule only excludes", [{ excludes: ["contractors"] }], true, false],
  ["admits readers in any group by a star", [{ includes: ["*"] }], true, true],
  ["admits nobody by a rule without a name", [{ includes: [] }], false, false],
  ["admits nobody by an empty list", [], false, false],
  ["admits nobody by a value that names no group", [{ include: ["staff"] }, null, true, " "], false, false],
  ["admits nobody by an empty value", null, false, false],
];
describe("groups", () => {
  for (const [rule, groups, staff, contractors] of cases)
    test(rule, () => {
      const restriction = readRestriction(groups)!;
      expect([["staff"], ["staff", "contractors"], []].map((audience) => admits(restriction, audience))).toEqual([
        staff,
        contractors,
        false,
      ]);
    });
  test("that are missing restrict nothing", () => expect(readRestriction(undefined)).toBeUndefined());
  test("of a specification restrict nothing if the list is empty", () =>
    expect([readPartRestriction([]), readPartRestriction(["a"])]).toEqual([
      undefined,
      { includes: ["a"], excludes: [] },
    ]));
});
