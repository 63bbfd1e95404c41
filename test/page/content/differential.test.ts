/**
 * Both parsers give the same tree: over the cases below, and in a sweep over every fixture and every page of the corpora.
 * Otherwise over one fixture in six and one page in sixty. `accepted` lists the allowed differences with their reasons.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Root, RootContent } from "mdast";
import { beforeAll, expect, test } from "vitest";
import { findFrontmatter } from "../../../src/page/content/frontmatter/frontmatter.js";
import {
  loadParsers,
  type MarkdownParsers,
  MarkdownSyntaxError,
} from "../../../src/page/content/parse/markdown-parsers.js";
import { maskSource } from "../../../src/page/content/parse/mask-source.js";
import { scanSource } from "../../../src/page/content/parse/scan-source.js";
import { liftLoneJsx } from "../../../src/page/content/tree-shape.js";
import { sampleOf } from "../../quality/bundle.js";
import { corpusPages } from "./corpus-pages.js";

/** Differences that are known, and what each comparison does about them. */
const accepted = {
  loneJsx:
    "MDX lifts a lone JSX element out of its paragraph after parsing; Sätteri does so at once. Both trees are lifted.",
  moduleEnd:
    "The end of an import or export block: Sätteri counts the line break behind it. Ends of such blocks are not compared.",
  moduleSyntax:
    "Sätteri takes any text behind import or export for a module, the reference refuses what is no JavaScript. Both end as a diagnostic.",
  data: "The reference keeps ESTree in `data`; we parse expressions ourselves. `data` is not compared.",
  listBeforeQuote:
    "A list in a quote with a quote within behind it: the reference takes the blank line between them for the list's own. Whether such a list is loose, and where it ends, is not compared.",
  absent: "One writes null where the other leaves a field out. Both count as absent.",
} as const;

let native: MarkdownParsers;
let reference: MarkdownParsers;
beforeAll(async () => {
  [native, reference] = await Promise.all([loadParsers("satteri"), loadParsers("remark")]);
});

type Plain = { [key: string]: unknown };

function plainTree(node: Root | RootContent): Plain {
  const out: Plain = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "children" || key === "data" || key === "position" || value === null || value === undefined) continue;
    out[key] = key === "attributes" ? (value as unknown as Plain[]).map(plainAttribute) : value;
  }
  const { start, end } = node.position ?? {};
  out["start"] = `${start?.line}:${start?.column} ${start?.offset}`;
  if (node.type !== "mdxjsEsm") out["end"] = `${end?.line}:${end?.column} ${end?.offset}`;
  if ("children" in node)
    out["children"] = node.children.flatMap((child) => {
      const lifted = child.type === "paragraph" ? liftLoneJsx(child) : undefined;
      return (lifted ?? [child as RootContent]).map(plainTree);
    });
  if (node.type === "blockquote")
    for (const [index, child] of (out["children"] as Plain[]).entries())
      if (child["type"] === "list" && node.children[index + 1]?.type === "blockquote") {
        delete child["spread"];
        delete child["end"];
      }
  return out;
}

function plainAttribute({ type, name, value }: Plain): Plain {
  return {
    type,
    name,
    value: typeof value === "object" && value !== null ? { code: (value as Plain)["value"] } : value,
  };
}

function treeOrFault(parsers: MarkdownParsers, source: string): Plain | "fault" {
  try {
    return plainTree(parsers.parseMdx(source));
  } catch (error) {
    if (error instanceof MarkdownSyntaxError) return "fault";
    throw error;
  }
}

function compare(source: string, name: string): void {
  const bodyStart = findFrontmatter(source)?.bodyStart ?? 0;
  const masked = maskSource(source, scanSource(source, bodyStart, true), bodyStart);
  expect(treeOrFault(native, masked), name).toEqual(treeOrFault(reference, masked));
}

const cases = [
  "a\n{b}\nc",
  "<A>b</A>",
  "<A>\nb\n</A>",
  "<A>\n\nb\n\n</A>",
  "<A>b\n</A>",
  "- <A>\n  b\n  </A>\n- c",
  "> <A>\n> b\n> </A>",
  "| a |\n|--|\n| <br/> {x} \\| y |",
  "| a |\n|--|\n| `a|b` |",
  "<A x='1' y=\"2\" z={3} {...w} v/>",
  "<A\n  x={`a\n  b`}\n/>",
  "{`a\n\nb`}",
  "{/* a\n\nb */}",
  "a {/* c */} b",
  "**a**b *c*d",
  "_a_b a_b_c",
  "~~a~~ ~b~",
  "https://a.b/c?d=e&f. www.x.y a@b.c",
  "[a](b 'c') ![d](e) [f][g]\n\n[g]: h \"i\"",
  "# a\n\nb\n===\n\n---",
  "1. a\n   - b\n\n     c\n2. d",
  "- [x] a\n- [ ] b",
  "```js a b\nc\n```\n~~~\nd\n~~~",
  "```\nopen",
  "    indented",
  "a  \nb\\\nc",
  "&amp; &lt; &#123; &copy; \\{ \\<",
  "<A><B/></A> text",
  "text <A>**b**</A>",
  "<a.b.c/>",
  "<a:b c:d='e'/>",
  "<></>",
  "<>a</>",
  "export const a = 1\nexport const b = 2\n\nc",
  "export const a = `\n\n# b\n`",
  "a<b/>c",
  "1 < 2",
  "<div>\n  # not heading?\n</div>",
  "<div># x</div>",
  "<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>",
  "<p>\n  a <b>c</b>\n  d\n</p>",
  "[^1]\n\n[^1]: a\n    b",
  "a[^x]",
  "\tx",
  "- a\n\n      b",
  "<A>\n    - x\n        - y\n</A>",
  "<A>\n```js\nx\n```\n</A>",
  "<Tab>\n    ```js\n    x\n      y\n    ```\n</Tab>",
  "x\n<A/>\ny",
  "<A/>\ny",
  "<A>\n  <B>\n    text\n\n    more\n  </B>\n</A>",
  "é😀 {x} *ü*",
  "\u200bx",
  "a\r\nb\r\n\r\n- c\r\n- d\r\n",
  "<A b=\"x &quot; y\" c='&#39;'/>",
  '<A b="line\nbreak"/>',
  "| a | b |\n| - | :-: |\n| c |\n| d | e | f |",
  "<details>\n<summary>a</summary>\n\nb\n\n</details>",
  "{a}{b}",
  "{a} b {c}",
  "# {a} b",
  "# <A/>",
  "[<A/>](x)",
  "*{a}*",
  "<A>{b}</A>",
  "<A>\n  {b}\n</A>",
  "- {a}\n- b",
  "1) a\n1) b",
  "+ a\n\n+ b",
  "***a***",
  "**a*b*c**",
  "`` a`b ``",
  "`a\nb`",
  "![a\nb](c)",
  "<A>\n- a\n</A>",
  "a\n- b",
  "a\n1. b",
  "a\n2. b",
  "a\n# b",
  "a\n> b",
  "> a\nb",
  "> - a\n>   b\nc",
  "> - a\n> - b\n>\n> > c",
  "\\",
  "[a]: <b c> 'd'\n[a]",
  "[A B]\n\n[a  b]: c",
  "<br />text",
  "text<br />",
  "<A\n/>",
  "< a>",
  "<A>\n</A>text",
  "x <A>\n</A>",
  "{x}\n===",
  "a\n---",
  "|a|\n|-|",
  "a | b\n--|--\nc | d",
  "$a$ $$b$$",
  "H~2~O x^2^",
  "a@b",
  "xhttps://a.b",
  "(https://a.b)",
  "https://a.b)",
  "**https://a.b**",
  "<A>https://a.b</A>",
  "* * *",
  "- - -",
  "- a\n- - b",
  "- \n  a",
  "-\n\n  a",
  "<A>\n  a\n  b\n</A>\n<B>c</B>",
  "<A b={<C>{d}</C>} />",
  "<A b={'}'} c=\"{\" />",
  "{'}'}",
  "{`${a}`}",
  "{\n  a\n}",
  "<A\n  b={{\n    c: 1,\n  }}\n>\n  x\n</A>",
];
test.each(cases)("both parsers read %j the same", (source) => compare(source, source));

test("both parsers read the fixtures the same", () => {
  const fixtures = fileURLToPath(new URL("../../../fixtures", import.meta.url));
  const pages = (readdirSync(fixtures, { recursive: true }) as string[])
    .filter((path) => /\.mdx?$/.test(path))
    .toSorted();
  let compared = 0;
  for (const path of sampleOf(pages, Math.ceil(pages.length / 6))) {
    const source = readFileSync(join(fixtures, path), "utf8");
    // `moduleSyntax`: the imports of these fixtures are broken on purpose.
    if (
      source.length > 60_000 ||
      /[/\\]expected[/\\]|(?:import-broken|imports-and-quotes|imports-that-fail|tag-after-import)/.test(path)
    )
      continue;
    compare(source, path);
    compared++;
  }
  console.log(`differential: ${compared} fixture pages; accepted: ${Object.keys(accepted).join(", ")}`);
});

test("both parsers read the pages of the corpora the same", () => {
  // The reference takes seconds for a page of hundreds of kilobytes.
  const pages = corpusPages().filter(({ source }) => source.length < 60_000);
  const sample = sampleOf(pages, Math.ceil(pages.length / 60));
  for (const { corpus, sourcePath, source } of sample) compare(source, `${corpus}/${sourcePath}`);
  console.log(`differential: ${sample.length} of ${pages.length} corpus pages; all in a sweep`);
});
