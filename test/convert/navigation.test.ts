/** Navigations, versions and languages that plugins and settings of other tools make. */
import { expect, test } from "vitest";
import { convertFiles } from "../support/convert.js";

test("languages of Hugo may have a folder each, without a folder of the name content", async () => {
  const { tool, navigation } = await convertFiles({
    "hugo.toml": '[languages.en]\ncontentDir = "content.en"\n[languages.zh]\ncontentDir = "content.zh"\n',
    "content.en/soil.md": "---\ntitle: Soil\n---\n",
    "content.zh/soil.md": "---\ntitle: 土\n---\n",
  });
  expect([tool, navigation]).toEqual([
    "Hugo",
    {
      languages: [
        { language: "en", default: true, pages: ["soil"] },
        { language: "zh", pages: ["zh/soil"] },
      ],
    },
  ]);
});

test("settings without pages are reported when the rest is converted as a folder of Markdown", async () => {
  const { tool, notes } = await convertFiles({
    "docs/a.md": "# A\n",
    "website/hugo.yaml": "contentDir: made-by-a-program\n",
    "examples/hugo.toml": "",
  });
  expect(tool).toBe("Markdown");
  expect(notes).toEqual([expect.objectContaining({ sourcePath: "website/hugo.yaml", kind: "settings" })]);
});

test("other sites in the repository are reported", async () => {
  const { notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/a.md": "# A\n",
    "sdk/book/book.toml": "",
    "sdk/book/src/b.md": "# B\n",
  });
  expect(notes).toEqual([
    expect.objectContaining({
      sourcePath: "sdk/book/book.toml",
      kind: "site",
      what: expect.stringContaining("sdk/book"),
    }),
  ]);
});

test("topics of a Starlight plugin are tabs; other plugins, collections and folders without pages are reported", async () => {
  const { navigation, notes, files } = await convertFiles({
    "astro.config.mjs": `import starlight from "@astrojs/starlight";
import starlightSidebarTopics from "starlight-sidebar-topics";
import starlightBlog from "starlight-blog";
export default { integrations: [starlight({ title: "S", plugins: [starlightBlog(), starlightSidebarTopics([
  { label: "Guides", link: "/guides/dig/", items: ["guides/dig", { label: "Sowing", slug: "guides/sow" }, { label: "Gone", autogenerate: { directory: "gone" } }] },
  { label: "Tools", icon: "rocket", link: "/tools/", items: [{ label: "All", autogenerate: { directory: "tools/hand" }, items: ["tools/rake"] }] },
  { label: "Forum", link: "https://forum.example.com" },
])] })] };`,
    "src/content/docs/index.md": "---\ntitle: Start\n---\n",
    "src/content/docs/guides/dig.md": "---\ntitle: Dig\n---\n",
    "src/content/docs/guides/sow.md": "---\ntitle: Sow\nsidebar:\n  label: Sow seeds\n---\n",
    "src/content/docs/tools/index.md": "---\ntitle: Tools\n---\n",
    "src/content/docs/tools/rake.md": "---\ntitle: Rake\n---\n",
    "src/content/blog/news.md": "---\ntitle: News\n---\n",
    "src/pages/blog/[...slug].astro": "",
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: "Guides", pages: ["index", "guides/dig", "guides/sow"] },
      { tab: "Tools", icon: "rocket", pages: ["tools/index", { group: "All", pages: ["tools/rake"] }] },
      { tab: "Forum", pages: ["links/forum"] },
    ],
  });
  // The label in the sidebar wins over the label of the page.
  expect(String(files.get("guides/sow.mdx"))).toContain('sidebarTitle: "Sowing"');
  expect(notes.map(({ kind, what }) => `${kind} ${/"[^"]*"|^The \d+ \w+/.exec(what)?.[0] ?? ""}`)).toEqual([
    'plugin "starlight-blog"',
    'navigation "gone"',
    "page The 1 pages",
    "route ",
  ]);
});

test("MkDocs includes the navigation and pages of other settings", async () => {
  const { navigation, notes } = await convertFiles({
    "mkdocs.yml":
      'site_name: S\nplugins: [monorepo]\nnav:\n  - Start: index.md\n  - Old: "!include ./v1/mkdocs.yml"\n  - Gone: "!include ./v0/mkdocs.yml"\n',
    "docs/index.md": "# S\n",
    "v1/mkdocs.yml": "site_name: versions/v1\nnav:\n  - Changes: changes.md\n",
    "v1/docs/changes.md": "# Changes of version 1\n",
  });
  expect(navigation).toEqual({ pages: ["index", { group: "Old", pages: ["versions/v1/changes"] }] });
  expect(notes.map(({ kind }) => kind)).toEqual(["navigation"]);
});

const i18n = (structure: string): string =>
  `site_name: S\nplugins:\n  - i18n:\n      docs_structure: ${structure}\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n          nav_translations:\n            Soil: Terre\nnav:\n  - index.md\n  - Soil:\n      - soil/clay.md\n      - soil/sand.md\n  - Sand:\n      - soil/sand.md\n`;
const pages = ["index.md", "soil/clay.md"];
test.for([
  ["suffix", (page: string, code: string) => (code === "en" ? page : page.replace(".md", `.${code}.md`))],
  ["folder", (page: string, code: string) => `${code}/${page}`],
] as const)("languages of the MkDocs plugin i18n are languages, structure: %s", async ([structure, place]) => {
  const { navigation, notes, files } = await convertFiles({
    "mkdocs.yml": i18n(structure),
    [`docs/${place("soil/sand.md", "en")}`]: "# Sand\n",
    ...Object.fromEntries(
      ["en", "fr"].flatMap((code) =>
        pages.map((page) => [`docs/${place(page, code)}`, `# ${code} ${page}\n\n[Clay](soil/clay.md)\n`]),
      ),
    ),
  });
  expect(navigation).toEqual({
    languages: [
      {
        language: "en",
        default: true,
        pages: ["index", { group: "Soil", pages: ["soil/clay", "soil/sand"] }, { group: "Sand", pages: ["soil/sand"] }],
      },
      { language: "fr", pages: ["fr/index", { group: "Terre", pages: ["fr/soil/clay"] }] },
    ],
  });
  expect(String(files.get("fr/index.mdx"))).toContain("[Clay](/fr/soil/clay)");
  expect(notes.filter(({ sourcePath }) => !sourcePath.includes("clay"))).toEqual([]);
});

test("HTML between the entries of a Docusaurus sidebar begins a group", async () => {
  const { navigation, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };',
    "sidebars.js":
      'module.exports = { main: ["a", { type: "html", value: "<b>USAGE</b>" }, "b", { type: "html", value: "<hr/>" }, "c"] };',
    "docs/a.md": "# A\n",
    "docs/b.md": "# B\n",
    "docs/c.md": "# C\n",
  });
  expect([navigation, notes]).toEqual([{ pages: ["docs/a", { group: "USAGE", pages: ["docs/b", "docs/c"] }] }, []]);
});

test("a heading with an escaped underscore keeps its anchor", async () => {
  const { files } = await convertFiles({ "mkdocs.yml": "site_name: S\n", "docs/a.md": "# A\n\n### \\_db\n" });
  expect(String(files.get("a.mdx"))).toContain("### \\_db {#_db}");
});

test("VitePress: tabs are in the order of the header, and a sidebar that a program makes has the pages of its folder", async () => {
  const { navigation, notes, settings } = await convertFiles({
    "docs/.vitepress/config.js": `import { made } from "typedoc-sidebar";
export default { title: "S", themeConfig: {
  nav: [{ text: "Guide", link: "/guide/" }, { text: "API", link: "/api/" }, { text: "More", items: [{ text: "Forum", link: "https://forum.example.com" }] }],
  sidebar: { "/api/": [{ text: "API", items: made }], "/guide/": [{ text: "Home", link: "/" }, { text: "Soil", link: "/guide/soil" }] },
} };`,
    "docs/index.md": "# S\n",
    "docs/api/index.md": "# API\n",
    "docs/api/dig.md": "# Dig\n",
    "docs/guide/soil.md": "# Soil of the guide\n",
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: "Guide", pages: ["index", "guide/soil"] },
      { tab: "API", pages: ["api/index", "api/dig"] },
    ],
  });
  expect(notes.map(({ kind }) => kind)).toEqual(["navigation"]);
  expect(settings["navbar"]).toEqual({ links: [{ label: "Forum", href: "https://forum.example.com" }] });
});

test("of several sites at the same depth, the first by folder is converted, and the others are reported", async () => {
  const { name, notes } = await convertFiles({
    "docs-fr/mkdocs.yml": "site_name: French\n",
    "docs-fr/docs/a.md": "# A\n",
    "docs/mkdocs.yml": "site_name: Main\n",
    "docs/docs/a.md": "# A\n",
  });
  expect([name, notes.map(({ sourcePath }) => sourcePath)]).toEqual(["Main", ["docs-fr/mkdocs.yml"]]);
});

test("Docsify: the sidebar of a folder is a tab, whether its paths begin there or at the top", async () => {
  const { navigation, notes, settings } = await convertFiles({
    "docs/index.html":
      '<nav><a href="https://forum.example.com">Forum</a><a href="#/guide/">Guide</a></nav><script>window.$docsify = { name: "S" };</script>',
    "docs/README.md": "# S\n",
    "docs/_sidebar.md": "* [History](history.md)\n",
    "docs/history.md": "# History\n",
    "docs/guide/_sidebar.md": "* [Soil](soil.md)\n  * [Clay](soil?id=clay)\n* [Sand](guide/sand.md)\n",
    "docs/guide/soil.md": "# Soil\n\n## Clay\n",
    "docs/guide/sand.md": "# Sand\n",
    "docs/guide/deep/_sidebar.md": "* [History](history.md)\n",
    "docs-fr/index.html": "<script>window.$docsify = {};</script>",
    "docs-fr/README.md": "# S\n",
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: "S", pages: ["index", "history"] },
      { tab: "Guide", pages: [{ group: "Soil", root: "guide/soil", pages: ["links/clay"] }, "guide/sand"] },
    ],
  });
  expect(settings["navbar"]).toEqual({ links: [{ label: "Forum", href: "https://forum.example.com" }] });
  expect(notes.map(({ kind, sourcePath }) => `${kind} ${sourcePath}`)).toEqual(["site docs-fr/index.html"]);
});

test("Docsify: sidebars of folders that have the code of a language are languages", async () => {
  const { navigation } = await convertFiles({
    "index.html": '<html lang="en-GB"><script>window.$docsify = { name: "S" };</script>',
    "README.md": "# S\n",
    "_sidebar.md": "* [Soil](soil.md)\n",
    "soil.md": "# Soil\n",
    "zh-cn/_sidebar.md": "* [土](zh-cn/soil.md)\n",
    "zh-cn/soil.md": "# 土\n",
  });
  expect(navigation).toEqual({
    languages: [
      { language: "en", default: true, pages: ["index", "soil"] },
      { language: "zh-CN", pages: ["zh-cn/soil"] },
    ],
  });
});

test("Starlight: the page that a topic opens keeps the label of its entry, and the start page has one entry", async () => {
  const topics = await convertFiles({
    "astro.config.mjs": `import starlight from "@astrojs/starlight";
import topics from "starlight-sidebar-topics";
export default { integrations: [starlight({ title: "S", plugins: [topics([{ label: "Reference", link: "ref", items: [{ label: "Overview", slug: "ref" }] }])] })] };`,
    "src/content/docs/ref.md": "---\ntitle: All of the reference\n---\n",
  });
  expect(topics.navigation).toEqual({ pages: ["ref"] });
  expect(topics.page("ref.mdx")).toContain('sidebarTitle: "Overview"');
  const { navigation, page } = await convertFiles({
    "astro.config.mjs": `import starlight from "@astrojs/starlight";
export default { integrations: [starlight({ title: "S", sidebar: [{ label: "Start", slug: "index" }] })] };`,
    "src/content/docs/index.md": "---\ntitle: S\n---\n",
  });
  expect([navigation, page("index.mdx")]).toEqual([{ pages: ["index"] }, expect.stringContaining("Start")]);
});

test("GitBook: labels with escaped marks and addresses with brackets are read", async () => {
  const { navigation, page, noteTexts, settings } = await convertFiles({
    "SUMMARY.md":
      '# Table of contents\n\n* [Start](README.md)\n\n## Soil <a href="#soil" id="soil"></a>\n\n* [Clay \\& sand\\_1](<clay-(1).md>)\n  * [Forum](https://forum.example.com)\n* [Gone](gone.md)\n',
    "README.md": "# S\n",
    "clay-(1).md": "# Clay\n",
    "book.json": '{"description":"All of it","links":{"sidebar":{"Shop":"https://shop.example.com"}}}',
  });
  expect(navigation).toEqual({
    pages: ["index", { group: "Soil", pages: [{ group: "Clay & sand_1", root: "clay-1", pages: ["links/forum"] }] }],
  });
  expect([page("index.mdx"), settings["description"]]).toEqual([expect.stringContaining("Start"), "All of it"]);
  expect(noteTexts).toEqual([
    expect.stringMatching(/^SUMMARY\.md:9 .*gone\.md/),
    expect.stringMatching(/^book\.json:1 The setting "links" is not converted/),
  ]);
});

test("VitePress before version 1: languages are those of the theme, and entries have children", async () => {
  const sidebar = (text: string, link: string) =>
    `{ sidebar: [{ text: "${text}", children: [{ text: "${text} 1", link: "${link}" }] }] }`;
  const { navigation, notes } = await convertFiles({
    ".vitepress/config.js": `export default { title: "S", locales: { "/": { lang: "en-US" }, "/fr/": { lang: "fr-FR" } }, themeConfig: { locales: { "/": ${sidebar("Soil", "/soil")}, "/fr/": ${sidebar("Terre", "/fr/soil")} } } };`,
    "soil.md": "# All about soil\n",
    "fr/soil.md": "# De la terre\n",
  });
  expect(navigation).toEqual({
    languages: [
      { language: "en", default: true, groups: [{ group: "Soil", pages: ["soil"] }] },
      { language: "fr", groups: [{ group: "Terre", pages: ["fr/soil"] }] },
    ],
  });
  expect(notes).toEqual([]);
});

test("Fumadocs: each collection is at the base address of its loader", async () => {
  const { navigation } = await convertFiles({
    "package.json": '{"dependencies":{"fumadocs-ui":"1"}}',
    "source.config.ts":
      'export const docs = defineDocs({ docs: { schema: a({}) } });\nexport const tools = defineDocs({\n  dir: "content/tool-docs",\n});\n',
    "lib/source.ts":
      'import { docs, tools as toolDocs } from "c";\nexport const a = loader({ baseUrl: "/docs", source: docs.toSource() });\nexport const b = loader({ baseUrl: "/tools/docs", plugins: [p()], source: toolDocs.toSource() });\n',
    "content/docs/index.mdx": "---\ntitle: S\n---\n",
    "content/tool-docs/spade.mdx": "---\ntitle: Spade\n---\n",
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: "Docs", pages: ["docs"] },
      { tab: "Tool docs", pages: ["tools/docs/spade"] },
    ],
  });
});

test("Docusaurus: the versions of the docs are in a tab next to the blog", async () => {
  const { navigation } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S", presets: [["classic", {}]] };',
    "versions.json": '["1.0"]',
    "docs/soil.md": "# Soil\n",
    "versioned_docs/version-1.0/soil.md": "# Old soil\n",
    "blog/rain.md": "# Rain\n",
  });
  expect(navigation).toEqual({
    tabs: [
      {
        tab: "Docs",
        versions: [
          { version: "1.0", default: true, pages: ["docs/soil"] },
          { version: "Next", pages: ["docs/next/soil"] },
        ],
      },
      { tab: "Blog", pages: ["blog/rain"] },
    ],
  });
});

test("Docusaurus: the page of a folder gives its category a label and a place, unless the category has settings", async () => {
  const { navigation, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S", presets: [["classic", {}]] };',
    "docs/air.md": "---\nsidebar_position: 2\n---\n# Air\n",
    "docs/soil/readme.md": "---\nsidebar_label: All soils\nsidebar_position: 1\n---\n# Soil\n",
    "docs/soil/clay.md": "# Clay\n",
    "docs/water/water.md": "# Of water\n",
    "docs/water/rain.md": "# Rain\n",
    "docs/stone/_category_.json": '{ "label": "Stones", "link": { "type": "generated-index" } }',
    "docs/stone/index.md": "# Any stone\n",
    "docs/3-wind/_category_.json": '{ "label": "Winds", "link": { "type": "doc", "id": "all" } }',
    "docs/3-wind/all.md": "# All winds\n",
    "docs/3-wind/storm.md": "# Storm\n",
  });
  expect(navigation).toEqual({
    pages: [
      { group: "All soils", root: "docs/soil/index", pages: ["docs/soil/clay"] },
      "docs/air",
      { group: "Winds", root: "docs/wind/all", pages: ["docs/wind/storm"] },
      { group: "Stones", root: "docs/category/stones", directory: "card", pages: ["docs/stone"] },
      { group: "Of water", root: "docs/water/index", pages: ["docs/water/rain"] },
    ],
  });
  expect(notes.filter(({ kind }) => kind === "navigation")).toEqual([]);
});

test("Docusaurus: a path of the settings may be resolved, and a missing file of sidebars is reported", async () => {
  const settings = (name: string): string =>
    `import path from "node:path"; export default { title: "S", presets: [["classic", { docs: { path: "../docs", sidebarPath: path.resolve(__dirname, "./${name}") } }]] };`;
  const files = {
    "website/sidebars.json": '{ "docs": { "Ground": ["sow", "dig"] } }',
    "docs/dig.md": "# Dig\n",
    "docs/sow.md": "# Sow\n",
  };
  const found = await convertFiles({ "website/docusaurus.config.js": settings("sidebars.json"), ...files });
  expect(found.navigation).toEqual({ groups: [{ group: "Ground", pages: ["docs/sow", "docs/dig"] }] });
  const { navigation, notes } = await convertFiles({ "website/docusaurus.config.js": settings("bars.json"), ...files });
  expect(navigation).toEqual({ pages: ["docs/dig", "docs/sow"] });
  expect(notes).toContainEqual(
    expect.objectContaining({
      kind: "navigation",
      what: expect.stringContaining('There is no file "/repository/website/bars.json"'),
    }),
  );
});

test("VitePress: the sidebar of the root has the label and the place of its first link in the header, and the start page", async () => {
  const { navigation } = await convertFiles({
    "docs/.vitepress/config.js": `export default { title: "S", themeConfig: {
  nav: [{ text: "Garden", link: "/soil/clay" }, { text: "API", link: "/api/" }],
  sidebar: { "/api/": [{ text: "API", link: "/api/" }], "/": [{ text: "Clay", link: "/soil/clay" }] },
} };`,
    "docs/index.md": "# S\n",
    "docs/api/index.md": "# API\n",
    "docs/soil/clay.md": "# Clay\n",
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: "Garden", pages: ["index", "soil/clay"] },
      { tab: "API", pages: ["api"] },
    ],
  });
});

test("Docusaurus: an instance of the docs has the label of its link in the header, or else of its id", async () => {
  const { navigation } = await convertFiles({
    "docusaurus.config.js": `export default { title: "S", presets: [["classic", { docs: { sidebarPath: "./side.js" } }]],
  plugins: [["@docusaurus/plugin-content-docs", { id: "hand-tools", path: "tools", routeBasePath: "tools", sidebarPath: "./side.js" }],
    ["@docusaurus/plugin-content-docs", { id: "kit", path: "kit", routeBasePath: "kit", sidebarPath: "./side.js" }],
    ["@docusaurus/plugin-content-docs", { id: "pots", path: "pots", routeBasePath: "pots" }]],
  themeConfig: { navbar: { items: [{ to: "/kit/a", label: "The kit" }, { type: "dropdown", label: "More", items: [{ to: "/pots", label: "Pots and more" }] }] } } };`,
    "side.js": 'export default { tutorialSidebar: [{ type: "autogenerated", dirName: "." }] };',
    "docs/a.md": "# A\n",
    "tools/b.md": "# B\n",
    "kit/a.md": "# C\n",
    "pots/d.md": "# D\n",
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: "Tutorial", pages: ["docs/a"] },
      { tab: "Hand tools", pages: ["tools/b"] },
      { tab: "The kit", pages: ["kit/a"] },
      { tab: "Pots and more", pages: ["pots/d"] },
    ],
  });
});

test("Docsify: a picture before the words of a label is left out", async () => {
  const { navigation, files } = await convertFiles({
    "index.html": "<script>window.$docsify = { loadSidebar: true }</script>",
    "README.md": "# S\n",
    "_sidebar.md":
      "- [![Pot](pot.svg)Shop](https://shop.example.com)\n- [![Forum](f.svg)](https://forum.example.com)\n",
  });
  expect(navigation).toEqual({ pages: ["index", "links/shop", "links/forum"] });
  expect(files.get("links/shop.mdx")).toContain('title: "Shop"');
});

test("Docusaurus: a generated index is a page that lists its group, to which links lead", async () => {
  const { navigation, page, notes, settings } = await convertFiles({
    "docusaurus.config.js": `export default { title: "S", themeConfig: { navbar: { items: [{ to: "/docs/category/tools", label: "Tools" }] } } };`,
    "sidebars.js": `export default { docs: ["start", { type: "category", label: "Tools", link: { type: "generated-index", description: "For the hand." }, items: ["rake", { type: "category", label: "Spades", items: ["spade"] }] }] };`,
    "docs/start.md": "# Start\n\n[Tools](/docs/category/tools)\n",
    "docs/rake.md": "# Rake\n",
    "docs/spade.md": "# Spade\n",
    "docs/soil/_category_.json":
      '{ "label": "Soil", "link": { "type": "generated-index", "slug": "/earth", "title": "All of the soil" } }',
  });
  expect(navigation).toEqual({
    pages: [
      "docs/start",
      {
        group: "Tools",
        root: "docs/category/tools",
        directory: "card",
        pages: ["docs/rake", { group: "Spades", pages: ["docs/spade"] }],
      },
    ],
  });
  expect(page("docs/category/tools.mdx")).toBe('---\ntitle: "Tools"\ndescription: "For the hand."\n---\n');
  expect(page("docs/start.mdx")).toContain("[Tools](/docs/category/tools)");
  expect(settings["navbar"]).toEqual({ links: [{ label: "Tools", href: "/docs/category/tools" }] });
  expect(notes).toEqual([]);
});

test("Docusaurus: the generated index of a folder has the slug and the title of its settings", async () => {
  const { navigation, page } = await convertFiles({
    "docusaurus.config.js": `export default { title: "S" };`,
    "docs/start.md": "# Start\n",
    "docs/soil/clay.md": "# Clay\n",
    "docs/soil/_category_.json":
      '{ "label": "Soil", "link": { "type": "generated-index", "slug": "/earth", "title": "All of the soil" } }',
  });
  expect(navigation).toEqual({
    pages: [{ group: "Soil", root: "docs/earth", directory: "card", pages: ["docs/soil/clay"] }, "docs/start"],
  });
  expect(page("docs/earth.mdx")).toMatch(/^---\ntitle: "All of the soil"\n/);
});

test("Docusaurus: a path to a Markdown file may begin at the folder of the docs", async () => {
  const { page, notes } = await convertFiles({
    "docusaurus.config.js": `export default { title: "S" };`,
    "docs/tools/rake.md": "# Rake\n\n[Clay](soil/clay.md)\n",
    "docs/soil/clay.md": "# Clay\n",
  });
  expect(page("docs/tools/rake.mdx")).toContain("[Clay](/docs/soil/clay)");
  expect(notes).toEqual([]);
});

test("Nextra 2: names of pages and of _meta end with the language, and redirects of Next.js are kept", async () => {
  const { navigation, settings, page, noteTexts } = await convertFiles({
    "package.json": '{ "dependencies": { "nextra": "2" } }',
    "next.config.js": `const withNextra = require("nextra")({ theme: "nextra-theme-docs" });
module.exports = withNextra({
  i18n: { locales: ["fr-FR", "en-US"], defaultLocale: "en-US" },
  redirects: async () => [
    ...["spade"].map((name) => ({ source: "/" + name, destination: "/tools/rake", permanent: true })),
    { source: "/chat", destination: process.env.CHAT ?? "", permanent: false },
  ],
});`,
    "pages/_meta.en-US.json": '{ "index": "Start", "tools": "Tools" }',
    "pages/_meta.fr-FR.json": '{ "index": "Début", "tools": "Outils" }',
    "pages/index.en-US.mdx": "# Start\n\n[Rake](/tools/rake)\n",
    "pages/index.fr-FR.mdx": "# Début\n\n[Râteau](/tools/rake)\n",
    "pages/tools/rake.en-US.mdx": "# Rake\n",
    "pages/tools/rake.fr-FR.mdx": "# Râteau\n",
  });
  expect(navigation).toEqual({
    languages: [
      { language: "en", default: true, pages: ["index", { group: "Tools", pages: ["tools/rake"] }] },
      { language: "fr", pages: ["fr-FR/index", { group: "Outils", pages: ["fr-FR/tools/rake"] }] },
    ],
  });
  expect(page("fr-FR/index.mdx")).toContain("[Râteau](/fr-FR/tools/rake)");
  expect(settings["redirects"]).toEqual([{ source: "/spade", destination: "/tools/rake" }]);
  expect(noteTexts).toEqual([
    'next.config.js:6 The redirect from "/chat" leads to a value of the environment; write it to redirects in docs.json.',
  ]);
});

test("VuePress: settings may be next to the folder of the pages, which the command names", async () => {
  const { tool, name, navigation } = await convertFiles({
    "vuepress.config.ts": `export default { title: "Garden", theme: hopeTheme({ sidebar: ["/", { text: "Dig", link: "/dig" }] }) };\nimport { hopeTheme } from "vuepress-theme-hope";`,
    "package.json": '{ "scripts": { "build": "vuepress-vite build guide" } }',
    "guide/README.md": "# Start\n",
    "guide/dig.md": "# How to dig\n\n!!!include(guide/part.md)!!!\n",
    "guide/part.md": "Slowly.\n",
  });
  expect([tool, name]).toEqual(["VuePress", "Garden"]);
  expect(navigation).toEqual({ pages: ["index", "dig"] });
});

test("a line of the plugin markdown-it-include is replaced by the file", async () => {
  const { page } = await convertFiles({
    "docs/.vitepress/config.js": 'export default { title: "S" };',
    "docs/index.md": "# Start\n\n!!!include(docs/part.md)!!!\n",
    "docs/part.md": "Slowly.\n",
  });
  expect(page("docs/index.mdx") + page("index.mdx")).toContain("Slowly.");
});

test("Rspress: versions are parts of the navigation, and the default one has addresses without its name", async () => {
  const { navigation } = await convertFiles({
    "rspress.config.ts":
      'export default { root: "docs", title: "S", multiVersion: { default: "v2", versions: ["v1", "v2"] } };',
    "docs/v1/dig.md": "# Dig\n",
    "docs/v2/dig.md": "# Dig\n",
    "docs/v2/sow.md": "# Sow\n",
    "docs/v1/_meta.json": '["dig"]',
    "docs/v2/_meta.json": '["sow", "dig"]',
  });
  expect(navigation).toEqual({
    versions: [
      { version: "v2", default: true, pages: ["sow", "dig"] },
      { version: "v1", pages: ["v1/dig"] },
    ],
  });
});

test("what a package adds to the result of a call is unknown; the other settings are kept", async () => {
  const { name, navigation, noteTexts } = await convertFiles({
    "docs/.vitepress/config.js": `import { useSidebar } from "vitepress-openapi";
const made = useSidebar({ spec: {} });
export default { title: "Garden", themeConfig: { sidebar: [{ text: "Dig", link: "/dig" }, ...made.groups()] } };`,
    "docs/dig.md": "# How to dig\n",
  });
  expect(name).toBe("Garden");
  expect(navigation).toEqual({ pages: ["dig"] });
  expect(noteTexts).toEqual([expect.stringContaining('is made by "vitepress-openapi.useSidebar().groups()"')]);
});

test("a note about a link of the header is at its place in the settings", async () => {
  const { noteTexts } = await convertFiles({
    "docusaurus.config.js": `export default {
  title: "S",
  themeConfig: { navbar: { items: [{ to: "/gone", label: "Gone" }] } },
};`,
    "docs/a.md": "# A\n",
  });
  expect(noteTexts).toEqual([
    'docusaurus.config.js:3 The navigation links "Gone" to "/gone", which does not exist; add the page.',
  ]);
});

test("Docsify: anchors follow its rule, which keeps the names of HTML entities", async () => {
  const { page, notes } = await convertFiles({
    "index.html": "<script>window.$docsify = { loadSidebar: true }</script>",
    "README.md":
      "# S\n\n[New](?id=what39s-new) [Dig](?id=_2-dig)\n\n## What's new\n\n## 2. Dig\n\n## Rake & spade\n\n## * Sow\n",
    "_sidebar.md": "- [S](README.md)\n",
  });
  expect(page("index.mdx")).toContain(
    "[New](#what39s-new) [Dig](#_2-dig)\n## What's new {#what39s-new}\n## 2. Dig {#_2-dig}\n## Rake & spade {#rake-amp-spade}\n## * Sow\n",
  );
  expect(notes).toEqual([]);
});

test("MkDocs: attributes of a heading in single quotes are not text", async () => {
  const { page } = await convertFiles({
    "mkdocs.yml": "site_name: S\nmarkdown_extensions: [attr_list]\n",
    "docs/a.md": "# A\n\n## Dig with a rake { data-toc-label='Rake or spade' }\n",
  });
  expect(page("a.mdx")).toContain("## Dig with a rake\n");
});

test("GitBook: a reference of the older editor, and code of a repository, become cards", async () => {
  const { page, notes } = await convertFiles({
    "SUMMARY.md": "* [S](README.md)\n* [Dig](dig.md)\n",
    "README.md":
      '# S\n\n{% page-ref page="dig.md" %}\n\n{% @github-files/github-code-block url="https://github.com/a/b/tree/main" %}\n',
    "dig.md": "# How to dig\n",
  });
  expect(page("index.mdx")).toContain('<Card title="How to dig" href="/dig" horizontal />');
  expect(page("index.mdx")).toContain(
    '<Card title="github.com/a/b/tree/main" href="https://github.com/a/b/tree/main" horizontal />',
  );
  expect(notes).toEqual([]);
});

test("Hugo: a picture of the page's folder is found by a part of its name, and by its address in lower case", async () => {
  const { page, files } = await convertFiles({
    "hugo.toml": 'title = "S"\nbaseURL = "/"\n',
    "content/Soil/index.md":
      '---\ntitle: Soil\n---\n{{< imgproc clay Fit "9x9" >}}Clay{{< /imgproc >}}\n\n![Sand](/soil/sand.png)\n',
    "content/Soil/red-clay.png": "",
    "content/Soil/sand.png": "",
  });
  expect([...files.keys()].filter((path) => path.endsWith(".png")).sort()).toEqual([
    "Soil/red-clay.png",
    "Soil/sand.png",
  ]);
  expect(page("soil.mdx")).toContain("/Soil/sand.png");
});

test("Docusaurus: <DocCardList> on the page of a category lists its entries; on any other page, it is reported", async () => {
  const { navigation, page, noteTexts } = await convertFiles({
    "docusaurus.config.js": `export default { title: "S" };`,
    "docs/soil/index.md": "# Soil\n\n<DocCardList />\n",
    "docs/soil/clay.md": "# Clay\n\n<DocCardList />\n",
  });
  expect(navigation).toEqual({
    groups: [{ group: "Soil", root: "docs/soil/index", directory: "card", pages: ["docs/soil/clay"] }],
  });
  expect(page("docs/soil/index.mdx")).not.toContain("DocCardList");
  expect(noteTexts).toEqual([expect.stringMatching(/^docs\/soil\/clay\.md: The page listed the pages of its folder/)]);
});

test("settings that read the environment are named, since a text may depend on it", async () => {
  const { name, noteTexts } = await convertFiles({
    "docs/.vitepress/config.js":
      'import { version } from "pots";\nexport const unused = `${version}`;\nconst tag = process.env.TAG ?? "dev";\nexport default { title: `Garden ${tag}`, description: `Pots ${version}`, themeConfig: { sidebar: ["/a"].map((link) => ({ text: "A", link })) } };',
    "docs/a.md": "# A\n",
  });
  expect(name).toBe("Garden dev");
  expect(noteTexts).toEqual([
    'docs/.vitepress/config.js: The values "pots.version" of "docs/.vitepress/config.js:1" come from packages, and texts show their names in braces; write the texts in docs.json.',
    'docs/.vitepress/config.js:3 The values "TAG" come from the environment, which is empty here; check the texts and addresses that depend on them in docs.json.',
  ]);
});

test("a picture that a page imports may be a value in a list of objects", async () => {
  const { page, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };',
    "docs/pot.png": "",
    "docs/a.mdx":
      '# A\n\nimport pot from "./pot.png";\n\n{[\n  { src: pot, name: "pot" },\n].map((item) => <img src={item.src} alt={item.name} />)}\n',
  });
  expect(page("docs/a.mdx")).toContain('{ src: "/docs/pot.png", name: "pot" },');
  expect(notes).toEqual([]);
});
