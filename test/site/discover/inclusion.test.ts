import { describe, expect, test } from "vitest";
import { buildSite, page, type Written } from "./build-site.js";

/** `S` in search, `I` in sitemap and AI outputs, `x` search engines are excluded. */
type Found = "SI" | "I" | "S" | "" | "x";

describe("where a page is listed", () => {
  type Case = readonly [
    rule: string,
    navigation: Written,
    frontmatter: readonly string[],
    navigable: Found,
    all: Found,
  ];
  const plain: Written = { pages: ["a"] };
  const group = (extra: Written, inner?: Written): Written => ({
    groups: [{ group: "G", pages: inner ? [{ group: "Inner", pages: ["a"], ...inner }] : ["a"], ...extra }],
  });
  const cases: readonly Case[] = [
    // page                                    navigation  front matter          navigable  all
    ["listed", plain, [], "SI", "SI"],
    ["hidden", plain, ["hidden: true"], "x", "SI"],
    ["not hidden, said so", plain, ["hidden: false"], "SI", "SI"],
    ["outside the navigation", {}, [], "", "SI"],
    ["outside the navigation and hidden", {}, ["hidden: true"], "x", "SI"],
    ["with noindex", plain, ["noindex: true"], "x", "x"],
    ["with searchable: false", plain, ["searchable: false"], "I", "I"],
    ["in a hidden group", group({ hidden: true }), [], "x", "SI"],
    ["in a hidden group, itself not hidden", group({ hidden: true }), ["hidden: false"], "SI", "SI"],
    ["in a hidden group that is searchable", group({ hidden: true, searchable: true }), [], "SI", "SI"],
    ["hidden in a searchable group", group({ hidden: true, searchable: true }), ["hidden: true"], "x", "SI"],
    ["in a group of a hidden group", group({ hidden: true }, {}), [], "x", "SI"],
    [
      "in a hidden group of a searchable one",
      group({ hidden: true, searchable: true }, { hidden: true }),
      [],
      "x",
      "SI",
    ],
    ["in a searchable group of a hidden one", group({ hidden: true }, { searchable: true }), [], "SI", "SI"],
    ["in a hidden tab", { tabs: [{ tab: "T", hidden: true, pages: ["a"] }] }, [], "x", "SI"],
    [
      "in a hidden tab that is searchable",
      { tabs: [{ tab: "T", hidden: true, searchable: true, pages: ["a"] }] },
      [],
      "SI",
      "SI",
    ],
    ["in a tab that is not searchable", { tabs: [{ tab: "T", searchable: false, pages: ["a"] }] }, [], "I", "I"],
  ];
  for (const [rule, navigation, frontmatter, ...expected] of cases)
    test(`a page ${rule}`, async () => {
      const found = await Promise.all(
        (["navigable", "all"] as const).map(async (indexing) => {
          const { at } = await buildSite(navigation, { "a.mdx": page("A", ...frontmatter) }, { indexing });
          const { searchable, indexed, noindex } = at("/a");
          return (searchable ? "S" : "") + (indexed ? "I" : "") + (noindex ? "x" : "");
        }),
      );
      expect(found).toEqual(expected);
    });
});
