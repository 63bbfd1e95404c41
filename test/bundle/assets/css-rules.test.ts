import { expect, test } from "vitest";
import { readRules, surfaceCss } from "../../../src/bundle/assets/painted-surfaces.js";
import { withinCpu } from "../../support/machine-time.js";

test("style rules are read with the conditions around them, and without layers, comments and key frames", () => {
  const css = `/* a{} */ @import "x;{"; @layer base { @media print { a:is(b, c), d { color: "}"; --x: url(a;b) } } }
    @keyframes k { from { top: 0 } } e { top: 0; f { top: 0 } }`;
  expect(readRules(css)).toEqual([
    { conditions: ["@media print"], selectors: ["a:is(b, c)", "d"], declarations: ['color: "}"', "--x: url(a;b)"] },
    { conditions: [], selectors: ["e"], declarations: ["top: 0"] },
  ]);
});

test("reading rules takes linear time for hostile sheets", () =>
  withinCpu(2000, () => {
    for (const part of ["a{", "@media x{", "url(", "/*", "'", "a,", "\\"]) readRules(part.repeat(100_000));
  }));

test("a site that moves the menu of languages moves it within the row of the header, under the same conditions", () => {
  const none = { all: new Map(), own: new Set<string>() };
  const written = (css: string) =>
    surfaceCss([css], { light: none, dark: none }, { light: undefined, dark: undefined });
  const moved = written(
    "@media (min-width: 9px) { div > #localization-select-trigger { position: absolute; right: 20% } }",
  );
  expect(moved).toMatch(/^@media \(min-width: 9px\)\{\.navbar\{position:relative;/);
  expect(written("#localization-select-trigger { position: relative }")).toBe("");
  expect(written("#localization-select-trigger span { position: absolute }")).toBe("");
});
