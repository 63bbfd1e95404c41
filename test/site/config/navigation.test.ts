import { describe, expect, test } from "vitest";
import { configOf, loaded, outline, required } from "./site-of.js";

const navigation = (value: unknown) => configOf({ navigation: value });

describe("navigation is read", () => {
  test("with all eight containers nested", () => {
    const { config, faults } = navigation({
      languages: [
        {
          language: "en",
          versions: [
            {
              version: "2.0",
              products: [
                {
                  product: "core",
                  name: "Core",
                  tabs: [
                    {
                      tab: "Guides",
                      dropdowns: [
                        {
                          dropdown: "Web",
                          anchors: [
                            {
                              anchor: "Docs",
                              groups: [{ group: "Start", pages: ["a", { group: "Deep", pages: ["b"] }] }],
                            },
                          ],
                        },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
        {
          language: "fr",
          tabs: [
            {
              tab: "API",
              menu: [
                { item: "Users", pages: ["GET /users"] },
                { item: "Blog", href: "https://x.y" },
              ],
            },
          ],
        },
      ],
    });
    expect(faults).toEqual([]);
    expect(outline(config)).toEqual([
      "language en",
      "  version 2.0",
      "    product Core",
      "      tab Guides",
      "        dropdown Web",
      "          anchor Docs",
      "            group Start",
      "              a",
      "              group Deep",
      "                b",
      "language fr",
      "  tab API",
      "    menu Users",
      "      GET /users",
      "    menu Blog -> https://x.y",
    ]);
  });

  test("with the properties of each container, and no others", () => {
    const { config, faults } = navigation({
      directory: "card",
      openapi: "api.json",
      groups: [
        {
          group: "A",
          root: "a/index",
          tag: "NEW",
          icon: "x",
          iconType: "solid",
          expanded: false,
          hidden: true,
          searchable: true,
          public: true,
          boost: 0.5,
          directory: "none",
          asyncapi: ["s.yaml"],
          pages: ["a"],
        },
      ],
    });
    expect(faults).toEqual([]);
    const location = expect.objectContaining({ sourcePath: "docs.json", line: 1 });
    expect(config.navigation).toEqual({
      children: [
        {
          kind: "group",
          label: "A",
          children: [{ kind: "page", ref: "a", location }],
          location,
          root: { kind: "page", ref: "a/index", location },
          tag: "NEW",
          icon: { name: "x", style: "solid", location: expect.objectContaining({ line: 1, column: 175 }) },
          expanded: false,
          hidden: true,
          searchable: true,
          public: true,
          boost: 0.5,
          directory: "none",
          asyncapi: [{ source: "s.yaml", location }],
        },
      ],
      global: [],
      directory: "card",
      openapi: [{ source: "api.json", location }],
      asyncapi: [],
      graphql: [],
      arazzo: [],
    });
  });

  test("with a language's own banner, footer and navbar", () => {
    const own = {
      banner: { content: "Salut" },
      footer: { socials: { x: "https://x.com/a" } },
      navbar: { links: [{ label: "B", href: "/b" }] },
    };
    const { config, faults } = navigation({ languages: [{ language: "fr", default: true, ...own, pages: ["a"] }] });
    expect(faults).toEqual([]);
    expect(config.navigation.children[0]).toMatchObject({
      default: true,
      banner: { content: "Salut", dismissible: false },
      footer: { socials: [{ type: "x" }], links: [] },
      navbar: { links: [{ type: "link", label: "B" }] },
    });
  });

  test("with entries for every page, of the site and of a container", () => {
    const global = {
      anchors: [{ anchor: "Blog", href: "/blog", color: { light: "#111" } }],
      tabs: [{ tab: "Shop", href: "https://x.y" }],
    };
    const { config, faults } = navigation({
      global,
      tabs: [{ tab: "A", global: { anchors: global.anchors }, pages: ["a"] }],
    });
    expect(faults).toEqual([]);
    expect(outline(config)).toEqual(["tab A", "  a", "global", "  tab Shop -> https://x.y", "  anchor Blog -> /blog"]);
    expect(config.navigation.global[1]).toMatchObject({ color: { light: "#111", dark: "#111" } });
    expect(config.navigation.children[0]).toMatchObject({ global: [{ label: "Blog" }] });
  });

  test("without entries that cannot apply to every page", () => {
    const { config, diagnostics } = navigation({
      global: { tabs: {}, pages: ["a"], anchors: [{ anchor: "A" }, "b"] },
      pages: ["index"],
    });
    expect(config.navigation.global).toEqual([]);
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([
      "CONFIG_BAD_VALUE",
      "CONFIG_BAD_VALUE",
      "CONFIG_KEY_MISSING",
      "CONFIG_UNKNOWN_KEY",
    ]);
  });

  test("keeping every kind of child, in the order of kinds, pages last", () => {
    const { config, diagnostics } = navigation({
      pages: ["p"],
      groups: [{ group: "G", pages: [] }],
      anchors: [{ anchor: "A", href: "/a" }],
      dropdowns: [{ dropdown: "D", href: "/d" }],
      tabs: [{ tab: "T", href: "/t" }],
      products: [{ product: "P", href: "/p" }],
      versions: [{ version: "V", href: "/v" }],
      languages: [{ language: "en", href: "/l" }],
    });
    expect(outline(config)).toEqual([
      "language en -> /l",
      "version V -> /v",
      "product P -> /p",
      "tab T -> /t",
      "dropdown D -> /d",
      "anchor A -> /a",
      "group G",
      "p",
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["NAV_MIXED_CHILDREN"]);
  });

  test("from a plain list, as groups", () => {
    const { config, diagnostics } = navigation([{ group: "A", pages: ["a"] }]);
    expect(outline(config)).toEqual(["group A", "  a"]);
    expect(diagnostics).toMatchObject([{ code: "CONFIG_BAD_VALUE" }]);
  });

  test("with the location of every page and container", () => {
    const text = JSON.stringify(
      { ...required, navigation: { groups: [{ group: "A", pages: ["a", "b/c"] }] } },
      null,
      2,
    );
    const { config } = loaded({ "docs.json": text });
    const lines = text.split("\n");
    const group = config.navigation.children[0];
    if (group?.kind !== "group") throw new Error("not a group");
    for (const entry of [group, ...group.children]) {
      const { line, column, length } = entry.location;
      const written = lines[line! - 1]!.slice(column! - 1, column! - 1 + length!);
      expect(written).toBe(entry.kind === "page" ? JSON.stringify(entry.ref) : "{");
    }
  });
});
