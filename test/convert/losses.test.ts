/** What other tools have beside pages and navigation: it is converted, or the report names it. */
import { expect, test } from "vitest";
import { convertFiles } from "../support/convert.js";

test("front matter in JSON is read, even on one line; front matter in YAML may follow an empty line", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/dig.md":
      '{\n\t"title": "Dig \\"deep\\"",\n\t"params": { "a": [1, {"b": 2}\n] },\n\t"description": "D"\n}\n\nText {a}.\n',
    "content/sow.md": '{ "title": "Sow" }\nText.\n',
    "content/late.md": "\n---\ntitle: Late\n---\n\nText.\n",
    "content/empty.md": "---\n---\n\n# Empty\n\nText.\n",
    "content/bad.md": '{\n  "title": "Bad\n}\n\nText.\n',
  });
  expect(page("dig.mdx")).toBe('---\ntitle: "Dig \\"deep\\""\ndescription: "D"\n---\nText \\{a\\}.\n');
  expect(page("sow.mdx")).toBe('---\ntitle: "Sow"\n---\nText.\n');
  expect(page("late.mdx")).toBe('---\ntitle: "Late"\n---\nText.\n');
  expect(page("empty.mdx")).toBe('---\ntitle: "Empty"\n---\nText.\n');
  expect(notes).toContainEqual(expect.stringMatching(/^content\/bad\.md:1 The front matter cannot be read/));
});

test("blocks of mdbook-admonish are callouts with the code in them", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "book.toml": '[book]\ntitle = "S"\n[output.html]\ngit-repository-url = "https://codeberg.org/a/b"\n',
    "src/SUMMARY.md": "- [Soil](soil.md)\n",
    "src/soil.md": [
      "# Soil",
      ...['```admonish warning title="Take care"', "It is **wet**.", "```", ""],
      ...["````admonish", "```rust,ignore", "dig();", "```", "````", ""],
      ...['- ~~~admonish faq.big "Why?"', "  Because.", "  ~~~", ""],
      ...['```admonish bug collapsible=true, title="Old"', "Gone.", "```", ""],
      ...["> ```admonish danger", "> Quoted.", "> ```", ""],
      ...["```admonish moss", "Green.", "```", ""],
      ...["```text", "admonish note", "```"],
    ].join("\n"),
  });
  const text = page("index.mdx");
  expect(text).toContain('<Warning title="Take care">\nIt is **wet**.\n</Warning>');
  expect(text).toContain("<Note>\n```rust\ndig();\n```\n</Note>");
  expect(text).toContain('- <Info title="Why?">\n  Because.\n  </Info>');
  expect(text).toContain("> <Danger>\n>\n> Quoted.\n>\n> </Danger>");
  expect(text).toContain('<Accordion title="Old">\nGone.\n</Accordion>');
  expect(text).toContain('<Note title="Moss">\nGreen.\n</Note>\n```text\nadmonish note\n```');
  expect(notes).toEqual([expect.stringMatching(/^src\/soil\.md:24 "admonish moss" is not a kind of callout/)]);
});

test("each kind of callout becomes one of ours, and an unknown one is reported", async () => {
  const kinds = "warn idea error success info default moss".split(" ");
  const { page, noteTexts: notes } = await convertFiles({
    "package.json": '{"dependencies":{"fumadocs-ui":"1"}}',
    "content/docs/index.mdx": `---\ntitle: S\n---\n\n${kinds.map((kind) => `<Callout type="${kind}">\n${kind}\n</Callout>\n`).join("\n")}`,
  });
  expect([...page("docs.mdx").matchAll(/<([A-Z]\w+)/g)].map(([, name]) => name)).toEqual(
    "Warning Tip Danger Check Info Note Note".split(" "),
  );
  expect(notes.filter((each) => each.includes("callout"))).toEqual([
    expect.stringMatching(/:29 "moss" is not a kind of callout/),
  ]);
});

test("Docsify: links behind # and to headings work, and the header has its links", async () => {
  const {
    page,
    settings,
    noteTexts: notes,
  } = await convertFiles({
    "index.html": '<script>window.$docsify = { name: "S", repo: "a/b", loadNavbar: "top.md" };</script>',
    "_sidebar.md": "* [Soil](guide/soil.md)\n",
    "top.md": "* [Forum](https://forum.example.com)\n* More\n  * [Soil](/guide/soil)\n",
    "README.md": "# S\n",
    "guide/soil.md":
      '# Soil\n\n[a](#/guide/soil?id=clay) [b](/guide/soil?id=_2-sand) [c](?id=clay ":target=_self") <a href="#/">d</a> [e](#clay) [f](https://a.example/?id=1) [g](soil.md?id=clay)\n\n## Clay\n\n## 2 Sand\n',
  });
  expect(page("guide/soil.mdx")).toContain(
    '[a](/guide/soil#clay) [b](/guide/soil#_2-sand) [c](#clay) <a href="/">d</a> [e](#clay) [f](https://a.example/?id=1) [g](/guide/soil#clay)',
  );
  expect(settings["navbar"]).toEqual({
    links: [
      { label: "Forum", href: "https://forum.example.com" },
      { label: "Soil", href: "/guide/soil" },
      { type: "github", href: "https://github.com/a/b" },
    ],
  });
  expect(notes).toEqual([]);
});

test("Docusaurus: links of the header to pages stay, those that a tab opens do not repeat it, and a lost one is reported", async () => {
  const items = [
    '{ label: "Tutorial", to: "soil/intro#clay" }, { label: "Beds", type: "doc", docId: "all-beds" }',
    '{ label: "Notes", to: "/blog" }, { label: "Showcase", to: "/showcase" }',
    '{ label: "More", items: [{ label: "Forum", href: "https://forum.example.com" }] }',
  ];
  const { settings, noteTexts } = await convertFiles({
    "docusaurus.config.js": `module.exports = { title: "Garden", themeConfig: { navbar: { items: [${items.join(", ")}] } }, presets: [["classic", { docs: { routeBasePath: "/" } }]] };`,
    "docs/soil/intro.md": "# Intro\n\n## Clay\n",
    "docs/beds.md": "---\nid: all-beds\n---\n# Beds\n",
    "blog/2024-01-01-frost.md": "# Frost\n",
  });
  expect(settings["navbar"]).toEqual({
    links: [
      { label: "Tutorial", href: "/soil/intro#clay" },
      { label: "Beds", href: "/all-beds" },
      { label: "Forum", href: "https://forum.example.com" },
    ],
  });
  expect(JSON.stringify(settings["navigation"])).toContain('"tab":"Notes"');
  expect(noteTexts.filter((text) => /navigation links/.test(text))).toEqual([
    expect.stringContaining('The navigation links "Showcase" to "/showcase", which does not exist'),
  ]);
});

test("Hugo: the menus of the header become its links, and a section of parts without a title is no page", async () => {
  const { settings, files, noteTexts } = await convertFiles({
    "hugo.toml":
      'title = "Garden"\n[[menus.global]]\nname = "Soil"\npageRef = "/soil"\n[[menus.global]]\nname = "Forum"\nurl = "https://forum.example.com"\n[[menus.footer]]\nname = "Terms"\nurl = "https://terms.example.com"\n',
    "content/_index.md": "---\ntitle: Garden\n---\n",
    "content/soil/_index.md": "---\ntitle: Soil\n---\nClay.\n",
    "content/_parts/_index.md": "---\ncascade:\n  build:\n    render: never\n---\n",
    "content/_parts/frost.md": "---\n---\nFrost.\n",
  });
  expect(settings["navbar"]).toEqual({
    links: [
      { label: "Soil", href: "/soil" },
      { label: "Forum", href: "https://forum.example.com" },
    ],
  });
  expect(files.has("_parts.mdx")).toBe(false);
  expect(JSON.stringify(settings["navigation"])).not.toContain("_parts");
  expect(noteTexts).toEqual([
    expect.stringMatching(/^content\/_parts: The old site makes no page .*: _index\.md, frost\.md/),
  ]);
});

test("a title has no marks of deleted text, and a button without a text has the name of its host", async () => {
  const { page } = await convertFiles({
    ".vitepress/config.js": "export default {}",
    "index.md":
      "---\nlayout: home\nhero:\n  name: Garden\n  actions:\n    - text: ' '\n      link: https://shop.example.com/a?b\n---\n",
    "old.md": "# Function: ~~dig()~~\n\nText.\n",
  });
  expect(page("old.mdx")).toContain('title: "Function: dig()"');
  expect(page("index.mdx")).toContain(
    '<Card title="shop.example.com" href="https://shop.example.com/a?b" horizontal />',
  );
});

test("ReadMe: custom pages and the changelog are pages, and recipes are reported", async () => {
  const {
    page,
    settings,
    noteTexts: notes,
  } = await convertFiles({
    "docs/_order.yaml": "- soil\n",
    "docs/soil.md": "---\ntitle: Soil\n---\n\n[Terms](page:terms)\n",
    "custom_pages/terms.md": "---\ntitle: Terms\n---\n",
    "changelog/may.md": "---\ntitle: May\n---\n",
    "recipes/dig.md": "---\ntitle: Dig\n---\n",
  });
  expect(page("docs/soil.mdx")).toContain("[Terms](/page/terms)");
  expect(page("page/terms.mdx")).toContain("Terms");
  expect(settings["navigation"]).toEqual({
    tabs: [
      { tab: "Guides", pages: ["docs/soil"] },
      { tab: "Changelog", pages: ["changelog/may"] },
    ],
  });
  expect(notes).toEqual([
    expect.stringMatching(/^custom_pages: .*terms\.md/),
    expect.stringMatching(/^recipes\/dig\.md: Recipes and blocks/),
  ]);
});

const sites: readonly (readonly [
  tool: string,
  files: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>>,
  named: readonly string[],
])[] = [
  [
    "Docusaurus",
    {
      "docusaurus.config.js": `export default {
  title: "S",
  scripts: [],
  presets: [["classic", { docs: { editUrl: "https://github.com/a/b/edit/main/" }, theme: { customCss: "x.css" }, gtag: { trackingID: "G-1" } }]],
  themeConfig: {
    announcementBar: { content: 'New: <a href="/docs/a">read <b>x</b></a> <b>now</b>', isCloseable: true },
    colorMode: { defaultMode: "dark", disableSwitch: true },
    footer: { links: [{ title: "More", items: [{ label: "Forum", href: "https://forum.example.com" }, { label: "A", to: "/docs/a" }] }], copyright: "©" },
  },
};`,
      "docs/a.md": "# A\n",
    },
    {
      banner: { content: "New: [read **x**](/docs/a) **now**", dismissible: true },
      appearance: { default: "dark", strict: true },
      footer: { links: [{ header: "More", items: [{ label: "Forum", href: "https://forum.example.com" }] }] },
    },
    [
      "docusaurus.config.js:8 footer",
      "docusaurus.config.js:4 editUrl",
      "docusaurus.config.js:4 gtag",
      "docusaurus.config.js:4 customCss",
    ],
  ],
  [
    "VitePress",
    {
      ".vitepress/config.mts": `export default {
  appearance: "force-dark",
  head: [["script", {}]],
  themeConfig: {
    editLink: { pattern: "x" }, lastUpdated: true,
    footer: { message: "Made by us" },
    socialLinks: [{ icon: "github", link: "https://github.com/a" }, { icon: { svg: "<svg/>" }, link: "https://a.example" }],
  },
};`,
      "a.md": "# A\n",
    },
    { appearance: { default: "dark", strict: true }, footer: { socials: { github: "https://github.com/a" } } },
    [
      ".vitepress/config.mts:7 socialLinks",
      ".vitepress/config.mts:6 footer",
      ".vitepress/config.mts:5 editLink",
      ".vitepress/config.mts:3 head",
    ],
  ],
  [
    "VuePress",
    {
      ".vuepress/config.ts": `import { defaultTheme } from "@vuepress/theme-default";
export default {
  theme: defaultTheme({ repo: "a/b", colorMode: "light", editLink: false, docsRepo: "a/c" }),
};`,
      "a.md": "# A\n",
    },
    { appearance: { default: "light" }, footer: { socials: { github: "https://github.com/a/b" } } },
    [".vuepress/config.ts:3 docsRepo"],
  ],
  [
    "Starlight",
    {
      "astro.config.mjs": `import starlight from "@astrojs/starlight";
export default { integrations: [starlight({
  title: "S",
  social: { discord: "https://discord.gg/a", mastodon: "https://b.example" },
  editLink: { baseUrl: "https://github.com/a/b/edit/main/" },
  customCss: ["./a.css"],
  components: { Footer: "./Footer.astro" },
})] };`,
      "src/content/docs/a.md": "---\ntitle: A\n---\n",
    },
    { footer: { socials: { discord: "https://discord.gg/a" } } },
    [
      "astro.config.mjs:4 social",
      "astro.config.mjs:5 editLink",
      "astro.config.mjs:6 customCss",
      "astro.config.mjs:7 components",
    ],
  ],
  [
    "MkDocs",
    {
      "mkdocs.yml": `site_name: S
edit_uri: edit/main/
copyright: "© us"
extra_css: [a.css]
plugins:
  social: {}
theme:
  name: material
  custom_dir: overrides
  palette:
    - scheme: slate
      toggle: {}
    - scheme: default
extra:
  analytics: { provider: google, property: G-1 }
  social:
    - icon: fontawesome/brands/x-twitter
      link: https://x.com/a
`,
      "docs/a.md": "# A\n",
    },
    { appearance: { default: "dark" }, footer: { socials: { x: "https://x.com/a" } } },
    [
      "mkdocs.yml:3 copyright",
      "mkdocs.yml:2 edit_uri",
      "mkdocs.yml:15 analytics",
      "mkdocs.yml:4 extra_css",
      "mkdocs.yml:9 custom_dir",
    ],
  ],
  [
    "mdBook",
    {
      "book.toml": `[book]
title = "S"
[output.html]
default-theme = "navy"
edit-url-template = "https://github.com/a/b/edit/main/{path}"
additional-css = ["a.css"]
`,
      "src/SUMMARY.md": "- [A](a.md)\n",
      "src/a.md": "# A\n",
    },
    { appearance: { default: "dark" } },
    ["book.toml:5 edit-url-template", "book.toml:6 additional-css"],
  ],
  [
    "Hugo",
    {
      "hugo.toml": `title = "S"
copyright = "us"
[params]
github_repo = "https://github.com/a/b"
[params.banner]
message = "x"
[services.googleAnalytics]
ID = "G-1"
`,
      "content/a.md": "---\ntitle: A\n---\n",
    },
    {},
    ["hugo.toml:5 banner", "hugo.toml:2 copyright", "hugo.toml:4 github_repo", "hugo.toml:7 googleAnalytics"],
  ],
  [
    "Nextra",
    {
      "package.json": '{"dependencies":{"nextra":"4"}}',
      "next.config.mjs": "export default {\n  async redirects() {\n    return [];\n  },\n};\n",
      "app/layout.jsx": `export default function Layout({ children }) {
  const isDark = true;
  return <Layout
    banner={<Banner storageKey="x">New</Banner>}
    footer={<Footer>us</Footer>}
    docsRepositoryBase="https://github.com/a/b"
  >{children}</Layout>;
}`,
      "content/a.mdx": "# A\n",
    },
    {},
    ["app/layout.jsx:4 banner", "app/layout.jsx:5 footer", "app/layout.jsx:6 docsRepositoryBase"],
  ],
];

test.for(sites)("%s: the parts around pages are converted or reported", async ([tool, files, expected, named]) => {
  const { noteTexts: notes, settings, ...conversion } = await convertFiles(files);
  expect(conversion.tool).toBe(tool);
  const { banner, appearance, footer } = settings;
  expect(JSON.parse(JSON.stringify({ banner, appearance, footer }))).toEqual(expected);
  const found = notes.flatMap((each) => {
    const [, place, name] = /^(\S+) The setting "([^"]+)" is (?:not converted|converted in part); \w/.exec(each) ?? [];
    return place === undefined ? [] : [`${place} ${name}`];
  });
  expect(found.toSorted()).toEqual(named.toSorted());
});

test("Starlight: a page that is left out of the search stays so, and a banner of a page is reported", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "astro.config.mjs":
      'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "S" })] };',
    "src/content/docs/a.md": "---\ntitle: A\npagefind: false\nbanner:\n  content: Soon\n---\n\nText.\n",
  });
  expect(page("a.mdx")).toBe('---\ntitle: "A"\nsearchable: false\n---\nText.\n');
  expect(notes).toEqual([expect.stringMatching(/^src\/content\/docs\/a\.md:1 The "banner" of a page/)]);
});

test("tags of pages are reported once, with their number", async () => {
  const { noteTexts: notes } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/a.md": "---\ntitle: A\ntags: [x]\n---\n",
    "content/b.md": "---\ntitle: B\ncategories: [y]\n---\n",
    "content/c.md": "---\ntitle: C\ntags: []\n---\n",
  });
  expect(notes).toEqual([expect.stringMatching(/^content\/a\.md:1 Tags and categories are not converted \(2 pages\)/)]);
});

test("Docusaurus 2 has MDX 1: links in angle brackets, lone signs and HTML over several lines are read, and code of the page stays", async () => {
  const { page } = await convertFiles({
    "package.json": '{"dependencies":{"@docusaurus/core":"2.4.1"}}',
    "docusaurus.config.js": 'export default { title: "S" };',
    "docs/a.md":
      '# A\n\nexport const Mark = ({ children }) => (\n  <b>{children}</b>\n);\n\n<https://a.example> a < b {not code} {/* note */}\n\n<ol><li>one</li>\n<li>two</li>\n</ol>\n<p>x <br />\n<a href="https://b.example">b</a></p>\n\nno link</a> [z](<a href="https://c.example">c</a>)\n\n<Mark style={{ color: 1 }}>y</Mark>\n',
  });
  expect(page("docs/a.mdx").split("\n").slice(3)).toEqual([
    "export const Mark = ({ children }) => (",
    "  <b>{children}</b>",
    ");",
    "[https://a.example](https://a.example) a \\< b \\{not code\\} {/* note */}",
    '<ol><li>one</li> <li>two</li> </ol> <p>x <br /> <a href="https://b.example">b</a></p>',
    'no link [z](<a href="https://c.example">c</a>)',
    "<Mark style={{ color: 1 }}>y</Mark>",
    "",
  ]);
});

test("notes about files around the pages: pictures of the theme, missing files, and variables of the environment", async () => {
  const { page, settings, noteTexts, files } = await convertFiles({
    "mkdocs.yml":
      "site_name: !ENV [NAME, Soil]\ndocs_dir: !ENV [DIR, docs]\nsite_url: !ENV URL\ntheme:\n  name: material\n  custom_dir: theme\n  logo: img/logo.svg\n  favicon: gone.png\nnav:\n  - !ENV [LABEL, Ground]: a.md\n  - Forum: !ENV [LINK, 'https://forum.example.com']\n",
    "docs/a.md": "---\nicon: fontawesome/brands/github\n---\n# A\n\n![Sand](img/sand.png)\n",
    "docs/b.md":
      '---\nicon: material/no-such-picture\n---\n# B\n\n``` title="Change `NAME`"\nx\n```\n\n!!! note\n    y\n',
    "theme/img/logo.svg": "<svg/>",
    "theme/img/sand.png": "-",
  });
  expect([settings["name"], settings["logo"], settings["favicon"], settings["navigation"]]).toEqual([
    "Soil",
    "/img/logo.svg",
    undefined,
    { pages: ["a", "links/forum"] },
  ]);
  expect(page("a.mdx")).toMatch(/icon: "github"\n(?:.*\n)*sidebarTitle: "Ground"\n---\n!\[Sand\]\(\/img\/sand\.png\)/);
  expect(page("b.mdx")).toMatch(/```text title="Change NAME"\nx\n```\n<Note>\ny\n<\/Note>/);
  expect([...files.keys()]).toEqual(expect.arrayContaining(["img/logo.svg", "img/sand.png"]));
  expect(noteTexts).toEqual([
    expect.stringMatching(/These pages are not in the navigation: b\.md/),
    'docs/b.md: No icon has the name "material/no-such-picture"; choose another one.',
    expect.stringMatching(/^mkdocs\.yml:6 The setting "custom_dir" is not converted/),
    expect.stringMatching(/^mkdocs\.yml:8 The picture "gone\.png" is not in the repository/),
  ]);
});

test("text after the name of an unknown container stays, and a brace in a banner is text", async () => {
  const { page, settings } = await convertFiles({
    "docusaurus.config.js":
      'export default { title: "S", themeConfig: { announcementBar: { content: "Use <b>{name}</b> <a href=\\"https://a.example\\">now</a>, 1 < 2" } } };',
    "docs/a.md": "# A\n\n:::demo Set `height` first.\n\nbody\n\n:::\n",
  });
  expect(settings["banner"]).toEqual({ content: "Use **\\{name\\}** [now](https://a.example), 1 \\< 2" });
  expect(page("docs/a.mdx")).toContain("Set `height` first.\nbody\n");
});

test.for([
  ["Eleventy", "web/.eleventy.js", ""],
  ["Retype", "retype.yml", ""],
  ["Docute", "website/index.js", "new Docute({})"],
  ["Quarto", "docs/_quarto.yml", ""],
  ["MyST", "book/myst.yml", ""],
  ["Jupyter Book", "book/_toc.yml", ""],
  ["Writerside", "Writerside/writerside.cfg", ""],
  ["Zola", "site/config.toml", 'base_url = "https://a.example"'],
  ["Markdoc", "package.json", '{ "dependencies": { "@markdoc/markdoc": "1" } }'],
])("a site of %s is refused with a sentence that says what to do", async ([tool, file, text]) => {
  await expect(convertFiles({ "a.md": "# A\n", [file!]: text! })).rejects.toThrow(
    new RegExp(`belongs to ${tool}, which is not converted\\. .*Markdown (?:files|topics|with)`),
  );
});

test("a folder of Markdown with commands of Doxygen, or with the layouts of Astro, is refused", async () => {
  const doxygen = convertFiles({ "docs/Doxyfile.in": "", "docs/dig.md": "# Dig {#dig}\n\n[TOC]\n" });
  await expect(doxygen).rejects.toThrow("docs/Doxyfile.in belongs to Doxygen");
  const astro = convertFiles({ "astro.config.mjs": "export default {}", "src/pages/dig.md": "# Dig\n" });
  await expect(astro).rejects.toThrow("astro.config.mjs belongs to Astro without Starlight");
});

test("a folder with more pages in AsciiDoc or reStructuredText than in Markdown is refused", async () => {
  const others = { "README.md": "# A\n" };
  const adoc = convertFiles({ ...others, "ch/dig.adoc": "= Dig\n", "ch/sow.adoc": "= Sow\n" });
  await expect(adoc).rejects.toThrow(/belongs to AsciiDoc, which is not converted\. .*`downdoc`/);
  const rst = convertFiles({ ...others, "dig.rst": "Dig\n===\n", "sow.rst": "Sow\n===\n" });
  await expect(rst).rejects.toThrow(/belongs to reStructuredText, which is not converted\. .*`pandoc -t gfm`/);
  expect((await convertFiles({ ...others, "dig.rst": "Dig\n===\n" })).tool).toBe("Markdown");
});

test("a file siteConfig.js is that of Docusaurus 1 only if the package depends on it", async () => {
  const files = { "a.md": "# A\n", "src/siteConfig.js": "", "src/package.json": "{}" };
  expect((await convertFiles(files)).tool).toBe("Markdown");
  const old = convertFiles({ ...files, "src/package.json": '{ "devDependencies": { "docusaurus": "1.14.7" } }' });
  await expect(old).rejects.toThrow("src/siteConfig.js belongs to Docusaurus 1");
});

test("Hugo: content whose settings are elsewhere is ordered by its sections, and a note says so", async () => {
  const { tool, navigation, page, noteTexts } = await convertFiles({
    "README.md": "# For writers\n",
    "sources/garden/_index.md": "---\ntitle: Garden\n---\n",
    "sources/garden/soil/_index.md": "---\ntitle: Soil\nmenuTitle: S\nweight: 2\n---\n",
    "sources/garden/soil/clay.md": '---\ntitle: Clay\n---\n{{< admonition type="note" >}}\nWet.\n{{< /admonition >}}\n',
    "sources/garden/air/_index.md": "---\ntitle: Air\nweight: 1\n---\n",
  });
  expect(tool).toBe("Hugo");
  expect(navigation).toEqual({
    pages: ["index", "air", { group: "Soil", root: "soil/index", pages: ["soil/clay"] }],
  });
  expect(page("soil/clay.mdx")).toContain("<Note>\nWet.\n</Note>");
  expect(noteTexts).toContainEqual(
    expect.stringMatching(/^sources\/garden: The settings of Hugo are not in this folder/),
  );
});

test("Hugo: tabs of Docsy contain code unless they are for text, and a comment is hidden", async () => {
  const tab = (content: string, args = ""): string => `{{< tab header="A"${args} >}}\n${content}\n{{< /tab >}}\n`;
  const { page } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/dig.md": [
      "---\ntitle: Dig\n---\n{{< comment >}}\nHidden.\n\n```\nalso\n```\n{{< /comment >}}\n",
      `{{< tabpane lang="c" >}}\n${tab("#include <dig.h>\n{ }")}${tab("dig", ' lang="sh"')}${tab("**T**", " text=true")}${tab("T:\n```js\ndig\n```")}{{< /tabpane >}}\n`,
      `{{< tabpane text=true >}}\n${tab("**B**")}{{< /tabpane >}}\n`,
    ].join("\n"),
  });
  const shown = ["```c\n#include <dig.h>\n{ }\n```", "```sh\ndig\n```", "**T**", "T:\n```js\ndig\n```"];
  const tabs = shown.map((text) => `<Tab title="A">\n${text}\n</Tab>`);
  expect(page("dig.mdx")).toContain(
    `title: "Dig"\n---\n<Tabs>\n${tabs.join("\n")}\n</Tabs>\n<Tabs>\n<Tab title="A">\n**B**\n</Tab>\n</Tabs>`,
  );
});

test("Hugo: several code blocks in a shortcode for code are a group, and a tag that is escaped stays as text", async () => {
  const { page, files, noteTexts } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/dig.md":
      "---\ntitle: Dig\n---\n{{< code >}}\n\n```bash\ndig\n```\n\n```docker\nrun dig\n```\n\n{{< /code >}}\n\nSee [deep](https://a.example/<VERSION>/deep).\n",
  });
  expect(page("dig.mdx")).toContain(
    "<CodeGroup>\n```bash\ndig\n```\n```docker\nrun dig\n```\n</CodeGroup>\nSee [deep](https://a.example/\\<VERSION>/deep).",
  );
  expect([...files.keys()].filter((path) => path.startsWith("snippets/"))).toEqual([]);
  expect(noteTexts).toEqual([]);
});

test("the text of a badge is part of the anchor, unless it was an attribute in the old page", async () => {
  const { page } = await convertFiles({
    ".vitepress/config.ts": 'export default { title: "S" };',
    "dig.md": '# Dig\n\n## Server <Badge type="warning">Bun only</Badge>\n\n## Client <Badge text="new" />\n',
  });
  expect(page("dig.mdx")).toMatch(
    /^## Server .*Bun only<\/Badge> \{#server-bun-only\}\n## Client .*>new<\/Badge> \{#client\}$/m,
  );
});

test("a code span over several lines is one span, in text, quotes and lists", async () => {
  const { page } = await convertFiles({
    "README.md":
      "# Dig\n\nSee `<T as\nTrait>::dig` and `{a}`.\n\n> As `<b\n> c>` here.\n\n- One `<d\n  e>` end\n- A lone `\n\nAn `open one\n\n<f>`.\n\n    echo `a\n    b`\n\n{`x\ny`}\n",
  });
  const text = page("index.mdx");
  expect(text).toContain("```\necho `a\nb`\n```\n\\{`x\ny`");
  expect(text).toContain("See `<T as Trait>::dig` and `{a}`.");
  expect(text).toContain("> As `<b c>` here.\n- One `<d e>` end\n- A lone `\n");
  expect(text).toContain("An `open one\n\\<f>`.");
});

test("indented code in lists gets fences at the column of its item", async () => {
  const { page } = await convertFiles({
    "README.md":
      "# Dig\n\n1. Open:\n\n        dig <deep>\n          {x}\n\n2. Next\n\n    Text of the item.\n\n   - Inner\n\n            sow <wide>\n\nEnd.\n\n    all <done>\n",
  });
  expect(page("index.mdx")).toContain(
    [
      ...["1. Open:", "   ```", "   dig <deep>", "     {x}", "   ```", "2. Next", "    Text of the item."],
      ...["   - Inner", "     ```", "     sow <wide>", "     ```", "End.", "```", "all <done>", "```"],
    ].join("\n"),
  );
});

test("all elements of HTML that show something, and those of SVG, stay elements", async () => {
  const { page } = await convertFiles({
    "README.md":
      "# Dig\n\n<form>\n<fieldset><legend>Soil</legend></fieldset>\n</form>\n\n<svg><defs></defs><desc>Soil</desc></svg>\n\n<soil>\n",
  });
  expect(page("index.mdx")).toContain("<fieldset><legend>Soil</legend></fieldset>");
  expect(page("index.mdx")).toContain("<svg><defs></defs><desc>Soil</desc></svg>\n\\<soil>");
});

test("Zola has a config.toml, too, and is not read as Hugo", async () => {
  const files = { "config.toml": 'base_url = "https://a.example"\n', "content/_index.md": "+++\ntitle = 'A'\n+++\n" };
  await expect(convertFiles(files)).rejects.toThrow("config.toml belongs to Zola");
});

test("settings of such a tool in a folder of examples do not refuse the site, and a Doxyfile is reported", async () => {
  const { tool, noteTexts } = await convertFiles({ "a.md": "# A\n", "examples/gatsby-config.js": "", Doxyfile: "" });
  expect(tool).toBe("Markdown");
  expect(noteTexts).toEqual([expect.stringMatching(/^Doxyfile: .*belongs to a program that is not supported/)]);
});

test("code of a constant in the page, and of a file of data that it imports, is shown as code", async () => {
  const { page, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };',
    "pot.yaml": "size: 3\n",
    "docs/a.mdx":
      'import Pot from \'@site/pot.yaml\';\n\n# A\n\nexport const dig = `dig(1);\ndig(2);`;\n\n<CodeBlock language="js">{dig}</CodeBlock>\n\n<CodeBlock title="Pot">{Pot}</CodeBlock>\n',
  });
  expect(page("docs/a.mdx")).toMatch(/```js\ndig\(1\);\ndig\(2\);\n```\n```yaml title="Pot"\nsize: 3\n```/);
  expect(notes).toEqual([]);
});

test("blog posts with an excerpt are not pages of ReadMe", async () => {
  const { tool } = await convertFiles({ "docs/a.md": "---\nexcerpt: Short\n---\n# A\n" });
  expect(tool).toBe("Markdown");
});

test("Hugo: folders that the settings mount into the content are pages there, each in its languages", async () => {
  const one = await convertFiles({
    "hugo.yaml":
      "title: S\nmodule:\n  mounts:\n    - { source: content, target: content }\n    - { source: ../guide, target: content/guide }\n    - { source: extra, target: content/extra }\n    - { source: NEWS.md, target: content/news.md }\n",
    "content/_index.md": "# S\n",
    "extra/soil.markdown": "---\ntitle: Soil\n---\n",
    "NEWS.md": "---\ntitle: News\n---\n",
  });
  expect(one.navigation).toEqual({ pages: ["index", { group: "Extra", pages: ["extra/soil"] }, "news"] });
  expect(one.notes).toEqual([]);
  const two = await convertFiles({
    "hugo.toml":
      'title = "S"\n[languages.en]\n[languages.fr]\n[[module.mounts]]\nsource = "text/en"\ntarget = "content"\nlang = "en"\n[[module.mounts]]\nsource = "text/fr"\ntarget = "content"\n[module.mounts.sites.matrix]\nlanguages = ["fr"]\n[[module.mounts]]\nsource = "text/en"\ntarget = "content"\nlang = "fr"\n',
    "text/en/soil.md": "---\ntitle: Soil\n---\n",
    "text/en/sand.md": "---\ntitle: Sand\n---\n",
    "text/fr/soil.md": "---\ntitle: Terre\n---\n",
    "text/de/soil.md": "---\ntitle: Erde\n---\n",
  });
  expect(two.navigation).toEqual({
    languages: [
      { language: "en", default: true, pages: ["sand", "soil"] },
      { language: "fr", pages: ["fr/soil"] },
    ],
  });
  expect(two.noteTexts).toEqual(["text/de: The old site makes no page of these files, so they are left out: soil.md."]);
});

test("each text file in the folders of the pages is converted, or reported", async () => {
  const { noteTexts } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/docs/soil.md": "---\ntitle: Soil\n---\n",
    "content/docs/gone.md": "---\ntitle: Gone\ndraft: true\n---\n",
    "content/docs/_index.html": "---\ntitle: Docs\n---\n",
    "content/docs/data.html": "---\ntitle: Data\n---\n<p>Data</p>\n",
    "content/docs/part.html": "<p>A template</p>\n",
    "content/docs/clay.adoc": "= Clay\n",
    "README.md": "# Read me\n",
    "themes/a/README.md": "# A theme\n",
    "themes/a/layouts/list.html": "<p>A template</p>\n",
  });
  const isLost = "This file is in a folder of pages, but is not converted; write it as MDX if readers need it.";
  const isLeftOut = "The old site makes no page of these files, so they are left out:";
  expect(noteTexts).toEqual([
    `.: ${isLeftOut} README.md.`,
    `content/docs: ${isLeftOut} gone.md.`,
    `content/docs/_index.html: ${isLost}`,
    `content/docs/clay.adoc: ${isLost}`,
    `content/docs/data.html: ${isLost}`,
    `themes: ${isLeftOut} a/README.md.`,
  ]);
});

test("folders beside those of the pages are not folders of pages", async () => {
  const { noteTexts } = await convertFiles({
    ".gitignore": "",
    "docs/site/docusaurus.config.js":
      'export default { title: "S", presets: [["classic", { docs: { path: "../content" }, blog: false }]], plugins: [["@docusaurus/plugin-content-docs", { id: "more", path: "../more", routeBasePath: "more" }]] };',
    "docs/content/soil.md": "# Soil\n",
    "docs/content/old.rst": "Old\n",
    "docs/more/sand.md": "# Sand\n",
    "docs/drafts/clay.md": "# Clay\n",
    "docs/site/README.md": "# Site\n",
  });
  expect(noteTexts.map((each) => each.replace(/^(\S+): .*$/, "$1"))).toEqual(["docs/content/old.rst", "docs/site"]);
});

test("a title that is HTML, or below a line of links, is not repeated; one of several headings stays", async () => {
  const { page, noteTexts } = await convertFiles({
    "book.toml": '[book]\ntitle = "S"\n[preprocessor.rules]\n[preprocessor.admonish]\n',
    "src/SUMMARY.md": "[Soil](a.md)\n[Sand](b.md)\n[Clay](c.md)\n",
    "src/a.md": '<h1 id="soil">\n <a href="#x">The <b>soil</b></a>\n</h1>\n\nText\n',
    "src/b.md": "r[sand]\n\n# All of sand\n\nText\n",
    "src/c.md": "Text\n\n# One\n\n# Two\n",
  });
  expect(["a", "b", "c"].map((name) => page(name === "a" ? "index.mdx" : `${name}.mdx`))).toEqual([
    expect.stringMatching(/^---\ntitle: "The soil"\nsidebarTitle: "Soil"\n---\nText\n$/),
    expect.stringMatching(/^---\ntitle: "All of sand"\nsidebarTitle: "Sand"\n---\nr\[sand\]\nText\n$/),
    expect.stringMatching(/Text\n# One\n# Two\n$/),
  ]);
  expect(noteTexts).toEqual([expect.stringMatching(/^book\.toml:3 The preprocessor "rules" does not run/)]);
});

test("Docsify makes anchors before it reads the names of emoji", async () => {
  const { page } = await convertFiles({
    "_sidebar.md": "* [S](README.md)\n",
    "README.md": "# S\n\n## :rocket: Start\n\n:abacus: :party_popper:\n",
  });
  expect(page("index.mdx")).toContain("## 🚀 Start {#rocket-start}\n🧮 🎉");
});

test("Hugo: diagrams, buttons and columns of its themes have counterparts", async () => {
  const { page, notes } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/_index.md":
      '{{< mermaid class="x" >}}\ngraph TD\n{{< /mermaid >}}\n\n{{< button relref="soil" >}}Go{{< /button >}}\n\n{{< columns >}}\na\n\n<--->\n\nb\n{{< /columns >}}\n',
    "content/soil.md": "# Soil\n",
  });
  expect(page("index.mdx").split("\n").slice(3, -1)).toEqual([
    ...["```mermaid", "graph TD", "```", '<a href="/soil">', "Go", "</a>"],
    ...["<Columns cols={2}><Column>", "a", "</Column><Column>", "b", "</Column></Columns>"],
  ]);
  expect(notes.filter(({ kind }) => kind !== "unlisted")).toEqual([]);
});

test("a line of indented code that begins with # is not a heading", async () => {
  const { page } = await convertFiles({
    "book.toml": '[book]\ntitle = "S"\n',
    "src/SUMMARY.md": "[Soil](soil.md)\n",
    "src/soil.md":
      "# Soil\n\n```admonish example\n\n    # Dig (deep)\n    dig: :smile:\n```\n\n- Item\n\n  ## Of an (item)\n",
  });
  expect(page("index.mdx")).toContain("```\n# Dig (deep)\ndig: :smile:\n```");
  expect(page("index.mdx")).toContain("## Of an (item)");
});

test("addresses in lists and links may have escapes", async () => {
  const { page, navigation, notes } = await convertFiles({
    "SUMMARY.md": "* [Soil](a\\_b/soil\\_1.md)\n* [Start](README.md)\n",
    "README.md": "# S\n\n[Soil](a\\_b/soil\\_1.md#x)\n",
    "a_b/soil_1.md": "# Soil\n\n## X\n",
  });
  expect(navigation).toEqual({ pages: ["a_b/soil_1", "index"] });
  expect(page("index.mdx")).toContain("[Soil](/a_b/soil_1#x)");
  expect(notes).toEqual([]);
});

test("Docusaurus: posts and pages are translated like the docs", async () => {
  const { navigation, noteTexts } = await convertFiles({
    "docusaurus.config.js":
      'export default { title: "S", i18n: { defaultLocale: "en", locales: ["en", "fr"] }, presets: [["classic", {}]] };',
    "docs/soil.md": "# Soil\n",
    "blog/2025-01-02-rain.md": "# Rain\n",
    "i18n/fr/docusaurus-plugin-content-docs/current/soil.md": "# Terre\n",
    "i18n/fr/docusaurus-plugin-content-blog/2025-01-02-rain.md": "# Pluie\n",
    "i18n/fr/docusaurus-plugin-content-pages/about.md": "# Nous\n",
    "src/pages/_parts/Card.jsx": "export default () => null;",
  });
  expect(navigation).toMatchObject({
    languages: [{}, { tabs: [{ pages: ["fr/docs/soil"] }, { tab: "Blog", pages: ["fr/blog/2025/01/02/rain"] }] }],
  });
  expect(noteTexts).toEqual([
    expect.stringMatching(
      /^i18n\/fr\/docusaurus-plugin-content-pages: These pages are not in the navigation: about\.md/,
    ),
  ]);
});

test("MkDocs: paths of snippets are relative to the folder of the settings, and excluded files are left out", async () => {
  const { page, noteTexts } = await convertFiles({
    "mkdocs.yml":
      "site_name: S\nexclude_docs: |\n  # Not pages\n  parts/\n  *.draft.md\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: docs/parts\n",
    "docs/index.md": '# S\n\n--8<-- "rain.md"\n',
    "docs/parts/rain.md": "It rains.\n",
    "docs/parts/sun.md": "The sun shines.\n",
    "docs/soil.draft.md": "# Soil\n",
  });
  expect(page("index.mdx")).toContain("It rains.");
  expect(noteTexts).toEqual([
    "docs: The old site makes no page of these files, so they are left out: soil.draft.md.",
    "docs/parts: The old site makes no page of these files, so they are left out: sun.md.",
  ]);
});

test("VitePress: a sidebar that a package makes is reported, and the folders become the navigation", async () => {
  const { navigation, noteTexts } = await convertFiles({
    ".vitepress/config.js":
      'import { defineConfig } from "vitepress"; import { made } from "a-package"; import list from "b-package"; export default defineConfig({ title: "S", vite: { plugins: [...list({ a: 1 })] }, themeConfig: { sidebar: made(["a"]) } });',
    "index.md": "# S\n",
    "guide/soil.md": "# Soil\n",
  });
  expect(navigation).toEqual({ pages: ["index", { group: "Guide", pages: ["guide/soil"] }] });
  expect(noteTexts).toEqual([expect.stringMatching(/A part of the navigation is made by "a-package\.made/)]);
});

test("VitePress, Docusaurus: if a package adds sidebars, the site's own are kept and a note names the package", async () => {
  const vite = await convertFiles({
    ".vitepress/config.mjs":
      'import { made } from "a-package"; export default { themeConfig: { sidebar: { ...(await made()), "/soil/": [{ text: "Sand, dug", link: "/soil/sand" }] } } };',
    "soil/sand.md": "# Sand\n",
    "loam.md": "# Loam\n",
  });
  expect(vite.page("soil/sand.mdx")).toContain('sidebarTitle: "Sand, dug"');
  expect(vite.noteTexts).toContainEqual(
    expect.stringMatching(/A part of the navigation is made by "a-package.*docs\.json/),
  );
  const docusaurus = await convertFiles({
    "docusaurus.config.js":
      'export default { title: "S", presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };',
    "sidebars.js":
      'const made = require("a-package"); module.exports = { ...made, docs: [{ type: "doc", id: "soil", label: "Sand" }] };',
    "docs/soil.md": "# Soil\n",
  });
  expect(docusaurus.page("docs/soil.mdx")).toContain('sidebarTitle: "Sand"');
  expect(docusaurus.settings["navigation"]).toEqual({ pages: ["docs/soil"] });
  expect(docusaurus.noteTexts).toContainEqual(expect.stringMatching(/A part of the navigation is made by "a-package/));
});

test("mdBook: a file that a page includes names others from its own folder", async () => {
  const { page, noteTexts } = await convertFiles({
    "book.toml": '[book]\ntitle = "S"\n',
    "src/SUMMARY.md": "- [Soil](soil.md)\n",
    "src/soil.md": "# Soil\n\n{{#include parts/head.md}}\n\nSee [rust].\n",
    "src/parts/head.md": "Wet.\n\n{{#include links.md}}\n",
    "src/parts/links.md": "[rust]: <https://a.example/iron oxide>\n",
  });
  expect(page("index.mdx")).toContain("Wet.\n[rust]: https://a.example/iron%20oxide\nSee [rust].");
  expect(noteTexts).toEqual([]);
});

test("Markdown: pages of a program have the addresses that links use, and annotations of MDX are left out", async () => {
  const { page, navigation, noteTexts } = await convertFiles({
    "package.json": '{ "name": "soil" }',
    "README.md": "# For writers\n",
    "src/app/page.mdx": '# Soil {{ className: "lead" }}\n\n[Dig](/guide/dig#deep) ![Loam](/loam.png)\n',
    "src/app/guide/dig/page.mdx": "# Dig\n\n## Deep {{ tag: 'GET' }}\n\n[Soil](/)\n",
    "public/loam.png": "x",
  });
  expect(page("guide/dig.mdx")).toContain("## Deep\n[Soil](/)");
  expect(page("index.mdx")).toContain('title: "Soil"\n---\n[Dig](/guide/dig#deep) ![Loam](/loam.png)');
  expect(navigation).toEqual({ pages: ["index", { group: "Guide", pages: ["guide/dig"] }] });
  expect(noteTexts.filter((text) => text.includes("link"))).toEqual([]);
});

test("syntax of other tools in a comment over several lines is not reported", async () => {
  const { noteTexts } = await convertFiles({ "README.md": "# S\n\n<!--\n{{ old }}\n-->\n\n{{ shown }}\n" });
  expect(noteTexts).toEqual([expect.stringContaining('"{{ shown }}" stays as text')]);
});

test("Markdown: what a page in MDX imports is inserted", async () => {
  const { page, noteTexts } = await convertFiles({
    "soil.mdx":
      'import { Tabs } from "@rspress/core/theme";\nimport Sand from "./parts/_sand.mdx";\n\n# Soil\n\n<Sand />\n',
    "parts/_sand.mdx": "Dry.\n",
  });
  expect(page("soil.mdx")).toBe('---\ntitle: "Soil"\n---\nDry.\n');
  expect(noteTexts.filter((text) => text.includes("import"))).toEqual([]);
});

test("VitePress: what Vue must not read stays as text, and a row of a table is no emoji", async () => {
  const { page, noteTexts } = await convertFiles({
    ".vitepress/config.mjs": "export default {};",
    "soil.md":
      '# Soil\n\nWrite <code class="a" v-pre>{{ sand }}</code>.\n\n::: v-pre\nOr {{ loam }} and `{{ peat }}`.\n:::\n\n| A | B |\n|:---:|:-:|\n| 1 |:--:|\n',
  });
  expect(page("soil.mdx")).toContain('Write <code class="a">&#123;&#123; sand \\}\\}</code>.');
  expect(page("soil.mdx")).toContain("Or &#123;&#123; loam \\}\\} and `{{ peat }}`.");
  expect(noteTexts).toEqual([]);
});

test("a code block in a list that no fence closes ends with its item, so later links are followed", async () => {
  const { page, noteTexts } = await convertFiles({
    "soil.md":
      "# Soil\n\n- Dig:\n\n  ```sh\n  dig\n\n- [Sand](sand.md)\n\n[Loam](loam.md)\n\n> ```sh\n> sow\n\n[Sand](sand.md)\n",
    "sand.md": "# Sand\n",
  });
  expect(page("soil.mdx").match(/\[Sand\]\(\/sand\)/g)).toHaveLength(2);
  expect(noteTexts).toContainEqual(expect.stringMatching(/^soil\.md:10 The link "loam\.md" has no target/));
});

test("Docsify, Fumadocs: pages are in the base path of the settings, and not in folders of parts", async () => {
  const { navigation, page, noteTexts } = await convertFiles({
    "index.html": '<script>window.$docsify = { basePath: "/docs/", loadSidebar: true }</script>',
    "docs/README.md": "# Soil\n",
    "docs/_sidebar.md": "* [Soil](README.md)\n",
    "docs/sand/_sidebar.md": "* [Dug](sand/dig.md)\n",
    "docs/sand/dig.md": "# Dig\n\n[Soil](README.md)\n",
  });
  expect(navigation).toMatchObject({ tabs: [{ pages: ["index"] }, { pages: ["sand/dig"] }] });
  expect(page("sand/dig.mdx")).toContain("[Soil](/)");
  expect(noteTexts).toEqual([]);
  const fumadocs = await convertFiles({
    "package.json": '{"dependencies":{"fumadocs-ui":"1"}}',
    "content/docs/index.mdx": "---\ntitle: S\n---\n\n<include>../_parts/_dry.mdx</include>\n",
    "content/_parts/_dry.mdx": "Dry.\n",
  });
  expect(fumadocs.pageCount).toBe(1);
});

test("Rspress: languages, labels, sidebars in _meta.json, and containers", async () => {
  const { navigation, page, noteTexts, settings } = await convertFiles({
    "rspress.config.ts":
      'import { defineConfig } from "rspress/config"; import path from "node:path"; export default defineConfig({ root: path.join(__dirname, "docs"), title: "Soil", lang: "en", locales: [{ lang: "en", label: "English" }, { lang: "fr", label: "Français" }], themeConfig: { socialLinks: [{ icon: "github", mode: "link", content: "https://github.com/a/b" }] } });',
    "i18n.json": '{ "start": { "en": "Begin", "fr": "Début" } }',
    "docs/en/_nav.json": '[{ "text": "start", "link": "/guide/sow" }]',
    "docs/fr/_nav.json": '[{ "text": "start", "link": "/guide/sow" }]',
    ...Object.fromEntries(
      ["en", "fr"].flatMap((code) => [
        [`docs/${code}/index.md`, "---\npageType: home\nhero:\n  name: Soil\n---\n"],
        [
          `docs/${code}/guide/_meta.json`,
          '[{ "type": "section-header", "label": "start" }, "sow", { "type": "dir", "name": "dig", "label": "Dig it" }, { "type": "divider" }, { "type": "file", "name": "end", "label": "Rest" }]',
        ],
        [
          `docs/${code}/guide/sow.mdx`,
          "import { Tabs } from '@rspress/core/theme';\n\n# Sow\n\n:::tip Wet\nRain. [Rest](/guide/end)\n:::\n\n:::details More\nMud.\n:::\n",
        ],
        [`docs/${code}/guide/dig/deep.mdx`, "# Deep\n"],
        [`docs/${code}/guide/end.mdx`, "# End\n\n![Loam](/loam.png)\n"],
      ]),
    ),
    "docs/public/loam.png": "x",
  });
  const group = (word: string, start: string) => ({
    group: word,
    pages: [`${start}guide/sow`, { group: "Dig it", expanded: true, pages: [`${start}guide/dig/deep`] }],
  });
  expect(navigation).toMatchObject({ languages: [{ language: "en" }, { language: "fr" }] });
  const text = JSON.stringify(navigation);
  expect(text).toContain(JSON.stringify(group("Begin", "")));
  expect(text).toContain(JSON.stringify(group("Début", "fr/")));
  expect(page("guide/sow.mdx")).toContain('<Tip title="Wet">\nRain. [Rest](/guide/end)\n</Tip>');
  expect(page("guide/sow.mdx")).toContain('<Accordion title="More">\nMud.\n</Accordion>');
  expect(page("fr/guide/sow.mdx")).toContain("[Rest](/fr/guide/end)");
  expect(page("guide/end.mdx")).toContain("![Loam](/loam.png)");
  expect(settings["footer"]).toEqual({ socials: { github: "https://github.com/a/b" } });
  expect(noteTexts).toEqual([]);
});

test("Rspress: the settings may be a part of those of Rstack; excluded pages are not listed, and redirects are kept", async () => {
  const { tool, settings, navigation, noteTexts } = await convertFiles({
    "rstack.config.ts":
      'import { define } from "rstack"; import { pluginClientRedirects } from "@rspress/plugin-client-redirects"; define.lib({}); define.doc({ title: "Soil", root: "pages", route: { exclude: ["**/shared/**"] }, plugins: [pluginClientRedirects({ redirects: [{ from: ["/old", "/older"], to: "/guide/dig" }] })] });',
    "pages/index.md": "# Soil\n",
    "pages/guide/dig.md": "# Dig\n",
    "pages/guide/shared/part.md": "Part.\n",
    "pages/shared/part.md": "Part.\n",
  });
  expect([tool, settings["name"]]).toEqual(["Rspress", "Soil"]);
  expect(JSON.stringify(navigation)).toMatch(/^(?!.*part).*guide\/dig/);
  expect(settings["redirects"]).toEqual([
    { source: "/old", destination: "/guide/dig" },
    { source: "/older", destination: "/guide/dig" },
  ]);
  expect(noteTexts.filter((text) => text.includes("navigation"))).toEqual([]);
});

test("Bookdown is refused, and notebooks among Markdown are reported", async () => {
  const chapter = { "index.Rmd": "# Soil\n", "sand.md": "# Sand\n" };
  await expect(convertFiles({ "_bookdown.yml": "a: b\n", ...chapter })).rejects.toThrow(/Bookdown/);
  const { noteTexts } = await convertFiles({ "README.md": "# S\n", ...chapter });
  expect(noteTexts).toContainEqual(expect.stringMatching(/^index\.Rmd.*is not converted/));
});

test("VitePress: settings that pass through a package with options are reported if they have no sidebar", async () => {
  const { settings, noteTexts } = await convertFiles({
    ".vitepress/config.ts":
      'import { withSidebar } from "vitepress-sidebar"; import { withI18n } from "vitepress-i18n"; export default withSidebar(withI18n({ title: "S" }, { locales: ["en"] }), [{ path: "/" }]);',
    "v0.11/soil.md": "# Soil\n",
  });
  expect(settings).toMatchObject({ name: "S", navigation: { groups: [{ group: "V0.11" }] } });
  expect(noteTexts).toEqual([expect.stringMatching(/pass through "withI18n and withSidebar", which is not/)]);
});

test("the site of a program that is not converted is reported, wherever its package is", async () => {
  const { tool, noteTexts } = await convertFiles({
    "package.json": '{ "name": "things" }',
    "site/package.json": '{ "devDependencies": { "vocs": "1" } }',
    "site/pages/agents.md": "# Agents\n",
  });
  expect(tool).toBe("Markdown");
  expect(noteTexts).toEqual([
    expect.stringMatching(/^site\/package\.json: The site is converted as a folder of Markdown/),
  ]);
});

test("Docusaurus: links and imports from the top find the folder of the docs and the site", async () => {
  const { page, notes } = await convertFiles({
    "docusaurus.config.js":
      'export default { title: "S", i18n: { defaultLocale: "en", locales: ["en", "fr"] }, presets: [["classic", { docs: {}, blog: false }]] };',
    "code/dig.go": "dig()\n",
    "docs/guide/soil.mdx":
      'import Dig from "!!raw-loader!/code/dig.go";\n\n# Soil\n\n[Sand](/guide/sand.md#fine)\n\n<CodeBlock language="go">{Dig}</CodeBlock>\n\n<b style={{ width: "1px" }}>wide</b>\n',
    "docs/guide/sand.md": "# Sand\n\n## Fine\n",
    "i18n/fr/docusaurus-plugin-content-docs/current/guide/soil.mdx": "# Terre\n\n[Sable](/guide/sand.md)\n",
    "i18n/fr/docusaurus-plugin-content-docs/version-1/old.md": "# Vieux\n",
  });
  expect(page("docs/guide/soil.mdx")).toContain("[Sand](/docs/guide/sand#fine)\n```go\ndig()\n```");
  expect(page("fr/docs/guide/soil.mdx")).toContain("[Sable](/docs/guide/sand)");
  expect(notes.map(({ kind, sourcePath }) => `${kind} ${sourcePath}`)).toEqual([
    "not a page i18n/fr/docusaurus-plugin-content-docs/version-1",
  ]);
});

test("a function of a page that uses values of the old site is reported, with its anchors", async () => {
  const { noteTexts } = await convertFiles({
    "package.json": '{"dependencies":{"nextra":"4"}}',
    "app/docs/page.mdx":
      "---\ntitle: S\n---\n\nimport { compileMdx } from 'nextra/compile'\n\n<Demo />\n\nexport async function Demo() {\n  const js = await compileMdx(`\n## All of it\n`)\n  return <p>{js}</p>\n}\n",
  });
  expect(noteTexts).toContain(
    'app/docs/page.mdx:9 "Demo" shows the result of compileMdx(), which only the old site has; write it here, with the anchors #all-of-it.',
  );
});

test("Hugo: its own settings win over another config file, and attributes of blocks are removed", async () => {
  const { settings, page, noteTexts } = await convertFiles({
    "config.yaml": "markdown:\n  - a\n",
    "hugo.yaml": "title: S\n",
    "content/_index.md":
      '---\ntitle: S\n---\n\nWords\n{.lead #start}\n\n<a {{% style big %}} href="docs/">More</a>\n\n{width="3" .a}\n\n> Quote\n> {.b}\n',
  });
  expect(settings["name"]).toBe("S");
  expect(page("index.mdx")).toContain('Words\n<a id="start"></a>\n<a  href="docs/">More</a>\n');
  expect(page("index.mdx")).not.toContain("{");
  expect(noteTexts).toContain('content/_index.md:8 "{{< style >}}" is inside a tag; write its output there.');
});

test("Markdown: containers that are callouts in most programs become callouts, and others stay as text and are reported", async () => {
  const { page, noteTexts } = await convertFiles({
    "a.md": "# A\n\n:::warning[Mind the step]\nSlowly.\n:::\n\n::::steps\n\n:::tip\nFast.\n:::\n\n::::\n",
  });
  expect(page("a.mdx")).toContain(
    '<Warning title="Mind the step">\nSlowly.\n</Warning>\n::::steps\n<Tip>\nFast.\n</Tip>\n::::\n',
  );
  expect(noteTexts).toEqual([expect.stringMatching(/^a\.md:7 "::::steps" stays as text/)]);
});

test("a heading of level 1 below other headings stays in its place", async () => {
  const { page } = await convertFiles({
    "kettle-care.md": "Keep it dry.\n\n## Inside\n\nRinse.\n\n# Outside\n\nWipe.\n",
  });
  expect(page("kettle-care.mdx")).toBe(
    '---\ntitle: "Kettle care"\n---\nKeep it dry.\n## Inside\nRinse.\n# Outside\nWipe.\n',
  );
});

test("wiki links lead to the page or file with the name, and embedded notes are part of the page", async () => {
  const {
    page,
    files,
    noteTexts: notes,
  } = await convertFiles({
    "Start.md": [
      "# Start",
      "[[Beds]], [[garden/Beds#Raised beds|the beds]], [[#Tools]], [[Beds#^depth]] and `[[Beds]]`.",
      "A table: | [[Beds\\|bed]] | [[Moss]] | %%nobody reads this%%",
      "![[plan.png|300]] ![[plan.png]] ![[dig.mp4]]",
      "![[Beds#Raised beds]]",
      "![[Beds#^depth]]",
      "![[Beds#^kinds]]",
      "%%",
      "Private.",
      "%%",
      "## Tools",
      "10 ^6",
    ].join("\n\n"),
    "garden/Beds.md":
      "# Beds\n\nDig deep. ^depth\n\n## Raised beds\n\nOf oak.\n\n## Kinds\n\n- low\n- high\n\n^kinds\n\n## Other\n\nOf stone.\n",
    "files/plan.png": "",
    "files/dig.mp4": "",
  });
  const text = page("Start.mdx");
  expect(text).toContain(
    "[Beds](/garden/Beds), [the beds](/garden/Beds#raised-beds), [Tools](#tools), [Beds > ^depth](/garden/Beds#depth) and `[[Beds]]`.",
  );
  expect(text).toContain("A table: | [bed](/garden/Beds) | [[Moss]] |");
  expect(text).toContain('<img src="/files/plan.png" alt="plan.png" width="300" /> ![plan.png](/files/plan.png)');
  expect(text).toContain('<video src="/files/dig.mp4" controls></video>');
  expect(text).toContain("## Raised beds\nOf oak.\nDig deep.\n- low\n- high\n## Tools\n10 ^6");
  expect(text).not.toMatch(/Private|nobody/);
  expect(page("garden/Beds.mdx")).toContain('Dig deep. <a id="depth"></a>');
  expect(files.has("files/plan.png")).toBe(true);
  expect(notes).toEqual([expect.stringMatching(/^Start\.md:5 "\[\[Moss\]\]" does not name a file in the folder/)]);
});

test("a target that many links lead to is reported once", async () => {
  const { noteTexts: notes } = await convertFiles({
    "a.md": "# A\n\n[one](/gone#x) [two](/gone)\n",
    "b.md": "# B\n\n[three](gone) [home](/)\n",
    "c/d.md": "# D\n\n[other](gone)\n",
  });
  expect(notes).toEqual([
    'a.md:3 The link "/gone#x" has no target in the folder. The same target: a.md:3.',
    'b.md:3 The link "gone" has no target in the folder.',
    'c/d.md:3 The link "gone" has no target in the folder.',
  ]);
});

test("attributes of a component that are data stay at its stub, and code is reported", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "package.json": '{"dependencies":{"fumadocs-ui":"1"}}',
    "content/docs/index.mdx":
      '---\ntitle: S\n---\n\n<Plants\n  kind="herb"\n  rows={[\n    { name: "Mint", note: "a {b} c", tall: true, n: -1.5 },\n  ]}\n  draw={() => <b>{1}</b>}\n/>\n',
  });
  expect(page("docs.mdx")).toContain(
    '<Plants kind="herb" rows={[\n    { name: "Mint", note: "a {b} c", tall: true, n: -1.5 },\n  ]} />',
  );
  expect(notes).toEqual([expect.stringMatching(/<Plants> is a component.* Its code is left out: "draw"\.$/)]);
});

test("Hugo: patterns for addresses in the settings are followed", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "hugo.yaml": "title: S\npermalinks:\n  blog: /:section/:year/:month/:slug/\n  page:\n    news: /:filename\n",
    "content/blog/_index.md": "---\ntitle: Blog\n---\n[older](/blog/2024/03/dig-deep/)\n",
    "content/blog/one.md": "---\ntitle: Dig, deep!\ndate: 2024-03-09\n---\nA.\n",
    "content/blog/undated.md": "---\ntitle: Sow\n---\nB.\n",
    "content/news/2024/rain.md": "---\ntitle: Rain\n---\nC.\n",
  });
  expect(page("blog/2024/03/dig-deep.mdx")).toContain("A.");
  expect(page("blog/undated.mdx")).toContain("B.");
  expect(page("rain.mdx")).toContain("C.");
  expect(notes).toEqual([expect.stringMatching(/^content\/blog\/one\.md:1 .*"date" \(1 page\)/)]);
});

test("Hugo: tabs of the site have the titles of their group, a comment in a template makes no code, and names find pages", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "hugo.toml": 'title = "S"\ncontentDir = "content/en"\n',
    "layouts/shortcodes/codetab.html": "<!-- Trim, for syntax highlighting -->\n<div>{{ .Inner }}</div>",
    "content/en/soil/clay.md": "---\ntitle: Clay\naliases: [../old/clay]\n---\nRed.\n",
    "content/en/soil/_index.md": "---\ntitle: Soil\n---\nText.\n",
    "content/en/soil/pot.png": "",
    "content/en/dig.md": [
      '{{< tabs "Spade" Fork >}}',
      ...["{{% codetab %}}", "Use a *spade*.", "{{% /codetab %}}"],
      ...["{{% codetab %}}", "Use a fork.", "{{% /codetab %}}", "{{< /tabs >}}"],
      '[a]({{< ref "clay.md#red" >}}) [b]({{< ref soil >}}) [c](/old/clay) ![d](/soil/pot.png)',
      "",
      ...["```sh", "run {{< latest >}}", "```"],
    ].join("\n"),
  });
  const text = page("dig.mdx");
  expect(text).toContain('<Tab title="Spade">\nUse a *spade*.\n</Tab>\n<Tab title="Fork">\nUse a fork.\n</Tab>');
  expect(text).toContain("[a](/soil/clay#red) [b](/soil) [c](/soil/clay) ![d](/soil/pot.png)");
  expect(text).toContain("run {{< latest >}}");
  expect(notes).toEqual(['content/en/dig.md:12 "{{< latest >}}" is inside code; write its output there.']);
});

test("Docusaurus: a block of MDX that others show as code is part of the page, and untranslated pages are counted", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S", i18n: { defaultLocale: "en", locales: ["en", "fr"] } };',
    "sidebars.js": 'export default { docs: ["soil", "sand"] };',
    "docs/soil.md":
      '# Soil\n\n````mdx-code-block\n<Tabs>\n<TabItem value="a" label="A">\n\n```js\ndig();\n```\n\n</TabItem>\n</Tabs>\n````\n\n```text\nmdx-code-block\n```\n',
    "docs/sand.md": "# Sand\n",
    "i18n/fr/docusaurus-plugin-content-docs/current/soil.md": "# Terre\n",
  });
  expect(page("docs/soil.mdx")).toContain(
    '<Tabs>\n<Tab title="A">\n```js\ndig();\n```\n</Tab>\n</Tabs>\n```text\nmdx-code-block\n```',
  );
  expect(notes).toEqual([expect.stringMatching(/^i18n\/fr\/docusaurus-plugin-content-docs: Entries .* lacks 1\.$/)]);
});

test("Docusaurus: instances of the docs by the short name of the plugin, with sidebars named without extension", async () => {
  const { page, settings } = await convertFiles({
    "docusaurus.config.js":
      'export default { title: "S", plugins: [["content-docs", { id: "craft", path: "craft", routeBasePath: "/craft", sidebarPath: require.resolve("./sidebarsCraft") }]] };',
    "sidebars.js": 'export default { docs: ["soil"] };',
    "sidebarsCraft.js": 'export default { craft: ["dig"] };',
    "docs/soil.md": "# Soil\n",
    "craft/dig.md": "# Dig\n",
  });
  expect(page("craft/dig.mdx")).toContain('title: "Dig"');
  expect(JSON.stringify(settings["navigation"])).toContain('"craft/dig"');
});

test("VuePress: a theme's function around the sidebar is its argument, and an included file is found by its name", async () => {
  const {
    page,
    settings,
    noteTexts: notes,
  } = await convertFiles({
    "docs/.vuepress/config.ts":
      'import { arraySidebar, hopeTheme, sidebar } from "vuepress-theme-hope";\nexport default { title: "S", theme: hopeTheme({ sidebar: sidebar({ "/": arraySidebar(["soil.md"]) }) }) };',
    "docs/README.md": "# Start\n",
    "docs/soil.md": "# Soil\n\n<!-- @include: @foot.snippet.md -->\n",
    "docs/parts/foot.snippet.md": "Water it.\n",
  });
  expect(page("soil.mdx")).toContain("Water it.");
  expect(JSON.stringify(settings["navigation"])).toContain('"soil"');
  expect(notes.filter((each) => !each.includes("not in the navigation"))).toEqual([]);
});

test("VitePress: README.md next to index.md is not the start page", async () => {
  const { page } = await convertFiles({
    ".vitepress/config.ts": "export default { title: 'S' };",
    "README.md": "# For writers\n",
    "index.md": "# Start\n",
  });
  expect(page("index.mdx")).toContain('title: "Start"');
  expect(page("index-2.mdx")).toContain('title: "For writers"');
});

test("a heading in a list keeps its anchor without a note, and links that a plugin makes are named once", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "astro.config.mjs":
      'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "S" })] };',
    "src/content/docs/index.md":
      "---\ntitle: S\n---\n\n- ##### [`Soil`](jd:net:a.Soil)\n  - [Red](jd:net.a.Red) [Clay](jd:net.a.Clay) [mail](mailto:a@b.example).\n",
  });
  expect(page("index.mdx")).toContain("- ##### [`Soil`](jd:net:a.Soil) {#soil}");
  expect(notes).toEqual([
    expect.stringMatching(/^src\/content\/docs\/index\.md:5 Links that start with "jd:", such as .*:6\.$/),
  ]);
});

test("Nuxt: classes after an image are left out, also without blanks between them", async () => {
  const { page } = await convertFiles({
    "nuxt.config.ts": "export default {}",
    "content/soil.md":
      "# Soil\n\n![A bed](/bed.webp){.rounded-lg.border.w-full} {.tilth}\n\n[Dig](https://a.example){.a .b}\n",
  });
  expect(page("soil.mdx")).toContain("![A bed](/bed.webp) \\{.tilth\\}\n[Dig](https://a.example)\n");
});

test("Nuxt: blocks in blocks keep their text at any indentation, a title may be a slot, and folders of languages are languages", async () => {
  const { page, navigation } = await convertFiles({
    "nuxt.config.ts": "export default {}",
    "content/en/index.md":
      '---\nseo:\n  title: Garden\n---\n\n::tabs\n  :::tabs-item{label="A"}\n    ::::badge\n    **wet** :br dry\n    ::::\n  :::\n::\n',
    "content/en/soil.md":
      '# Soil\n\n::u-page-grid\n  :::u-page-card{to="/en"}\n    ::::moss\n    #title\n    Green\n    ::::\n\n  #title\n  Dig [deep]{.big}\n\n  #description\n    ```js\n    dig();\n    ```\n  :::\n::\n',
    "content/fr/index.md": "# Jardin\n",
  });
  expect(page("en/index.mdx")).toContain(
    'title: "Garden"\n---\n<Tabs>\n<Tab title="A">\n<Badge color="blue">\n**wet** <br /> dry\n</Badge>\n</Tab>\n</Tabs>',
  );
  const text = page("en/soil.mdx");
  expect(text).toContain('<Card title="Dig deep" href="/en">');
  expect(text).toContain("<Moss>\nGreen\n</Moss>");
  expect(text).toContain("\n  ```js\n  dig();\n  ```\n");
  expect(navigation).toEqual({
    languages: [
      { language: "en", default: true, pages: ["en/index", "en/soil"] },
      { language: "fr", pages: ["fr"] },
    ],
  });
});

test("scripts and styles in Markdown are left out and reported, and a logo that is white by its name is for dark mode", async () => {
  const { page, settings, noteTexts } = await convertFiles({
    "mkdocs.yml":
      "site_name: S\ntheme:\n  logo: white.svg\n  favicon: leaf.svg\nnav:\n  - <span class='a'>Soil <img src='b.svg'></span>: soil.md\n  - List<T>: index.md\n",
    "docs/white.svg": "<svg/>",
    "docs/leaf.svg": "<svg/>",
    "docs/index.md":
      "# S\n\n<style>\n.a { color: red; }\n</style>After\n\n<script>\nif (a < b) { c(); }\n</script>\n\n<style>\n",
    "docs/soil.md": "# Clay\n",
  });
  expect(page("index.mdx")).toContain("After\n\\<style>\n");
  expect(page("soil.mdx")).toContain('sidebarTitle: "Soil"');
  expect(settings["logo"]).toEqual({ light: "/leaf.svg", dark: "/white.svg" });
  expect(noteTexts).toEqual([
    expect.stringMatching(/^docs\/index\.md:3 The page has a <style>.* \.css file/),
    expect.stringMatching(/^docs\/index\.md:7 The page has a <script>.* \.js file/),
    expect.stringMatching(/^mkdocs\.yml:3 The logo "white\.svg" is white by its name, so light mode shows the favicon/),
  ]);
});

test("VuePress: the structure of folders is nested, and the title of code in brackets has none in Markdown", async () => {
  const { navigation } = await convertFiles({
    "docs/.vuepress/config.js":
      'export default { title: "S", themeConfig: { sidebar: ["/", { text: "Guide", prefix: "/guide/", children: "structure" }] } };',
    "docs/README.md": "# S\n",
    "docs/guide/README.md": "# Start\n",
    "docs/guide/soil/README.md": "# Soil\n",
    "docs/guide/soil/clay.md": "# Clay\n",
    "docs/guide/tools/spade.md": "# Spade\n",
  });
  expect(navigation).toEqual({
    pages: [
      "index",
      {
        group: "Guide",
        pages: [
          "guide/index",
          { group: "Soil", root: "guide/soil/index", pages: ["guide/soil/clay"] },
          { group: "Tools", pages: ["guide/tools/spade"] },
        ],
      },
    ],
  });
  const { page } = await convertFiles({ "a.md": "# A\n\n```bash [Dig]\ndig\n```\n" });
  expect(page("a.mdx")).toContain("```bash Dig\n");
  const { noteTexts } = await convertFiles({
    "docs/.vuepress/config.js":
      'export default { title: "S", themeConfig: { sidebar: [{ text: "Rain", prefix: "/rain/", children: "structure" }] } };',
    "docs/README.md": "# S\n",
  });
  expect(noteTexts).toEqual([expect.stringContaining('The group "Rain" has no entries')]);
});

test("an attribute list and an include that stay as text are reported; a list of values in brackets is not", async () => {
  const { noteTexts } = await convertFiles({
    "a.md": '# A\n\nDig {: data-tool=\'rake\' }\n\n!!! include(b.md)\n\n[[1.5, 2]] and [["a", "b"]]\n',
  });
  expect(noteTexts).toEqual([
    expect.stringMatching(/^a\.md:3 "\{: data-tool='rake' \}" stays as text/),
    expect.stringMatching(/^a\.md:5 "!!! include/),
  ]);
});

test("a favicon that the settings need not name is kept, as are pages without search; other front matter is counted", async () => {
  const { settings, page, noteTexts } = await convertFiles({
    "docs/.vitepress/config.js":
      'export default { title: "S", themeConfig: { sidebar: [{ text: "A", link: "/a" }] } };',
    "docs/public/favicon.ico": "",
    "docs/a.md": "---\nsearch: false\noutline: deep\nimage: a.png\n---\n# A\n",
    "docs/index.md": "---\noutline: 2\n---\n# S\n",
  });
  expect(settings["favicon"]).toBe("/favicon.ico");
  expect(page("a.mdx")).toContain("searchable: false");
  expect(noteTexts).toEqual([
    'docs/a.md:1 Front matter that is not converted: "image" (1 page); write tags for all pages into seo.metatags in docs.json.',
    'docs/a.md:1 Front matter that is not converted: "outline" (2 pages); the parts around a page are those of the theme; `mode: "wide"` leaves out the list of headings.',
  ]);
});

test("a component whose attributes contain elements or apostrophes becomes a stub, and attributes that are left out are reported", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "docusaurus.config.js": "export default { title: 'S' };\n",
    "docs/soil.mdx": [
      "export const facts = {",
      "  content: '<Spade className=\"long\" />',",
      "};",
      "",
      "<Property",
      "  initial={",
      "    <>",
      "      <code>auto</code>",
      "    </>",
      "  }",
      "  percentages={<>the soil's area</>}",
      '  inherited="no"',
      "  lines={11,12}",
      "  rows={[1, 2]}",
      "/>",
      "",
      '<a href={withBase("/tools/")}>Tools</a>',
    ].join("\n"),
  });
  const text = page("docs/soil.mdx");
  expect(text).toContain("content: '<Spade className=\"long\" />',");
  expect(text).toContain('<Property inherited="no" rows={[1, 2]} />');
  expect(text).toContain('<a href="/tools/">');
  expect(notes).toContainEqual(
    expect.stringMatching(/:5 <Property> .*Its code is left out: "initial", "percentages", "lines"\.$/),
  );
});

test("tags of other tools are not the badge of a page", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "docs/.vuepress/config.js": "export default { title: 'S' };\n",
    "docs/soil.md": "---\ntag:\n  - Clay\n---\n\n# Soil\n",
    "docs/sand.md": "---\ntag: Dry\n---\n\n# Sand\n",
  });
  expect([page("soil.mdx"), page("sand.mdx")].join()).not.toContain("tag:");
  expect(notes).toContainEqual(expect.stringContaining("Tags and categories are not converted (2 pages)"));
});

test("Rspress: headings in steps begin a step each, and a page in Markdown has no expressions", async () => {
  const { page, comparison } = await convertFiles({
    "rspress.config.ts": "export default { title: 'S' };\n",
    "docs/dig.mdx": "# Dig\n\n<Steps>\n\n### Take a spade\n\nText.\n\n### Dig a hole\n\nText.\n\n</Steps>\n",
    "docs/types.md": "# Types\n\nA promise of { soil: Clay; } is made.\n",
  });
  expect(page("dig.mdx")).toContain('<Step title="Take a spade" id="take-a-spade">');
  expect(page("types.mdx")).toContain("\\{ soil: Clay; \\}");
  expect(comparison.find(({ what }) => what === "headings")).toMatchObject({ before: 4, after: 4 });
});

test("MkDocs: icons in titles are the icons of tabs, callouts and cards, and an id may follow other attributes", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\ntheme:\n  name: material\n",
    "docs/index.md": [
      ...[
        '=== ":material-apple: macOS"',
        "",
        "    Bite.",
        "",
        '=== ":octicons-file-code-16: `dig.md`"',
        "",
        "    Dig.",
        "",
      ],
      ...['!!! tip ":material-school: Learn"', "", "    Read.", ""],
      ...[
        '<div class="grid cards" markdown>',
        "",
        "-   :material-clock:{ .lg } __Soon__",
        "",
        "    Wait.",
        "",
        "</div>",
        "",
      ],
      '## Clay { data-toc-label="The clay" #wet-clay }',
    ].join("\n"),
  });
  const text = page("index.mdx");
  expect(text).toContain('<Tab title="macOS" icon="apple">');
  expect(text).toContain('<Tab title="`dig.md`" icon="file-code">');
  expect(text).toContain('<Tip title="Learn" icon="school">');
  expect(text).toContain('<Card title="Soon" icon="clock">');
  expect(text).toContain("## Clay {#wet-clay}");
  expect(notes).toEqual([]);
});

test("Fumadocs: pages in Markdown in the app folder are pages, and createMDX() returns a function", async () => {
  const {
    page,
    settings,
    noteTexts: notes,
  } = await convertFiles({
    "package.json": '{"dependencies":{"fumadocs-ui":"1"}}',
    "next.config.mjs":
      'import { createMDX } from "fumadocs-mdx/next";\nconst withMDX = createMDX({ contentDirBasePath: "/content" });\n' +
      'export default withMDX({ async redirects() { return [{ source: "/mud", destination: "/legal/terms" }]; } });\n',
    "content/docs/index.mdx":
      "---\ntitle: S\n---\n\n```package-install\nspade @mud/rake\n```\n\n- Run:\n\n  ```package-install\n  npx spade dig\n  ```\n",
    "app/(home)/legal/terms/page.mdx": "# Terms\n\nDig.\n",
  });
  expect(page("legal/terms.mdx")).toContain("Dig.");
  expect(page("docs.mdx")).toContain("```bash\nnpm install spade @mud/rake\n```");
  expect(page("docs.mdx")).toContain("  ```bash\n  npx spade dig\n  ```");
  expect(settings["redirects"]).toEqual([{ source: "/mud", destination: "/legal/terms" }]);
  expect(notes).toEqual([
    expect.stringContaining("These pages are not in the navigation: (home)/legal/terms/page.mdx"),
  ]);
});

test.each([
  [
    "TOML",
    { "book.toml": '[book]\ntitle = "S\n', "src/SUMMARY.md": "- [A](a.md)\n", "src/a.md": "# A\n\nText.\n" },
    "book.toml:undefined settings The file is not valid, so nothing of it is used: Invalid TOML document: control characters are not allowed in strings at line 2, column 11. Correct it.",
  ],
  [
    "YAML",
    { "mkdocs.yml": 'site_name: "S"\nnav:\n  - A: [a.md\n', "docs/a.md": "# A\n\nText.\n" },
    "mkdocs.yml:undefined data The file is not valid, so not all of it may be used: Flow sequence",
  ],
])("data that is not valid %s is reported", async (_, files, expected) => {
  const { notes } = await convertFiles(files);
  const lines = notes.map(({ sourcePath, line, kind, what }) => `${sourcePath}:${line} ${kind} ${what}`);
  expect(lines).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
});
