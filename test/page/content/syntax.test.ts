import { expect, test } from "vitest";
import { faults, outline, readPage } from "./read-page.js";

const reads = [
  // Markdown: …                          source                                        tree
  ["four blanks are no code", "    a\n\n<Tab>\n        b\n</Tab>", 'p("a") <Tab>(p("b"))'],
  ["a lone element is no paragraph", "<b>x</b>\n\na <b>x</b>", '<b>("x") p("a ", <b>("x"))'],
  ["two elements are no paragraph", "<A/> <B/>", "<A> <B>"],
  ["< before a blank is text", "a < b", 'p("a < b")'],
  ["escapes and references are text", "\\< \\{ &lt; &#123;", 'p("< { < {")'],
  [
    "cells hold elements",
    "| a |\n|---|\n| b<br/>c |",
    'table(tableRow(tableCell("a")), tableRow(tableCell("b", <br>, "c")))',
  ],
  [
    "tags may go over lines",
    '<Card\n  title="a"\n  b={[\n    1,\n\n    2\n  ]}\n>\n  c\n</Card>',
    '<Card title="a" b=[1,2]>(p("c"))',
  ],
  ["marks of other systems are text", ":smile: \\{\\{< x >}}", 'p(":smile: {{< x >}}")'],
  ["private characters stay", "a \uE000\uF8FF $x$ \uE001", 'p("a \uE000\uF8FF ", inlineMath(x), " \uE001")'],
  ["CRLF is a line break", "# a\r\n\r\nb {1}\r\n$x$\r\n", 'h1#a("a") p("b ", "1", "\\r\\n", inlineMath(x))'],
] as const;
for (const [rule, source, tree] of reads)
  test(`Markdown: ${rule}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

const reported = [
  // reported: …                   source                     tree                         fault
  ["an open fence", "a\n\n```js\nb\n\nc", 'p("a") code(b\n\nc)', "FENCE_UNCLOSED 3:1"],
  ["a callout of another system", ":::note\na\n:::", 'p(":::note\\na\\n:::")', "ADMONITION_AS_TEXT 1:1"],
] as const;
for (const [rule, source, tree, fault] of reported)
  test(`reported: ${rule}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([fault]);
  });

const repaired = [
  // repaired: …                      source                          tree                                   fault
  ["a < before a digit", "a <3 b", 'p("a <3 b")', "MDX_SYNTAX 1:3"],
  ["a < before a sign", "a <= b", 'p("a <= b")', "MDX_SYNTAX 1:3"],
  ["an arrow", "a <- b", 'p("a <- b")', "MDX_SYNTAX 1:3"],
  ["a link in brackets", "see <https://a.b/c>.", 'p("see ", link("https://a.b/c"), ".")', "MDX_SYNTAX"],
  ["a mail address in brackets", "<a@b.cd>", 'p(link("a@b.cd"))', "MDX_SYNTAX"],
  ["a brace that is not closed", "a { b\n\nc", 'p("a { b") p("c")', "MDX_SYNTAX 1:3"],
  ["a brace that is not opened", "a } b", 'p("a } b")', "MDX_SYNTAX"],
  ["words in braces", "a {your id} b", 'p("a {your id} b")', "MDX_SYNTAX"],
  ["{#id} outside of headings", "a {#b}", 'p("a {#b}")', "MDX_SYNTAX"],
  ["a line break of HTML", "a<br>b", 'p("a", <br>, "b")', "MDX_SYNTAX"],
  ["an image of HTML", '<img src="a.png" width={2}>\n\nb', 'p(<img src="a.png" width=2>) p("b")', "MDX_SYNTAX"],
  ["prose that begins with export", "export your data\n\nb", 'p("export your data") p("b")', "MDX_SYNTAX 1:1"],
  ["words in braces with a blank line", "a\n\n{b\n\nc} d\n\ne", 'p("a") p("{b") p("c} d") p("e")', "MDX_SYNTAX"],
  ["a brace at the start of a line that is not closed", "{a\n\nb", 'p("{a") p("b")', "MDX_SYNTAX"],
  ["two of them", "a <3\n\nb {c d}", 'p("a <3") p("b {c d}")', "MDX_SYNTAX"],
] as const;
for (const [what, source, tree, fault] of repaired)
  for (const parser of ["satteri", "remark"] as const)
    test(`repaired with ${parser}: ${what}`, async () => {
      const page = await readPage(source, { parser });
      expect(page.ok).toBe(true);
      expect(outline(page.tree)).toBe(tree);
      for (const { code, fix } of page.diagnostics) expect([code, typeof fix]).toEqual(["MDX_SYNTAX", "string"]);
      if (parser === "satteri" && /:/.test(fault)) expect(faults(page)[0]).toBe(fault);
    });

const broken = [
  // broken: …                     source                    place    what                                          fix
  [
    "a tag never closed",
    "a\n\n<Note>\nb",
    "3:1",
    "The tag <Note> opened in line 3 is never closed.",
    "write </Note> where it ends, or <Note /> if it holds nothing.",
  ],
  ["a closing tag alone", "a\n\n</Note>", "3:1", "</Note>", "remove the closing tag"],
  ["tags that cross", "<A>\n<B>\n</A>\n</B>", "3:1", "The tag <B>", undefined],
  ["an attribute that is no expression", "a\n\n<Card a={b c}/>", "3", "expression", undefined],
] as const;
for (const [what, source, place, reason, fix] of broken)
  test(`broken: ${what}`, async () => {
    const page = await readPage(source);
    expect(page.ok).toBe(false);
    expect(page.diagnostics).toHaveLength(1);
    const [diagnostic] = page.diagnostics;
    expect(diagnostic?.code).toBe("MDX_SYNTAX");
    expect(`${diagnostic?.location?.line}:${diagnostic?.location?.column}`).toMatch(new RegExp(`^${place}(?::|$)`));
    expect(diagnostic?.what).toContain(reason);
    if (fix !== undefined) expect(diagnostic?.fix).toContain(fix);
    expect(outline(page.tree)).toMatch(new RegExp(`^error\\(${place}`));
  });

test("an unclosed tag is located where it opens, whichever parser reads the page", async () => {
  for (const parser of ["satteri", "remark"] as const)
    expect(faults(await readPage("x\n\n<Card>\n\ny", { parser }))).toEqual(["MDX_SYNTAX 3:1"]);
});

test("the excerpt of a broken page is its line", async () => {
  const { tree } = await readPage("---\ntitle: x\n---\n\nsome <b>text\n");
  expect(tree.children[0]).toMatchObject({ type: "parseError", line: 5, excerpt: "some <b>text" });
});

const comments = [
  ["on a line", "a\n\n<!-- x -->\n\nb", 'p("a") p("b")'],
  ["over lines", "a\n\n<!-- x\n\n{y <z\n-->\nb", 'p("a") p("b")'],
  ["within text", "a <!-- x --> b", 'p("a  b")'],
  ["at the end of a line", "a <!-- x -->\nb", 'p("a \\nb")'],
  ["never closed", "a\n\n<!-- x", 'p("a")'],
  ["within an element", "<div>\n<!-- x -->\n  a\n</div>", '<div>(p("a"))'],
] as const;
for (const [where, source, tree] of comments)
  test(`an HTML comment ${where} is left out with a warning`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(page.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning HTML_COMMENT"]);
  });

test("an HTML comment within code stays", async () => {
  const page = await readPage("`<!-- a -->`\n\n```\n<!-- b -->\n```");
  expect(outline(page.tree)).toBe("p(inlineCode(<!-- a -->)) code(<!-- b -->)");
  expect(faults(page)).toEqual([]);
});

test("a .md file that is not MDX is read as Markdown, formulas included", async () => {
  const page = await readPage("a <b>x</b> {y\n\n<p>\nz $c$ <!-- d -->", { sourcePath: "page.md" });
  expect(outline(page.tree)).toBe('p("a ", html(<b>), "x", html(</b>), " {y") html(<p>\nz $c$ <!-- d -->)');
  expect(page.ok).toBe(true);
});
test("a .md file that is MDX is read as MDX", async () => {
  expect(outline((await readPage("<b>x</b>", { sourcePath: "page.md" })).tree)).toBe('<b>("x")');
});
