import { describe, expect, test } from "vitest";
import { createMarkdownLinks, createMarkdownVersion } from "../../../src/bundle/outputs/markdown-version.js";
import type { SiteConfig } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import { makeSite, type PageSketch } from "./support/site.js";
import { contentOf } from "./support/tree.js";

const pages: PageSketch[] = [
  { sourcePath: "guides/here.mdx", title: "Here" },
  { sourcePath: "index.mdx" },
  { sourcePath: "guides/install.mdx" },
  { sourcePath: "api/a b(c).mdx" },
];

function markdownOf(source: string, page: Partial<PageSketch> = {}, config: Partial<SiteConfig> = {}): string {
  const site = makeSite([{ ...pages[0]!, ...page }, ...pages.slice(1)], config, {
    staticFiles: ["images/a.png", "files/spec.json", "guides/local.png"],
  });
  const resolveLink = createMarkdownLinks(createAddresses(site));
  const markdown = createMarkdownVersion(site, { resolveLink, readSource: () => undefined });
  return markdown(site.pages[0]!, contentOf(source), source);
}

/** The body: the content under the title. */
const bodyOf = (source: string) =>
  markdownOf(source)
    .replace(/^# Here\n\n/, "")
    .replace(/\n$/, "");

const plain = `## Head *one*

Text with \`code\`, **bold**, https://example.com and \\{ escapes \\<b>.
Second line of it.

* item
* [ ] task
  1. nested

     \`\`\`js {1} title="x"
     const a = "  {b}";

     \`\`\`

> [!NOTE]
> Alert.

| a | b |
|:--|--:|
| 1 | \`x\\|y\` |

Foot[^1].

[^1]: Note.`;

test("a Markdown version of plain Markdown equals the source", () => expect(bodyOf(plain)).toBe(plain));

test("front matter is not part of the body", () => expect(bodyOf(`---\ntitle: x\n---\n\n${plain}`)).toBe(plain));

const components = [
  // A Markdown version writes …                     source                                                             Markdown
  [
    "a card as a linked title",
    `<Card title="Go" href="/guides/install">\n  Text.\n</Card>`,
    "**[Go](install.md)**\n\nText.",
  ],
  ["a card on one line", `<Card title="Go" href="https://x.org">Text.</Card>`, "**[Go](https://x.org)**\n\nText."],
  ["a card without link", `<Card title="Go" icon="x" />`, "**Go**"],
  [
    "steps as a list, fences indented with them",
    `<Steps>\n  <Step title="One">\n    Do.\n\n    \`\`\`sh\n    ls\n      -l\n    \`\`\`\n  </Step>\n  <Step title="Two">Go.</Step>\n</Steps>`,
    "1. **One**\n\n   Do.\n\n   ```sh\n   ls\n     -l\n   ```\n\n2. **Two**\n\n   Go.",
  ],
  [
    "a step's own number",
    `<Steps>\n<Step title="A" stepNumber={4} />\n<Step title="B" />\n</Steps>`,
    "4. **A**\n\n5. **B**",
  ],
  [
    "tabs by their titles",
    `<Tabs>\n<Tab title="A">\nx\n</Tab>\n<Tab title="B">\n- y\n</Tab>\n</Tabs>`,
    "**A**\n\nx\n\n**B**\n\n- y",
  ],
  ["an accordion", `<Accordion title="T" description="D">\nx\n</Accordion>`, "**T**\n\nD\n\nx"],
  ["a callout as a quote", `<Note>\n  One.\n\n  Two.\n</Note>`, "> **Note:** One.\n>\n> Two."],
  ["a callout on one line", `<Warning>Mind *this*.</Warning>`, "> **Warning:** Mind *this*."],
  ["a callout with a title and a list", `<Tip title="T">\n- a\n- b\n</Tip>`, "> **T:**\n>\n> - a\n> - b"],
  [
    "a fence in a callout",
    "<Info>\n    ```js\n    a\n\n      b\n    ```\n</Info>",
    "> **Info:**\n>\n> ```js\n> a\n>\n>   b\n> ```",
  ],
  ["a callout of a type", `<Callout type="danger">x</Callout>`, "> **Danger:** x"],
  [
    "a field with its facts",
    `<ParamField query="limit" type="integer" required default={10}>\n  How many.\n</ParamField>`,
    "- `limit` (integer, query, required, default: `10`): How many.",
  ],
  ["a field in the older form", `<ParamField path="query.q" type="string" />`, "- `q` (string, query)"],
  [
    "fields inside a field",
    `<ResponseField name="user" type="object">\n  <Expandable title="properties">\n    <ResponseField name="id" type="string">\n      Key.\n    </ResponseField>\n  </Expandable>\n</ResponseField>`,
    "- `user` (object): **properties**\n\n  - `id` (string): Key.",
  ],
  [
    "an update",
    `<Update label="v1" description="May" tags={["a","b"]}>\n### New\n\nx\n</Update>`,
    "## v1\n\n*May · a · b*\n\n### New\n\nx",
  ],
  [
    "an update whose heading says its label",
    `<Update label="v1" description="May">\n## v1\n\nx\n</Update>`,
    "## v1\n\n*May*\n\nx",
  ],
  ["a frame with its caption", `<Frame caption="C">\n  ![A](/images/a.png)\n</Frame>`, "![A](../images/a.png)\n\nC"],
  ["a tooltip with its text", `An <Tooltip tip="long *form*">API</Tooltip>.`, "An API (long *form*)."],
  ["no icon", `One <Icon icon="x" /> two`, "One two"],
  ["a badge as its text", `<Badge color="green">New</Badge> here`, "New here"],
  [
    "a tree as a list",
    `<Tree>\n<Tree.Folder name="src" defaultOpen>\n<Tree.File name="a.ts" />\n<Tree.Folder name="b">\n<Tree.File name="c.ts" />\n</Tree.Folder>\n</Tree.Folder>\n</Tree>`,
    "- `src/`\n  - `a.ts`\n  - `b/`\n    - `c.ts`",
  ],
  [
    "a code group as its fences",
    "<CodeGroup>\n```js A\n1\n```\n```py B\n2\n```\n</CodeGroup>",
    "```js A\n1\n```\n\n```py B\n2\n```",
  ],
  ["content for agents", `<Visibility for="agents">\nA\n</Visibility>`, "A"],
  ["nothing that is for humans", `x\n\n<Visibility for="humans">\nH\n</Visibility>\n\ny`, "x\n\ny"],
  ["a view under its title", `<View title="Go">\nx\n</View>`, "## Go\n\nx"],
  ["the children of an unknown component", `<Foo bar="1">\n  Text <Bar>in</Bar> it.\n</Foo>`, "Text in it."],
  ["a component inside a list item", "- a\n\n  <Note>n</Note>\n- b", "- a\n\n  > **Note:** n\n\n- b"],
  ["a component inside a quote", "> a\n>\n> <Note>\n> n\n> m\n> </Note>", "> a\n>\n> > **Note:** n\n> > m"],
  ["a formula of a component", "<Latex>a^2</Latex>", "$a^2$"],
  ["a colour table", `<Color variant="table">\n<Color.Item name="Blue" value="#00f" />\n</Color>`, "- Blue: `#00f`"],
  ["a block of code by component", `<CodeBlock language="js" filename="a.js">x</CodeBlock>`, "```js a.js\nx\n```"],
] as const;
for (const [rule, source, markdown] of components)
  test(`a Markdown version writes ${rule}`, () => expect(bodyOf(source)).toBe(markdown));

const html = [
  ["a break", "a<br />b", "a\\\nb"],
  ["a break in a table", "| a |\n|---|\n| x<br/>y |", "| a |\n| --- |\n| x<br>y |"],
  ["a link", `<a href="/guides/install">x</a>`, "[x](install.md)"],
  ["a picture", `<img src="/images/a.png" alt="A [b]" />`, "![A \\[b\\]](../images/a.png)"],
  [
    "one of two pictures",
    `<img className="block dark:hidden" src="/images/a.png" />\n<img className="hidden dark:block" src="/b.png" />`,
    "![](../images/a.png)",
  ],
  ["emphasis", `<b>a</b> <em> b </em>`, "**a**  *b*"],
  ["no break at the end of a paragraph", "<br/>a<br/>b<br />", "a\\\nb"],
  ["a power and an index", "2<sup>53</sup> H<sub>2</sub>O", "2^53 H_2O"],
  ["blocks inside a link on one line", `<a href="https://x.org">\n\n### A\n\nb\n\n</a>`, "[A b](https://x.org)"],
  ["headings", `<h3>Hi <code>x</code></h3>`, "### Hi `x`"],
  ["lists", "<ul>\n<li>a</li>\n<li>\n\nb\n\n</li>\n</ul>", "- a\n- b"],
  [
    "a table",
    "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>x|y</td></tr></tbody></table>",
    "| A |\n| --- |\n| x\\|y |",
  ],
  ["details", "<details>\n<summary>S</summary>\n\nx\n\n</details>", "**S**\n\nx"],
  ["a video", `<video src="/v.mp4" title="T"></video>`, "[T](/v.mp4)"],
  ["a page of another site", `<iframe src="https://x.org/e" />`, "[Embedded page](https://x.org/e)"],
  [
    "no drawing, style or script",
    `a <svg><path d="x"/></svg> b\n\n<style>{"x"}</style>\n\n<script src="x.js"></script>`,
    "a b",
  ],
  [
    "lines of highlighted code",
    "<pre><code><span>a</span><br/>  <span>b</span></code><button>Copy</button></pre>",
    "```\na\n  b\n```",
  ],
  ["preformatted text", "<pre><code>a | b</code></pre>", "```\na | b\n```"],
] as const;
for (const [rule, source, markdown] of html)
  test(`a Markdown version writes ${rule}`, () => expect(bodyOf(source)).toBe(markdown));

const links = [
  ["a page, from the root", "[x](/guides/install)", "[x](install.md)"],
  ["a page with its extension and fragment", "[x](./install.mdx#a)", "[x](install.md#a)"],
  ["a page by a path without a slash", "[x](guides/install)", "[x](install.md)"],
  ["a place on this page", "[x](/guides/here#y)", "[x](#y)"],
  ["the home page", "[x](/)", "[x](../index.md)"],
  ["a page whose name holds blanks and brackets", "[x](</api/a b(c)>)", "[x](../api/a%20b%28c%29.md)"],
  ["a file", "![](/images/a.png) ![](local.png)", "![](../images/a.png) ![](local.png)"],
  ["a page in another case, where the page itself is told of it", "[x](/Guides/Install)", "[x](install.md)"],
  [
    "a fragment in other letters, encoded (FORMAT 4.2)",
    "[x](/guides/install#what’s)",
    "[x](install.md#what%E2%80%99s)",
  ],
  ["a host without a scheme, which no file has", "[x](//a.b/c)", "[x](https://a.b/c)"],
  ["where a redirect leads", "[x](/old)", "[x](install.md#there)"],
  [
    "other sites, mail and nothing as written",
    "[x](https://a.b) [y](mailto:a@b) [z](/nowhere)",
    "[x](https://a.b) [y](mailto:a@b) [z](/nowhere)",
  ],
  ["a definition", "[x][1]\n\n[1]: /guides/install 'T'", '[x][1]\n\n[1]: install.md "T"'],
  ["a title", `[x](/guides/install "a \\"b\\"")`, `[x](install.md "a \\"b\\"")`],
] as const;
for (const [rule, source, markdown] of links)
  test(`a Markdown version links to ${rule}`, () => {
    const written = markdownOf(
      source,
      {},
      { redirects: [{ source: "/old", destination: "/guides/install#there", permanent: true }] },
    );
    expect(written).toBe(`# Here\n\n${markdown}\n`);
  });

describe("MDX that produces no output", () => {
  const cases = [
    ["a comment between blocks", "a\n\n{/* c */}\n\nb", "a\n\nb"],
    ["a comment in a sentence", "a {/* c */}b", "a b"],
    ["a comment in a list", "- a\n\n  {/* c */}\n\n- b", "- a\n\n- b"],
    ["imports and exports", 'import A from "/a.mdx"\n\nx\n\nexport const y = "{1}"\n\nz', "x\n\nz"],
  ] as const;
  for (const [rule, source, markdown] of cases) test(rule, () => expect(bodyOf(source)).toBe(markdown));
});

describe("the head of a Markdown version", () => {
  test("title, description, instructions, operation", () => {
    const page = { title: "Get\nuser", description: "Gives <User>.", frontmatter: { openapi: "GET /users/{id}" } };
    const config = { markdown: { schema: true, instructions: ["Be kind.", "Be\nbrief."] } };
    expect(markdownOf("x", page, config)).toBe(
      "# Get user\n\n> Gives \\<User>.\n\n> **Agent instructions**\n>\n> Be kind.\n>\n> Be\n> brief.\n\n`GET /users/{id}`\n\nx\n",
    );
  });
  test("a heading that repeats the title is dropped", () => expect(markdownOf("# Here\n\nx")).toBe("# Here\n\nx\n"));
  test("an external page has its link", () =>
    expect(markdownOf("", { frontmatter: { url: "https://a.b" } })).toBe("# Here\n\n[Here](https://a.b)\n"));
  test("a picture that the page contains is its alternative text", () => {
    const data = `data:image/png;base64,${"iVBORw0KGgo".repeat(100)}`;
    expect(
      bodyOf(`See ![a chart](${data}) and [![b](${data} "t")](/guides/install).\n\n<img src="${data}" alt="c" />`),
    ).toBe("See a chart and [b](install.md).\n\nc");
  });
  test("line ends become line feeds", () =>
    expect(markdownOf("a\r\nb\r\n\r\n```\r\nc\r\n```")).toBe("# Here\n\na\nb\n\n```\nc\n```\n"));
  test("U+0000 is replaced, in tags too", () => expect(bodyOf("a\0b <map>c\0d</map>")).toBe("a\ufffdb c\ufffdd"));
});

describe("hostile pages", () => {
  test("an open fence is closed", () => expect(bodyOf("```js\nx")).toBe("```js\nx\n```"));
  test("a title cannot add a tag or a second line", () =>
    expect(bodyOf(`<Card title="a&#10;# <Foo> b" href="/x]y" />`)).toBe("**[a # \\<Foo> b](/x]y)**"));
  test("a link that runs code loses its target", () =>
    expect(
      bodyOf(`<a href="java&#10;script:alert(1)">x</a> <Card title="t" href="javascript:alert(1)" />`),
    ).not.toMatch(/script:/));
  test("backticks in properties cannot open code", () =>
    expect(bodyOf("<ResponseField name='a`b' type=\"string\" />")).toBe("- ``a`b`` (string)"));
  test("thousands of nested quotes and components are written", () => {
    expect(bodyOf(`${"<div>\n".repeat(600)}x\n${"</div>\n".repeat(600)}`)).toBe("x");
    const deep = `${"> ".repeat(3000)}x`;
    expect(bodyOf(deep)).toBe(deep);
  });
  test("names of object members are not components", () =>
    expect(bodyOf("<constructor>x</constructor> <toString>y</toString>")).toBe("x y"));
});
