import { expect, test } from "vitest";
import { withinCpu } from "../../support/machine-time.js";
import { faults, outline, type ReadOptions, readPage } from "./read-page.js";

type Case = readonly [rule: string, source: string, files: ReadOptions["files"], tree: string];
const cases: readonly Case[] = [
  ["by its path", 'import A from "/snippets/a.mdx"\n\n<A/>', { "snippets/a.mdx": "a *b*" }, 'p("a ", emphasis("b"))'],
  ["by a relative path", 'import A from "./a.mdx"\n\n<A/>', { "a.mdx": "a" }, 'p("a")'],
  ["without its extension", 'import A from "/snippets/a"\n\n<A/>', { "snippets/a.mdx": "a" }, 'p("a")'],
  ["of Markdown", 'import A from "/a.md"\n\n<A/>', { "a.md": "1 < 2 {x\n\n<br>" }, 'p("1 < 2 {x") html(<br>)'],
  ["below its use", '<A/>\n\nimport A from "/a.mdx"', { "a.mdx": "a" }, 'p("a")'],
  ["with front matter", 'import A from "/a.mdx"\n\n<A/>', { "a.mdx": "---\ntitle: x\n---\na" }, 'p("a")'],
  ["within text", 'import A from "/a.mdx"\n\nx <A/> y', { "a.mdx": "a **b**" }, 'p("x ", "a ", strong("b"), " y")'],
  [
    "of blocks within text",
    'import A from "/a.mdx"\n\nx <A/> y',
    { "a.mdx": "a\n\nb" },
    'p("x ") p("a") p("b") p(" y")',
  ],
  [
    "within an element",
    'import A from "/a.mdx"\n\n<Card>\n  <A/>\n</Card>',
    { "a.mdx": "- a" },
    '<Card>(list(listItem(p("a"))))',
  ],
  [
    "imported between the tags of an element",
    '<Steps>\n\n<Step title="x">\n\nimport A from "/a.mdx"\n\n<A/>\n\n</Step>\n\n</Steps>',
    { "a.mdx": "- a" },
    '<Steps>(<Step title="x">(list(listItem(p("a")))))',
  ],
  [
    "with properties",
    'import A from "/a.mdx"\n\n<A w="x" n={2}/>',
    { "a.mdx": "{w} {props.n} {o || 'd'}" },
    'p("x") p("2") p("d")',
  ],
  [
    "with properties in fences",
    'import A from "/a.mdx"\n\n<A w="x"/>',
    { "a.mdx": "```js t={w}\n{w} {v}\n```" },
    "code(x {v})",
  ],
  [
    "with children",
    'import A from "/a.mdx"\n\n<A>b *c*</A>',
    { "a.mdx": "<div>{children}</div>" },
    '<div>("b ", emphasis("c"))',
  ],
  ["twice", 'import A from "/a.mdx"\n\n<A w="1"/>\n<A w="2"/>', { "a.mdx": "a {w}" }, 'p("a ", "1") p("a ", "2")'],
  [
    "nested",
    'import A from "/s/a.mdx"\n\n<A/>',
    { "s/a.mdx": 'import B from "./b.mdx"\n\n<B/>', "s/b.mdx": "b" },
    'p("b")',
  ],
  [
    "with values",
    'import { x, y as z } from "/a.mdx"\n\n_ {x} {z.k}',
    { "a.mdx": "export const x = 1\nexport const y = {k: 'v'}" },
    'p("_ ", "1", " ", "v")',
  ],
  [
    "with a component",
    'import { B } from "/a.mdx"\n\n<B t="1"/>',
    { "a.mdx": "export const B = ({t}) => <b>{t}</b>" },
    '<b>("1")',
  ],
  [
    "of JSX",
    'import { B } from "/a.jsx"\n\n<B t="1"/>',
    { "a.jsx": "const c = 'k';\nexport const B = ({t}) => { return (<b class={c}>{t}</b>) };" },
    '<b class="k">("1")',
  ],
  [
    "of JSX by default",
    'import B from "/a.jsx"\n\n<B/>',
    { "a.jsx": "export default function X() { return <b/> }" },
    "<b>",
  ],
  [
    "exported again",
    'import { B } from "/a.mdx"\n\n<B/>',
    { "a.mdx": 'export { C as B } from "./c.mdx"', "c.mdx": "export const C = () => <b/>" },
    "<b>",
  ],
  ["under a lower-case name", 'import edge from "/a.mdx"\n\n<edge/>', { "a.mdx": "a" }, 'p("a")'],
  ["in place of a built-in", 'import Card from "/a.mdx"\n\n<Card/>', { "a.mdx": "a" }, 'p("a")'],
  ["by the older tag", '<Snippet file="a.mdx"/>', { "snippets/a.mdx": "a" }, 'p("a")'],
  [
    "by the older tag from _snippets",
    '<Snippet file="x/a.mdx" w="1"/>',
    { "_snippets/x/a.mdx": "a {w}" },
    'p("a ", "1")',
  ],
  [
    "that is an image",
    'import logo from "/images/a.png"\n\n<img src={logo}/>',
    { "images/a.png": "" },
    '<img src="/images/a.png">',
  ],
  [
    "indented by four spaces",
    'import A from "/a.mdx"\n\n<Tab>\n    <A/>\n</Tab>',
    { "a.mdx": "    a" },
    '<Tab>(p("a"))',
  ],
  ["with a blank in its name", 'import A from "/my%20a.mdx"\n\n<A/>', { "my a.mdx": "a" }, 'p("a")'],
];
for (const [rule, source, files, tree] of cases)
  test(`a snippet is inserted in ${rule}`, async () => {
    const page = await readPage(source, { files: files ?? {} });
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

test("a snippet is shown even if its path begins with a folder that does not exist", async () => {
  const page = await readPage('import A from "/docs/snippets/a.mdx"\n\n<A/>', { files: { "snippets/a.mdx": "a" } });
  expect(outline(page.tree)).toBe('p("a")');
  expect(page.diagnostics[0]?.severity).toBe("warning");
});

type Mistake = readonly [
  what: string,
  source: string,
  files: ReadOptions["files"],
  fault: string,
  fix: string | undefined,
];
const mistakes: readonly Mistake[] = [
  [
    "a file that is not there",
    'import A from "/snippets/instal.mdx"\n\n<A/>',
    { "snippets/install.mdx": "" },
    "IMPORT_NOT_FOUND 1:1",
    'write "/snippets/install.mdx".',
  ],
  [
    "a file below a folder that the site lacks",
    'import A from "/docs/snippets/a.mdx"\n\n<A/>',
    { "snippets/a.mdx": "a" },
    "IMPORT_NOT_FOUND 1:1",
    'write "/snippets/a.mdx".',
  ],
  [
    "a path out of the site",
    'import A from "../../etc/passwd.mdx"\n\n<A/>',
    {},
    "IMPORT_OUTSIDE 1:1",
    'move the file into the site folder and write "/passwd.mdx".',
  ],
  [
    "an absolute path with dots",
    'import A from "/a/../../x.mdx"\n\n<A/>',
    {},
    "IMPORT_OUTSIDE 1:1",
    'move the file into the site folder and write "/x.mdx".',
  ],
  ["a package", 'import A from "@site/x"\n\n<A/>', {}, "IMPORT_PACKAGE 1:1", undefined],
  [
    "a name that is not exported",
    'import { b } from "/a.mdx"\n\n_ {b}',
    { "a.mdx": "export const c = 1" },
    "EXPORT_NOT_FOUND 1:1",
    undefined,
  ],
  ["data", 'import a from "/a.json"\n', { "a.json": "{}" }, "IMPORT_UNSUPPORTED 1:1", undefined],
  [
    "a missing file of the older tag",
    '<Snippet file="b.mdx"/>',
    { "snippets/x/b.mdx": "" },
    "SNIPPET_NOT_FOUND 1:1",
    'write file="x/b.mdx".',
  ],
  ["the older tag out of the site", '<Snippet file="../../b.mdx"/>', {}, "IMPORT_OUTSIDE 1:1", undefined],
  [
    "code that does not parse",
    "export const a = (\n\n_",
    {},
    "MODULE_SYNTAX 1:1",
    "close its brackets and quotes; pages cannot contain TypeScript types.",
  ],
];
for (const [what, source, files, fault, fix] of mistakes)
  test(`a mistake in an import: ${what}`, async () => {
    const page = await readPage(source, { files: files ?? {} });
    expect(page.ok).toBe(true);
    expect(faults(page)[0]).toBe(fault);
    if (fix !== undefined) expect(page.diagnostics[0]?.fix).toBe(fix);
  });

test("snippets that include each other are reported with their cycle", async () => {
  const page = await readPage('import A from "/a.mdx"\n\nx\n\n<A/>', {
    files: { "a.mdx": 'import B from "/b.mdx"\n\na\n\n<B/>', "b.mdx": 'import A from "/a.mdx"\n\nb\n\n<A/>' },
  });
  expect(outline(page.tree)).toBe('p("x") p("a") p("b")');
  expect(faults(page)).toEqual(["SNIPPET_CYCLE b.mdx:5:1"]);
  expect(page.diagnostics[0]?.what).toContain("a.mdx -> b.mdx -> a.mdx");
});

test("a chain of snippets ends after twenty", async () => {
  const files: Record<string, string> = {};
  for (let index = 0; index < 40; index++)
    files[`s${index}.mdx`] = `import N from "/s${index + 1}.mdx"\n\n${index}\n\n<N/>`;
  const page = await readPage('import N from "/s0.mdx"\n\n<N/>', { files: { ...files, "s40.mdx": "end" } });
  expect(page.tree.children).toHaveLength(20);
  expect(page.diagnostics.map(({ code }) => code)).toEqual(["EXPRESSION_LIMIT"]);
});

test("snippets that double at each level stop at a limit", async () => {
  const files: Record<string, string> = { "s18.mdx": "x ".repeat(100) };
  for (let index = 0; index < 18; index++)
    files[`s${index}.mdx`] = `import N from "/s${index + 1}.mdx"\n\n<N/>\n\n<N/>\n\n<N/>\n\n<N/>`;
  const page = await withinCpu(5000, () => readPage('import N from "/s0.mdx"\n\n<N/>', { files }));
  expect(page.diagnostics.map(({ code }) => code)).toContain("PAGE_TOO_MANY_NODES");
});

test("a page can include 1,286 snippets", async () => {
  const files: Record<string, string> = {};
  const lines: string[] = [];
  for (let index = 0; index < 1286; index++) {
    files[`snippets/s${index}.mdx`] = `Text ${index}`;
    lines.push(`import S${index} from "/snippets/s${index}.mdx"`);
  }
  const uses = Array.from({ length: 1286 }, (_, index) => `<S${index}/>`).join("\n");
  const page = await readPage(`${lines.join("\n")}\n\n${uses}`, { files });
  expect(page.tree.children).toHaveLength(1286);
  expect(page.snippets).toHaveLength(1286);
  expect(faults(page)).toEqual([]);
});

test("nodes of a snippet carry its path, and a shared snippet is not changed by a page", async () => {
  const source = 'import A from "/a.mdx"\n\n# P\n\n<A w="1"/>\n\n<A w="2"/>';
  const page = await readPage(source, { files: { "a.mdx": "# H\n\n{w} `c`" } });
  expect(page.tree.children.map((node) => [node.data?.sourcePath, node.data?.id])).toEqual([
    [undefined, "p"],
    ["a.mdx", "h"],
    ["a.mdx", undefined],
    ["a.mdx", "h-2"],
    ["a.mdx", undefined],
  ]);
  expect(page.snippets).toEqual(["a.mdx"]);
});

test("a fault in a snippet only costs its block, and is reported at its location", async () => {
  const page = await readPage('import A from "/a.mdx"\n\nx\n\n<A/>', { files: { "a.mdx": "y\n\n<B>" } });
  expect(outline(page.tree)).toBe('p("x") p("y") p("<B>")');
  expect(page.ok).toBe(true);
  expect(faults(page)).toEqual(["MDX_SYNTAX a.mdx:3:1"]);
});

const variables = [
  // a variable …           source                              tree
  ["in text", "v{{version}} of {{ my-product }}", 'p("v1.2 of Pro <b>")'],
  [
    "in code",
    "`{{version}}`\n\n```sh {{version}}\n{{version}} {{other}}\n```",
    "p(inlineCode(1.2)) code(1.2 {{other}})",
  ],
  [
    "in links and headings",
    '## A {{version}}\n\n[a](https://x/{{version}} "{{version}}")',
    'h2#a-1-2("A 1.2") p(link("a"))',
  ],
  ["in attributes", '<Card title="v{{version}}" b={`${1}{{version}}`}/>', '<Card title="v1.2" b="11.2">'],
  ["in attributes after one in text", '{{version}}\n\n<Card title="v{{version}}"/>', 'p("1.2") <Card title="v1.2">'],
  ["in JSX of code", "export const X = () => <b t='{{version}}'/>\n\n<X/>", '<b t="1.2">'],
] as const;
for (const [where, source, tree] of variables)
  test(`a variable is filled in ${where}`, async () => {
    const page = await readPage(source, { variables: { version: "1.2", "my-product": "Pro <b>" } });
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

test("a variable is filled in a link's address", async () => {
  const page = await readPage("[a](https://x/{{version}}/y)", { variables: { version: "1.2" } });
  expect(JSON.stringify(page.tree)).toContain('"url":"https://x/1.2/y"');
});

test("a variable whose name has an underscore is filled in", async () => {
  const page = await readPage("a {{api_version}} b `{{ api_version }}`", { variables: { api_version: "1.2" } });
  expect(outline(page.tree)).toBe('p("a 1.2 b ", inlineCode(1.2))');
  expect(faults(page)).toEqual([]);
});

test("an undefined variable is shown as typed", async () => {
  const page = await readPage("a {{name}} b\n\n`{{name}}`", { variables: { version: "1" } });
  expect(outline(page.tree)).toBe('p("a {{name}} b") p(inlineCode({{name}}))');
  expect(faults(page)).toEqual(["UNDEFINED_VARIABLE 1:3"]);
});

test("nested components do not copy content that the page shows once", async () => {
  const [open, close] = ["<Box>\n".repeat(20), "</Box>\n".repeat(20)];
  const source = `export const Box = ({children}) => <div>{children}</div>\n\n${open}\n${"a\n\n".repeat(6_000)}${close}`;
  const page = await readPage(source);
  expect(faults(page)).toEqual([]);
  expect(JSON.stringify(page.tree).split('"a"').length - 1).toBe(6_000);
});
