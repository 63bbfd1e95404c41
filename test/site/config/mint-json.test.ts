import { describe, expect, test } from "vitest";
import { configOf, loaded, outline, required } from "./site-of.js";

const base = { name: "Acme", colors: { primary: "#0F766E" } };
const group = (label: string, page: string, more: object = {}) => ({ group: label, pages: [page], ...more });

/** Outline of the navigation of a mint.json, which must have no faults. */
function upgraded(settings: object): string[] {
  const { config, faults } = loaded({ "mint.json": { ...base, ...settings } });
  expect(faults).toEqual([]);
  return outline(config);
}

describe("the navigation of mint.json becomes", () => {
  test("groups, if there is nothing else", () => {
    expect(upgraded({ navigation: [group("A", "a"), { group: "B", pages: ["b", group("C", "c")] }] })).toEqual([
      "group A",
      "  a",
      "group B",
      "  b",
      "  group C",
      "    c",
    ]);
  });

  test("tabs by path prefix, the longest first, and the rest in the primary tab", () => {
    expect(
      upgraded({
        primaryTab: { name: "Guides" },
        tabs: [
          { name: "API", url: "api" },
          { name: "API 2", url: "/api/v2/" },
          { name: "Blog", url: "https://x.y" },
          { name: "News", url: "news" },
        ],
        navigation: [
          group("Start", "start"),
          group("Users", "/api/users"),
          group("Users 2", "api/v2/users"),
          group("Apiary", "apiary"),
        ],
      }),
    ).toEqual([
      "tab Guides",
      "  group Start",
      "    start",
      "  group Apiary",
      "    apiary",
      "tab API",
      "  group Users",
      "    /api/users",
      "tab API 2",
      "  group Users 2",
      "    api/v2/users",
      "tab Blog -> https://x.y",
      "tab News -> /news",
    ]);
  });

  test("anchors below the first, external ones on every page", () => {
    expect(
      upgraded({
        topAnchor: { name: "Home", icon: "house" },
        anchors: [
          { name: "SDKs", url: "sdks", icon: "code" },
          { name: "Chat", url: "https://x.y", color: { from: "#111", to: "#222" } },
        ],
        navigation: [group("Start", "start"), group("Go", "sdks/go")],
      }),
    ).toEqual([
      "anchor Home",
      "  group Start",
      "    start",
      "anchor SDKs",
      "  group Go",
      "    sdks/go",
      "global",
      "  anchor Chat -> https://x.y",
    ]);
  });

  test("groups alone, if all anchors are external links", () => {
    expect(upgraded({ anchors: [{ name: "Chat", url: "https://x.y" }], navigation: [group("A", "a")] })).toEqual([
      "group A",
      "  a",
      "global",
      "  anchor Chat -> https://x.y",
    ]);
  });

  test("anchors within the tab whose path prefix they share", () => {
    expect(
      upgraded({
        tabs: [{ name: "API", url: "api" }],
        anchors: [
          { name: "REST", url: "api/rest" },
          { name: "SDKs", url: "sdks" },
        ],
        navigation: [
          group("Start", "start"),
          group("Users", "api/rest/users"),
          group("Hooks", "api/hooks"),
          group("Go", "sdks/go"),
        ],
      }),
    ).toEqual([
      "tab Documentation",
      "  anchor Documentation",
      "    group Start",
      "      start",
      "  anchor SDKs",
      "    group Go",
      "      sdks/go",
      "tab API",
      "  anchor Documentation",
      "    group Hooks",
      "      api/hooks",
      "  anchor REST",
      "    group Users",
      "      api/rest/users",
    ]);
  });

  test("versions only where groups differ; groups without a version are in each", () => {
    expect(
      upgraded({
        versions: ["v2", { name: "v1", default: true }, "v0"],
        anchors: [{ name: "SDKs", url: "sdks" }],
        navigation: [
          group("New", "v2/a", { version: "v2" }),
          group("Old", "v1/a", { version: "v1" }),
          group("Both", "b"),
          group("Go", "sdks/go"),
        ],
      }),
    ).toEqual([
      "anchor Documentation",
      "  version v2",
      "    group New",
      "      v2/a",
      "    group Both",
      "      b",
      "  version v1",
      "    group Old",
      "      v1/a",
      "    group Both",
      "      b",
      "anchor SDKs",
      "  group Go",
      "    sdks/go",
    ]);
  });

  test("versions first, if a tab is for one version", () => {
    expect(
      upgraded({
        versions: ["v2", "v1"],
        tabs: [{ name: "API", url: "api", version: "v2" }],
        navigation: [group("A", "a"), group("Users", "api/users", { version: "v2" })],
      }),
    ).toEqual([
      "version v2",
      "  tab Documentation",
      "    group A",
      "      a",
      "  tab API",
      "    group Users",
      "      api/users",
      "version v1",
      "  group A",
      "    a",
    ]);
  });

  test("languages first, if versions have a locale", () => {
    expect(
      upgraded({
        versions: [
          { name: "English", locale: "en" },
          { name: "Français", locale: "fr" },
        ],
        navigation: [group("A", "a", { version: "English" }), group("B", "fr/a", { version: "fr" })],
      }),
    ).toEqual(["language en", "  group A", "    a", "language fr", "  group B", "    fr/a"]);
  });
});

test("a page of a hidden tab of mint.json can still be found", () => {
  const { config } = loaded({
    "mint.json": {
      ...base,
      tabs: [{ name: "API", url: "api", isDefaultHidden: true }],
      navigation: [group("A", "a"), group("B", "api/b")],
    },
  });
  expect(config.navigation.children[1]).toMatchObject({ label: "API", hidden: true, searchable: true });
});

test("the settings of mint.json become those of docs.json", () => {
  const { config, faults } = loaded({
    "mint.json": {
      ...base,
      $schema: "x",
      theme: "quill",
      layout: "topnav",
      feedback: { thumbsRating: true },
      colors: {
        primary: "#111",
        light: "#222",
        dark: "#333",
        background: { dark: "#000" },
        anchors: { from: "#1", to: "#2" },
      },
      background: { style: "grid" },
      backgroundImage: "/b.png",
      font: { headings: { family: "Lora", url: "/lora.woff" }, body: { family: "Inter" } },
      modeToggle: { default: "dark", isHidden: true },
      codeBlock: { mode: "dark" },
      topbarLinks: [
        { name: "Blog", url: "https://x.y" },
        { type: "github", url: "https://github.com/a/b" },
      ],
      topbarCtaButton: { type: "link", name: "Start", url: "/start", arrow: true },
      footerSocials: { x: "https://x.com/a" },
      footer: { links: [{ title: "More", links: [{ label: "Blog", url: "https://x.y" }] }] },
      search: { prompt: "Find", location: "top" },
      metadata: { "og:image": "/a.png" },
      seo: { indexHiddenPages: true },
      analytics: { ga4: { measurementId: "G-1" } },
      integrations: { intercom: { appId: "abcdef" } },
      openapi: ["a.json"],
      api: {
        baseUrl: ["https://a.b"],
        auth: { method: "key", name: "X", inputPrefix: "y" },
        playground: { mode: "hide", disableProxy: true },
        request: { example: { showOptionalParams: false, languages: ["go"] } },
        paramFields: { expanded: "topLevel" },
      },
      redirects: [{ source: "/a", destination: "/b" }],
      navigation: [group("A", "a")],
    },
  });
  expect(faults.map((fault) => fault.split(" ")[1])).toEqual(["INTEGRATION_LEFT_OUT", "INTEGRATION_LEFT_OUT"]);
  expect(config).toMatchObject({
    sourcePath: "mint.json",
    theme: "mint",
    colors: { primary: "#111", light: "#222", dark: "#333" },
    background: { decoration: "grid", color: { dark: "#000" }, image: { light: "/b.png" } },
    fonts: { heading: { family: "Lora", source: "/lora.woff", format: "woff" }, body: { family: "Inter" } },
    appearance: { default: "dark", strict: true },
    styling: { codeblocks: { mode: "dark" } },
    navbar: {
      links: [
        { type: "link", label: "Blog", href: "https://x.y" },
        { type: "github", href: "https://github.com/a/b" },
      ],
      primary: { type: "button", label: "Start", href: "/start" },
    },
    footer: { socials: [{ type: "x" }], links: [{ header: "More", items: [{ label: "Blog", href: "https://x.y" }] }] },
    search: { prompt: "Find" },
    seo: { metatags: { "og:image": "/a.png" }, indexing: "all" },
    integrations: { ga4: { measurementId: "G-1" }, intercom: { appId: "abcdef" } },
    api: {
      openapi: [{ source: "a.json" }],
      playground: { display: "none", proxy: false },
      params: { expanded: "closed" },
      examples: { languages: ["go"], defaults: "required" },
      mdx: { authMethod: "key", authName: "X", servers: ["https://a.b"] },
    },
    redirects: [{ source: "/a", destination: "/b", permanent: true }],
  });
});

test("settings of mint.json in docs.json are read, also inside a section that docs.json has", () => {
  const { config, diagnostics } = configOf({
    openapi: ["a.json"],
    api: {
      baseUrl: "https://a.b",
      auth: { method: "key", name: "X" },
      playground: { mode: "hide", proxy: true },
      request: { example: { showOptionalParams: false, languages: ["go"] } },
    },
    seo: { indexHiddenPages: true, metatags: { "og:image": "/a.png" } },
    metadata: { timestamp: true },
    topbarLinks: [{ name: "Blog", url: "https://x.y" }],
    navbar: { primary: { type: "button", label: "Start", href: "/start" } },
  });
  expect(diagnostics.map(({ what, fix }) => `${what.replace(/^.* it is/, "it is")} ${fix}`)).toEqual([
    'it is read as "api.openapi". put "openapi" into "api".',
    'it is read as "api.mdx.server". write "api": { "mdx": { "server": "https://a.b" } }.',
    'it is read as "api.mdx.auth". write "api": { "mdx": { "auth": { … } } }.',
    'it is read as "api.playground.display". write "api": { "playground": { "display": "none" } }.',
    'it is read as "api.examples". write "api": { "examples": { … } }.',
    'it is read as "seo.indexing". write "seo": { "indexing": "all" }.',
    'it is read as "navbar.links". write "navbar": { "links": [ ... ] }.',
  ]);
  expect(config).toMatchObject({
    api: {
      openapi: [{ source: "a.json" }],
      playground: { display: "none", proxy: true },
      examples: { languages: ["go"], defaults: "required" },
      mdx: { authMethod: "key", authName: "X", servers: ["https://a.b"] },
    },
    seo: { metatags: { "og:image": "/a.png" }, indexing: "all" },
    metadata: { timestamp: true },
    navbar: { links: [{ label: "Blog" }], primary: { label: "Start" } },
  });
});

test("tags for metadata and fonts for styling in docs.json are read where they belong, with one message each", () => {
  const { config, diagnostics } = configOf({
    metadata: { "og:image": "/a.png", "twitter:card": "summary" },
    styling: { eyebrows: "section", fonts: { family: "Lora" } },
  });
  expect(diagnostics.map(({ code, what, fix }) => `${code}: ${what} ${fix}`)).toEqual([
    'CONFIG_UNKNOWN_KEY: "metadata" has no setting "og:image"; it is read as "seo.metatags". write "seo": { "metatags": { … } }.',
    'CONFIG_UNKNOWN_KEY: "styling" has no setting "fonts"; it is read as "fonts". write "fonts": { … }.',
  ]);
  expect(config.seo.metatags).toEqual({ "og:image": "/a.png", "twitter:card": "summary" });
  expect(config.styling.eyebrows).toBe("section");
});

test("the new setting wins over the one of mint.json", () => {
  const { config, faults } = configOf({ api: { baseUrl: "https://old", mdx: { server: "https://new" } } });
  expect(config.api.mdx.servers).toEqual(["https://new"]);
  expect(faults).toEqual([expect.stringContaining("CONFIG_UNKNOWN_KEY docs.json:1:")]);
});

test("a mint.json that was only renamed keeps its tabs, anchors and versions", () => {
  const settings = {
    tabs: [{ name: "API", url: "api" }],
    anchors: [{ name: "Forum", url: "https://x.y" }],
    navigation: [group("Start", "a"), group("Users", "api/users")],
  };
  const { config, diagnostics } = loaded({ "docs.json": { ...required, ...settings } });
  expect(diagnostics.map(({ what }) => what)).toEqual([
    'docs.json has no setting "tabs"; it is read as "navigation".',
    'docs.json has no setting "anchors"; it is read as "navigation".',
  ]);
  expect(outline(config)).toEqual(upgraded(settings));
});
