import { describe, expect, test } from "vitest";
import { faults, outline, readPage } from "./read-page.js";

const reads = [
  // Markdown: …                          source                                        tree
  ["four spaces are not code", "    a\n\n<Tab>\n        b\n</Tab>", 'p("a") <Tab>(p("b"))'],
  ["a lone element is not a paragraph", "<b>x</b>\n\na <b>x</b>", '<b>("x") p("a ", <b>("x"))'],
  ["two elements are not a paragraph", "<A/> <B/>", "<A> <B>"],
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
  ["marks of other systems are text", ":unknown: \\{\\{< x >}}", 'p(":unknown: {{< x >}}")'],
  ["private characters stay", "a \uE000\uF8FF $x$ \uE001", 'p("a \uE000\uF8FF ", inlineMath(x), " \uE001")'],
  [
    "code that is not indented like its fence keeps its indentation",
    "<Tab>\n    ```py\nif a:\n    b()\nc()\n    ```\n</Tab>",
    "<Tab>(code(if a:\n    b()\nc()))",
  ],
  [
    "so does such code that is indented with tabs",
    "<Tab>\n    ```go\nfunc main() {\n\tif a {\n\t\tb()\n\t}\n}\n    ```\n</Tab>",
    "<Tab>(code(func main() {\n\tif a {\n\t\tb()\n\t}\n}))",
  ],
  [
    "code that is indented with tabs like its fence has the fence's column",
    "<Tab>\n    ```go\n\tif a {\n\t\tb()\n\t}\n    ```\n</Tab>",
    "<Tab>(code(if a {\n\tb()\n}))",
  ],
  [
    "the first line of such code may be at the fence",
    "<Tab>\n  ```js\n  a();\nif (b) {\n  c();\n}\n  ```\n</Tab>",
    "<Tab>(code(a();\nif (b) {\n  c();\n}))",
  ],
  [
    "marks of a difference before the fence's column move no line",
    "<Tab>\n    ```sh\n    a\n    b\n   -c\n   +d\n    ```\n</Tab>",
    "<Tab>(code( a\n b\n-c\n+d))",
  ],
  [
    "one line outside of its fence's column moves no other",
    "<Tab>\n  ```sh\n  cat <<E\n  a\nE\n  b\n  ```\n</Tab>",
    "<Tab>(code(cat <<E\na\nE\nb))",
  ],
  [
    "code in a list is at its column",
    "- a\n\n  ```py\n  if b:\n      c()\n  d()\n  ```",
    'list(listItem(p("a"), code(if b:\n    c()\nd())))',
  ],
  ["bold ends before a letter without a space", "この**設定（任意）**を", 'p("この", strong("設定（任意）"), "を")'],
  ["bold starts with a quotation behind a letter", "按**“保存”**结束", 'p("按", strong("“保存”"), "结束")'],
  [
    "bold texts in one sentence are those between the brackets",
    "次は **［追加］**を選び、**［保存］**を",
    'p("次は ", strong("［追加］"), "を選び、", strong("［保存］"), "を")',
  ],
  ["bold Korean ends with a sign", "**“A(b)”**는 **c.**이", 'p(strong("“A(b)”"), "는 ", strong("c."), "이")'],
  ["bold code is beside a letter", "**`a()`**를 보다", 'p(strong(inlineCode(a())), "를 보다")'],
  ["so is a bold link", "用**[a](/b)**的", 'p("用", strong(link("a")), "的")'],
  ["an escaped mark beside code stays text", "用\\**`a`**的", 'p("用**", inlineCode(a), "**的")'],
  ["stars in code and in links stay", "`文**（`文**（ [文](/a**。b)", 'p(inlineCode(文**（), "文**（ ", link("文"))'],
  ["a lone mark beside such a letter stays text", "文**（注）", 'p("文**（注）")'],
  ["CRLF is a line break", "# a\r\n\r\nb {1}\r\n$x$\r\n", 'h1#a("a") p("b ", "1", "\\r\\n", inlineMath(x))'],
] as const;
for (const [rule, source, tree] of reads)
  test(`Markdown: ${rule}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

test("an address in angle brackets is a link without the brackets", async () => {
  const { tree } = await readPage("See <https://example.com/a>, too.");
  expect(JSON.stringify(tree)).toContain('"url":"https://example.com/a"');
});

test("an unclosed code block extends to the end of the page if it imports packages", async () => {
  const { tree } = await readPage(
    "```\nBuild it.\n\nCreate a route for this.\n\nimport { a } from 'b';\n\na({ c: 1 });",
  );
  expect(outline(tree)).toMatch(/^code\(Build it\..*a\(\{ c: 1 \}\);\)$/s);
});

test("a backtick without a partner does not change the code of the next item", async () => {
  const { tree } = await readPage("- one` two\n- `<!-- three -->` four");
  expect(JSON.stringify(tree)).toContain('"value":"<!-- three -->"');
});

test("code that contains a fence in a string, followed by an expression, stays one block", async () => {
  const code = ["<Ask>", "  ```diff{nl}+ a{nl}", "  sent{nl}```", "</Ask>", "<Ask>", "  ```diff{nl}+ b", "</Ask>"];
  const { tree, diagnostics } = await readPage(`\`\`\`tsx\n${code.join("\n")}\n\`\`\`\n\nAfter it.`);
  expect(outline(tree)).toBe(`code(${code.join("\n")}) p("After it.")`);
  expect(diagnostics).toEqual([]);
});

test("a tag with blank lines in it stays a tag even if another one has a fault", async () => {
  const frame = '<iframe\n\nsrc="/a.html"\n\n> </iframe>';
  const { tree, diagnostics } = await readPage(`<Note\n  One.\n</Note>\n\n${frame}\n\nTwo.`);
  expect(outline(tree)).toMatch(/<Note>.*<iframe.*p\("Two\."\)$/s);
  expect(diagnostics.map(({ code }) => code)).toEqual(["MDX_SYNTAX"]);
});

test("an unclosed code block is reported with the line of the text after it", async () => {
  const { diagnostics } = await readPage("```kotlin\nclass A {\n\n  b {\n  }\n}\n\n## Faults\n\n```kotlin\nc()\n```");
  expect(diagnostics.map(({ what }) => what)).toEqual(["The code block is never closed; it ends before line 8."]);
});

test("a tag without > is read as a tag if its closing tag follows", async () => {
  const page = await readPage("<Note\n  Read on, please.\n</Note>");
  expect(outline(page.tree)).toContain("<Note>");
});

const reported = [
  // reported: …                   source                     tree                         fault
  ["a fence before another one", "a\n\n```js\n```js\nb\n```", 'p("a") code(b)', "FENCE_UNCLOSED 3:1"],
  ["an open fence", "a\n\n```js\nb\n\nc", 'p("a") code(b\n\nc)', "FENCE_UNCLOSED 3:1"],
  ["a callout of another system", ":::note\na\n:::", 'p(":::note\\na\\n:::")', "ADMONITION_AS_TEXT 1:1"],
  ["the name of an emoji", ":smile: a", 'p(":smile: a")', "FOREIGN_MARKUP 1:1"],
  ["a shortcode of Hugo", "a {{< x >}}", 'p("a {{< x >}}")', "FOREIGN_MARKUP 1:3"],
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

const tags = [
  // a page with …                source                                        tree                                                    faults
  ["a generic type", "- user(impl Into<String>)\n\nb", 'list(listItem(p("user(impl Into<String>)"))) p("b")', "1:17"],
  ["two generic types", "a Promise<void> b Vec<T>\n\nc", 'p("a Promise<void> b Vec<T>") p("c")', "1:10 1:22"],
  ["a placeholder", "use <your-token> here", 'p("use <your-token> here")', "1:5"],
  ["an unclosed tag in text", "a <b>c\n\nd", 'p("a ", <b>("c")) p("d")', "1:3"],
  ["an unclosed component", "<Note>\na\n\nb", '<Note>(p("a")) p("b")', "1:1"],
  ["one around indented text", "<Note>\n  a\n\n  b\n\nc", '<Note>(p("a"), p("b")) p("c")', "1:1"],
  ["one before a heading", "<Note>\n\na\n## h", '<Note>(p("a")) h2#h("h")', "1:1"],
  ["one in a list", "- <Note>\n  a\n- b", 'list(listItem(<Note>(p("a"))), listItem(p("b")))', "1:3"],
  ["one in a cell", "| a |\n|---|\n| <b>c |", 'table(tableRow(tableCell("a")), tableRow(tableCell(<b>("c"))))', "3:3"],
  ["an unclosed one of several", "<Card>\na\n<Card>\nb\n</Card>", '<Card>(p("a")) <Card>(p("b"))', "1:1"],
  ["an unclosed one before one that closes itself", "<Card>\n<Card />", "<Card> <Card>", "1:1"],
  ["one in another", "<Card>\n<Note>\na\n</Card>\nb", '<Card>(<Note>(p("a"))) p("b")', "2:1"],
  ["a closing tag alone", "a\n\n</Note>\n\nb", 'p("a") p("b")', "3:1"],
  ["a misspelt closing tag", "<Note>\na\n</Noet>\nb", '<Note>(p("a")) p("b")', "3:1"],
  ["a closing tag without its slash", "<Note>\na\n<Note>\nb", '<Note>(p("a")) p("b")', "3:1"],
  ["an opening tag with a slash", "<Card a='1'/>\na\n</Card>\nb", '<Card a="1">(p("a")) p("b")', "1:1"],
  ["tags that cross", "<Card>\n<Note>\na\n</Card>\n</Note>\nb", '<Card>(<Note>(p("a"))) p("b")', "4:1"],
  ["tags that are swapped", "</Note>\na\n<Note>\nb", '<Note>(p("a")) p("b")', "1:1"],
  ["tags on two levels", "<Note>a\n\nb\n</Note>\nc", '<Note>(p("a"), p("b")) p("c")', ""],
  ["nested tags of one name", "<Card>\n  <Card>\n  a\n</Card>\nb", '<Card>(<Card>(p("a"))) p("b")', "2:3"],
  ["a quote that is missing", '<Card a="b c="d">e</Card>\n\nf', '<Card a="b" c="d">("e") p("f")', "1:7"],
  ["an angle that is missing", '<Card a="b"\nc\n</Card>\n\nd', '<Card a="b">(p("c")) p("d")', "1:1"],
  ["an attribute that is not an expression", "<Card a={b c} d='e'/>\n\nf", '<Card d="e"> p("f")', "1:9"],
  ["an unclosed fence in a tag", "<Card>\n```js\na()\n</Card>\n\nb", '<Card>(code(a())) p("b")', "2:1"],
  [
    "an unclosed fence in a tag, with a line of code that looks like a quote",
    "<Card>\n```jsx\n<a\n>\n{b}\n</a>\n</Card>\n\nc",
    '<Card>(code(<a\n>\n{b}\n</a>)) p("c")',
    "2:1",
  ],
  [
    "a fence that swallows the next",
    "```js\na()\n\nThen call it:\n\n```js\nb()\n```",
    'code(a()) p("Then call it:") code(b())',
    "1:1",
  ],
  ["an export that is not code", "export const a = {\n\n# h\n\nb", 'h1#h("h") p("b")', "1:1"],
  ["an import that text follows", "import B from '/b.mdx'\n- a\n\n<B/>", 'list(listItem(p("a"))) p("b")', "2:1"],
  [
    "a name that is imported twice",
    "import B from '/b.mdx'\nimport { default as B } from '/b.mdx'\n\n<B/>",
    'p("b")',
    "2:1",
  ],
  ["one import of two that is broken", "import A from a.mdx'\nimport B from '/b.mdx'\n\n<B/>", 'p("b")', "1:15"],
] as const;
for (const [what, source, tree, places] of tags)
  for (const parser of ["satteri", "remark"] as const)
    test(`with ${parser}, a page with ${what} only loses that block`, async () => {
      const page = await readPage(source, { parser, files: { "b.mdx": "b" } });
      expect(outline(page.tree)).toBe(tree);
      expect(
        faults(page)
          .map((fault) => fault.split(" ")[1])
          .join(" "),
      ).toBe(places);
    });

for (const parser of ["satteri", "remark"] as const) {
  test(`a closing tag without > closes the open tag, and is text if there is none (${parser})`, async () => {
    const cases = [
      ["<Card>\n  <Note>![](/a.png)</Note\n</Card>", "<Card>(<Note>(image()))"],
      ["A <b>word</b and more.", 'p("A ", <b>("word"), " and more.")'],
      ["<Note>\n\nSome</Note and more.\n\nNext", '<Note>(p("Some", " and more.")) p("Next")'],
      ["Use <b>x</b> and </b done.", 'p("Use ", <b>("x"), " and </b done.")'],
      ["A <br /> then </br is.", 'p("A ", <br>, " then </br is.")'],
      ["A `<b>` then </b is.", 'p("A ", inlineCode(<b>), " then </b is.")'],
    ] as const;
    for (const [source, shown] of cases) {
      const page = await readPage(`${source}\n`, { parser });
      expect([source, outline(page.tree)]).toEqual([source, shown]);
      expect(page.diagnostics[0]).toMatchObject({ code: "MDX_SYNTAX" });
    }
  });
}

test("an unclosed tag is reported where it opens, whichever parser reads the page", async () => {
  for (const parser of ["satteri", "remark"] as const)
    expect(faults(await readPage("x\n\n<Card>\n\ny", { parser }))).toEqual(["MDX_SYNTAX 3:1"]);
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

test("a .md file that is not MDX is read as Markdown, including formulas", async () => {
  const page = await readPage("a <b>x</b> {y\n\n<p>\nz $c$ <!-- d -->", { sourcePath: "page.md" });
  expect(outline(page.tree)).toBe('p("a ", html(<b>), "x", html(</b>), " {y") html(<p>\nz $c$ <!-- d -->)');
  expect(page.ok).toBe(true);
});
test("a .md file that is MDX is read as MDX", async () => {
  expect(faults(await readPage("At {{time.today}}.", { sourcePath: "page.md" }))).toEqual([]);
  expect(outline((await readPage("<b>x</b>", { sourcePath: "page.md" })).tree)).toBe('<b>("x")');
});

/** The native parser tries two readings of each open tag in braces that hold no expression. It cannot be interrupted. */
describe("open tags in the braces of a page, however many", () => {
  const row = "| a | <code>{<br>&nbsp;id: string<br>}</code> |";
  const cases = {
    "rows of a table": ["| a | b |", "|---|---|", ...Array<string>(40).fill(row)].join("\n"),
    paragraphs: "Send {<id>} back.\n\n".repeat(40),
    list: "- {<b>; <i>}\n".repeat(40),
    "one line": "{<id>} ".repeat(40),
    "braces that nothing closes": `a {<br> b\n\n${"A<br>line\n\n".repeat(40)}`,
    attributes: "<A b={<c>}>\n".repeat(40),
    "escaped signs of code": "\\`{<id>}\\`\n\n".repeat(40),
  };
  for (const [name, source] of Object.entries(cases))
    for (const sourcePath of ["page.md", "page.mdx"])
      test(`${name}, in ${sourcePath}`, async () => {
        const page = await readPage(source, { sourcePath });
        expect(page.ok).toBe(true);
        expect(outline(page.tree).match(/\{/g)?.length).toBeGreaterThan(0);
        if (sourcePath === "page.mdx") expect(page.diagnostics.map(({ code }) => code)).toContain("MDX_SYNTAX");
      });
  test("code and valid expressions are not mistaken for open tags", async () => {
    const code = "```ts\nconst a = { b: Array<string> };\n```\n\n`{ Map<a> }`\n\n";
    const sound = "<p>{[1, 2].map((n) => <b>{n}</b>)}</p>\n\n";
    const page = await readPage((code + sound).repeat(20), { sourcePath: "page.mdx" });
    expect(page.diagnostics).toEqual([]);
  });
});

test("CSS in a <style> is used as written, unless the brace starts a string", async () => {
  const styleFaults = async (css: string) =>
    (await readPage(`<style>\n${css}\n</style>`)).diagnostics.map((d) => d.what);
  expect(await styleFaults(".a { color: red }\n.b { color: blue }")).toEqual([
    expect.stringContaining("Its CSS is used as written."),
  ]);
  expect(await styleFaults('{`.a::before { content: "\\u"; }`}')).not.toContainEqual(
    expect.stringContaining("used as written"),
  );
});
