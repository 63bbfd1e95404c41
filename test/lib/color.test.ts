import assert from "node:assert/strict";
import { test } from "vitest";
import { contrast, mixInOklab, parseHex, readableOn, textOn, toHex } from "../../src/lib/color.js";

const white = parseHex("#fff")!;
const black = parseHex("#15161a")!;

for (const hex of ["#0d9373", "#ffff00", "#00ff88", "#ffffff", "#123", "#ff5c00", "#777777", "#000000"]) {
  test(`${hex} becomes readable as a link and as the background of a button`, () => {
    const color = parseHex(hex)!;
    assert.ok(contrast(readableOn(color, [white], 5.2), white) >= 5.2);
    assert.ok(contrast(readableOn(color, [black], 5.2), black) >= 5.2);
    assert.ok(contrast(textOn(color), color) >= 4.5);
  });
}

test("a readable colour does not change", () => {
  assert.equal(toHex(readableOn(parseHex("#0a5a46")!, [white], 5.2)), "#0a5a46");
});

const shades = [
  // readableOn gives …                         colour     ground     contrast  shade
  ["a dark gold for yellow on white", "#ffdd00", "#ffffff", 4.5, "#897605"],
  ["a light blue for blue on black", "#0000ff", "#0d0e11", 4.5, "#3570ff"],
  ["a grey for black on black", "#0a0a0a", "#0d0e11", 4.5, "#7b7b7b"],
] as const;
for (const [rule, color, ground, ratio, shade] of shades)
  test(`readableOn gives ${rule}: the same hue, with no more contrast than needed`, () => {
    const [from, back] = [parseHex(color)!, parseHex(ground)!];
    const found = readableOn(from, [back], ratio);
    assert.equal(toHex(found), shade);
    assert.ok(contrast(found, back) < ratio + 0.1);
  });

test("readableOn reaches the contrast on every background", () => {
  const grounds = ["#ffffff", "#f2f1ec", "#fef3f3"].map((hex) => parseHex(hex)!);
  const shade = readableOn(parseHex("#e8590c")!, grounds, 4.5);
  for (const ground of grounds) assert.ok(contrast(shade, ground) >= 4.5);
});

test("mixInOklab mixes as browsers do", () => {
  assert.equal(toHex(mixInOklab(parseHex("#ffffff")!, parseHex("#ff0000")!, 0.5)), "#ffa191");
  assert.equal(toHex(mixInOklab(parseHex("#0d0e11")!, parseHex("#ffdd00")!, 0.13)), "#26241a");
});

test("parseHex reads only hex colours", () => {
  for (const text of ["red", "#12", "#12345g", "#1234567", "url(x)"]) assert.equal(parseHex(text), undefined);
});
