import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const text = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];

/** The names of a version's sections and its entries, from one heading of a version to the next. */
const versions = text
  .split(/^## /m)
  .slice(1)
  .map((part) => ({
    title: part.slice(0, part.indexOf("\n")),
    sections: [...part.matchAll(/^### (.+)$/gm)].map(([, name]) => name!),
    entries: part
      .split(/^- /m)
      .slice(1)
      .map((entry) => entry.split(/\n(?:\n|#)/)[0]!.trim()),
  }));

test("the changelog names each version as Keep a Changelog does", () => {
  expect(versions[0]?.title).toBe("[Unreleased]");
  for (const { title } of versions.slice(1)) expect(title).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
});

test("the changelog sorts its entries into the sections of Keep a Changelog, in their order", () => {
  for (const { sections } of versions) expect(sections).toEqual(kinds.filter((kind) => sections.includes(kind)));
  expect(versions.flatMap(({ sections }) => sections)).toContain("Security");
});

test("each entry of the changelog is a sentence of at most five lines", () => {
  const entries = versions.flatMap((version) => version.entries);
  expect(entries.length).toBeGreaterThan(50);
  expect(entries.filter((entry) => !/^["`A-Z].*\.$/s.test(entry) || entry.split("\n").length > 5)).toEqual([]);
});
