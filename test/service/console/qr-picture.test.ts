import { createHash } from "node:crypto";
import type { Element } from "hast";
import { expect, test } from "vitest";
import { QrPicture } from "../../../src/service/console/account/second-factor.js";

/** The modules of the picture: `#` is dark. */
function modulesOf(text: string): string[] {
  const { properties, children } = QrPicture({ text, label: "A code" }) as Element;
  const size = Number(/^0 0 (\d+) \1$/.exec(String(properties["viewBox"]))![1]);
  const rows = Array.from({ length: size }, () => Array<string>(size).fill("."));
  const path = String((children[0] as Element).properties["d"]);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    rows[Number(y)]!.fill("#", Number(x), Number(x) + Number(width));
  return rows.map((row) => row.join(""));
}

/** The decoder jsQR 1.4 reads these codes, and 60 others of up to 950 bytes. */
test.each([
  ["offprint", 21, "d3f662102caaf487b40a2afeb1801ee31f9d968b86cc72713cdde94365586558"],
  [
    "otpauth://totp/Offprint:ada%40acme.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Offprint",
    41,
    "be09f33f83919b92c687035800db1110af8588f9bb6b2a0728451eccc864023f",
  ],
  ["x".repeat(200), 57, "b8fe1915088df57f8eaef94384b6b21b80ac2ec6938c93eef551b2a3fb04c07a"],
])("the QR code of %j has %i rows within a light margin of 4", (text, size, hash) => {
  const rows = modulesOf(text);
  const inner = rows.slice(4, -4).map((row) => row.slice(4, -4));
  expect(inner).toHaveLength(size);
  expect(createHash("sha256").update(inner.join("\n")).digest("hex")).toBe(hash);
  expect(rows.join("").match(/#/g)).toHaveLength(inner.join("").match(/#/g)!.length);
});

test("three corners of a QR code have finders, and the longest address of the second factor has a code", () => {
  const rows = modulesOf("offprint")
    .slice(4, -4)
    .map((row) => row.slice(4, -4));
  const finder = ["#######.", "#.....#.", "#.###.#.", "#.###.#.", "#.###.#.", "#.....#.", "#######.", "........"];
  expect(rows.slice(0, 8).map((row) => row.slice(0, 8))).toEqual(finder);
  expect(rows.slice(0, 8).map((row) => [...row.slice(-8)].reverse().join(""))).toEqual(finder);
  expect(rows.slice(-8).map((row) => row.slice(0, 8))).toEqual(finder.toReversed());
  expect(modulesOf("x".repeat(1000)).length).toBeGreaterThan(97);
});
