import { expect, test } from "vitest";
import { partType } from "../../src/reference/operations/write-parameter.js";

const cases: readonly (readonly [rule: string, allowed?: string, own?: string, type?: string])[] = [
  ["is the one in the specification", "application/json", undefined, "application/json"],
  ["keeps its parameters", "text/csv; charset=utf-8", undefined, "text/csv; charset=utf-8"],
  ["is the first specific one of several", "image/*, image/png, image/jpeg", undefined, "image/png"],
  ["is the file's own if it is allowed", "image/png, image/jpeg", "image/jpeg", "image/jpeg"],
  ["is the file's own if its kind is allowed", "image/*", "image/webp", "image/webp"],
  ["is the allowed one if the file has another", "image/png", "text/html", "image/png"],
  ["is unknown if only a kind is allowed", "image/*"],
  ["is unknown if nothing is specified", undefined, "image/png"],
  ["is never a text that adds a header", "text/x\r\nX-A: 1"],
];
for (const [rule, allowed, own, type] of cases)
  test(`the type of a part ${rule}`, () => expect(partType(allowed, own)).toBe(type));
