import { describe, expect, test } from "vitest";
import { namesParts, scanSource } from "../../../src/site/discover/scan-source.js";
import { withinCpu } from "../../support/machine-time.js";

describe("scanSource finds imports", () => {
  const cases: readonly (readonly [rule: string, text: string, imports: readonly string[]])[] = [
    ["of one name", 'import A from "/snippets/a.mdx";', ["/snippets/a.mdx"]],
    ["in single quotes", "import A from './a.mdx'", ["./a.mdx"]],
    ["of several names", 'import { a, B } from "/b.jsx"', ["/b.jsx"]],
    ["over several lines", 'import {\n  a,\n  b,\n} from "/c.mdx";', ["/c.mdx"]],
    ["of everything", 'import * as All from "/d.mdx"', ["/d.mdx"]],
    ["without a name", 'import "./e.js"', ["./e.js"]],
    ["one after the other", 'import A from "a.mdx"\nimport B from "b.mdx"', ["a.mdx", "b.mdx"]],
    ["in the middle of a page", 'Text.\n\nimport A from "/a.mdx"\n\nMore.', ["/a.mdx"]],
    ["behind CRLF", 'Text.\r\n\r\nimport A from "/a.mdx"\r\n', ["/a.mdx"]],
    ["passed on by an export", 'export { a } from "/a.mdx"', ["/a.mdx"]],
    ["not in a fence", '```js\nimport A from "/a.mdx"\n```\n', []],
    ["not in a fence of tildes", '~~~\nimport A from "/a.mdx"\n~~~', []],
    ["not in a fence in a list", '- item\n  ```js\nimport A from "/a.mdx"\n  ```\n', []],
    ["not in a fence left open", '```\nText\n\nimport A from "/a.mdx"', []],
    ["not behind a shorter inner fence", '````\n```\nimport A from "/a.mdx"\n````\n', []],
    ["behind a fence", '```js\ncode\n```\n\nimport A from "/a.mdx"', ["/a.mdx"]],
    ["behind a code span of three marks", '```x``` text\n\nimport A from "/a.mdx"', ["/a.mdx"]],
    ["not in prose", 'Text says import A from "/a.mdx"', []],
    ["not in an ordinary export", 'export const a = "x";\n\nText from "/b.mdx"', []],
    ["not where the word starts a sentence", "import duties apply.\n\nSay 'hello'.", []],
    ["not in an import function", 'import("/a.mdx")', []],
    ["not where a quote stays open", 'import A from "/a.mdx\n', []],
  ];
  for (const [rule, text, imports] of cases)
    test(rule, () => expect(scanSource(text, "markdown").imports).toEqual(imports));

  test("not in the front matter", () => {
    const text = 'import A from "/a.mdx"\nimport B from "/b.mdx"';
    expect(scanSource(text, "markdown", 23).imports).toEqual(["/b.mdx"]);
  });
  test("in modules, where a fence is text", () => {
    expect(scanSource('const a = `\n```\n`\nimport B from "./b.jsx"', "module").imports).toEqual(["./b.jsx"]);
  });
  test("of snippets by file", () => {
    const text = '<Snippet file="a.mdx" />\n<Snippet\n  file=\'b/c.mdx\'\n/>\n```\n<Snippet file="no.mdx" />\n```';
    expect(scanSource(text, "markdown").snippetFiles).toEqual(["a.mdx", "b/c.mdx"]);
  });
});

describe("scanSource finds class words", () => {
  const cases: readonly (readonly [rule: string, text: string, words: readonly string[]])[] = [
    ["in class", '<div class="flex gap-2">', ["flex", "gap-2"]],
    ["in className", "<div className='a  b\n c'>", ["a", "b", "c"]],
    ["in a string in braces", '<div className={"p-4 hover:dark:p-2"}>', ["p-4", "hover:dark:p-2"]],
    ["in a template", "<div className={`m-1 $\u007bon ? 'm-2' : \"m-3\"} m-4`}>", ["m-1", "on", "m-2", "m-3", "m-4"]],
    [
      "with arbitrary values",
      '<p className="min-w-[4rem] dark:!text-x -top-1">',
      ["min-w-[4rem]", "dark:!text-x", "-top-1"],
    ],
    [
      "in a default",
      'export const Box = ({ className = "p-4 m-1" }) => <div className={className} />',
      ["p-4", "m-1", "className", "p-4", "m-1"],
    ],
    ["in a property", "Box.defaultProps = { className: 'p-4' }", ["p-4"]],
    ["in a property of a longer name", '<Box wrapperClassName="p-4" />', ["p-4"]],
    [
      "in the values of the names that an expression uses",
      [
        'const sizes = { sm: "p-1", lg: `p-8 ${wide ? "w-8" : ""}` };',
        "const other = 'm-9';",
        "export function Box({ size = 'sm', tone='text-red-500', wide }) {",
        "  const base = wide ? 'flex' : 'grid'",
        "",
        "  return <div className={`${base} ${sizes[size]} ${tone}`} />",
        "}",
      ].join("\n"),
      ["base", "sizes[size]", "tone", "p-1", "p-8", "wide", "w-8", "sm", "text-red-500", "flex", "grid"],
    ],
    ["not in a comparison", "<i className={a === 'b' ? 'c' : d} />\nd == 'e'", ["a", "b", "c", "d"]],
    ["not in a fence", '```html\n<div class="flex">\n```', []],
    ["not where the value stays open", '<div class="flex', []],
    ["not where the brace stays open", "<div className={`flex", []],
    ["not as numbers and signs", '<div class="1 ? =">', []],
  ];
  for (const [rule, text, words] of cases)
    test(rule, () => expect(scanSource(text, "markdown").classWords).toEqual(words));
});

describe("code that may select parts of components", () => {
  const cases = [
    ["names the attribute", '<style>{`[data-component-part="card-title"] { top: 0 }`}</style>', true],
    ["names its property", "element.dataset.componentPart", true],
    ["loads a script", '<script src="https://cdn.example/a.js"></script>', true],
    ["makes a script", 'document.createElement("script")', true],
    ["loads a style sheet", "@import url(https://cdn.example/a.css);", true],
    ["loads a module", 'import("./a.js")', true],
    ["imports no code of others", 'import { A } from "./a.jsx";\n\nA script, a link, and <A part="x" />.', false],
    ["imports a style sheet of the site", "@import 'base.css';", false],
  ] as const;
  for (const [rule, text, expected] of cases) test(rule, () => expect(namesParts(text)).toBe(expected));
});

test("scanSource takes linear time for any text", async () => {
  const size = 200_000;
  for (const part of [
    "import ",
    "import\n",
    "class={",
    "class={a} a=(",
    'class={a} a="',
    "Class ",
    'class="',
    "`````\n",
    "<Snippet ",
    "> - ",
    "1. ",
    "import a\n \n",
  ]) {
    await withinCpu(1500, () => {
      scanSource(part.repeat(size / part.length), "markdown");
    });
  }
});
