/** Navigations, versions and languages that plugins and settings of other tools make. */
import { expect, test } from "vitest";
import { convertSite } from "../../src/convert/index.js";
import { temporaryFolder, writeSite } from "../support/cli.js";

async function convert(files: Readonly<Record<string, string>>) {
  const { conversion } = await convertSite(writeSite(temporaryFolder(), { "docs.json": "{}", ...files }), {
    fallback: "Sample",
  });
  const { navigation } = JSON.parse(String(conversion!.files.get("docs.json"))) as { navigation: unknown };
  return { ...conversion!, navigation };
}

test("languages of Hugo may have a folder each, without a folder of the name content", async () => {
  const { tool, navigation } = await convert({
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

test("settings whose pages are not there are named when the rest is converted as a folder of Markdown", async () => {
  const { tool, notes } = await convert({
    "docs/a.md": "# A\n",
    "website/hugo.yaml": "contentDir: made-by-a-program\n",
    "examples/hugo.toml": "",
  });
  expect(tool).toBe("Markdown");
  expect(notes).toEqual([expect.objectContaining({ sourcePath: "website/hugo.yaml", kind: "settings" })]);
});

test("other sites in the repository are named", async () => {
  const { notes } = await convert({
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

test("topics of a plugin of Starlight are tabs; other plugins, collections and folders without pages are named", async () => {
  const { navigation, notes, files } = await convert({
    "astro.config.mjs": `import starlight from "@astrojs/starlight";
import starlightSidebarTopics from "starlight-sidebar-topics";
import starlightBlog from "starlight-blog";
export default { integrations: [starlight({ title: "S", plugins: [starlightBlog(), starlightSidebarTopics([
  { label: "Guides", link: "/guides/dig/", items: ["guides/dig", { label: "Sowing", slug: "guides/sow" }, { label: "Gone", autogenerate: { directory: "gone" } }] },
  { label: "Tools", link: "/tools/", items: [{ label: "All", autogenerate: { directory: "tools/hand" }, items: ["tools/rake"] }] },
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
      { tab: "Tools", pages: ["tools/index", { group: "All", pages: ["tools/rake"] }] },
      { tab: "Forum", pages: ["links/forum"] },
    ],
  });
  // The label in the sidebar wins over that of the page.
  expect(String(files.get("guides/sow.mdx"))).toContain('sidebarTitle: "Sowing"');
  expect(notes.map(({ kind, what }) => `${kind} ${/"[^"]*"|^The \d+ \w+/.exec(what)?.[0] ?? ""}`)).toEqual([
    'plugin "starlight-blog"',
    'navigation "gone"',
    "page The 1 pages",
    "route ",
  ]);
});

test("MkDocs includes the navigation and pages of other settings", async () => {
  const { navigation, notes } = await convert({
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
  const { navigation, notes, files } = await convert({
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
  const { navigation, notes } = await convert({
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
  const { files } = await convert({ "mkdocs.yml": "site_name: S\n", "docs/a.md": "# A\n\n### \\_db\n" });
  expect(String(files.get("a.mdx"))).toContain("### \\_db {#_db}");
});
