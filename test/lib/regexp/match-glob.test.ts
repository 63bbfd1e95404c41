import { expect, test } from "vitest";
import { matchGlob } from "../../../src/lib/regexp/match-glob.js";

const globs = [
  ["*.mdx", "guides/a.mdx", true],
  ["guides/*.mdx", "guides/a.mdx", true],
  ["guides/*.mdx", "guides/b/a.mdx", false],
  ["**/a.mdx", "a.mdx", true],
  ["guides/**", "guides/b/a.mdx", true],
  ["g*s/**/?.mdx", "guides/a.mdx", true],
  ["docs/*.{md,mdx}", "docs/a.mdx", true],
  ["docs/*.{md,mdx}", "docs/a.txt", false],
  ["{a,b}/{c,d}", "b/c", true],
  ["{a}", "{a}", true],
  ["{a,b}".repeat(40), "a", false],
  ["**/".repeat(200), `${"a/".repeat(200)}b`, false],
  ["**/*a*a*a*a*a*a*a*b", `x/${"a".repeat(255)}`, false],
] as const;
test("globs match paths", () => {
  for (const [glob, path, fits] of globs) expect([glob, path, matchGlob(glob, path)]).toEqual([glob, path, fits]);
});
