import { expect, test } from "vitest";
import { withinCpu } from "../../support/machine-time.js";
import { readPage } from "./read-page.js";

const codesOf = async (source: string): Promise<string[]> =>
  (await readPage(source)).diagnostics.map(({ code }) => code);

/** The source after the edits of its diagnostics. */
async function repaired(source: string): Promise<string> {
  const edits = (await readPage(source)).diagnostics.flatMap(({ edits = [] }) => edits);
  let text = source;
  for (const { start, end, replacement } of edits.toSorted((a, b) => b.start - a.start))
    text = text.slice(0, start) + replacement + text.slice(end);
  return text;
}

const repairs = [
  ["a heading without a space", "##Linux", "## Linux"],
  ["a link with a space", "See [it] (https://a.example/b).", "See [it](https://a.example/b)."],
  ["a link of code with a space", "See [`a` b] (/b).", "See [`a` b](/b)."],
  ["a link the wrong way round", "See (it)[/b].", "See [it](/b)."],
  ["an image whose address has a space", "![x](a b.png)", "![x](<a b.png>)"],
  ["a table without its delimiter row", "| a | b |\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  ["one in a quote", "> | a | b |\n> | 1 | 2 |", "> | a | b |\n> | --- | --- |\n> | 1 | 2 |"],
  ["a delimiter row with too few cells", "| a | b |\n| --- |\n| 1 | 2 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  ["a list in a paragraph", "Now\n2. a\n3. b", "Now\n\n2. a\n3. b"],
  ["bold with spaces, twice", "** a ** and **b **c", "**a** and **b**c"],
  ["bold after which a letter follows", "press**“Save”**now", "press<strong>“Save”</strong>now"],
  ["bold code after which a letter follows", "**`a()`**s b", "<strong>`a()`</strong>s b"],
  ["a paragraph with dashes below", "It ends.\n---\n\na", "It ends.\n\n---\n\na"],
  ["front matter without its first line", "title: A\n---\n\nb", "---\ntitle: A\n---\n\nb"],
] as const;
for (const [fault, source, text] of repairs)
  test(`an edit repairs ${fault}`, async () => {
    expect(await repaired(source)).toBe(text);
    expect(await codesOf(text)).toEqual([]);
  });

for (const source of ["```js\ncode();\n~~~", "```js\ncode();\n~~~\n"])
  test(`a fence of the wrong kind has one message: ${JSON.stringify(source)}`, async () => {
    expect(await codesOf(source)).toEqual(["FENCE_MISMATCH"]);
  });

const named = [
  ["a formula in brackets of TeX", "So \\(x^2 + y\\) holds.", "write $x^2 + y$"],
  ["one on lines of its own", "\\[\nE = mc^2\n\\]", "write $$E = mc^2$$"],
  ["a name that HTML does not know", "A &foo; and &copy;", "write the character itself, or &amp;foo; for the text."],
] as const;
for (const [fault, source, fix] of named)
  test(`${fault} is reported with the text to write`, async () => {
    expect((await readPage(source)).diagnostics.map((diagnostic) => diagnostic.fix)).toEqual([fix]);
  });

test("text that only looks like markup is not reported", async () => {
  const texts = [
    "✅ **Fast**: it takes a second\\\n✅ **Small**: it takes a megabyte",
    "#general is a channel, #1 a number, #FFF a colour.",
    "#general",
    "#!/bin/sh",
    "Two hashtags: #One and #Two",
    "a[0][1], [1] and (see [a]) [optional](see below) [x]",
    "Type (`) for code, “`” in quotes, or ``a ` b``.",
    "2**3, a ** b, *.js, **/*.js, src/**, ***, \\*\\*a",
    "_id, my_name, __initial__ and snake_case_name",
    "-v prints more\n-q prints less",
    "| no table",
    "A line\n| with a bar | in it",
    "In\n2024. That was then.",
    "$a_b$ and $x**y$ and {{name}}",
    "Title\n---\n\ntext",
    "~100 and ~~gone~~",
    "Secrets are masked (***).",
    "    `1 km = 1000 m` (a kilometre)",
    "https://a.example/_b/**c and `a ** b`",
    "```md\n~~~\n```",
    "````\n```js\na\n```\n````",
    "<code>`a</code> and <pre>**a</pre>",
    "[a][b]\n\n[b]: https://a.example",
    "a[^1]\n\n[^1]: b",
    "An \\(optional\\) word, \\[1\\], \\[a-z\\] and \\(see below\\)",
    "`\\(x^2\\)` and &copy; &amp;foo; ?a=1&b; https://a.example/?a=1&b;",
  ];
  const reported = await Promise.all(texts.map(async (text) => [text, (await codesOf(text)).filter(isTextFault)]));
  expect(reported).toEqual(texts.map((text) => [text, []]));
});

const isTextFault = (code: string): boolean => /_AS_TEXT$|_AS_HEADING$|FENCE_MISMATCH|UNOPENED/.test(code);

test("a long paragraph of marks is checked in linear time", async () => {
  const signs = ["[a](", "**a ", "`a ``b ", "| a |\n", "(a)[", "[a][", "_a ", "-a\n", "1.a\n", "~~", "[a](b c "];
  const links = [
    '[a](/b "c" '.repeat(20_000),
    `[a](/b "c"${" ".repeat(200_000)}x`,
    `| a | b |\n|${"=".repeat(200_000)}|x|`,
  ];
  for (const text of [...signs.map((sign) => sign.repeat(20_000)), ...links]) {
    const { diagnostics } = await withinCpu(2000, () => readPage(text));
    expect(diagnostics.length).toBeLessThan(40_001);
  }
});

test("a fix keeps the code and the links of the line", async () => {
  const fixes = async (source: string) => (await readPage(source)).diagnostics.map(({ fix }) => fix);
  expect(await fixes("→ Yes: `gap-2` (8px)\n→ No: [more](/more)")).toEqual([
    "write - Yes: `gap-2` (8px), and change the other items in the same way.",
  ]);
  expect(await fixes("##Set `PORT`")).toEqual(["write ## Set `PORT`"]);
});

test("bold that ends inside a link or an element is reported without tags that would cross it", async () => {
  for (const source of [
    "**[Attestation** (EAS)](https://a.example/)",
    "by **[Attestation** (EAS)](https://a.example/)",
  ]) {
    const { diagnostics } = await readPage(source);
    expect(diagnostics.map(({ code, edits }) => [code, edits])).toEqual([["MARK_AS_TEXT", undefined]]);
  }
});

test("\\n in a quoted text of a table is no line break", async () => {
  const table = (cell: string) => `| Default |\n| --- |\n| ${cell} |`;
  expect(await codesOf(table('"So far:\\n\\n"'))).toEqual([]);
  expect(await codesOf(table("One\\n\\nTwo"))).toContain("MARK_AS_TEXT");
});

for (const [mark, start] of [
  [".. constructor::", "put <Note>"],
  ["[constructor]a[/constructor]", "write the Markdown"],
] as const)
  test(`a mark with the name of a property of objects has a fix that is a text: ${mark}`, async () => {
    const [fault] = (await readPage(mark)).diagnostics;
    expect(fault?.fix.slice(0, start.length)).toBe(start);
  });

for (const [what, source, codes] of [
  ["escape sequences that color code", "```ansi\n\u001b[32mok\u001b[0m\n```", []],
  ["products and operators", "Use a++ and b++ or 2^^3 and [x] or [y].", []],
] as const)
  test(`no message is about ${what}`, async () => {
    expect(await codesOf(source)).toEqual(codes);
  });
