/** Pages of any length, each of one construct many times: what costs more than its share of time or memory shows here. */

/** A page of about that many characters. */
export type LargePage = (chars: number) => string;

const many =
  (text: string): LargePage =>
  (chars) =>
    text.repeat(Math.floor(chars / text.length));

/** Each repetition has another number. */
const numbered =
  (text: (n: number) => string): LargePage =>
  (chars) => {
    const parts: string[] = [];
    for (let n = 0, left = chars; ; n++) {
      const part = text(n);
      left -= part.length;
      if (left < 0) return parts.join("");
      parts.push(part);
    }
  };

const halves =
  (...both: readonly LargePage[]): LargePage =>
  (chars) =>
    both.map((half) => half(chars / both.length - 2)).join("\n\n");

const between =
  (start: string, inner: LargePage, end = ""): LargePage =>
  (chars) =>
    start + inner(chars - start.length - end.length) + end;

/** One within the other. */
const nested =
  (open: string, close: string): LargePage =>
  (chars) => {
    const depth = Math.floor((chars - 2) / (open.length + close.length));
    return `${open.repeat(depth)}x${close.repeat(depth)}\n`;
  };

export const largePages = {
  // Blocks
  "one line": many("word "),
  "a word without end": many("x"),
  paragraphs: many("A line of text.\n\n"),
  letters: many("x\n\n"),
  lines: many("a\n"),
  "hard breaks": many("a  \nb\n"),
  "blank lines": many("\n"),
  spaces: many(" "),
  tabs: many("\t"),
  "carriage returns": many("a\r\n\r\n"),
  "null characters": many("a\0"),
  "private characters": many("a\ue000 "),
  "letters of several bytes": many("日本語 ü 🙂\n\n"),
  "thematic breaks": many("---\n\n"),
  headings: many("## a\n\n"),
  "numbered headings": numbered((n) => `## a ${n}\n\n`),
  "headings with anchors": numbered((n) => `## a {#a${n}}\n\n`),
  "underlined headings": many("a\n---\n"),
  lists: many("- x\n"),
  "loose lists": many("- x\n\n"),
  "numbered lists": many("1. x\n"),
  "lists in lists": many("- a\n  - b\n    - c\n"),
  tasks: many("- [ ] x\n"),
  "deep lists": (chars) => numbered((n) => `${"  ".repeat(n)}- a\n`)(chars),
  quotes: many("> x\n\n"),
  "lines of a quote": many("> x\n"),
  "deep quotes": nested("> ", ""),
  tables: many("| a |\n|---|\n| x |\n\n"),
  "rows of a table": between("| a | b |\n|---|---|\n", many("| x | y |\n")),
  "cells of a row": (chars) => ["a", "-", "b"].map((cell) => `|${many(`${cell}|`)(chars / 3 - 2)}\n`).join(""),
  // Code
  "code blocks": many("```js\nlet a = 1;\n```\n\n"),
  "plain code blocks": many("```\na\n```\n\n"),
  "empty code blocks": many("```\n"),
  "lines of code": between("```js\n", many("let a = 1;\n"), "```\n"),
  "a long line of code": between("```js\n", many("let a = 1;"), "\n```\n"),
  "fences that are not closed": many("~~~\na\n"),
  "indented code": many("    a\n\n"),
  "code spans": many("`a` "),
  "runs of backticks": numbered((n) => `${"`".repeat((n % 300) + 1)} `),
  // Phrases
  emphasis: many("*a* **b** ~~c~~ "),
  "open emphasis": many("*a **b _c "),
  "emphasis in emphasis": nested("*", "*"),
  links: many("[a](/b) "),
  "open links": many("[a"),
  "ends of links": many("a](b "),
  "links in links": nested("[", "](b)"),
  images: many("![a](b.png)\n\n"),
  addresses: many("https://a.b c@d.ef "),
  "addresses behind digits": many("*x* 1http://a.b "),
  entities: many("&amp;"),
  "entities in paragraphs": many("a &amp; b\n\n"),
  "broken entities": many("&a"),
  escapes: many("\\*"),
  references: halves(many("[a] "), () => "[a]: /b\n"),
  "references in paragraphs": halves(many("[a]\n\n"), () => "[a]: /b\n"),
  definitions: halves(
    numbered((n) => `[a${n}]\n\n`),
    numbered((n) => `[a${n}]: /b\n`),
  ),
  "definitions and lists": halves(
    numbered((n) => `[a${n}]: /b\n`),
    many("- x\n"),
  ),
  "definitions and quotes": halves(
    numbered((n) => `[a${n}]: /b\n`),
    many("> x\n\n"),
  ),
  footnotes: numbered((n) => `a[^${n}]\n\n[^${n}]: b\n\n`),
  "references to one footnote": halves(many("a[^1] "), () => "[^1]: b\n"),
  "footnotes without references": numbered((n) => `[^${n}]: b\n\n`),
  "HTML comments": many("<!-- a -->\n\n"),
  "HTML comments in lines": many("a <!-- a --> b\n\n"),
  "HTML comments that are not closed": many("<!-- a\n\n"),
  formulas: many("$x^2$ "),
  "blocks of formulas": many("$$\nx\n$$\n\n"),
  "open formulas": many("$x "),
  variables: many("{{name}} "),
  // JSX
  cards: many('<Card title="x">y</Card>\n\n'),
  elements: many("<b>x</b>\n\n"),
  "elements on a line": many("<b>x</b> "),
  "elements with letters of several bytes": many("<b>日本語</b>\n\n"),
  "elements in lists": many("- <b>x</b>\n"),
  "elements in a quote": many("> <b>x</b>\n>\n"),
  "elements in an element": between("<Columns>\n\n", many("<b>x</b>\n\n"), "</Columns>\n"),
  "elements in headings": many("## <b>x</b>\n\n"),
  "closed elements": many('<Icon icon="x" />\n\n'),
  "empty components": many("<Note />\n\n"),
  "blocks in elements": many('<Card title="x">\n\ny\n\n</Card>\n\n'),
  "elements over lines": many('<Card\n  title="x">y</Card>\n\n'),
  "nested components": many('<Card title="a">\n<Note>\n<b>x</b>\n</Note>\n</Card>\n\n'),
  "rows of an HTML table": between("<table>\n<tbody>\n", many("<tr><td>x</td></tr>\n"), "</tbody>\n</table>\n"),
  "rows with blank lines": between("<table>\n<tbody>\n", many("<tr><td>x</td></tr>\n\n"), "</tbody>\n</table>\n"),
  drawings: many('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>\n\n'),
  "elements 150 deep": many(`${"<div>\n".repeat(150)}x\n${"</div>\n".repeat(150)}\n`),
  "elements within each other": nested("<div>", "</div>"),
  "blocks within each other": nested("<div>\n\n", "\n\n</div>"),
  attributes: between(
    "<Card ",
    numbered((n) => `a${n}="b" `),
    "/>\n",
  ),
  "attributes with expressions": many("<Card a={1} b={[1, 2]} />\n\n"),
  styles: many('<div style={{ color: "red" }}>x</div>\n\n'),
  steps: many('<Steps>\n<Step title="a">\nb\n</Step>\n</Steps>\n\n'),
  "tabs in one": between(
    "<Tabs>\n",
    numbered((n) => `<Tab title="a${n}">\nb\n</Tab>\n`),
    "</Tabs>\n",
  ),
  accordions: many('<Accordion title="a">b</Accordion>\n\n'),
  fields: many('<ParamField path="a" type="string">b</ParamField>\n\n'),
  updates: numbered((n) => `<Update label="v${n}">x</Update>\n\n`),
  tooltips: many('a <Tooltip tip="x">y</Tooltip> b '),
  "groups of code": many("<CodeGroup>\n```js a\n1\n```\n```js b\n2\n```\n</CodeGroup>\n\n"),
  "files of a tree": between("<Tree>\n", many('<Tree.File name="a" />\n'), "</Tree>\n"),
  // Expressions and modules
  expressions: many("{1}\n\n"),
  "expressions in lines": many("a {1} b\n\n"),
  "expressions on a line": many("{1} "),
  "comments of MDX": many("{/* a */}\n\n"),
  imports: numbered((n) => `import A${n} from "/a.mdx"\n\n`),
  exports: halves(
    numbered((n) => `export const a${n} = 1\n\n`),
    numbered((n) => `{a${n}}\n\n`),
  ),
  "a long list": between("export const a = [", many("1,"), "]\n\n{a.map((x) => <b>{x}</b>)}\n"),
  // Front matter
  "front matter": between(
    "---\ntitle: a\n",
    numbered((n) => `k${n}: v\n`),
    "---\n\nx\n",
  ),
  "deep front matter": between("---\ntitle: a\nk: ", nested("[", "]"), "---\n\nx\n"),
  "aliases in front matter": between(
    "---\ntitle: a\nk: &a [1]\n",
    numbered((n) => `k${n}: *a\n`),
    "---\n\nx\n",
  ),
} as const satisfies Readonly<Record<string, LargePage>>;

/** The same of mistakes. */
export const brokenPages = {
  "open tags": many("<b>\n\n"),
  "open tags on a line": many("<b> "),
  "closing tags": many("</b>\n\n"),
  "void tags": many("<br>\n\n"),
  "open braces": many("{"),
  "open braces in paragraphs": many("{\n\n"),
  "angle brackets": many("a < b\n\n"),
  "angle brackets before digits": many("<1\n\n"),
} as const satisfies Readonly<Record<string, LargePage>>;
