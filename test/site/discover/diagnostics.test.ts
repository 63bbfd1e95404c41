import { describe, expect, test } from "vitest";
import { formatDiagnostic } from "../../../src/lib/diagnostic/index.js";
import { withinCpu } from "../../support/machine-time.js";
import { buildSite, group, page, type Written } from "./build-site.js";

describe("discoverSite reports", () => {
  type Case = readonly [
    rule: string,
    navigation: Written,
    files: readonly string[] | Readonly<Record<string, string>>,
    printed: readonly string[],
  ];
  const cases: readonly Case[] = [
    ["nothing of a site without faults", { groups: [group("G", "a", "/b.mdx")] }, ["a.mdx", "b.mdx", "c.mdx"], []],
    [
      "which page is missing and which was intended",
      { pages: ["guides/instal"] },
      ["guides/install.mdx"],
      [
        'error PAGE_NOT_FOUND docs.json:9:7\n  The navigation lists "guides/instal", but the site has no guides/instal.mdx.\n  fix: write "guides/install" (guides/install.mdx exists) or remove the entry.',
      ],
    ],
    [
      "which page is missing if none was intended",
      { pages: ["a", "zebra/"] },
      ["a.mdx"],
      [
        'error PAGE_NOT_FOUND docs.json:10:7\n  The navigation lists "zebra/", but the site has no zebra.mdx.\n  fix: add zebra.mdx or remove the entry.',
      ],
    ],
    [
      "the page that an entry with other folders at its start shows",
      { pages: ["a", "guides/install"] },
      ["a.mdx", "src/guides/install.mdx"],
      [
        'error PAGE_NOT_FOUND docs.json:10:7\n  The navigation lists "guides/install", but the site has no guides/install.mdx. The entry shows src/guides/install.mdx.\n  fix: write "src/guides/install" (src/guides/install.mdx exists) or remove the entry.',
      ],
    ],
    [
      "an entry in another spelling, which shows no page that is listed already",
      { pages: ["A", "a"] },
      ["a.mdx"],
      [
        'error PAGE_NOT_FOUND docs.json:9:7\n  The navigation lists "A", but the site has no A.mdx.\n  fix: write "a" (a.mdx exists) or remove the entry.',
      ],
    ],
    [
      "that a group's root is missing",
      { groups: [{ group: "G", root: "none", pages: ["a"] }] },
      ["a.mdx"],
      [
        'error PAGE_NOT_FOUND docs.json:11:17\n  The navigation lists "none", but the site has no none.mdx.\n  fix: add none.mdx or remove the entry.',
      ],
    ],
    [
      "that snippets are not pages",
      { pages: ["a", "snippets/b"] },
      ["a.mdx", "snippets/b.mdx"],
      [
        'error PAGE_NOT_FOUND docs.json:10:7\n  The navigation lists "snippets/b", but files in snippets/ are snippets, not pages.\n  fix: move the file to another folder or remove the entry.',
      ],
    ],
    [
      "empty containers",
      { groups: [group("G", "a"), group("Nothing")] },
      ["a.mdx"],
      [
        'warning NAVIGATION_EMPTY docs.json:15:7\n  The group "Nothing" has no entries, so it is not shown.\n  fix: list pages in it or remove it.',
      ],
    ],
    [
      "which page's link it refuses",
      { pages: ["a"] },
      { "a.mdx": page("A", "url: 'javascript:alert(1)'") },
      [
        "warning LINK_REFUSED a.mdx:3:6\n  The page's url is \"javascript:alert(1)\", which could run code in the reader's browser, so it is ignored.\n  fix: write a path of the site or an https:// URL.",
      ],
    ],
    [
      "that there is no page",
      {},
      [],
      [
        "error SITE_EMPTY docs.json\n  The site has no page: there is no .mdx or .md file.\n  fix: add a page, such as index.mdx, next to this file.",
      ],
    ],
    ["faults of the front matter", {}, { "a.mdx": "---\ntitle: [\n---\n" }, ["error FRONTMATTER"]],
  ];
  for (const [rule, navigation, files, printed] of cases)
    test(rule, async () => {
      const { diagnostics } = await buildSite(navigation, files);
      const texts = diagnostics.map((each) => formatDiagnostic(each));
      expect(texts).toHaveLength(printed.length);
      for (const [index, text] of texts.entries()) expect(text).toContain(printed[index]);
    });
});

test("five hundred missing pages in a large folder are reported quickly", async () => {
  const names = Array.from({ length: 5000 }, (_, index) => `guides/page-number-${index}`);
  await withinCpu(4000, async () => {
    const { codes } = await buildSite(
      { pages: Array.from({ length: 500 }, (_, index) => `guides/pge-numbr-${index}`) },
      names.map((name) => `${name}.mdx`),
    );
    expect(codes).toHaveLength(500);
  });
});

test.each([
  ["---\ntitle: A\n---\n", ["COMPONENT_EMPTY"]],
  ["---\ntitle: A\n---\n\n{/* later */}\n<!-- soon -->\n", ["COMPONENT_EMPTY"]],
  ["---\ntitle: A\n---\n\n{/* later */}\nText.\n", []],
  ["---\ntitle: A\nopenapi: GET /pots\n---\n", []],
  ["---\ntitle: A\nurl: https://a.example\n---\n", []],
  [`---\ntitle: A\n---\n\n${"{/*".repeat(200_000)}`, []],
])("a page without text has a hint: %.60j", async (text, expected) => {
  await withinCpu(2000, async () => {
    const { diagnostics } = await buildSite({ pages: ["a"] }, { "a.mdx": text });
    expect(diagnostics.filter(({ severity }) => severity === "hint").map(({ code }) => code)).toEqual(expected);
  });
});
