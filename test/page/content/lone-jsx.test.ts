/** The tree of a marked source, without its marks, is the tree of the source. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import type { Root } from "mdast";
import { mdxToMdast } from "satteri";
import { describe, expect, test } from "vitest";
import { findFrontmatter } from "../../../src/page/content/frontmatter/frontmatter.js";
import { markLoneJsx, removeMarks } from "../../../src/page/content/parse/lone-jsx.js";
import { maskSource } from "../../../src/page/content/parse/mask-source.js";
import { scanSource } from "../../../src/page/content/parse/scan-source.js";
import { page } from "../../fuzz/pages.js";
import { sampleOf } from "../../quality/bundle.js";
import { corpusPages } from "./corpus-pages.js";

const features = { gfm: true, math: false, frontmatter: false } as const;
const treeOf = (source: string): Root => mdxToMdast(source, { features }) as Root;

/** Number of marks; undefined if the source, with or without them, is not MDX. */
function compare(source: string): number | undefined {
  let plain: Root;
  try {
    plain = treeOf(source);
  } catch {
    return undefined;
  }
  const { source: marked, marks } = markLoneJsx(source);
  let tree: Root;
  try {
    tree = treeOf(marked);
  } catch {
    // The source is parsed without marks then.
    return undefined;
  }
  expect(removeMarks(tree, marks)).toEqual(plain);
  return marks.length;
}

const cases: readonly (readonly [what: string, source: string, marks: number])[] = [
  ["a lone element", "a\n\n<b>x</b>\n\nb <i>c</i>\n\n<Card title='x'>y</Card>", 3],
  ["white space behind it", "<b>x</b>  \n<b>y</b> \t\n\nz", 2],
  ["carriage returns", "a\r\n\r\n<b>x</b>\r\n\r\n<b>y</b>\r\n", 2],
  ["a byte order mark", "\ufeffa <b>c</b>\n\n<b>d</b>\n", 2],
  ["other signs of line ends", "a <b>c</b> \u2028 d <b>e</b>\u2029\n\n<b>f</b>\u0085", 0],
  ["characters of several bytes and units", "🙂\n\n<b>日本語 🙂</b> <i>ü</i>\n\n🙂 <b>x</b>\n<b>é</b>", 3],
  ["elements in an element", "<Columns>\n  <b>x</b>\n\n  <Card title={1}>y</Card>\n</Columns>\n\n<b><i>x</i></b>", 3],
  ["lists and quotes", "- <b>x</b>\n- <b>y</b>\n\n  <b>z</b>\n\n> <b>q</b>\n>\n> 1. <b>r</b>\n\n- [ ] <b>t</b>", 6],
  ["tags alone on a line", "<a></a>\n\n<a><b></b></a>\n\n- <a><b></b></a>\n\n<a t='>x<'></a>\n\n<a>{1}</a>", 0],
  [
    "headings, tables, emphasis",
    "## <b>x</b>\n\n<b>x</b>\n---\n\n<b>1</b>|<b>2</b>\n-|-\n<b>3</b>|<b>4</b>\n\n*<b>x</b>",
    5,
  ],
  ["a tag over several lines", "<Card\n  title='a'>y</Card>\n\n<Card a={\n1}>y</Card>\n\n<b>x\ny</b>", 3],
  ["tags alone over several lines", "<a\n b='c'><d></d></a>\n\n<a\n\n b={1}></a>", 0],
  ["code", "```\n<b>x</b>\n```\n\n    <b>x</b>\n\n<b>`</b>`x</b>", 3],
  ["code fences with a title", "```js <b>x</b>\n1\n```\n\n<b>y</b>", 2],
  ["expressions", "{<b>x</b>}\n\n{(\n<i>\n<b>x</b>\n</i>\n)}\n\n<b>y</b>\n\n<A b={<i>\n<b>x</b>\n</i>} />", 3],
  ["modules", "export const A = () => (\n  <b>x</b>\n)\n\n<b>x</b>\n\nimport x from 'y'\n\n<b>x</b>", 2],
  [
    "links, definitions and footnotes",
    "[a]: /b '<b>x</b>\n'\n\n[^1]: <b>x</b>\n\na[^1] [a] <b>y</b>\n\n![<b>x</b>\n](y)",
    4,
  ],
  ["addresses", "<b>x</b> https://a.b\n<b>y</b>\n\nhttps://a.b/<b>y</b>", 2],
  ["fragments and members", "<>x</>\n\n<A.B>x</A.B>\n\n<a:b>x</a:b>\n\n<a-b>x</a-b>", 4],
];
for (const [what, source, marks] of cases)
  test(`the tree stays the same for ${what}`, () => {
    expect(compare(source)).toBe(marks);
  });

describe("the tree stays the same for", () => {
  const fixtures = fileURLToPath(new URL("../../../fixtures", import.meta.url));
  const pages = corpusPages();
  const sources = {
    "every fixture": globSync("**/*.mdx", { cwd: fixtures }).map((path) => readFileSync(join(fixtures, path), "utf8")),
    "pages of the corpora": sampleOf(pages, Math.ceil(pages.length / 60)).map(({ source }) => source),
  };
  for (const [name, all] of Object.entries(sources))
    test(name, () => {
      for (const source of all) {
        const bodyStart = findFrontmatter(source)?.bodyStart ?? 0;
        compare(maskSource(source, scanSource(source, bodyStart, true), bodyStart));
      }
    });
  test("random pages", () => {
    const numRuns = Number(process.env["LONE_JSX_RUNS"] ?? 200);
    fc.assert(
      fc.property(page, (source) => {
        const bodyStart = findFrontmatter(source)?.bodyStart ?? 0;
        compare(maskSource(source, scanSource(source, bodyStart, true), bodyStart));
      }),
      { seed: 1, numRuns },
    );
  });
});
