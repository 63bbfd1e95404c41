/** Sites of MkDocs and Zensical whose navigation, variables and anchors come from plugins. */
import { expect, test } from "vitest";
import { convertFiles } from "../support/convert.js";

const pages = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [`docs/${path}`, `# ${path}\n`]));

test("awesome-pages: a .pages file orders, names, hides and completes its folder", async () => {
  const { navigation, notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins: [search, awesome-pages]\n",
    ...pages(
      "index.md",
      "faq.md",
      "soil/clay.md",
      "soil/sand.md",
      "soil/loam.md",
      "old/a.md",
      "more/b.md",
      "more/a.md",
    ),
    "docs/.pages": "nav:\n  - index.md\n  - soil\n  - ...\n  - Forum: https://forum.example.com\n",
    "docs/soil/.pages": "title: Kinds of soil\narrange:\n  - sand.md\n  - ...\n",
    "docs/old/.pages": "hide: true\n",
    "docs/more/.pages": "order: desc\n",
  });
  expect(navigation).toEqual({
    pages: [
      "index",
      { group: "Kinds of soil", pages: ["soil/sand", "soil/clay", "soil/loam"] },
      "faq",
      { group: "More", pages: ["more/b", "more/a"] },
      "links/forum",
    ],
  });
  expect(notes).toEqual([
    expect.objectContaining({
      sourcePath: "docs/old",
      what: expect.stringContaining("These pages are not in the navigation: a.md"),
    }),
  ]);
});

test("awesome-nav and nav of the settings: sections, patterns and folders", async () => {
  const { navigation } = await convertFiles({
    "mkdocs.yml": 'site_name: S\nplugins:\n  - awesome-nav\nnav:\n  - Start: index.md\n  - soil/\n  - "..."\n',
    ...pages("index.md", "soil/intro.md", "soil/sand.md", "soil/clay.md", "tools/spade.md"),
    "docs/soil/.nav.yml": 'title: Soil\nnav:\n  - First: intro.md\n  - All:\n      - glob: "*"\n',
  });
  expect(navigation).toEqual({
    pages: [
      "index",
      { group: "Soil", pages: ["soil/intro", { group: "All", pages: ["soil/clay", "soil/sand"] }] },
      { group: "Tools", pages: ["tools/spade"] },
    ],
  });
});

test("literate-nav: the lists of SUMMARY.md, with their wildcards, become the navigation, and SUMMARY.md is not a page", async () => {
  const { navigation, pageCount } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins:\n  - literate-nav\n",
    ...pages("index.md", "soil/sand.md", "soil/clay.md", "api/a.md", "api/b.md"),
    "docs/SUMMARY.md": "* [Home](index.md)\n* [Soil](soil/)\n* Programs\n    * api/*.md\n",
    "docs/soil/SUMMARY.md": "- [Sandy](sand.md)\n- [Clay](clay.md)\n",
  });
  expect(pageCount).toBe(5);
  expect(navigation).toEqual({
    pages: [
      "index",
      { group: "Soil", pages: ["soil/sand", "soil/clay"] },
      { group: "Programs", pages: ["api/a", "api/b"] },
    ],
  });
});

test("Zensical: the settings are in zensical.toml", async () => {
  const { navigation, name, tool } = await convertFiles({
    "zensical.toml":
      '[project]\nsite_name = "Garden"\ndocs_dir = "docs"\nnav = [\n  { "Home" = "index.md" },\n  { "Soil" = [ "soil/sand.md" ] },\n]\n[project.theme]\nfeatures = ["navigation.tabs"]\n',
    ...pages("index.md", "soil/sand.md"),
  });
  expect([tool, name]).toEqual(["MkDocs", "Garden"]);
  expect(navigation).toEqual({
    tabs: [
      { tab: "Home", pages: ["index"] },
      { tab: "Soil", pages: ["soil/sand"] },
    ],
  });
});

test("variables of the macros plugin are filled in, also in code; others are reported", async () => {
  const { files, notes } = await convertFiles({
    "mkdocs.yml":
      "site_name: S\nplugins: [macros]\nextra:\n  release:\n    latest: 1.4.2\nmarkdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:pymdownx.slugs.slugify {kwds: {case: lower}}\n",
    "docs/index.md":
      "# S\n\n## Größe 2\n\nRelease {{ release.latest }} of {{ config.site_name }} by {{ author() }}.\n\n```\npip install s=={{ release.latest }}\n```\n",
  });
  const page = String(files.get("index.mdx"));
  expect(page).toContain("Release 1.4.2 of S by");
  expect(page).toContain("pip install s==1.4.2");
  expect(page).toContain("## Größe 2\n");
  expect(notes.map(({ what }) => what)).toEqual([expect.stringContaining('"{{ author() }}" is a macro')]);
});

test("the macros plugin has variables of data files and of the page, and includes files", async () => {
  const { page, noteTexts } = await convertFiles({
    "mkdocs.yml":
      "plugins:\n  - macros:\n      include_dir: parts\n      include_yaml: [shop.yml, prices: prices.yml]\nextra:\n  year: 2020\n",
    "shop.yml": "shop: Kettles\n",
    "prices.yml": "tea: 3\n",
    "parts/hours.md": "Open since {{ year }}.\n",
    "docs/index.md":
      "---\ntown: Ghent\n---\n# S\n\n{{ shop }} in {{ town }} ({{ page.meta.town }}): {{ prices.tea }}.\n\n{% include 'hours.md' %}\n\n{% include \"gone.md\" %}\n",
  });
  expect(page("index.mdx")).toContain("Kettles in Ghent (Ghent): 3.\nOpen since 2020.\n");
  expect(noteTexts).toEqual([expect.stringMatching(/^docs\/index\.md:10 The line includes "gone\.md"/)]);
});

test("Material: grids become cards, the color is kept, and a template is reported", async () => {
  const { files, notes } = await convertFiles({
    "mkdocs.yml":
      "site_name: S\ntheme:\n  name: material\n  palette:\n    - scheme: slate\n      primary: deep purple\n",
    "docs/index.md":
      '---\ntemplate: home.html\n---\n\n# S\n\n<div class="grid cards" markdown>\n\n-   :material-clock-fast:{ .lg .middle } __Set up__\n\n    ---\n\n    In minutes.\n\n    [:octicons-arrow-right-24: Go](#go)\n\n-   __Look__ around\n\n</div>\n\n## Go\n\n:material-star:{ .x } Text **b**{: .copy}. :material-no-such-thing:\n',
  });
  const page = String(files.get("index.mdx")).replace(/\n{2,}/g, "\n");
  expect(page).toContain(
    '<CardGroup>\n<Card title="Set up" icon="clock-fast">\nIn minutes.\n[<Icon icon="arrow-right" /> Go](#go)\n</Card>\n<Card title="Look">\naround\n</Card>\n</CardGroup>\n## Go\n<Icon icon="star" /> Text **b**.',
  );
  expect(String(files.get("docs.json"))).toContain('"primary": "#7e56c2"');
  expect(notes.map(({ what }) => what)).toEqual([
    expect.stringContaining('"home.html" is not converted'),
    'The icon ":material-no-such-thing:" is not one of ours: the nearest in meaning is shown. Choose another.',
  ]);
});

test("names of emoji become characters, in text only; an unknown name is reported", async () => {
  const { files, notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md":
      "# S\n\n## :rocket: Start\n\nDone :white_check_mark: at 10:30:00 in `:bug:`, arn:aws:lambda:x, :made_up_name:.\n",
  });
  const page = String(files.get("index.mdx"));
  expect(page).toContain("## 🚀 Start {#start}");
  expect(page).toContain("Done ✅ at 10:30:00 in `:bug:`, arn:aws:lambda:x, :made_up_name:.");
  expect(notes.map(({ what }) => what)).toEqual([
    expect.stringContaining('":made_up_name:" may be the name of an emoji'),
  ]);
});

test("cross-references of mkdocstrings keep their text, and links with a definition stay", async () => {
  const garden = {
    "docs/index.md":
      "# S\n\nSee [`Pot()`][garden.Pot], [the bed][bed] and [garden.soil][].\n\n`[a][b.c]` and x[1][2]. [Here][Rest].\n\n[rest]: https://a.example\n",
  };
  const { page, noteTexts } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins:\n  - mkdocstrings:\n",
    ...garden,
  });
  expect(page("index.mdx")).toContain("See `Pot()`, the bed and garden.soil.\n`[a][b.c]` and x[1][2]. [Here][Rest].");
  expect(noteTexts).toEqual([
    expect.stringMatching(
      /^docs\/index\.md:3 3 cross-references lead to what .* such as "garden\.Pot"; their text stays/,
    ),
  ]);
  const plain = await convertFiles({ "mkdocs.yml": "site_name: S\n", ...garden });
  expect(plain.page("index.mdx")).toContain("[the bed][bed] and [garden.soil][].");
});

test("tabs are expanded to the next multiple of four columns", async () => {
  const { files } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md":
      '# S\n\n=== "One"\n\n\t```sh\n    dig\n\t```\n\n=== "Two"\n\n  \tWords of the tab.\n\nAfter them.\n\n  \tindented();\n',
  });
  const page = String(files.get("index.mdx"));
  expect(page).toMatch(
    /<Tab title="One">\s+```sh\ndig\n```\s+<\/Tab>\s+<Tab title="Two">\s+Words of the tab\.\s+<\/Tab>/,
  );
  expect(page).toContain("```\nindented();\n```");
});

test("a README.md with a list of literate-nav is a page as well", async () => {
  const { navigation, files, noteTexts } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins:\n  - literate-nav:\n      nav_file: README.md\nnav:\n  - Guide: guide/\n",
    "docs/guide/README.md": "# Guide\n\n- [Soil](soil.md)\n",
    "docs/guide/soil.md": "# Soil\n",
  });
  expect(navigation).toEqual({ groups: [{ group: "Guide", pages: ["guide/soil"] }] });
  expect([...files.keys()]).toContain("guide/index.mdx");
  expect(noteTexts).toEqual([expect.stringMatching(/^docs\/guide: These pages are not in the navigation: README\.md/)]);
});

test("Material: the label of a section opens its index page, whatever the label of that page and its place", async () => {
  const { navigation } = await convertFiles({
    "mkdocs.yml": `theme: { name: material, features: [navigation.indexes] }
plugins: [awesome-pages]
nav:
  - Soil: [Sand: soil/sand.md, All soils: soil/index.md]
  - tools/
`,
    ...pages("soil/index.md", "soil/sand.md", "tools/README.md", "tools/spade.md"),
  });
  expect(navigation).toEqual({
    groups: [
      { group: "Soil", root: "soil/index", pages: ["soil/sand"] },
      { group: "Tools", root: "tools/index", pages: ["tools/spade"] },
    ],
  });
});

test("macros: variables between the marks of raw text stay unchanged", async () => {
  const { page, notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins: [macros]\nextra: {size: 3}\n",
    "docs/index.md":
      "# S\n\n{{ size }}\n\n{% raw %}\n\n```jinja\n{{ size }}\n```\n\n{% endraw %}\n\nUse {% raw %}`{{ size }}`{% endraw %}.\n\n{{ size }}\n",
  });
  expect(page("index.mdx")).toContain("3\n```jinja\n{{ size }}\n```\nUse `{{ size }}`.\n3\n");
  expect(notes).toEqual([]);
});

test("an entry with a path from the root of the host is a link to that site", async () => {
  const { files, notes } = await convertFiles({
    "mkdocs.yml":
      "site_name: S\nsite_url: https://example.com/soil/\nnav:\n  - index.md\n  - Tools: /tools/\n  - Clay: /clay.md\n",
    ...pages("index.md", "clay.md"),
  });
  expect(files.get("links/tools.mdx")).toContain('url: "https://example.com/tools/"');
  expect([files.has("links/clay.mdx"), notes]).toEqual([false, []]);
});

test("of settings for several builds, those with the address of the site are converted, with the navigation of another", async () => {
  const {
    files,
    page,
    navigation,
    noteTexts: notes,
  } = await convertFiles({
    "mkdocs-common.yml": "site_name: Garden\nplugins:\n  exclude:\n    glob: ['parts/*']\n",
    "mkdocs-nav.yml": "nav:\n  - Soil: soil.md\n",
    "mkdocs-offline.yml": "INHERIT: mkdocs-common.yml\n",
    "mkdocs-online.yml": "INHERIT: mkdocs-common.yml\nsite_url: https://garden.example\nplugins:\n  blog:\n",
    "docs/soil.md": "# Soil\n\n!!! tip\n    Dig.\n",
    "docs/parts/deep/a.md": "Part.\n",
  });
  expect(page("soil.mdx")).toContain("<Tip>\nDig.\n</Tip>");
  expect(files.has("parts/deep/a.mdx")).toBe(false);
  expect(navigation).toEqual({ pages: ["soil"] });
  expect(notes).toContainEqual(
    'mkdocs-online.yml:1 The site has several settings files; this one is converted with the navigation of "mkdocs-nav.yml", but not "mkdocs-offline.yml", "mkdocs-common.yml", "mkdocs-nav.yml".',
  );
});

test("an SVG that a page includes is an image", async () => {
  const { files, page } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md": '# S\n\n<div>\n--8<-- "docs/plan.svg"\n</div>\n',
    "docs/plan.svg": "<svg>\n\n    <text>A</text>\n</svg>\n",
  });
  expect(page("index.mdx")).toContain('<img src="/plan.svg" alt="" />');
  expect(files.has("plan.svg")).toBe(true);
});

test("an empty code block with options, whose content a plugin generated, is reported and left out", async () => {
  const { page, notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md":
      '# Soil\n\nSee it:\n\n```{.plot file="soil.py" columns="80"}\n```\n\n```{.python title="soil.py"}\nsand = 1\n```\n',
  });
  expect(page("index.mdx")).toContain("See it:\n```python");
  expect(page("index.mdx")).not.toContain("plot");
  expect(notes).toContainEqual(
    expect.objectContaining({ line: 5, what: expect.stringContaining('A plugin generated the content of "```{.plot') }),
  );
});

test("further words after the kind of a callout are its title, and snippets may be in a hidden folder", async () => {
  const { page, noteTexts: notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: docs/.snippets\n",
    "docs/.snippets/soil.py": "dig()\n",
    "docs/index.md":
      '# S\n\n!!! info Puhti only\n    Red.\n\n!!! tip inline end "Take care"\n    Wet.\n\n```py\n--8<-- "soil.py"\n```\n\n--8<-- "https://a.example/b.py:1:2"\n',
  });
  const text = page("index.mdx");
  expect(text).toContain('<Info title="Puhti only">\nRed.\n</Info>\n<Tip title="Take care">\nWet.\n</Tip>');
  expect(text).toContain("dig()");
  expect(notes).toEqual([
    expect.stringMatching(/includes "https:\/\/a\.example\/b\.py", which is not in the repository/),
  ]);
});

test("raised, lowered and inserted text has its elements, but not in formulas", async () => {
  const { page } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md":
      "# Soil\n\n## `dig`\n\nThe n^th^ H~2~O of ^^wet sand^^, 2^a\\ b^, ~~dry~~, a^2 + b^2, ~/a/~b, `x^2^`.[^1][^2]\n\n^†^{#\\_note} Note.\n\nCost: $a^2b^2$.\n\n[^1]: One.\n[^2]: Two.\n",
    "docs/sum.md": "# Sum\n\n$$\na^2b^2\n$$\n",
  });
  expect(page("index.mdx")).toContain("## `dig`\n");
  expect(page("index.mdx")).toContain(
    "The n<sup>th</sup> H<sub>2</sub>O of <ins>wet sand</ins>, 2<sup>a b</sup>, ~~dry~~, a^2 + b^2, ~/a/~b, `x^2^`.[^1][^2]",
  );
  expect(page("index.mdx")).toContain('<sup>†</sup><a id="_note"></a> Note.');
  expect(page("index.mdx")).toContain("$a^2b^2$");
  expect(page("sum.mdx")).toContain("a^2b^2");
});

test("link definitions that the settings append to each page, and code spans with a language", async () => {
  const { page, noteTexts } = await convertFiles({
    "mkdocs.yml":
      "site_name: S\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [parts]\n      auto_append: [refs.md]\n",
    "parts/refs.md": "--8<--\nlinks.md\n--8<--\n\n*[CEC]: Capacity\n",
    "parts/links.md": "[sand]: sand.md\n[loam]: https://a.example/loam\n",
    "docs/index.md": "# Soil\n\nSee [the sand][sand] and `#!py dig()`.\n\n```py3\nsow()\n```\n",
    "docs/sand.md": "# Sand\n\nDry `#!/bin/sh`.\n",
  });
  expect(page("index.mdx")).toBe(
    '---\ntitle: "Soil"\n---\nSee [the sand][sand] and `dig()`.\n```python\nsow()\n```\n[sand]: /sand\n',
  );
  expect(page("sand.mdx")).toContain("Dry `#!/bin/sh`.\n");
  expect(noteTexts).toContainEqual(
    expect.stringMatching(/^parts\/refs\.md:1 .* only its link definitions are converted/),
  );
});

test("macros: a call on a line of its own becomes a component, whose file lists the pages that use it", async () => {
  const { page, files, notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins: [macros]\n",
    "docs/index.md":
      "# S\n\n{{ code_block('soil/clay', \"d<1\", ['a', 'b'], lang=\"py\") }}\n\n  {{ author() }}\n\n{{ price(tea.cost * 2) }}\n",
  });
  expect(page("index.mdx")).toContain(
    `<MacroCodeBlock value0="soil/clay" value1="d&lt;1" value2="['a', 'b']" lang="py" />`,
  );
  expect(String(files.get("snippets/components/MacroCodeBlock.jsx"))).toContain("//   docs/index.md:3\n");
  expect(notes.map(({ line, kind }) => `${line} ${kind}`)).toEqual(["3 code", "5 component", "7 macro"]);
});

test("macros: with other marks in the options, braces are text, and pages can leave macros out", async () => {
  const { page, notes } = await convertFiles({
    "mkdocs.yml":
      'site_name: S\nplugins:\n  - macros:\n      j2_variable_start_string: "{{{"\n      j2_variable_end_string: "}}}"\nextra: {size: 3}\n',
    "docs/index.md": "# S\n\nSize {{{ size }}}.\n\n```\n{{.ID}} {{{ size }}} {{{ late }}}\n```\n",
    "docs/plain.md": "---\nrender_macros: false\n---\n# P\n\n```\n{{{ size }}}\n```\n",
  });
  expect(page("index.mdx")).toContain("Size 3.\n```\n{{.ID}} 3 {{{ late }}}\n```");
  expect(page("plain.mdx")).toContain("{{{ size }}}");
  expect(notes).toEqual([
    expect.objectContaining({
      sourcePath: "docs/index.md",
      line: 6,
      what: expect.stringContaining('"{{{ late }}}" is a macro'),
    }),
  ]);
});

test("include-markdown: a part of a file is inserted, its links lead from its own folder, and a tag may span lines", async () => {
  const { page, noteTexts } = await convertFiles({
    "mkdocs.yml": "site_name: S\nplugins: [include-markdown]\n",
    "README.md": "# R\n\n<!-- a -->\nDig [soil](docs/soil.md#top).\n<!-- b -->\n\nMore.\n",
    "docs/soil.md": "# Soil\n\n## Top\n",
    "docs/index.md":
      '# S\n\n{%\n  include-markdown "../README.md"\n  start="<!-- a -->"\n  end="<!-- b -->"\n%}\n\n{% include "../README.md" start="<!-- b -->\\n" %}\n\n{% include-markdown "../gone.md" %}\n\n{% include-markdown "../README.md" start="<!-- c -->" %}\n',
  });
  expect(page("index.mdx")).toBe('---\ntitle: "S"\n---\nDig [soil](/soil#top).\nMore.\n');
  expect(noteTexts).toEqual([
    expect.stringMatching(/^docs\/index\.md:11 The line includes "\.\.\/gone\.md", which is not/),
    expect.stringMatching(/^docs\/index\.md:13 The line includes a part of "\.\.\/README\.md"/),
  ]);
});

test("code that a plugin runs for its output is reported", async () => {
  const { notes } = await convertFiles({
    "mkdocs.yml": "site_name: S\n",
    "docs/index.md": '# S\n\n```python exec="on" result="text"\nprint(1)\n```\n\n```python\nprint(2)\n```\n',
  });
  expect(notes).toEqual([
    expect.objectContaining({ line: 3, kind: "code", what: expect.stringContaining("shows its output") }),
  ]);
});

test("a terminal shows its code without the tags that color it, and a section without a label lists its index once", async () => {
  const { page, navigation, notes } = await convertFiles({
    "mkdocs.yml":
      'site_name: S\ntheme:\n  features: [navigation.tabs, navigation.indexes]\nnav:\n  - index.md\n  - "":\n      - soil/index.md\n      - soil/sand.md\n',
    ...pages("soil/index.md", "soil/sand.md"),
    "docs/index.md":
      '# S\n\n<div class="termy">\n\n```console\n$ <font color="#fff">dig</font> --to &lt;b&gt;\n```\n\n</div>\n\n```html\n<font color="#fff">dig</font>\n```\n',
  });
  expect(page("index.mdx")).toContain("```console\n$ dig --to <b>\n```");
  expect(page("index.mdx")).toContain('```html\n<font color="#fff">dig</font>\n```');
  expect(JSON.stringify(navigation)).toContain('"pages":["soil/index","soil/sand"]');
  expect(notes).toEqual([]);
});
