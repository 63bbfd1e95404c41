import { describe, expect, test } from "vitest";
import { buildSite, group, page, type Written } from "./build-site.js";

const letters = ["a", "b", "c", "d"].map((letter) => `${letter}.mdx`);

describe("pages", () => {
  test("come in the order of the navigation, then by path", async () => {
    const { site } = await buildSite(
      {
        tabs: [
          { tab: "T", groups: [{ group: "G", root: "d", pages: ["c"] }] },
          { tab: "U", pages: ["b"] },
        ],
      },
      ["a.mdx", "b.mdx", "c.mdx", "d.mdx", "z/a.mdx", "E.mdx"],
    );
    expect(site.pages.map((each) => each.urlPath)).toEqual(["/d", "/c", "/b", "/E", "/a", "/z/a"]);
    expect(site.pages.map((each) => each.index)).toEqual(site.pages.map((_, index) => index));
  });

  test("have the previous and next page of their division", async () => {
    const { site, at } = await buildSite(
      {
        tabs: [
          { tab: "T", pages: ["a", group("G", "b")] },
          { tab: "U", pages: ["c"] },
        ],
      },
      letters,
    );
    const neighbours = (urlPath: string) =>
      [at(urlPath).previous, at(urlPath).next].map((each) => site.pages[each ?? -1]?.urlPath);
    expect(["/a", "/b", "/c", "/d"].map(neighbours)).toEqual([
      [undefined, "/b"],
      ["/a", undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("know what they were called where addresses redirect to them", async () => {
    const redirects = [
      { source: "/guides/set-up_keys", destination: "/a#keys" },
      { source: "/old/set-up-keys", destination: "/a" },
      { source: "/v1/:slug", destination: "/a" },
      { source: "/", destination: "/b" },
      { source: "/elsewhere", destination: "https://example.com/a" },
    ];
    const { at } = await buildSite({ pages: ["a", "b"] }, letters, { redirects });
    expect(at("/a").formerNames).toEqual(["set up keys"]);
    expect(at("/b").formerNames ?? []).toEqual([]);
  });

  test("have their groups as breadcrumbs, with the pages that these open", async () => {
    const { at } = await buildSite({ groups: [{ group: "G", root: "a", pages: ["b", group("Inner", "c")] }] }, letters);
    const crumb = { label: "G", urlPath: "/a" };
    expect(at("/a").breadcrumbs).toEqual([]);
    expect(at("/b").breadcrumbs).toEqual([crumb]);
    expect(at("/c").breadcrumbs).toEqual([crumb, { label: "Inner", urlPath: undefined }]);
  });

  test("listed twice have the layout of the first entry and are part of both orders", async () => {
    const { site, at } = await buildSite(
      {
        tabs: [
          { tab: "T", groups: [group("First", "a", "b", "a")] },
          { tab: "U", groups: [group("Second", "c", "a", "d")] },
        ],
      },
      letters,
    );
    expect(site.pages).toHaveLength(4);
    expect(at("/a")).toMatchObject({ division: 0, breadcrumbs: [{ label: "First" }], next: at("/b").index });
    expect(site.divisions.map((each) => each.order.map((index) => site.pages[index]!.urlPath))).toEqual([
      ["/a", "/b"],
      ["/c", "/a", "/d"],
    ]);
    expect(at("/c").next).toBe(at("/a").index);
  });

  test("listed first in a hidden container have the layout of the first visible one", async () => {
    const { at } = await buildSite(
      { groups: [{ group: "Hidden", hidden: true, pages: ["a"] }, group("Shown", "a")] },
      letters,
    );
    expect(at("/a")).toMatchObject({ breadcrumbs: [{ label: "Shown" }], visible: true, indexed: true, noindex: false });
  });

  test("listed first in a hidden tab have the layout of a visible one", async () => {
    const { at } = await buildSite(
      {
        tabs: [
          { tab: "Hidden", hidden: true, pages: ["a"] },
          { tab: "Open", pages: ["a"] },
        ],
      },
      letters,
    );
    expect(at("/a")).toMatchObject({ division: 1, visible: true, indexed: true });
  });

  test("that several versions share are not the start of a later version", async () => {
    const { site } = await buildSite(
      {
        versions: [
          { version: "v1", pages: ["a", "b"] },
          { version: "v2", pages: ["a", "c"] },
          { version: "v3", pages: ["a", "b"] },
        ],
      },
      letters,
    );
    expect(site.sections.map((each) => site.pages[each.landing!]?.urlPath)).toEqual(["/a", "/a", "/c", "/a"]);
  });

  test("outside the navigation show the sidebar of their folder, or of the language that the folder names, else the default one", async () => {
    const { site, at } = await buildSite(
      {
        languages: [
          { language: "en", pages: ["x/one"] },
          { language: "fr", pages: ["fr/deep/one"] },
          { language: "ar", pages: ["fa/one"] },
        ],
      },
      "x/one fr/deep/one fa/one fr/deep/er/two fr/three ar/more/one y/four five"
        .split(" ")
        .map((path) => `${path}.mdx`),
    );
    const labels = ["/fr/deep/er/two", "/fr/three", "/ar/more/one", "/y/four", "/five"].map((urlPath) => {
      expect([at(urlPath).previous, at(urlPath).next]).toEqual([undefined, undefined]);
      expect(at(urlPath)).toMatchObject({
        listed: false,
        visible: false,
        breadcrumbs: [],
      });
      return [site.sections[site.divisions[at(urlPath).division]!.sections.at(-1)!]!.label, at(urlPath).language];
    });
    expect(labels).toEqual([
      ["fr", "fr"],
      ["fr", "fr"],
      ["ar", "ar"],
      ["en", "en"],
      ["en", "en"],
    ]);
  });

  test("have their language, their version, and whether these are the default", async () => {
    const versions = (one: string, two: string) => ({
      versions: [
        { version: "v2", pages: [one] },
        { version: "v1", pages: [two] },
      ],
    });
    const { at } = await buildSite(
      {
        languages: [
          { language: "en", ...versions("a", "b") },
          { language: "fr", ...versions("c", "d") },
        ],
      },
      letters,
    );
    expect(
      ["/a", "/b", "/c", "/d"].map((urlPath) => [
        at(urlPath).language,
        at(urlPath).version,
        at(urlPath).inDefaultScope,
      ]),
    ).toEqual([
      ["en", "v2", true],
      ["en", "v1", false],
      ["fr", "v2", false],
      ["fr", "v1", false],
    ]);
  });

  test("listed in two versions are in the default one if either is", async () => {
    const { at } = await buildSite(
      {
        versions: [
          { version: "v1", pages: ["a"] },
          { version: "v2", default: true, pages: ["b", "a"] },
        ],
      },
      letters,
    );
    expect(at("/a")).toMatchObject({ version: "v1", inDefaultScope: true });
  });

  test("have their own boost, else that of the nearest container", async () => {
    const { at } = await buildSite(
      { tabs: [{ tab: "T", pages: ["a", { group: "G", boost: 3, pages: ["b", group("Inner", "c"), "d"] }] }] },
      { "a.mdx": "", "b.mdx": "", "c.mdx": "", "d.mdx": page("D", "boost: 0.5") },
    );
    expect(["/a", "/b", "/c", "/d"].map((urlPath) => at(urlPath).boost)).toEqual([1, 3, 3, 0.5]);
  });

  test("list the pages of their group if `directory` is set", async () => {
    const { site, at } = await buildSite(
      {
        directory: "card",
        groups: [
          { group: "G", root: "a", pages: ["b", { group: "Inner", root: "c", pages: ["d"] }, group("Plain", "e")] },
          { group: "Other", root: "f", directory: "none", pages: ["b"] },
        ],
      },
      ["a", "b", "c", "d", "e", "f"].map((letter) => `${letter}.mdx`),
    );
    const listed = (urlPath: string) => at(urlPath).directory.pages.map((index) => site.pages[index]!.urlPath);
    expect([at("/a").directory.style, listed("/a")]).toEqual(["card", ["/b", "/c", "/e"]]);
    expect([at("/c").directory.style, listed("/c")]).toEqual(["card", ["/d"]]);
    expect([at("/f").directory.style, listed("/f")]).toEqual(["none", []]);
    expect(at("/b").directory).toEqual({ style: "none", pages: [] });
  });
});

describe("entries", () => {
  test("of hidden pages are not shown, but the pages are exported", async () => {
    const { site, at } = await buildSite(
      { pages: ["a", "b", "c"] },
      { "a.mdx": "", "b.mdx": page("B", "hidden: true"), "c.mdx": "" },
    );
    expect(site.divisions[0]?.entries).toHaveLength(2);
    expect(at("/b")).toMatchObject({ listed: true, visible: false });
    expect([at("/b").previous, at("/b").next]).toEqual([undefined, undefined]);
    expect(at("/a").next).toBe(at("/c").index);
  });

  test("of pages with a url lead to it, and no page is written", async () => {
    const { site } = await buildSite(
      { pages: ["a", "b"] },
      {
        "a.mdx": "",
        "b.mdx": page("Blog", "sidebarTitle: Our blog", "icon: star", "tag: New", "url: https://acme.com"),
      },
    );
    expect(site.pages).toHaveLength(1);
    expect(site.divisions[0]?.entries[1]).toEqual({
      type: "link",
      label: "Our blog",
      href: "https://acme.com",
      icon: { name: "star" },
      tag: "New",
    });
  });
});

describe("the home page", () => {
  const cases: readonly (readonly [rule: string, navigation: Written, files: readonly string[], urlPath: string])[] = [
    ["is the root index page", { pages: ["a"] }, ["a.mdx", "index.mdx"], "/"],
    ["is the first page of the navigation without one", { pages: ["b", "a"] }, ["a.mdx", "b.mdx"], "/b"],
    ["is the first page by path without a navigation", {}, ["b.mdx", "a.mdx"], "/a"],
  ];
  for (const [rule, navigation, files, urlPath] of cases)
    test(rule, async () => {
      const { site } = await buildSite(navigation, files);
      expect(site.pages[site.homePage!]?.urlPath).toBe(urlPath);
    });
});
