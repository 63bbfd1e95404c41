import { describe, expect, test } from "vitest";
import { buildSite, drawNavigation, group, page, type Written } from "./build-site.js";

/** Pages named by a letter, so that a drawing fits on a line: `- A /a`. */
const letters = ["a", "b", "c", "d", "e", "f"].map((letter) => `${letter}.mdx`);

describe("the navigation", () => {
  const cases: readonly (readonly [rule: string, navigation: Written, drawing: string])[] = [
    [
      "of pages alone is one sidebar",
      { pages: ["b", "a"] },
      `root Acme* @/b
         - B /b
         - A /a`,
    ],
    [
      "shows the page that an entry in another spelling means",
      { pages: ["B", "a"] },
      `root Acme* @/b
         - B /b
         - A /a`,
    ],
    [
      "of groups in groups keeps their order",
      { groups: [group("One", "a", group("Inner", "b", group("Innermost", "c")), "d"), group("Two", "e")] },
      `root Acme* @/a
         One
           - A /a
           Inner (closed)
             - B /b
             Innermost (closed)
               - C /c
           - D /d
         Two
           - E /e`,
    ],
    [
      "opens nested groups that say so and shows tags",
      { groups: [group("One", { group: "Inner", expanded: true, tag: "NEW", pages: ["a"] })] },
      `root Acme* @/a
         One
           Inner [NEW]
             - A /a`,
    ],
    [
      "shows the entries of a group named by blanks without a heading",
      { groups: [group(" ", "a", group("Inner", "b")), group("Two", group("\u00a0", "c"), "d")] },
      `root Acme* @/a
         - A /a
         Inner
           - B /b
         Two
           - C /c
           - D /d`,
    ],
    [
      "of tabs has a sidebar for each",
      {
        tabs: [
          { tab: "Guides", groups: [group("One", "a")] },
          { tab: "API", pages: ["b"] },
        ],
      },
      `root Acme* @/a
         tab Guides* @/a
           One
             - A /a
         tab API @/b
           - B /b`,
    ],
    [
      "shows a tab that is only a link, and never starts there",
      {
        tabs: [
          { tab: "Blog", href: "https://acme.com/blog" },
          { tab: "Docs", pages: ["a"] },
        ],
      },
      `root Acme* @/a
         tab Blog -> https://acme.com/blog
         tab Docs* @/a
           - A /a`,
    ],
    [
      "of languages starts in the default one",
      {
        languages: [
          { language: "de", pages: ["a"] },
          { language: "en", default: true, pages: ["b"] },
        ],
      },
      `root Acme* @/b
         language de @/a
           - A /a
         language en* @/b
           - B /b`,
    ],
    [
      "of versions in tabs lets each tab have its default",
      {
        tabs: [
          {
            tab: "One",
            versions: [
              { version: "v2", pages: ["a"] },
              { version: "v1", pages: ["b"] },
            ],
          },
          {
            tab: "Two",
            versions: [
              { version: "v2", pages: ["c"] },
              { version: "v1", default: true, pages: ["d"] },
            ],
          },
        ],
      },
      `root Acme* @/a
         tab One* @/a
           version v2* @/a
             - A /a
           version v1 @/b
             - B /b
         tab Two @/d
           version v2 @/c
             - C /c
           version v1* @/d
             - D /d`,
    ],
    [
      "nests languages, versions, products, tabs, anchors and dropdowns",
      {
        languages: [
          {
            language: "en",
            versions: [
              {
                version: "v1",
                products: [
                  {
                    product: "Kit",
                    tabs: [
                      {
                        tab: "T",
                        anchors: [{ anchor: "A", dropdowns: [{ dropdown: "D", groups: [group("G", "a")] }] }],
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      `root Acme* @/a
         language en* @/a
           version v1* @/a
             product Kit* @/a
               tab T* @/a
                 anchor A* @/a
                   dropdown D* @/a
                     G
                       - A /a`,
    ],
    [
      "of a menu has a sidebar for each item",
      {
        tabs: [
          {
            tab: "T",
            menu: [
              { item: "One", pages: ["a"] },
              { item: "Out", href: "https://x.y" },
              { item: "Two", groups: [group("G", "b")] },
            ],
          },
        ],
      },
      `root Acme* @/a
         tab T* @/a
           menu One* @/a
             - A /a
           menu Out -> https://x.y
           menu Two @/b
             G
               - B /b`,
    ],
    [
      "of anchors beside groups has its own sidebar beside the anchors",
      {
        anchors: [
          { anchor: "API", groups: [group("Ref", "a")] },
          { anchor: "Chat", href: "https://x.y" },
        ],
        groups: [group("Guides", "b")],
      },
      `root Acme* @/b
         Guides
           - B /b
         anchor API* @/a
           Ref
             - A /a
         anchor Chat -> https://x.y`,
    ],
    [
      "mixes pages and groups on one level",
      { tabs: [{ tab: "T", pages: ["a", group("G", "b"), "c"] }] },
      `root Acme* @/a
         tab T* @/a
           - A /a
           G
             - B /b
           - C /c`,
    ],
    [
      "leaves hidden containers out of groups, and marks hidden sections",
      {
        tabs: [
          { tab: "Secret", hidden: true, pages: ["a"] },
          { tab: "Open", pages: ["b", { group: "H", hidden: true, pages: ["c"] }] },
        ],
      },
      `root Acme* @/b
         tab Secret hidden @/a
           - A /a
         tab Open* @/b
           - B /b`,
    ],
    [
      "leaves out groups without pages, and hides sections without",
      {
        tabs: [
          { tab: "Empty", groups: [group("None"), group("Lost", "nowhere")] },
          { tab: "Full", pages: ["a"] },
        ],
      },
      `root Acme* @/a
         tab Empty* hidden
         tab Full @/a
           - A /a`,
    ],
    [
      "shows a group's root on the group",
      { groups: [{ group: "G", root: "a", pages: ["b", { group: "Inner", root: "c", pages: [] }] }] },
      `root Acme* @/a
         G /a
           - B /b
           Inner (closed) /c`,
    ],
    [
      "takes an address among pages for a link",
      { pages: ["a", "https://www.acme.com/status/"] },
      `root Acme* @/a
         - A /a
         - acme.com/status -> https://www.acme.com/status/`,
    ],
    [
      "takes a group with an href and no pages for a link",
      { groups: [group("G", "a"), { group: "Blog", href: "https://acme.com", pages: [] }] },
      `root Acme* @/a
         G
           - A /a
         - Blog -> https://acme.com`,
    ],
    [
      "keeps the place in a page that an entry names",
      { pages: ["a", "b#part-two"] },
      `root Acme* @/a
         - A /a
         - B -> /b#part-two`,
    ],
    [
      "makes links of global entries",
      { global: { anchors: [{ anchor: "Chat", href: "https://x.y" }] }, pages: ["a"] },
      `root Acme* @/a
         global anchor Chat -> https://x.y
         - A /a`,
    ],
    [
      "makes links of global entries inside a section",
      { tabs: [{ tab: "T", global: { anchors: [{ anchor: "Chat", href: "https://x.y" }] }, pages: ["a"] }] },
      `root Acme* @/a
         tab T* @/a
           global anchor Chat -> https://x.y
           - A /a`,
    ],
    [
      "lets a global entry lead to its pages",
      { global: { anchors: [{ anchor: "API", pages: ["b"] }] }, pages: ["a"] },
      `root Acme* @/a
         global anchor API -> /b
         - A /a`,
    ],
  ];
  for (const [rule, navigation, drawing] of cases)
    test(rule, async () => {
      const { site } = await buildSite(navigation, letters);
      expect(drawNavigation(site)).toBe(drawing.replace(/^ {9}/gm, "  "));
    });
});

test("a section that has only links leads to the first", async () => {
  const { site } = await buildSite(
    {
      tabs: [
        { tab: "Docs", pages: ["a"] },
        { tab: "More", groups: [group("Out", "b")] },
      ],
    },
    { "a.mdx": "", "b.mdx": page("Blog", "url: https://acme.com/blog") },
  );
  expect(site.sections[2]).toMatchObject({ label: "More", hidden: false, href: "https://acme.com/blog" });
  expect(site.sections[2]?.landing).toBeUndefined();
});

test("a root that is only a link becomes the group's first entry, or its only one", async () => {
  const { site } = await buildSite(
    {
      groups: [
        { group: "G", root: "b", pages: ["a"] },
        { group: "H", root: "b", pages: [] },
      ],
    },
    { "a.mdx": "", "b.mdx": page("Blog", "url: https://acme.com/blog") },
  );
  expect(drawNavigation(site).split("\n").slice(1)).toEqual([
    "  G",
    "    - Blog -> https://acme.com/blog",
    "    - A /a",
    "  - H -> https://acme.com/blog",
  ]);
});

test("a global entry with pages is a section of its own, which no switcher lists", async () => {
  const { site, at } = await buildSite(
    { global: { anchors: [{ anchor: "API", pages: ["b"] }] }, pages: ["a"] },
    letters,
  );
  const division = site.divisions[at("/b").division]!;
  expect(division.sections.map((id) => site.sections[id]?.label)).toEqual(["Acme", "API"]);
  expect(site.sections[0]?.children).toEqual([]);
  expect(at("/b").listed).toBe(true);
});

test("sections and divisions refer to each other", async () => {
  const { site } = await buildSite(
    { languages: ["en", "fr"].map((language, at) => ({ language, tabs: [{ tab: "T", pages: [at ? "a" : "b"] }] })) },
    letters,
  );
  for (const section of site.sections) {
    expect(site.sections[section.id]).toBe(section);
    for (const child of section.children) expect(site.sections[child]?.parent).toBe(section.id);
    if (section.division !== undefined) expect(site.divisions[section.division]?.sections.at(-1)).toBe(section.id);
  }
  for (const division of site.divisions) expect(site.divisions[division.id]).toBe(division);
});

test("sixty nested groups are read", async () => {
  let node: Written = group("Last", "a");
  for (let depth = 1; depth < 60; depth++) node = group("G", node);
  const { at } = await buildSite({ groups: [node] }, letters);
  expect(at("/a").breadcrumbs).toHaveLength(60);
});
