import { describe, expect, test } from "vitest";
import { createPageLookup } from "../../../src/site/discover/resolve-page-refs.js";

const lookup = createPageLookup([
  "index.mdx",
  "guides/index.mdx",
  "guides/install.mdx",
  "guides/a b.mdx",
  "reference/v1.2.md",
  "setup.mdx",
  "deep/folder/unique.mdx",
]);

describe("find", () => {
  const cases: readonly (readonly [rule: string, reference: string, sourcePath: string | undefined])[] = [
    ["takes the path without extension", "guides/install", "guides/install.mdx"],
    ["takes the extension", "guides/install.mdx", "guides/install.mdx"],
    ["takes the wrong one of the two extensions", "guides/install.md", "guides/install.mdx"],
    ["finds .md", "reference/v1.2", "reference/v1.2.md"],
    ["takes a slash in front", "/guides/install", "guides/install.mdx"],
    ["takes slashes doubled and at the end", "//guides//install/", "guides/install.mdx"],
    ["takes ./ in front", "./guides/install", "guides/install.mdx"],
    ["takes a folder for its index page", "guides", "guides/index.mdx"],
    ["takes /index", "guides/index", "guides/index.mdx"],
    ["takes /index of a page", "setup/index", "setup.mdx"],
    ["takes the root", "/", "index.mdx"],
    ["takes index", "index", "index.mdx"],
    ["leaves out fragment and query", "guides/install?x=1#linux", "guides/install.mdx"],
    ["decodes", "guides/a%20b", "guides/a b.mdx"],
    ["survives a broken code", "guides/%E0%A4%A", undefined],
    ["is exact in case", "Guides/install", undefined],
    ["knows that a page is missing", "guides/nothing", undefined],
  ];
  for (const [rule, reference, sourcePath] of cases) test(rule, () => expect(lookup.find(reference)).toBe(sourcePath));
});

describe("nearest", () => {
  const cases: readonly (readonly [rule: string, reference: string, sourcePath: string | undefined])[] = [
    ["finds a misspelt name", "guides/instal", "guides/install.mdx"],
    ["finds a misspelt folder", "guide/install", "guides/install.mdx"],
    ["finds the wrong case", "Guides/Install", "guides/install.mdx"],
    ["finds the only page of the name", "somewhere/else/unique", "deep/folder/unique.mdx"],
    ["finds nothing where nothing is near", "guides/zebra", undefined],
  ];
  for (const [rule, reference, sourcePath] of cases)
    test(rule, () => expect(lookup.nearest(reference)).toBe(sourcePath));
});
