import { expect, test } from "vitest";
import { createPageIds } from "../../../src/page/render/render-collector.js";

test("ids made from text give way to reserved and written ids, and are unique", () => {
  const ids = createPageIds();
  ids.reserve("a");
  ids.reserve("a-3");
  expect([ids.make("a"), ids.make("a"), ids.make("b"), ids.make("b")]).toEqual(["a-2", "a-4", "b", "b-2"]);
  expect([ids.claim("a"), ids.claim("a"), ids.claim("a-3"), ids.claim("b")]).toEqual(["a", "a-5", "a-3", "b-3"]);
});

test("many ids of one name are numbered without trying each number again", () => {
  const ids = createPageIds();
  for (let i = 1; i < 50_000; i++) ids.make("a");
  expect(ids.make("a")).toBe("a-50000");
});

test("recorded ids are used again on a page if all of them are free, otherwise none", () => {
  const { ids } = createPageIds().record(() => undefined);
  expect(ids).toEqual({ claimed: [], made: [] });

  const first = createPageIds();
  const recorded = first.record(() => [first.claim("a"), first.make("b")]).ids!;
  expect(recorded).toEqual({ claimed: ["a"], made: ["b"] });

  const second = createPageIds();
  expect(second.repeat(recorded)).toBe(true);
  expect([second.make("a"), second.make("b")]).toEqual(["a-2", "b-2"]);

  const reserving = createPageIds();
  reserving.reserve("b");
  expect(reserving.repeat(recorded)).toBe(false);
  expect(reserving.claim("a")).toBe("a");
  expect(reserving.record(() => reserving.make("b")).ids).toBeUndefined();
});

test("a prefix separates ids made from text from those of the page, but is not added to ids that an author chose", () => {
  const ids = createPageIds("text1-");
  expect([ids.make("a"), ids.make("a"), ids.claim("b"), ids.claim("b")]).toEqual([
    "text1-a",
    "text1-a-2",
    "b",
    "text1-b",
  ]);
});
