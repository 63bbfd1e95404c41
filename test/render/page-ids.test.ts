import { expect, test } from "vitest";
import { createPageIds } from "../../src/render/page-ids.js";

test("ids made from text step back before reserved and given ones, and never repeat", () => {
  const ids = createPageIds();
  ids.reserve("a");
  ids.reserve("a-3");
  expect([ids.make("a"), ids.make("a"), ids.make("b"), ids.make("b")]).toEqual(["a-2", "a-4", "b", "b-2"]);
  expect([ids.claim("a"), ids.claim("a"), ids.claim("a-3"), ids.claim("b")]).toEqual(["a", "a-5", "a-3", "b-3"]);
});

test("many of one name are numbered without trying every number again", () => {
  const ids = createPageIds();
  for (let i = 1; i < 50_000; i++) ids.make("a");
  expect(ids.make("a")).toBe("a-50000");
});
