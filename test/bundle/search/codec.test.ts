import assert from "node:assert/strict";
import { test } from "vitest";
import { NumberReader, numberText } from "../../../src/bundle/search/codec.js";
import { weightAt, weightStep } from "../../../src/bundle/search/index-format.js";

test("encoded numbers need no escape and are decoded unchanged", () => {
  const numbers = [0, 1, 44, 45, 46, 2024, 2025, 91_124, 91_125, 2 ** 25];
  const text = numbers.map(numberText).join("");
  assert.equal(JSON.stringify(text), `"${text}"`);
  const reader = new NumberReader(text);
  assert.deepEqual(
    numbers.map(() => reader.next()),
    numbers,
  );
  assert.ok(reader.done);
});

test("a small number takes one character", () =>
  assert.deepEqual(
    [44, 45, 2025].map((n) => numberText(n).length),
    [1, 2, 3],
  ));

test("reading damaged text always ends", () => {
  const reader = new NumberReader("}}}}");
  while (!reader.done) reader.next();
});

test("weights keep their order and differ by at most a fifth", () => {
  for (const weight of [0.05, 0.3, 1, 2.4, 6, 30]) assert.ok(Math.abs(weightAt(weightStep(weight)) / weight - 1) < 0.2);
  assert.ok(weightStep(6) > weightStep(2.4));
});
