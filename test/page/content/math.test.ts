import { expect, test } from "vitest";
import { faults, outline, readPage } from "./read-page.js";

const formulas = [
  // a formula …                        source                          tree
  ["is found in text", "a $x^2$ b", 'p("a ", inlineMath(x^2), " b")'],
  ["may hold braces and underscores", "a $\\frac{a_1}{b_2}$ b", 'p("a ", inlineMath(\\frac{a_1}{b_2}), " b")'],
  ["may hold stars", "*a* $^*$ $b*c*d$", 'p(emphasis("a"), " ", inlineMath(^*), " ", inlineMath(b*c*d))'],
  ["may hold an escaped dollar", "$a\\$b$", "p(inlineMath(a\\$b))"],
  ["may hold < and {", "$a<b$ $\\{x\\}$", 'p(inlineMath(a<b), " ", inlineMath(\\{x\\}))'],
  ["may go on in the next line", "a $x +\ny$ b", 'p("a ", inlineMath(x +\ny), " b")'],
  ["may end a word", "the $n$th", 'p("the ", inlineMath(n), "th")'],
  ["may be bold", "**$x$**", "p(strong(inlineMath(x)))"],
  ["is found in a heading", "## A $x$", 'h2#a-x("A ", inlineMath(x))'],
  [
    "may be in a cell",
    "| a |\n|---|\n| $x_1$ b |",
    'table(tableRow(tableCell("a")), tableRow(tableCell(inlineMath(x_1), " b")))',
  ],
  [
    "may hold an escaped bar in a cell",
    "| a |\n|---|\n| $\\|x\\|$ |",
    'table(tableRow(tableCell("a")), tableRow(tableCell(inlineMath(|x|))))',
  ],
  ["is found in an element", "<b>$x$</b>", "<b>(inlineMath(x))"],
  ["is found in a list", "- $x$\n- $y$", "list(listItem(p(inlineMath(x))), listItem(p(inlineMath(y))))"],
  ["alone in a paragraph is a block", "$$\nx_1\n$$", "math(x_1)"],
  ["alone on one line is a block", "$$x_1$$", "math(x_1)"],
  ["as a block may hold blank lines", "$$\na\n\nb\n$$\n\nc", 'math(a\n\nb) p("c")'],
  ["as a block divides a paragraph", "a\n$$\nx\n$$\nb", 'p("a\\n") math(x) p("\\nb")'],
  ["as a block is found in a list", "- a\n\n  $$\n  x\n  $$\n- b", 'list(listItem(p("a"), math(x)), listItem(p("b")))'],
  ["as a block is found in a quote", "> $$\n> x\n> y\n> $$", "blockquote(math(x\ny))"],
  ["as a block may begin a line with a bar", "$$\n|x|\n|y| = z\n$$", "math(|x|\n|y| = z)"],
  ["may follow another at once", "$$x$$$$y$$", "math(x) math(y)"],
  ["in a fence is one", "```math\nx^2\n```", "math(x^2)"],
  ["with two dollars in a heading is inline", "# $$x$$", "h1#x(inlineMath(x))"],
  ["may be followed by a comma", "$x$, $y$.", 'p(inlineMath(x), ", ", inlineMath(y), ".")'],
] as const;
for (const [rule, source, tree] of formulas)
  test(`a formula ${rule}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

const dollars = [
  // no formula: …                     source
  ["a row of prices", "from $20 to $30"],
  ["a price and a word", "$5 and $"],
  ["prices with words between them", "costs $20 for one and 30$ for two"],
  ["a range of prices", "$20M–$30M and $40M"],
  ["a space after the opening dollar", "$ npm i $x"],
  ["a blank before the closing dollar", "$x $ y"],
  ["a digit after the closing dollar", "$x$5"],
  ["escaped dollars", "\\$x\\$", '"$x$"'],
  ["one escaped dollar", "\\$x$", '"$x$"'],
  ["paths of a shell", "$HOME/bin:$PATH"],
  ["two paragraphs", "a $x\n\ny$ b", '"a $x") p("y$ b"'],
  ["an empty pair", "a $$ b"],
  ["levels of prices", "$ = cheap | $$ = 15 | $$$ = $30"],
  ["levels of prices in two paragraphs", "Price: $$\n\nGood at $$", '"Price: $$") p("Good at $$"'],
] as const;
for (const [what, source, shown] of dollars)
  test(`no formula: ${what}`, async () => {
    expect(outline((await readPage(source)).tree)).toBe(`p(${shown ?? JSON.stringify(source)})`);
  });

const elsewhere = [
  ["a code span between them", "$a `b` c$", 'p("$a ", inlineCode(b), " c$")'],
  ["a cell between them", "| $a | b$ |\n|---|---|", 'table(tableRow(tableCell("$a"), tableCell("b$")))'],
  [
    "a price with two signs before code that begins with them",
    "is $$30, and `$$A` is",
    'p("is $$30, and ", inlineCode($$A), " is")',
  ],
  [
    "levels of prices in two rows",
    "| a | b |\n|---|---|\n| $$ | x |\n| $$ | y |",
    'table(tableRow(tableCell("a"), tableCell("b")), tableRow(tableCell("$$"), tableCell("x")), tableRow(tableCell("$$"), tableCell("y")))',
  ],
  [
    "a tag between them",
    "<Card title='a'>\nPrice: $$\n</Card>\n<Card title='b'>\nPrice: $$\n</Card>",
    '<Card title="a">(p("Price: $$")) <Card title="b">(p("Price: $$"))',
  ],
  ["within code", "`$a$` and\n\n```\n$b$\n```", 'p(inlineCode($a$), " and") code($b$)'],
  ["within an attribute", '<Card title="$a$ b" c={"$d$"}/>', '<Card title="$a$ b" c="$d$">'],
  ["within an expression", "_ {`$a$`} {'$'}", 'p("_ ", "$a$", " ", "$")'],
  ["within exports", "export const a = `$b$ ${1} $c$`\n\n{a}", 'p("$b$ 1 $c$")'],
  ["template literals", "a `${b}/${c}` ${b}/${c}", 'p("a ", inlineCode(${b}/${c}), " $", "{b}", "/$", "{c}")'],
] as const;
for (const [what, source, tree] of elsewhere)
  test(`no formula: ${what}`, async () => {
    expect(outline((await readPage(source)).tree)).toBe(tree);
  });

test("a site can turn off formulas", async () => {
  expect(outline((await readPage("$x$ `$y$`", { latex: false })).tree)).toBe('p("$x$ ", inlineCode($y$))');
});

test("a formula keeps its position", async () => {
  const page = await readPage("a\n\n| é |\n|---|\n| 😀 $x$ |");
  const cell = JSON.stringify(page.tree, (key, value) => (key === "data" ? undefined : value));
  expect(cell).toContain(
    '"value":"x","position":{"start":{"line":5,"column":6,"offset":20},"end":{"line":5,"column":9,"offset":23}}',
  );
});
