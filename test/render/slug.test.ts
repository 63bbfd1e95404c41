import { expect, test } from "vitest";
import { accordionSlugOf, slugOf } from "../../src/content/slugger.js";
import { createPageIds } from "../../src/render/page-ids.js";
import { headingSlug, wordSlug } from "../../src/render/slug.js";

const texts = [
  "Install it",
  "Config.json options",
  "What's new",
  "Step 1: Install",
  "Read/write access",
  "Fees & billing",
  "  a  b  ",
  "user_id",
  "Über uns – 日本語",
  "(no) [signs] `here`?",
  "???",
  "É e\u0301",
];
for (const text of texts)
  test(`the anchor made from ${JSON.stringify(text)} is the one that content makes`, () => {
    expect(headingSlug(text)).toBe(slugOf(text));
    expect(wordSlug(text)).toBe(accordionSlugOf(text));
  });

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
