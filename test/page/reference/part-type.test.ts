import { expect, test } from "vitest";
import { partType } from "../../../src/page/reference/part-type.js";

const cases: readonly (readonly [rule: string, allowed?: string, own?: string, type?: string])[] = [
  ["is what the specification says", "application/json", undefined, "application/json"],
  ["keeps its parameters", "text/csv; charset=utf-8", undefined, "text/csv; charset=utf-8"],
  ["is the first of several that names one", "image/*, image/png, image/jpeg", undefined, "image/png"],
  ["is the file's own where that is allowed", "image/png, image/jpeg", "image/jpeg", "image/jpeg"],
  ["is the file's own where its kind is allowed", "image/*", "image/webp", "image/webp"],
  ["is what is allowed where the file is another thing", "image/png", "text/html", "image/png"],
  ["is unknown where only a kind is said", "image/*"],
  ["is unknown where nothing is said", undefined, "image/png"],
  ["is nothing that would write another header", "text/x\r\nX-A: 1"],
];
for (const [rule, allowed, own, type] of cases)
  test(`the type of a part ${rule}`, () => expect(partType(allowed, own)).toBe(type));
