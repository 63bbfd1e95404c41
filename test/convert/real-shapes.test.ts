/** Shapes of pages and settings that repositories of other tools have, and that no sample of one tool shows. */
import { expect, test } from "vitest";
import { convertFiles } from "../support/convert.js";

test("what is indented in a table or component is no code, but an indented block outside of them is", async () => {
  const { page } = await convertFiles({
    "docs/Soil/_order.yaml": "- kinds\n",
    "docs/Soil/kinds.md":
      "---\ntitle: Kinds\nexcerpt: E\n---\n\n<Table>\n  <tr>\n    <th>Kind</th>\n\n    <th>\n      Use\n    </th>\n  </tr>\n</Table>\n\n<Columns>\n    <Column>\n\n    Left\n\n    </Column>\n</Columns>\n\nA List<String>:\n\n    dig();\n",
  });
  const text = page("docs/kinds.mdx");
  expect(text).toContain("    <th>\n      Use\n    </th>");
  expect(text).toContain("    Left\n");
  expect(text).toMatch(/```\ndig\(\);\n```\n$/);
  expect(text.match(/```/g)).toHaveLength(2);
});

test("ReadMe: a page that imports or defines components is MDX, so its braces stay", async () => {
  const { page } = await convertFiles({
    "docs/Soil/_order.yaml": "- live\n",
    "docs/Soil/live.md":
      "---\ntitle: Live\nexcerpt: E\n---\n\nexport const Dig = () => {\n  return <p>{1 + 1}</p>;\n};\n\n<Dig />\n",
    "docs/Soil/plain.md": "---\ntitle: Plain\nexcerpt: E\n---\n\nA {brace} :rocket:\n",
  });
  expect(page("docs/live.mdx")).toContain("() => {\n  return <p>{1 + 1}</p>;\n};\n<Dig />");
  expect(page("docs/plain.mdx")).toContain("A \\{brace\\} 🚀");
});

test("MkDocs: an admonition needs no space after its marks, and what folds may have a title alone", async () => {
  const { page, noteTexts } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md": '# S\n\n!!!tip "Wet"\n    Dig.\n\n??? "More"\n    Sow.\n\n!!!wait()\n',
  });
  expect(page("index.mdx")).toContain('<Tip title="Wet">\nDig.\n</Tip>\n<Accordion title="More">\nSow.\n</Accordion>');
  expect(noteTexts).toEqual([]);
});

test("MkDocs: a snippet that the old site may lack is named, and is a loss only if the old site needs it", async () => {
  const site = (check: boolean) =>
    convertFiles({
      "mkdocs.yml": `site_name: S\nmarkdown_extensions:\n  - pymdownx.snippets:\n      check_paths: ${check}\n`,
      "docs/index.md": '# S\n\n--8<-- "gone.md"\n',
    });
  for (const [check, kind] of [
    [true, "code"],
    [false, "include"],
  ] as const) {
    const { notes } = await site(check);
    expect(notes).toEqual([
      { sourcePath: "docs/index.md", line: 3, kind, what: expect.stringContaining('"gone.md", which is not') },
    ]);
  }
});

test.each([
  [
    { "docusaurus.config.js": 'export default { title: "S" };\n' },
    "docs",
    "bash npm2yarn script title='a.sh' {1}",
    "bash title='a.sh' {1}",
  ],
  [
    { "package.json": '{ "dependencies": { "nextra": "4" } }', "content/_meta.js": "export default {};\n" },
    "content",
    'jsx "import x" /dig/ copy filename="a.jsx" showLineNumbers',
    'jsx filename="a.jsx" lines',
  ],
  [{ "mkdocs.yml": "site_name: S\n" }, "docs", '{ .yaml .no-copy title="a" }', 'yaml title="a"'],
  [
    {
      "astro.config.mjs":
        'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "S" })] };\n',
    },
    "src/content/docs",
    'js frame=none ins={"1":2-3} "word" wrap collapse={1-2}',
    "js {2-3} wrap",
  ],
])("words after the language that readers did not see are no title: %o", async (settings, folder, info, expected) => {
  const { page } = await convertFiles({
    ...settings,
    [`${folder}/dig.md`]: `# Dig\n\n\`\`\`${info}\na\nb\nc\n\`\`\`\n`,
  });
  expect(page(folder === "docs" && "docusaurus.config.js" in settings ? "docs/dig.mdx" : "dig.mdx")).toMatch(
    `\n\`\`\`${expected}\n`,
  );
});

test("a card keeps its icon, which may be a component, and its picture; an unknown icon is named", async () => {
  const next = await convertFiles({
    "package.json": '{ "dependencies": { "fumadocs-ui": "15" } }',
    "content/docs/index.mdx":
      '---\ntitle: S\n---\n\n<Card icon={<BookIcon />} title="A" href="/a" />\n<Card icon={<NoSuchThing />} title="B" href="/b" />\n',
  });
  expect([...next.files.values()].join("")).toContain(
    '<Card title="A" href="/a" icon="book"></Card>\n<Card title="B" href="/b"></Card>',
  );
  expect(next.noteTexts).toContainEqual(expect.stringMatching(/:6 No icon has the name "\{<NoSuchThing \/>\}"/));
  const hugo = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "static/sand.png": "-",
    "content/dig.md": '---\ntitle: Dig\n---\n\n{{< card link="/" title="A" icon="tag" image="/sand.png" >}}\n',
  });
  expect(hugo.page("dig.mdx")).toContain('<Card title="A" icon="tag" href="/" img="/sand.png"></Card>');
});

test("redirects: a rule that redirects its own target is named, two slashes are one, and choices of Rspress are several", async () => {
  const host = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins:\n  - redirects:\n      redirect_maps:\n        old//dig.md: dig.md\n",
    "docs/dig.md": "# Dig\n",
    "docs/_redirects": "/de/* /de/guide/:splat\n/old-*  /new/:splat\n",
  });
  expect(host.settings["redirects"]).toEqual([
    { source: "/old-*", destination: "/new/*" },
    { source: "/old/dig", destination: "/dig" },
  ]);
  expect(host.noteTexts).toContainEqual(expect.stringMatching(/_redirects:1 The redirect from "\/de\/\*"/));
  const pattern = await convertFiles({
    "rspress.config.ts":
      'import { pluginClientRedirects } from "@rspress/plugin-client-redirects";\nexport default { title: "S", plugins: [pluginClientRedirects({ redirects: [{ from: "^/soil-(?:wet|dry)(?:\\\\.html)?/?$", to: "/dig" }, { from: "^/x.*$", to: "/dig" }] })] };\n',
    "docs/dig.md": "# Dig\n",
  });
  expect(pattern.settings["redirects"]).toEqual([
    { source: "/soil-wet", destination: "/dig" },
    { source: "/soil-dry", destination: "/dig" },
  ]);
  expect(pattern.noteTexts).toContainEqual(expect.stringMatching(/The redirect from .* is a pattern/));
});

test("a mark of a comment in code begins no comment, so no code is reported as missing", async () => {
  const { comparison, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };\n',
    "docs/dig.md": "# Dig\n\n```ts\ntype Soil = {/**/...Clay};\n```\n\nText.\n\n```js\ndig();\n```\n\n<!-- done -->\n",
  });
  expect(comparison.find(({ what }) => what === "code blocks")).toEqual({ what: "code blocks", before: 2, after: 2 });
  expect(notes).toEqual([]);
});

test("Markdown: the body of a callout that is indented as a whole is text, and code in it stays code", async () => {
  const { page } = await convertFiles({
    "dig.md":
      "# Dig\n\n:::tip[Wet]\n    Dig **deep**:\n\n    - now\n\n        spade();\n:::\n\n:::note\nText.\n\n    sow();\n:::\n",
  });
  expect(page("dig.mdx")).toContain('<Tip title="Wet">\nDig **deep**:\n- now\n');
  expect(page("dig.mdx")).toContain("<Note>\nText.\n```\nsow();\n```\n</Note>");
});

test("Docusaurus: a plugin of the repository that extends the blog has posts", async () => {
  const { navigation, files, noteTexts } = await convertFiles({
    "docusaurus.config.js":
      'module.exports = { title: "S", plugins: [["./plugins/posts", { path: "news", routeBasePath: "/news" }], "./plugins/other.js"], presets: [["classic", { blog: false }]] };\n',
    "plugins/posts/index.js": 'module.exports = require("@docusaurus/plugin-content-blog").default;\n',
    "plugins/other.js": "module.exports = () => ({});\n",
    "docs/dig.md": "# Dig\n",
    "news/2024-01-02-frost.md": "# Frost\n",
  });
  expect(files.has("news/2024/01/02/frost.mdx")).toBe(true);
  expect(JSON.stringify(navigation)).toContain('{"tab":"News","pages":["news/2024/01/02/frost"]}');
  expect(noteTexts).toEqual([]);
});

test("Hugo: the navigation opens the address that a page of Docsy names in its place", async () => {
  const { navigation, page, noteTexts } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/tools/_index.md": "---\ntitle: Tools\n---\nAll tools.\n",
    "content/tools/film.md": "---\ntitle: Film\nweight: 1\nmanualLink: https://film.example.com/a\n---\n",
    "content/tools/forum.md":
      "---\ntitle: Forum\nweight: 2\nmanualLink: https://forum.example.com/\n---\nWrite there.\n",
  });
  expect(page("tools/film.mdx")).toBe('---\nurl: "https://film.example.com/a"\ntitle: "Film"\n---\n');
  expect(page("tools/forum.mdx")).toContain("Write there.");
  expect(page("links/forum.mdx")).toContain('url: "https://forum.example.com/"');
  expect(JSON.stringify(navigation)).toContain('"pages":["links/film","links/forum"]');
  expect(noteTexts).toEqual([expect.stringContaining("These pages are not in the navigation: film.md, forum.md")]);
});

test("VitePress: a group that the settings leave empty is no loss, but one that a program fills is", async () => {
  const { notes } = await convertFiles({
    ".vitepress/config.ts":
      'const made: string[] = [];\nexport default { title: "S", themeConfig: { sidebar: [{ text: "Past", items: [] }, { text: "Next", items: made }, { text: "Dig", link: "/dig" }] } };\n',
    "dig.md": "# Dig\n",
  });
  expect(notes.map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
    expect.stringMatching(/^navigation: The group "Next" has no entries/),
  ]);
});

test("Markdown: the settings of a program that makes its own navigation are named", async () => {
  const { notes } = await convertFiles({ "_config.ts": "export default site;\n", "dig.md": "# Dig\n" });
  expect(notes).toEqual([
    expect.objectContaining({
      sourcePath: "_config.ts",
      kind: "settings",
      what: expect.stringContaining("not supported"),
    }),
  ]);
});

test("a component with a command for each package manager becomes a group of code, also in a list", async () => {
  const { page, files, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };\n',
    "docs/dig.md":
      '# Dig\n\n1. Install:\n\n   <CommandTabs npm="npm i soil\n     npm run dig" pnpm=\'pnpm add "soil"\' />\n\n2. Dig.\n\n<Other npm="a" title="b" />\n',
  });
  expect(page("docs/dig.mdx")).toContain(
    '1. Install:\n   <CodeGroup>\n   ```sh npm\n   npm i soil\n   npm run dig\n   ```\n   ```sh pnpm\n   pnpm add "soil"\n   ```\n   </CodeGroup>\n2. Dig.\n',
  );
  expect([...files.keys()].filter((path) => path.startsWith("snippets"))).toEqual(["snippets/components/Other.jsx"]);
  expect(notes.map(({ kind }) => kind)).toEqual(["component"]);
});

test("MkDocs: the definition of a list item goes below it", async () => {
  const { page } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md": "# S\n\n- `--deep`\n:  Dig deep.\n- `--wide`\n:  Dig wide.\n",
  });
  expect(page("index.mdx")).toContain("- `--deep`  \n  Dig deep.\n- `--wide`  \n  Dig wide.\n");
});

test("GitBook: the anchor of a heading that begins with an emoji begins with its first word", async () => {
  const { page } = await convertFiles({
    "SUMMARY.md": "# Table of contents\n\n* [Dig](dig.md)\n",
    ".gitbook.yaml": "root: ./\n",
    "dig.md": "# Dig\n\n[Soil](#wet-soil)\n\n## :droplet: Wet soil\n",
  });
  expect(page("dig.mdx")).toContain("{#wet-soil}");
});

test("a picture for one color mode is shown in that mode", async () => {
  const { page, notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md": '# S\n\n![Logo](a.svg#only-dark) [![](a.svg#gh-light-mode-only "T")](https://example.com)\n',
    "docs/a.svg": "<svg/>",
  });
  expect(page("index.mdx")).toContain(
    '<img className="hidden dark:block" src="/a.svg" alt="Logo" /> [<img className="block dark:hidden" src="/a.svg" alt="" />](https://example.com)',
  );
  expect(notes).toEqual([]);
});

test("Hugo: a tab shows the file that it includes or its code, and a third brace around it is dropped", async () => {
  const { page, notes } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/dig/spade.md": "Take a **spade**.\n",
    "content/dig/index.md":
      '# Dig\n\n{{< tabs name="a" >}}\n{{{< tab name="Spade" include="spade.md" />}}\n{{< tab name="Gone" include="gone.md" />}}\n{{< /tabs >}}\n\n{{< tabs name="b" >}}\n{{{< tab name="Shell" codelang="bash" >}}\ndig --deep\n{{< /tab >}}\n{{< tab name="Words" >}}\nDig deep.\n{{< /tab >}}}\n{{< /tabs >}}\n',
  });
  const text = page("dig.mdx");
  expect(text).toContain('<Tab title="Spade">\nTake a **spade**.\n</Tab>');
  expect(text).toContain('<Tab title="Shell">\n```bash\ndig --deep\n```\n</Tab>');
  expect(text).toContain('<Tab title="Words">\nDig deep.\n</Tab>');
  expect(text).not.toMatch(/^\\?[{}]$/m);
  expect(notes).toEqual([
    expect.objectContaining({ kind: "component", line: 5, what: expect.stringContaining("<ShortcodeTab>") }),
  ]);
});

test("a SUMMARY.md that lists no other page is no book", async () => {
  const { tool, page } = await convertFiles({
    "README.md": "# Spades\n\nDig.\n",
    "crates/edge/README.md": "# Edge\n\nSharp.\n",
    "crates/edge/SUMMARY.md": "# Summary\n\n- [tests](./edge.rs) are there\n- [README.md](./README.md)\n",
    "crates/edge/edge.rs": "fn main() {}\n",
  });
  expect(tool).toBe("Markdown");
  expect(page("index.mdx")).toContain("Dig.");
});

test("MkDocs: a language with settings of its own has its own navigation, also that at the top of the host", async () => {
  const settings = (language: string, nav: string): string =>
    `site_name: S\ntheme:\n  language: ${language}\nnav:\n${nav}extra:\n  alternate:\n    - name: en - English\n      link: /\n    - name: de - Deutsch\n      link: /de/\n`;
  const { page, navigation, noteTexts } = await convertFiles({
    "docs/de/mkdocs.yml": settings("de", "  - Boden: index.md\n"),
    "docs/de/docs/index.md": "# Boden\n\nErde.\n",
    "docs/en/mkdocs.yml": settings("en", "  - Soil: index.md\n  - Sand: sand.md\n  - Clay: clay.md\n"),
    "docs/en/docs/index.md": "# Soil\n\nEarth.\n",
    "docs/en/docs/sand.md": "# Sand\n\nFine.\n",
  });
  expect(navigation).toEqual({
    languages: [
      { language: "de", default: true, pages: ["index"] },
      { language: "en", pages: ["en/index", "en/sand"] },
    ],
  });
  expect(page("en/sand.mdx")).toContain("Fine.");
  expect(noteTexts).toEqual([expect.stringMatching(/^docs\/en\/mkdocs\.yml:7 The navigation lists "clay\.md"/)]);
});

test("Fumadocs: the loader may be outside of lib, and the folder of a collection is content/docs unless it is written", async () => {
  const { page, noteTexts } = await convertFiles({
    "package.json": '{ "dependencies": { "fumadocs-core": "1" } }',
    "source.config.ts": "export const { docs, meta } = defineDocs({ docs: {} });\n",
    "app/source.ts": 'export const source = loader({ source: createMDXSource(docs, meta), baseUrl: "/" });\n',
    "content/docs/dig.mdx": "---\ntitle: Dig\n---\n\nDeep.\n",
    "content/docs/index.mdx": "---\ntitle: Start\n---\n\n[Dig](/dig)\n",
    "content/for-writers.md": "# Style\n\nShort.\n",
  });
  expect(page("dig.mdx")).toContain("Deep.");
  expect(page("index.mdx")).toContain("[Dig](/dig)");
  expect(noteTexts.filter((text) => text.includes("for-writers.md"))).toHaveLength(1);
});

test("Rspress: a preset may have another name for the folder of the pages", async () => {
  const { page, notes } = await convertFiles({
    "rspress.config.ts":
      'import { preset } from "garden-preset";\nexport default preset({ docs: { title: "S", rootDir: "src/latest" } }, { outDir: "out" });\n',
    "src/latest/index.md": "# Soil\n\nEarth.\n",
    "src/v1/index.md": "# Old soil\n\nStone.\n",
  });
  expect(page("index.mdx")).toContain("Earth.");
  expect(notes).toContainEqual(
    expect.objectContaining({ kind: "not a page", what: expect.stringContaining("index.md") }),
  );
});

test("the navigation of an unknown program is a loss, and other data that names pages is none", async () => {
  const names = ["soil", "sand", "clay", "loam", "silt"];
  const files = Object.fromEntries(names.map((name) => [`guide/${name}.md`, `# ${name}\n\nDig.\n`]));
  const { notes } = await convertFiles({
    ...files,
    "guide/order.json": JSON.stringify({ sections: [{ label: "Kinds", children: names.map((to) => ({ to })) }] }),
    "guide/redirects.json": JSON.stringify(names),
    "words.json": JSON.stringify(names),
  });
  expect(notes).toEqual([
    expect.objectContaining({
      sourcePath: "guide/order.json",
      kind: "settings",
      what: "This file lists 5 pages, for a program that is not supported; write its order and labels as the navigation in docs.json.",
    }),
  ]);
});

test("an alert of an unknown kind keeps its kind as title, and one for details folds", async () => {
  const { page } = await convertFiles({
    "a.md": "# A\n\n> [!LEGACY]\n> Use a rake.\n\n> [!DETAILS] Why so\n> It is sharp.\n\n> [!NOTE] Dig\n",
  });
  expect(page("a.mdx")).toContain('<Note title="Legacy">\nUse a rake.\n</Note>');
  expect(page("a.mdx")).toContain('<Accordion title="Why so">\nIt is sharp.\n</Accordion>');
  expect(page("a.mdx")).toContain("<Note>\nDig\n</Note>");
});

test("an anchor may be longer than 200 characters, and a number in parentheses sorts a folder", async () => {
  const id = `${"deep-".repeat(80)}end`;
  const { page } = await convertFiles({
    "docusaurus.config.js": "export default { title: 'S', presets: [['classic', { docs: {} }]] };\n",
    "docs/a.md": `# A\n\n## Dig {#${id}}\n`,
  });
  expect(page("docs/a.mdx")).toContain(`## Dig {#${id}}`);
  const { page: plain } = await convertFiles({ "(1)guide/(0)start.md": "# Start\n\nDig.\n", "b.md": "# B\n\nDig.\n" });
  expect(plain("guide/start.mdx")).toContain("Dig.");
});

test("mdBook: tabs of a preprocessor are converted, and a block helper has one note at its start", async () => {
  const { page, noteTexts } = await convertFiles({
    "book.toml": '[book]\ntitle = "S"\n[preprocessor.tabs]\n[preprocessor.garden]\n',
    "src/SUMMARY.md": "- [A](a.md)\n- [B](b.md)\n",
    "src/a.md":
      '# A\n\n{{#tabs}}\n{{#tab name="Spade"}}\nDig.\n{{#endtab}}\n{{#endtabs}}\n\n{{#bed}}\nb.md\n{{#endbed}}\n',
    "src/b.md": "# B\n\nDig.\n",
  });
  expect(page("index.mdx")).toContain('<Tab title="Spade">\nDig.\n</Tab>');
  expect(noteTexts).toEqual([
    expect.stringMatching(/^book\.toml:\d+ The preprocessor "garden" does not run/),
    expect.stringMatching(/^src\/a\.md:9 "\{\{#bed\}\}" is generated/),
  ]);
});

test("braces and angles in the path of a URL are part of the link", async () => {
  const { page } = await convertFiles({
    "a.md":
      "# A\n\nSee https://a.org/{id}/b, _https://a.org/\\<name>/c_ and https://a.org/d. [E](https://a.org/{f})\n\n[g]: https://a.org/{h}\n",
  });
  expect(page("a.mdx")).toContain(
    "See [https://a.org/\\{id\\}/b](https://a.org/%7Bid%7D/b), _[https://a.org/\\<name>/c](https://a.org/%3Cname%3E/c)_ and https://a.org/d. [E](",
  );
  expect(page("a.mdx")).toMatch(/^\[g\]: https:/m);
});

test("ReadMe: a page beside the folder of its children is the page of their group", async () => {
  const { navigation } = await convertFiles({
    "docs/Soil/sand.md": "---\ntitle: Fine sand\nslug: sand\nexcerpt: E\n---\n\nDig.\n",
    "docs/Soil/sand/dune.md": "---\ntitle: Dune\nslug: dune\nexcerpt: E\n---\n\nDig.\n",
    "docs/Soil/silt.md": "---\ntitle: Silt\nslug: silt\nhidden: false\nexcerpt: E\n---\n\nDig.\n",
  });
  expect(JSON.stringify(navigation)).toContain(
    '{"group":"Soil","pages":[{"group":"Fine sand","root":"docs/sand","pages":["docs/dune"]},"docs/silt"]}',
  );
});

test("Hugo: a reference to a file finds the page in the language of the page that has it", async () => {
  const { page } = await convertFiles({
    "config.toml": '[languages]\n[languages.en]\nlanguageName = "English"\n[languages.fr]\nlanguageName = "Français"\n',
    "content/soil/_index.en.md": "# Soil\n",
    "content/soil/_index.fr.md": "# Terre\n",
    "content/dig.en.md": '# Dig\n\n[Soil]({{%relref "soil/_index.md" %}})\n',
    "content/dig.fr.md": '# Creuser\n\n[Terre]({{%relref "soil/_index.md#a" %}})\n',
  });
  expect(page("dig.mdx")).toContain("[Soil](/soil)");
  expect(page("fr/dig.mdx")).toContain("[Terre](/fr/soil#a)");
});

test("Nextra: a hidden item of type page is no tab, and its pages are not in another one", async () => {
  const { navigation } = await convertFiles({
    "package.json": '{"dependencies":{"nextra":"2"}}',
    "pages/_meta.json": JSON.stringify({
      soil: { title: "Soil", type: "page" },
      old: { title: "Old", type: "page", display: "hidden" },
    }),
    "pages/soil/sand.mdx": "# Sand\n",
    "pages/old/mud.mdx": "# Mud\n",
  });
  expect(navigation).toEqual({ pages: ["soil/sand"] });
});

test("VuePress: a sidebar that only a theme of the site reads is a loss; parts in folders with a dot are included", async () => {
  const { page, notes, origins } = await convertFiles({
    "docs/.vuepress/config.js":
      'module.exports = { theme: "mud", themeConfig: { sets: [{ title: "Soil", sidebar: { "/": ["sand"] } }] } };\n',
    "docs/.artifacts/depth.md": "Dig **deep**.\n",
    "docs/README.md": "# Soil\n\n::: code\n```js\ndig();\n```\n```php\ndig();\n```\n:::\n",
    "docs/2.x/sand.md": "# Sand\n\n!!!include(docs/.artifacts/depth.md)!!!\n",
  });
  expect(page("2.x/sand.mdx")).toContain("Dig **deep**.");
  expect(page("index.mdx")).toMatch(/<CodeGroup>\n```js[\s\S]*<\/CodeGroup>/);
  expect([...origins.keys()].toSorted()).toEqual(["2.x/sand.mdx", "index.mdx"]);
  expect(notes).toEqual([
    expect.objectContaining({ kind: "navigation", what: expect.stringContaining('The sidebar is in "sets"') }),
  ]);
});

test("a version is no number that sorts, and an include of an unknown program is reported", async () => {
  const { page, navigation, noteTexts } = await convertFiles({
    "2.x/sand.md": "# Sand\n\n@include .parts/depth.md\n",
    "3.x/sand.md": "# Sand\n",
  });
  expect(page("2.x/sand.mdx")).toContain("Sand");
  expect(JSON.stringify(navigation)).toMatch(/"group":"2\.x".*"group":"3\.x"/);
  expect(noteTexts).toEqual([expect.stringMatching(/^2\.x\/sand\.md:3 "@include \.parts\/depth\.md" stays as text/)]);
});

test("Nextra: the pages of a folder with display children are shown in its place", async () => {
  const { navigation } = await convertFiles({
    "package.json": '{"dependencies":{"nextra":"2"}}',
    "pages/_meta.json": JSON.stringify({
      "--- a": { title: "Ground", type: "separator" },
      soil: { title: "Soil", display: "children" },
    }),
    "pages/soil/_meta.json": '{"sand":"Sand","mud":{"display":"hidden"}}',
    "pages/soil/sand.mdx": "# Sand\n",
    "pages/soil/mud.mdx": "# Mud\n",
  });
  expect(navigation).toEqual({ groups: [{ group: "Ground", pages: ["soil/sand"] }] });
});

test("Hugo: the icon in a label of the header is no text", async () => {
  const { settings } = await convertFiles({
    "config.toml":
      'title = "S"\n[[menu.main]]\nname = "<i class=\'fab fa-spade\'></i> Spades"\nurl = "https://a.org/"\nweight = 1\n[[menu.shortcuts]]\nname = "<i class=\'fab fa-rake\'></i> Rakes"\nurl = "https://b.org/"\n',
    "content/a.md": "# A\n",
  });
  expect(JSON.stringify(settings)).toContain('"Spades"');
  expect(JSON.stringify(settings)).not.toContain("<i ");
});

test("code keeps its empty lines and the blanks at the ends of its lines", async () => {
  const code = ["```py", "import soil", "", "", "soil.dig()  ", "", "", "```"].join("\n");
  const { files } = await convertFiles({
    "docs/.vitepress/config.js": "export default { themeConfig: {} };",
    "docs/index.md": `# S\n\nText.\n\n\n${code}\n`,
  });
  expect(String(files.get("index.mdx"))).toContain(`Text.\n\n${code}\n`);
});

test("an element that shows code from its attributes is a loss of code, and one that shows text is reported", async () => {
  const { noteTexts } = await convertFiles({
    "docusaurus.config.js": "module.exports = { title: 'S' };",
    "docs/soil.mdx": [
      "# Soil",
      "<CodeTabs example={{ js: { code: `dig();` } }} />",
      "<Steps list={['Dig', 'Sow']} />",
      '<Tabs items={["a"]} />',
      '<Link to={"/soil"}>Soil</Link>',
      "<CodeTabs example={table} open={true} />",
    ].join("\n\n"),
  });
  expect(noteTexts.filter((each) => each.includes("shows what is in"))).toEqual([
    'docs/soil.mdx:3 <CodeTabs> shows what is in "example", which is left out; write it here.',
    'docs/soil.mdx:5 <Steps> shows what is in "list", which is left out; write it here.',
    'docs/soil.mdx:11 <CodeTabs> shows what is in "example", which is left out; write it here.',
  ]);
});

test("Vue: any element that HTML does not have is a component, and a value may contain tags and span lines", async () => {
  const { page } = await convertFiles({
    "docs/.vitepress/config.js": "export default { themeConfig: {} };",
    "docs/index.md": [
      "# S",
      "A <moss>green</moss> word, <rain /> and a <name>.",
      "<SoilCard",
      'title="Soil"',
      'content="<b>Dig</b> first"',
      ":actions='[",
      '{ text: "Sow" },',
      "]' />",
    ].join("\n"),
  });
  expect(page("index.mdx")).toContain("A <Moss>green</Moss> word, <Rain /> and a \\<name>.");
  expect(page("index.mdx")).toContain('<SoilCard title="Soil" content="<b>Dig</b> first" />');
});

test("VuePress: a container in a tab does not end the tabs, and code of a group has its title", async () => {
  const { page } = await convertFiles({
    "docs/.vuepress/config.js": "module.exports = { title: 'S' };",
    "docs/README.md": [
      "# S",
      ...[":::: tabs", "@tab Clay", "::: warning", "Wet.", ":::", "Dig.", "@tab Sand#two", "Sow.", "::::", ""],
      ...[":::: code-group", "::: code-group-item npm", "```sh", "npm i", "```", ":::"],
      ...["::: code-group-item:active pnpm", "```sh", "pnpm i", "```", "::::"],
    ].join("\n"),
  });
  const text = page("index.mdx").replace(/\n+/g, "\n");
  expect(text).toContain(
    '<Tabs>\n<Tab title="Clay">\n<Warning>\nWet.\n</Warning>\nDig.\n</Tab>\n<Tab title="Sand">\nSow.\n</Tab>\n</Tabs>',
  );
  expect(text).toContain("<CodeGroup>\n```sh npm\nnpm i\n```\n```sh pnpm\npnpm i\n```\n</CodeGroup>");
});

test("VuePress: series of a theme are sidebars, and the start page of a language is in its language", async () => {
  const { settings } = await convertFiles({
    "docs/.vuepress/config.js": `import { recoTheme } from "vuepress-theme-reco";
      export default { locales: { "/": { lang: "zh-CN" }, "/en/": { lang: "en-US" } },
        theme: recoTheme({ locales: { "/": { series: { "/guide/": ["soil"] } }, "/en/": {} } }) };`,
    "docs/README.md": "# S\n",
    "docs/guide/soil.md": "# Soil\n",
    "docs/en/README.md": "# Start\n",
    "docs/en/sow.md": "# Sow\n",
  });
  expect(settings["navigation"]).toEqual({
    languages: [
      { language: "zh-CN", default: true, pages: ["index", "guide/soil"] },
      { language: "en", pages: ["en/index", "en/sow"] },
    ],
  });
});

test("Hugo: a comment may hold a shortcode with its end, a formula stays in its cell, and names have any case", async () => {
  const { page } = await convertFiles({
    "hugo.toml": 'title = "S"\nbaseURL = "https://a.example/farm/"\n',
    "content/soil.md": [
      ...["---", "Title: Clay", "----------", "# Deep", ""],
      ...["```", '{{</* katex a="b" >}}', "x", "{{< /katex */>}}", "```", ""],
      ...["| a | {{< katex >}}\\pi(x){{< /katex >}} | {{< moss >}}m{{< /moss >}} |", "| - | - | - |", ""],
      '[a](/farm/sow) ![b](/sow/b.png) {{< include file="a.css" language="css" >}} {{< Badge new >}}',
    ].join("\n"),
    "content/sow/index.md": "---\ntitle: Sow\n---\nText.\n",
    "content/sow/b.png": "",
    "a.css": "a {}\n",
  });
  const text = page("soil.mdx");
  expect(text).toContain('```\n{{< katex a="b" >}}\nx\n{{< /katex >}}\n```');
  expect(text).toContain("| a | $\\pi(x)$ | <ShortcodeMoss>m</ShortcodeMoss> |");
  expect(text).toContain("[a](/sow) ![b](/sow/b.png)");
  expect(text).toContain("<Badge>new</Badge>");
  expect(text).toMatch(/~~~~css\na \{\}\n~~~~/);
  expect(text).toMatch(/^---\ntitle: "Deep"\nsidebarTitle: "Clay"/);
});

test("Docsify: a picture in HTML is relative to index.html, and a backslash in an address is a slash", async () => {
  const { page } = await convertFiles({
    "index.html": "<script>window.$docsify = {};</script>",
    "_sidebar.md": "* [Soil](guide/soil.md)\n",
    "guide/soil.md": '# Soil\n\n<img src="guide/a.png">\n\n![](b\\c.png)\n',
    "guide/a.png": "",
    "guide/b/c.png": "",
  });
  expect(page("guide/soil.mdx")).toContain('<img src="/guide/a.png" />\n![](/guide/b/c.png)');
});

test("GitBook: an entry without a page is a group, and the settings may name the summary", async () => {
  const { settings, noteTexts } = await convertFiles({
    ".gitbook.yaml": "root: ./docs/\nstructure:\n  summary: TOC.md\n",
    "docs/README.md": "# S\n",
    "docs/soil.md": "# Soil\n\n## Dig *\n",
    "docs/TOC.md": "* [S](README.md)\n* Ground\n  * [Soil](soil.md)\n* Later\n",
  });
  expect(settings["navigation"]).toEqual({ pages: ["index", { group: "Ground", pages: ["soil"] }] });
  expect(noteTexts).toEqual(['docs/TOC.md:4 The entry "Later" has no page, so it is left out.']);
});

test("Rspress: an alias of the settings is resolved; a title may be in code; pages with one address are reported", async () => {
  const { page, noteTexts } = await convertFiles({
    "rspress.config.ts":
      'import path from "node:path"; export default { builderConfig: { resolve: { alias: { "@pictures": path.join(__dirname, "docs/public") } } } };',
    "docs/index.md": "# S\n\n![a](@pictures/a.png)\n",
    "docs/public/a.png": "",
    "docs/soil.mdx": 'export const metadata = {\n  title: "Clay \\"deep\\"",\n};\n\nText.\n',
    "docs/Sow.md": "# Sow\n",
    "docs/sow.mdx": "# Sow\n",
  });
  expect(page("index.mdx")).toContain("![a](/a.png)");
  expect(page("soil.mdx")).toContain('title: "Clay \\"deep\\""');
  expect(noteTexts).toContainEqual(
    'docs/sow.mdx: The address of this page is also that of "docs/Sow.md", so it becomes "sow-2"; delete one of them.',
  );
});

test("an entry with another label than its page keeps it, and a year in a name is no number that sorts", async () => {
  const { settings, page } = await convertFiles({
    "docs/.vitepress/config.js":
      'export default { themeConfig: { sidebar: [{ text: "A", items: [{ link: "/2019-notes" }, { text: "Old notes", link: "/2019-notes" }] }] } };',
    "docs/2019-notes.md": "# Notes\n",
  });
  expect(settings["navigation"]).toEqual({
    groups: [{ group: "A", pages: ["2019-notes", "links/old-notes"] }],
  });
  expect(page("links/old-notes.mdx")).toContain('title: "Old notes"\nurl: "/2019-notes"');
  const plain = await convertFiles({ "a/2018-notes.md": "# A\n", "a/2019-notes.md": "# B\n", "README.md": "# S\n" });
  expect(plain.page("a/2019-notes.mdx")).toContain('title: "B"');
});

test("the text in a badge is a part of the anchor, and its attribute is none", async () => {
  const { page } = await convertFiles({
    "rspress.config.ts": "export default {};",
    "docs/index.mdx": '# S\n\n## Dig <Badge type="warning">with care</Badge>\n\n## Sow <Badge text="new" />\n',
  });
  expect(page("index.mdx")).toMatch(/## Dig .*\{#dig-with-care\}/);
  expect(page("index.mdx")).toMatch(/## Sow .*\{#sow\}/);
});

test("a bundler that compiles Markdown for a program is a loss, since the program makes the navigation", async () => {
  const files = { "docs/src/soil.mdx": "# Soil\n", "docs/src/sow.mdx": "# Sow\n" };
  const config = (name: string) => ({ "docs/vite.config.ts": `import plugin from "${name}";\nexport default {};\n` });
  const { notes } = await convertFiles({ ...files, ...config("@mdx-js/rollup") });
  expect(notes.map(({ kind, sourcePath }) => `${kind} ${sourcePath}`)).toEqual(["settings docs/vite.config.ts"]);
  expect((await convertFiles({ ...files, ...config("vite-plugin-svg") })).notes).toEqual([]);
});

test("Hugo: columns without a mark between them are a plain list, which keeps its width", async () => {
  const { page } = await convertFiles({
    "hugo.toml": 'title = "S"\n',
    "content/soil.md": "# Soil\n\n{{% columns %}}\n- Clay\n- Sand\n{{% /columns %}}\n",
  });
  expect(page("soil.mdx")).toContain("---\n- Clay\n- Sand\n");
});

test("Markdown: end tags that HTML implies are written, and an element of several paragraphs has its tags apart", async () => {
  const { text } = await convertFiles({
    "start.md":
      "# Start\n\n<table>\n <tr>\n  <td>Present:\n  </td>\n  <td>\n<ul>\n\n<li> \\\nA gardener\n\n<li>A `<li>` digger\n</li>\n</ul>\n" +
      "  </td>\n </tr>\n</table>\n\n<dl>\n<dt>Rake\n<dd>For leaves\n<dt>Spade\n</dl>\n\n<ul>\n<li>One\n\nTwo\n\n<li>Three</li>\n</ul>\n",
    "b.md": "# B\n\nDig.\n",
  });
  const blocks = text("start.mdx").split("\n\n").slice(1);
  expect(blocks.slice(0, 12).map((block) => block.trim())).toEqual([
    ...["<table>", "<tr>", "<td>Present: </td>", "<td>", "<ul>"],
    ...["<li> \\\nA gardener</li>", "<li>A `<li>` digger </li>", "</ul>", "</td>", "</tr>", "</table>"],
    ...["<dl>\n<dt>Rake</dt>\n<dd>For leaves</dd>\n<dt>Spade</dt>\n</dl>"],
  ]);
  // Its end tag would be in another paragraph: the check reports it.
  expect(text("start.mdx")).toContain("Two\n\n<li>Three</li>");
});

test("MkDocs: the link of a title begins the body, and of its marks only those of code are shown", async () => {
  const { page, noteTexts } = await convertFiles({
    "properdocs.yml": "site_name: S\n",
    "docs/index.md":
      '# S\n\n??? note "[Dig 1](https://dig.example/1) with **care** and `**`"\n    Deep.\n\n|====|====|\n\nAn ==important== word.\n',
  });
  expect(page("index.mdx")).toContain(
    '<Accordion title="Dig 1 with care and `**`">\n[Dig 1](https://dig.example/1)\nDeep.\n</Accordion>',
  );
  expect(page("index.mdx")).toContain("|====|====|\nAn <mark>important</mark> word.");
  expect(noteTexts).toEqual([]);
});

test("VitePress: attribute lists are left out, and a picture with the class of a color mode is for that mode", async () => {
  const { page, noteTexts } = await convertFiles({
    ".vitepress/config.ts": 'export default { title: "S" };',
    "index.md": "# S\n\n![Bed](/bed.png) {.dark-only}\n\n[Dig](https://dig.example){.read-more #dig}\n",
    "public/bed.png": "x",
  });
  expect(page("index.mdx")).toContain('<img className="hidden dark:block" src="/bed.png" alt="Bed" />');
  expect(page("index.mdx")).toContain('[Dig](https://dig.example)<a id="dig"></a>');
  expect(noteTexts).toEqual([]);
});

test("VitePress: a heading in a comment gets no anchor, and links below the folder of a language lead there", async () => {
  const { page, navigation, noteTexts } = await convertFiles({
    ".vitepress/config.ts":
      'export default { locales: { en: { label: "English", themeConfig: { sidebar: [{ text: "Dig", link: "/dig" }] } }, de: { label: "Deutsch", themeConfig: { sidebar: [{ text: "Graben", link: "/dig" }] } } } };',
    "en/dig.md": "# Dig\n\n<!-- Later:\n\n## Dig 2 -->\n\n## Dig 2\n",
    "de/dig.md": "# Graben\n",
  });
  expect(page("en/dig.mdx")).toContain("{/* Later:\n## Dig 2 */}\n## Dig 2");
  expect(navigation).toMatchObject({ languages: [{ pages: ["en/dig"] }, { pages: ["de/dig"] }] });
  expect(noteTexts).toEqual([]);
});

test("VuePress: a page keeps the address that it names, and a sidebar in files that only the theme reads is a loss", async () => {
  const { text, notes } = await convertFiles({
    ".vuepress/config.ts": 'import { bedTheme } from "p"; export default { theme: bedTheme({ logo: "/a.png" }) };',
    ".vuepress/beds.ts": 'export const beds = [{ dir: "soil", sidebar: ["kinds"] }];',
    ".vuepress/public/a.png": "x",
    "soil/kinds.md": "---\ntitle: Kinds\npermalink: /beds/kinds/\n---\n\nClay.\n",
    "index.md": "# S\n\n[Kinds](./soil/kinds.md)\n",
  });
  expect(text("beds/kinds.mdx")).toContain("Clay.");
  expect(text("index.mdx")).toContain("[Kinds](/beds/kinds)");
  expect(notes.map(({ kind, what }) => `${kind} ${what.slice(0, 39)}`)).toEqual([
    'navigation The sidebar is in ".vuepress/beds.ts", ',
  ]);
});

test("VuePress: marks of tabs and emoji of one letter are not counted as lost words", async () => {
  const tabs = Array.from({ length: 30 }, (_, i) => `@tab tool${i} shell\n\n\`\`\`sh\nrun ${i}\n\`\`\`\n`).join("\n");
  const { notes } = await convertFiles({
    ".vuepress/config.ts": 'export default { title: "S" };',
    "index.md": `# S\n\n::: code-tabs\n\n${tabs}\n:::\n\n${"Dig. :x: ".repeat(40)}\n`,
  });
  expect(notes).toEqual([]);
});

test("mdBook: a label in code keeps the tag in it", async () => {
  const { navigation, text } = await convertFiles({
    "book.toml": '[book]\ntitle = "S"\n',
    "src/SUMMARY.md": "# Summary\n\n- [Start](start.md)\n- [`<Dig/>`](dig.md)\n",
    "src/start.md": "# Start\n",
    "src/dig.md": "# The component\n",
  });
  expect(navigation).toMatchObject({ pages: ["index", "dig"] });
  expect(text("dig.mdx")).toContain('sidebarTitle: "<Dig/>"');
});

test("Docsify: a heading between tabs is a title only if it is bold", async () => {
  const { page } = await convertFiles({
    "index.html": "<script>window.$docsify = { name: 'S' };</script><script src='docsify.js'></script>",
    "README.md":
      "# S\n\n<!-- tabs:start -->\n\n#### **Shown**\n\n## Dig\n\n#### **Code**\n\nSow.\n\n<!-- tabs:end -->\n",
  });
  expect(page("index.mdx")).toContain(
    '<Tabs>\n<Tab title="Shown">\n## Dig\n</Tab>\n<Tab title="Code">\nSow.\n</Tab>\n</Tabs>',
  );
});

test("Markdown: settings of an unknown program may list pages below their folder, and a linter of APIs lists none", async () => {
  const names = ["clay", "sand", "peat", "loam", "silt"];
  const { notes } = await convertFiles({
    "redocly.yaml": "extends: [recommended]\n",
    "tool.yml": `nav:\n${names.map((name) => `  - ${name}: soil/${name}.md`).join("\n")}\n`,
    ...Object.fromEntries(names.map((name) => [`docs/soil/${name}.md`, `# ${name}\n`])),
  });
  expect(notes.map(({ kind, sourcePath }) => `${kind} ${sourcePath}`)).toEqual(["settings tool.yml"]);
});

test("Docusaurus: tabs have the titles of their values, code in components is named, and <head> is left out and named", async () => {
  const { page, notes } = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };',
    "docs/dig.mdx":
      '# Dig\n\n<head>\n  <link rel="canonical" href="https://s.example/dig" />\n</head>\n\n<Tabs values={[{ label: "Clay", value: "c" }, { label: "Sand", value: "s" }]}>\n<TabItem value="s">\n\nEasy.\n\n</TabItem>\n<TabItem value="c">\n\nHard.\n\n</TabItem>\n</Tabs>\n\n<CodeBlock fromFile="dig.ts" />\n\n<CodeBlock className="language-sh">{`dig --deep`}</CodeBlock>\n',
  });
  expect(page("docs/dig.mdx")).toContain('<Tab title="Sand">\nEasy.\n</Tab>\n<Tab title="Clay">\nHard.\n</Tab>');
  expect(page("docs/dig.mdx")).toContain("```sh\ndig --deep\n```");
  expect(page("docs/dig.mdx")).not.toContain("canonical");
  expect(notes.map(({ kind, line, what }) => `${kind} ${line} ${what.slice(0, 41)}`)).toEqual([
    "head 3 The tags of <head> are left out; write th",
    "code 20 The code of <CodeBlock> is not on the pag",
  ]);
});

test("MkDocs: the limits of sums in formulas are no attribute lists", async () => {
  const { page } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md":
      "# S\n\nIf $a<b^*$ and $c{<}d$ in <bed>, with $\\sum_{i=1}^m c_i$ [beds](https://b.example){ .wide }.\n\n$$\n\\sum_{j=1}^n d_{.5}\n$$\n",
  });
  expect(page("index.mdx")).toContain(
    "If $a<b^*$ and $c{<}d$ in \\<bed>, with $\\sum_{i=1}^m c_i$ [beds](https://b.example).\n$$\n\\sum_{j=1}^n d_{.5}\n$$",
  );
});

test("Starlight: steps in an indented list are steps; Docusaurus: addresses of useBaseUrl begin at the top", async () => {
  const starlight = await convertFiles({
    "astro.config.mjs":
      'import starlight from "@astrojs/starlight"; export default { integrations: [starlight({ title: "S" })] };',
    "src/content/docs/dig.mdx":
      "---\ntitle: Dig\n---\n\n<Steps>\n  1. Take the spade.\n\n     ```sh\n     dig\n     ```\n\n  2. Dig.\n</Steps>\n",
  });
  expect(starlight.page("dig.mdx")).toContain(
    '<Steps>\n<Step title="Take the spade">\n   ```sh\n   dig\n   ```\n</Step>\n<Step title="Dig">\n</Step>\n</Steps>',
  );
  const docusaurus = await convertFiles({
    "docusaurus.config.js": 'export default { title: "S" };',
    "docs/soil/dig.mdx":
      '# Dig\n\n<img src={useBaseUrl("img/bed.png")} alt="Bed" />\n\n<Mermaid chart={`graph TD; A-->B`} />\n',
    "static/img/bed.png": "x",
  });
  expect(docusaurus.page("docs/soil/dig.mdx")).toContain(
    '<img src="/img/bed.png" alt="Bed" />\n```mermaid\ngraph TD; A-->B\n```',
  );
});

test("Markdown: an indented end tag after a list ends the element around the list", async () => {
  const { text } = await convertFiles({
    "a.md":
      '# A\n\n<div>\n  <div class="bed">\n\n* Dig\n\n  </div>\n  <div class="bed">\n\n* Sow\n\n  <div>\n\n  Rake\n\n  </div>\n\n  </div>\n</div>\n',
    "b.md": "# B\n",
  });
  expect(text("a.mdx")).toContain(
    '* Dig\n\n</div>\n  <div class="bed">\n\n* Sow\n\n  <div>\n\n  Rake\n\n  </div>\n\n</div>\n</div>',
  );
});

test("Nextra: a page whose content is exported from code is a loss", async () => {
  const { page, notes } = await convertFiles({
    "next.config.js": 'const nextra = require("nextra"); module.exports = nextra({ theme: "nextra-theme-docs" })();',
    "pages/index.mdx": "# S\n\nexport { Start as default, getStaticProps } from '../components/start'\n",
    "pages/dig.mdx": "# Dig\n",
  });
  expect(page("index.mdx")).not.toContain("export");
  const lost = notes.filter(({ kind }) => kind === "page");
  expect(lost.map(({ sourcePath, line }) => `${sourcePath}:${line}`)).toEqual(["pages/index.mdx:3"]);
});
