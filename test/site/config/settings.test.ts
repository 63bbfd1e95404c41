import { describe, expect, test } from "vitest";
import { locationOfSetting } from "../../../src/lib/diagnostic/index.js";
import { configDefaults } from "../../../src/site/config/index.js";
import { configOf, loaded, required } from "./site-of.js";

describe("loadConfig", () => {
  test("fills in every default", () => {
    const { config, faults } = loaded({ "docs.json": required });
    expect(faults).toEqual([]);
    expect(config).toEqual({
      ...configDefaults,
      sourcePath: "docs.json",
      includedFiles: [],
      locations: new Map(),
      name: "Acme",
      colors: { primary: "#0F766E", light: "#0F766E", dark: "#0F766E" },
      navigation: {
        ...configDefaults.navigation,
        children: [
          { kind: "page", ref: "index", location: { sourcePath: "docs.json", line: 1, column: 85, length: 7 } },
        ],
      },
    });
  });

  test("prefers docs.json to mint.json", () => {
    expect(loaded({ "docs.json": required, "mint.json": "broken" })).toMatchObject({
      config: { sourcePath: "docs.json" },
      faults: [],
    });
  });

  test("accepts a byte-order mark and any line ending", () => {
    expect(loaded({ "docs.json": JSON.stringify(required, null, 2).replaceAll("\n", "\r\n") }).faults).toEqual([]);
  });

  test("returns plain data that can be sent to another thread", () => {
    const { config } = configOf({
      variables: { a: "1" },
      banner: { content: "Hi" },
      redirects: [{ source: "/a", destination: "/" }],
    });
    expect(structuredClone(config)).toEqual(config);
  });
});

describe("a setting is read:", () => {
  const link = { label: "Blog", href: "https://example.com" };
  const codeblocks = configDefaults.styling.codeblocks;
  const cases: readonly (readonly [rule: string, settings: object, expected: object])[] = [
    [
      "primary replaces missing colours",
      { colors: { primary: "#abc" } },
      { colors: { primary: "#abc", light: "#abc", dark: "#abc" } },
    ],
    ["one logo for both modes", { logo: "/logo.svg" }, { logo: { light: "/logo.svg", dark: "/logo.svg" } }],
    [
      "a logo with a link",
      { logo: { dark: "/d.svg", href: "/x" } },
      { logo: { light: "/d.svg", dark: "/d.svg", href: "/x" } },
    ],
    ["one icon for both modes", { favicon: "/f.ico" }, { favicon: { light: "/f.ico", dark: "/f.ico" } }],
    [
      "one font for all",
      { fonts: { family: "Inter", weight: "450.5" } },
      { fonts: { heading: { family: "Inter", weight: 450.5 }, body: { family: "Inter", weight: 450.5 } } },
    ],
    [
      "one font for all but headings",
      { fonts: { family: "Inter", source: "/inter.woff2?v=1", heading: { family: "Lora" } } },
      {
        fonts: { heading: { family: "Lora" }, body: { family: "Inter", source: "/inter.woff2?v=1", format: "woff2" } },
      },
    ],
    ["fonts apart", { fonts: { heading: { family: "Lora" } } }, { fonts: { heading: { family: "Lora" } } }],
    [
      "half a background colour",
      { background: { color: { dark: "#000" } } },
      { background: { color: { dark: "#000" } } },
    ],
    [
      "a background image",
      { background: { image: "/b.png" } },
      { background: { image: { light: "/b.png", dark: "/b.png" } } },
    ],
    [
      "code blocks that are always dark",
      { styling: { codeblocks: "dark" } },
      { styling: { codeblocks: { ...codeblocks, mode: "dark", theme: { light: "dark-plus", dark: "dark-plus" } } } },
    ],
    [
      "code blocks of one theme",
      { styling: { codeblocks: "nord" } },
      { styling: { codeblocks: { ...codeblocks, mode: "theme", theme: { light: "nord", dark: "nord" } } } },
    ],
    [
      "code blocks of a theme for each mode, and own languages",
      { styling: { codeblocks: { theme: { light: "one-light" }, languages: { custom: ["/langs/a.json"] } } } },
      {
        styling: {
          codeblocks: {
            mode: "theme",
            theme: { light: "one-light", dark: "one-light" },
            customLanguages: ["langs/a.json"],
          },
        },
      },
    ],
    [
      "formulas switched off",
      { styling: { latex: false, eyebrows: "breadcrumbs" } },
      { styling: { codeblocks, latex: false, eyebrows: "breadcrumbs" } },
    ],
    ["the font of thumbnails", { thumbnails: { fonts: { family: "Inter" } } }, { thumbnails: { fontFamily: "Inter" } }],
    [
      "links of the top bar",
      {
        navbar: {
          links: [link, { type: "github", href: "https://github.com/a/b" }],
          primary: { ...link, type: "button" },
        },
      },
      {
        navbar: {
          links: [
            { type: "link", ...link },
            { type: "github", href: "https://github.com/a/b" },
          ],
          primary: { type: "button", ...link },
        },
      },
    ],
    [
      "the older iconType",
      { navbar: { links: [{ ...link, icon: "x", iconType: "brands" }] } },
      { navbar: { links: [{ type: "link", ...link, icon: { name: "x", style: "brands" } }] } },
    ],
    [
      "social links in their order",
      { footer: { socials: { x: "https://x.com/a", github: "https://github.com/a" } } },
      {
        footer: {
          socials: [
            { type: "x", href: "https://x.com/a" },
            { type: "github", href: "https://github.com/a" },
          ],
          links: [],
        },
      },
    ],
    [
      "a banner",
      { banner: { content: "Hi **you**", color: "#123" } },
      { banner: { content: "Hi **you**", dismissible: false, type: "info", color: { light: "#123", dark: "#123" } } },
    ],
    [
      "options of the page menu, each once",
      {
        contextual: {
          options: [
            "copy",
            "view",
            "copy",
            { title: "A", description: "B", href: { base: "https://x.y", query: [{ key: "q", value: "$page" }] } },
          ],
        },
      },
      {
        contextual: {
          display: "header",
          options: [
            "copy",
            "view",
            { title: "A", description: "B", href: { base: "https://x.y", query: [{ key: "q", value: "$page" }] } },
          ],
        },
      },
    ],
    [
      "sections as documents for printing",
      { contextual: { options: ["copy"], print: true } },
      { contextual: { options: ["copy"], display: "header", print: true } },
    ],
    [
      "a folder at GitHub, to which pages link",
      { feedback: { thumbs: true, edits: true, repository: "https://github.com/acme/docs/tree/main/en/guide/" } },
      {
        feedback: {
          thumbs: true,
          edits: true,
          issues: false,
          repository: { kind: "github", url: "https://github.com/acme/docs", ref: "main", folder: "/en/guide" },
        },
      },
    ],
    [
      "a repository at GitLab",
      { feedback: { issues: true, repository: "https://git.acme.com/a/b/docs/-/tree/v2" } },
      {
        feedback: {
          edits: false,
          issues: true,
          repository: { kind: "gitlab", url: "https://git.acme.com/a/b/docs", ref: "v2", folder: "" },
        },
      },
    ],
    [
      "redirects, with or without a slash before them",
      {
        redirects: [
          { source: "a/:slug*", destination: "b/:slug*#x", permanent: false },
          { source: "/c/:path*", destination: "https://x.y/:path*" },
        ],
      },
      {
        redirects: [
          { source: "/a/:slug*", destination: "/b/:slug*#x", permanent: false },
          { source: "/c/:path*", destination: "https://x.y/:path*", permanent: true },
        ],
      },
    ],
    [
      "variables, numbers as text",
      { variables: { "api-url": "https://x.y", port: 80 } },
      { variables: { "api-url": "https://x.y", port: "80" } },
    ],
    [
      "the page for unknown addresses",
      { errors: { "404": { redirect: false, title: "Lost" } } },
      { notFound: { redirect: false, title: "Lost" } },
    ],
    [
      "one instruction or several",
      { markdown: { instructions: "Be brief." } },
      { markdown: { schema: true, instructions: ["Be brief."] } },
    ],
    [
      "meta tags of the site and of folders",
      { seo: { metatags: { "og:image:width": 1200 }, paths: [{ path: "/guides/", metatags: { robots: "noindex" } }] } },
      {
        seo: {
          indexing: "navigable",
          metatags: { "og:image:width": "1200" },
          paths: [{ path: "guides", metatags: { robots: "noindex" } }],
          trailingSlash: false,
        },
      },
    ],
    ["variations", { variations: { options: [{ id: "a", label: "A" }] } }, { variations: [{ id: "a", label: "A" }] }],
    [
      "a service by a bare id",
      { integrations: { frontchat: "abcdef" } },
      { integrations: { frontchat: { snippetId: "abcdef" } } },
    ],
    [
      "specifications in every form",
      {
        api: {
          openapi: ["/a.json", "./b.yaml", { source: "https://x.y/c.json", directory: "/ref/", overlays: [] }],
          asyncapi: "d.yaml",
        },
      },
      {
        api: {
          ...configDefaults.api,
          openapi: [
            { source: "a.json" },
            { source: "b.yaml" },
            { source: "https://x.y/c.json", directory: "ref", overlays: [] },
          ],
          asyncapi: [{ source: "d.yaml" }],
        },
      },
    ],
    [
      "the playground and its samples",
      {
        api: {
          playground: { display: "none" },
          examples: { languages: ["curl", "go"] },
          mdx: { auth: { method: "key", name: "X-Key" }, server: "https://x.y" },
        },
      },
      {
        api: {
          ...configDefaults.api,
          playground: { display: "none", proxy: true, credentials: false },
          examples: { ...configDefaults.api.examples, languages: ["curl", "go"] },
          mdx: { authMethod: "key", authName: "X-Key", servers: ["https://x.y"] },
        },
      },
    ],
  ];
  for (const [rule, settings, expected] of cases) {
    test(rule, () => {
      const { config, diagnostics } = configOf(settings);
      expect(diagnostics.map(({ code }) => code)).toEqual("integrations" in settings ? ["INTEGRATION_LEFT_OUT"] : []);
      for (const [name, value] of Object.entries(expected)) {
        expect(withoutLocations(config[name as keyof typeof config])).toEqual(value);
      }
    });
  }
});

describe("a missing proxy for the playground is reported", () => {
  const cases = [
    ["where one is asked for", { proxy: true }, ["PLAYGROUND_WITHOUT_PROXY"]],
    ["not where the default holds", {}, []],
    ["not where none is wanted", { proxy: false }, []],
    ["not where nothing can be sent", { proxy: true, display: "simple" }, []],
    ["beside faults of other settings", { proxy: true, display: 1 }, ["PLAYGROUND_WITHOUT_PROXY", "CONFIG_BAD_VALUE"]],
  ] as const;
  for (const [rule, playground, codes] of cases)
    test(rule, () => {
      const { diagnostics } = configOf({ api: { playground } });
      expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    });
});

/** A copy without `location`, which has its own tests. */
function withoutLocations(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (key === "location" ? undefined : each)));
}

describe("an icon is read:", () => {
  const cases = [
    ["a name", "rocket", { name: "rocket" }],
    ["a URL", "https://x.y/i.svg", { name: "https://x.y/i.svg" }],
    ["inline SVG", '<svg viewBox="0 0 1 1"></svg>', { name: '<svg viewBox="0 0 1 1"></svg>' }],
    [
      "an object",
      { name: "rocket", style: "solid", library: "lucide" },
      { name: "rocket", style: "solid", library: "lucide" },
    ],
  ] as const;
  for (const [rule, icon, expected] of cases) {
    test(rule, () => {
      const { config, faults } = configOf({ navigation: { groups: [{ group: "A", icon, pages: ["index"] }] } });
      expect(faults).toEqual([]);
      expect(config.navigation.children[0]).toMatchObject({ icon: expected });
    });
  }
  test("without the prefix of the icon font, which is reported", () => {
    const icons = ["fa-rocket", "fa-solid fa-rocket", "fas fa-rocket"];
    const groups = icons.map((icon) => ({ group: icon, icon, pages: ["index"] }));
    const { config, diagnostics } = configOf({ navigation: { groups } });
    expect(config.navigation.children).toMatchObject(Array(3).fill({ icon: { name: "rocket" } }));
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(3).fill("CONFIG_ICON_PREFIX"));
  });
});

describe("a link is", () => {
  const kept = [
    "/a",
    "#a",
    "/a?b#c",
    "../a",
    "https://x.y",
    "mailto:a@b.c",
    "tel:+41",
    "vscode:extension/x",
    "//cdn.x.y/a",
  ];
  for (const href of kept) {
    test(`kept: ${href}`, () => {
      const { config, faults } = configOf({ navbar: { links: [{ label: "A", href }] } });
      expect([config.navbar.links[0]?.href, faults]).toEqual([href, []]);
    });
  }
  const refused = [
    "javascript:alert(1)",
    "JAVASCRIPT:x",
    "java\tscript:x",
    "\u0001javascript:x",
    "vbscript:x",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:x",
  ];
  for (const href of refused) {
    test(`refused: ${JSON.stringify(href)}`, () => {
      const { config, diagnostics } = configOf({
        navbar: { links: [{ label: "A", href }] },
        logo: { light: "/a.svg", href },
      });
      expect(config.navbar.links).toEqual([]);
      expect(config.logo?.href).toBeUndefined();
      expect(diagnostics).toMatchObject([{ code: "CONFIG_UNSAFE_LINK" }, { code: "CONFIG_UNSAFE_LINK" }]);
    });
  }
});

test("no existing setting is suggested for an unknown one that is only similar", () => {
  const adviceFor = (logo: Record<string, string>) => configOf({ logo }).diagnostics.map(({ fix }) => fix);
  expect(adviceFor({ light: "/a.svg", height: "24px" })).toEqual([
    "remove it; known settings here: light, dark, href.",
  ]);
  expect(adviceFor({ light: "/a.svg", darc: "/b.svg" })).toEqual(['write "dark".']);
});

describe("names such as `constructor` and `__proto__` are ordinary names:", () => {
  test("unknown settings are reported and ignored", () => {
    const text = `{"theme":"mint","name":"A","colors":{"primary":"#111"},"navigation":{"pages":["index"]},
      "__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"seo":{"metatags":{"__proto__":"x","a":"b"}},
      "variables":{"__proto__":"x","constructor":"c","toString":"t"}}`;
    const { config, diagnostics } = loaded({ "docs.json": text });
    expect(diagnostics.map(({ code }) => code)).toEqual([
      "CONFIG_UNKNOWN_KEY",
      "CONFIG_UNKNOWN_KEY",
      "CONFIG_BAD_NAME",
      "CONFIG_BAD_NAME",
    ]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(config.seo.metatags).toEqual({ a: "b" });
    expect(Object.entries(config.variables)).toEqual([
      ["constructor", "c"],
      ["toString", "t"],
    ]);
  });
});

test("settings keep their location, also in a file that docs.json refers to", () => {
  const { config } = loaded({
    "docs.json": `{
  "logo": "/logo.svg",
  "background": { "image": { "$ref": "./looks/image.json" } },
  "redirects": [{ "source": "/a", "destination": "/b" }]
}`,
    "looks/image.json": '{\n  "dark": "/dark.png" }',
  });
  const locationOf = (way: string) => {
    const { sourcePath, line, column } = locationOfSetting(config!, way);
    return [sourcePath, line, column].filter((part) => part !== undefined).join(":");
  };
  expect(locationOf("background.image.dark")).toBe("looks/image.json:2:11");
  expect(locationOf("logo.dark")).toBe("docs.json:2:11");
  expect(locationOf("favicon.light")).toBe("docs.json");
  expect(locationOf("redirects[0]")).toBe("docs.json");
});

describe("the name of a link without a label", () => {
  const linksOf = (links: readonly object[]) => configOf({ navbar: { links }, footer: { links: [{ items: links }] } });

  test("is its title, shown only if there is no icon", () => {
    const { config, faults } = linksOf([
      { label: "", title: "Chat", icon: "users", href: "https://chat.example" },
      { label: "", title: "Chat", href: "https://chat.example" },
    ]);
    expect(faults).toEqual([]);
    for (const links of [config.navbar.links, config.footer.links[0]!.items]) {
      expect(links[0]).toMatchObject({ title: "Chat", icon: { name: "users" } });
      expect(links[0]!.label).toBeUndefined();
      expect(links[1]).toMatchObject({ label: "Chat" });
    }
  });

  test("is that of its target, with a message", () => {
    const { config, diagnostics } = configOf({
      navbar: {
        links: [
          { href: "https://user@www.acme.example:8080/a?b#c" },
          { label: "", icon: "users", href: "/guides/install" },
          { label: "", icon: "discord", href: "https://chat.example" },
        ],
      },
    });
    expect(config.navbar.links[0]).toMatchObject({ label: "acme.example" });
    expect(config.navbar.links[1]).toMatchObject({ title: "install" });
    expect(config.navbar.links[2]!.label).toBeUndefined();
    expect(diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
      ["NAV_LABEL_MISSING", 'add "label": "acme.example", or a better name.'],
      ["NAV_LABEL_MISSING", 'add "title": "install", or a better name.'],
    ]);
  });
});
