import assert from "node:assert/strict";
import { test } from "vitest";
import { contrast, parseHex, readableOn, textOn, toHex } from "../../src/lib/color.js";

const white = parseHex("#fff")!;
const black = parseHex("#15161a")!;

for (const hex of ["#0d9373", "#ffff00", "#00ff88", "#ffffff", "#123", "#ff5c00"]) {
  test(`${hex} becomes readable as a link and as the ground of a button`, () => {
    const color = parseHex(hex)!;
    assert.ok(contrast(readableOn(color, white, 5.2), white) >= 5.2);
    assert.ok(contrast(readableOn(color, black, 5.2), black) >= 5.2);
    assert.ok(contrast(textOn(color), color) >= 4.5);
  });
}

test("a readable colour does not change", () => {
  assert.equal(toHex(readableOn(parseHex("#0a5a46")!, white, 5.2)), "#0a5a46");
});

test("parseHex reads only hex colours", () => {
  for (const text of ["red", "#12", "#12345g", "#1234567", "url(x)"]) assert.equal(parseHex(text), undefined);
});
