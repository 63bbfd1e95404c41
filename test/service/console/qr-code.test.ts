import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { qrCode } from "../../../src/service/console/qr-code.js";

const picture = (text: string): string =>
  qrCode(text)!
    .map((row) => row.map((isDark) => (isDark ? "#" : ".")).join(""))
    .join("\n");

/** The decoder jsQR 1.4 reads these codes, and 74 others of all versions from 1 to 20. */
test.each([
  ["offprint", 21, "d3f662102caaf487b40a2afeb1801ee31f9d968b86cc72713cdde94365586558"],
  [
    "otpauth://totp/Offprint:ada%40acme.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Offprint",
    41,
    "6704bed66c04f7d693602c7e4081fb7b0e0984550ac0fdfe045ed790293b79b7",
  ],
  ["x".repeat(200), 57, "52694c754b2960b4805bb87003f8e37ab96900a43779c325641d047dba6ea12d"],
])("the QR code of %j has %i rows", (text, rows, hash) => {
  const drawn = picture(text);
  expect(drawn.split("\n")).toHaveLength(rows);
  expect(createHash("sha256").update(drawn).digest("hex")).toBe(hash);
});

test("three corners have finders, and what is too long has no code", () => {
  const rows = picture("offprint").split("\n");
  const finder = ["#######.", "#.....#.", "#.###.#.", "#.###.#.", "#.###.#.", "#.....#.", "#######.", "........"];
  expect(rows.slice(0, 8).map((row) => row.slice(0, 8))).toEqual(finder);
  expect(rows.slice(0, 8).map((row) => [...row.slice(-8)].reverse().join(""))).toEqual(finder);
  expect(rows.slice(-8).map((row) => row.slice(0, 8))).toEqual(finder.toReversed());
  expect(qrCode("x".repeat(666))).toHaveLength(97);
  expect(qrCode("x".repeat(667))).toBeUndefined();
});
