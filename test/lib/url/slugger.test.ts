import { expect, test } from "vitest";
import { accordionSlug, headingSlug } from "../../../src/lib/url/index.js";

const slugs = [
  ["Getting started", "getting-started"],
  ["Config.json options", "config-json-options"],
  ["What's new", "what’s-new"],
  ["What’s new", "what’s-new"],
  ["Read/write access", "read/write-access"],
  ["Fees & billing", "fees-&-billing"],
  ["Step 1: Install", "step-1-install"],
  ["How does it work?", "how-does-it-work"],
  ["Foo (optional)", "foo-optional"],
  ["useState", "usestate"],
  ["Split with $ref", "split-with-$ref"],
  ["in — out → done", "in-—-out-→-done"],
  ["Menús y más", "menús-y-más"],
  ["日本語 の", "日本語-の"],
  ["snake_case", "snake_case"],
  ["_meta", "meta"],
  ['"Quoted", *and* `more`!', "quoted-and-more"],
  ["a  b\tc", "a-b-c"],
  [" trimmed ", "trimmed"],
  ["v1.2.3", "v1-2-3"],
  ["<b>", "b"],
  ["a\u200bb", "ab"],
  ["???", ""],
] as const;
for (const [text, slug] of slugs)
  test(`the anchor of "${text}" is "${slug}"`, () => expect(headingSlug(text)).toBe(slug));

const accordions = [
  ["How do I start?", "how-do-i-start"],
  ["What's new: v1.2", "whats-new-v1-2"],
  ["Crème & sugar", "creme-sugar"],
  ["camelCase", "camelcase"],
  ["日本", "日本"],
] as const;
for (const [title, slug] of accordions)
  test(`the anchor of the accordion "${title}" is "${slug}"`, () => expect(accordionSlug(title)).toBe(slug));
