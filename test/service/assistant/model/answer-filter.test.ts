import fc from "fast-check";
import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import type { Passage } from "../../../../src/service/assistant/answer.js";
import { createAnswerFilter } from "../../../../src/service/assistant/model/answer-filter.js";
import { createCitations } from "../../../../src/service/assistant/model/filter-output.js";

const base = "https://docs.acme.example";
const passage = (path: string, anchor: string, text = ""): Passage => ({
  path,
  anchor,
  url: `${base}${path}#${anchor}`,
  title: "Title",
  heading: "Heading",
  trail: [],
  text,
  score: 1,
});
const passages = [
  passage("/install", "node"),
  passage("/keys", "rotate", "See https://docs.acme.example/status and https://evil.example/x"),
];

function filtered(chunks: readonly string[]) {
  const citations = createCitations(passages, base);
  const filter = createAnswerFilter(citations);
  const text = chunks.map(filter.push).join("") + filter.end();
  return { text, cited: [...citations.cited] };
}
const filter = (text: string): string => filtered([text]).text;

const one = "[1](https://docs.acme.example/install#node)";
const two = "[2](https://docs.acme.example/keys#rotate)";

describe("the filter of an answer", () => {
  const cases: readonly (readonly [rule: string, answer: string, expected: string])[] = [
    [
      "keeps prose and emphasis",
      "Run **it** _twice_, see #3 (a < b & c).\n\n- x\n",
      "Run **it** _twice_, see #3 (a < b & c).\n\n- x\n",
    ],
    ["links a citation", "Install it [1]. Done[2]!", `Install it ${one}. Done${two}!`],
    [
      "links several citations",
      "A [1][2] b [1, 2] c [^2] d [Passage 1] e 【2†source】",
      `A ${one}${two} b ${one}${two} c ${two} d ${one} e ${two}`,
    ],
    ["drops an unknown number with its space", "So it is [7]. And [3, 9] more [2].", `So it is. And more ${two}.`],
    ["drops the target that the model wrote after a citation", "See [1](https://evil.example) now", `See ${one} now`],
    ["keeps the exclamation mark before a citation", "Done![1]", `Done! ${one}`],
    [
      "keeps code",
      "Use `a[1]` and `<b>` and `https://evil.example`.\n",
      "Use `a[1]` and `<b>` and `https://evil.example`.\n",
    ],
    [
      "keeps fenced code",
      "```js title\nx[1] = '<b>';\n```\nDone [1]",
      `\`\`\`js title\nx[1] = '<b>';\n\`\`\`\nDone ${one}`,
    ],
    [
      "moves the fence of a list item to the start of its line",
      "1. Run:\n   ```sh\n   npm i\n     x\n   ```\n2. Done",
      "1. Run:\n```sh\nnpm i\n  x\n```\n2. Done",
    ],
    ["moves a fence behind the marker of a list", "- ```sh\n  npm i\n  ```\n", "-\n```sh\nnpm i\n```\n"],
    ["closes a fence that is left open", "```\nx", "```\nx\n```"],
    ["closes code on its line", "a `b\nc` d", "a \\`b\nc\\` d"],
    ["makes an image its text", "See ![the plan](https://evil.example/x.png?q=1) here", "See the plan here"],
    ["makes a foreign link its text", 'Go [to `this` page](https://evil.example "t").', "Go to `this` page."],
    [
      "keeps a link to a page of the passages",
      "Go [there](https://docs.acme.example/install) or [here](/keys#rotate).",
      `Go [there](${base}/install) or [here](${base}/keys#rotate).`,
    ],
    [
      "unlinks a page that is not shown, and another site that begins alike",
      "[a](/other) [b](https://docs.acme.example.evil.example/install)",
      "a b",
    ],
    ["keeps the text of a link from joining an address", "a[@evil.example](/other)", "a @evil.example"],
    [
      "keeps an address of the site that a passage contains",
      "At https://docs.acme.example/status.",
      `At [${base}/status](${base}/status).`,
    ],
    [
      "makes foreign addresses code",
      "At https://evil.example/x, www.evil.example, a@evil.example or a@.evil.example.",
      "At `https://evil.example/x`, `www.evil.example`, `a@evil.example` or `a@.evil.example`.",
    ],
    [
      "makes an address code that begins with an escape",
      "\\+@evil.example \\_\\@evil.example \\- \\_x\\_",
      "`+@evil.example` `_@evil.example` \\- \\_x\\_",
    ],
    ["makes an autolink code", "<https://evil.example>", "`https://evil.example` "],
    ["escapes what may begin an address of mail", "<~@evil.example> 1 <2 < 3", "\\<~@evil.example> 1 \\<2 < 3"],
    ["escapes it before a digit, too", "<1~@evil.example>", "\\<1~@evil.example>"],
    [
      "breaks references and definitions",
      "[a][b] and [a]\n\n[b]: https://evil.example",
      "[a] [b] and [a]\n\n[b] : `https://evil.example`",
    ],
    ["escapes code that would end a definition", "[`a]: b`\n\n`[c]: d`", "[\\`a] : b\\`\n\n`[c]: d`"],
    ["drops tags and comments", "a<br>b <b>c</b><!-- d --> <script src=x>e</script>", "a b c e"],
    ["escapes other tags", "Set <your-key> in List<String>", "Set \\<your-key> in List\\<String>"],
    ["drops the marks of the prompt", '<passage-0af3 n="1">x</passage-0af3>', "x"],
    ["keeps escapes", "\\*a\\* \\[1] C:\\Users", "\\*a\\* \\[1] C:\\\\Users"],
    ["escapes character references", "https&#58;//evil.example &amp; R&D", "https\\&#58;//evil.example &amp; R&D"],
    ["keeps scopes and versions", "npm i @acme/cli@next", "npm i @acme/cli@next"],
    ["keeps a table", "| a | b |\n|---|---|\n| `x` | y [1] |\n", `| a | b |\n|---|---|\n| \`x\` | y ${one} |\n`],
    ["escapes code with a bar in a table", "a|b\n-|-\n`x|[y](https://evil.example)`|z", "a|b\n-|-\n\\`x|y\\`|z"],
    ["keeps code with a bar elsewhere", "Run `curl x | sh`.\n", "Run `curl x | sh`.\n"],
    [
      "keeps a rule from making a table of code with a bar",
      "`x|[y](https://e.example)`\n-|-\n",
      "`x|[y](https://e.example)`\n-|-\\\\\n",
    ],
    ["keeps the end of lines", "a  \nb\\\nc\n", "a  \nb\\\nc\n"],
  ];
  for (const [rule, answer, expected] of cases) test(rule, () => expect(filter(answer)).toBe(expected));

  test("lists the cited passages in the order of the text", () => {
    expect(filtered(["A [2] b [1][2] c [9]"]).cited).toEqual([2, 1]);
  });

  test("passes on what cannot become a link", () => {
    const stream = createAnswerFilter(createCitations(passages, base));
    expect(stream.push("Install the ")).toBe("Install the");
    expect(stream.push("program [")).toBe(" program");
    expect(stream.push("1")).toBe("");
    expect(stream.push("]")).toBe("");
    expect(stream.push(", then ")).toBe(` ${one}, then`);
    expect(stream.end()).toBe(" ");
  });
});

/** The output of a GFM renderer for a text: links, and everything that loads or defines something. */
function findings(text: string): string[] {
  const found: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === "link") found.push(node.url);
    if (/^(?:image|imageReference|linkReference|html|definition|footnoteDefinition)$/.test(node.type))
      found.push(node.type);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  const parser = unified().use(remarkParse).use(remarkGfm);
  visit(parser.runSync(parser.parse(text)) as Nodes);
  return found;
}
const foreign = (text: string): string[] =>
  findings(text).filter((each) => !/^https:\/\/docs\.acme\.example(?:[/?#]|$)/.test(each));

test("the renderer of these tests detects what the filter must stop", () => {
  const text = "[a](x) ![b](y) <b> https://evil.example www.evil.example a@evil.example [c]\n\n[c]: z";
  expect(findings(text)).toEqual([
    "x",
    "image",
    "html",
    "https://evil.example",
    "http://www.evil.example",
    "mailto:a@evil.example",
    "linkReference",
    "definition",
  ]);
});

const pieces = [
  ..."[]()!<>&;:/\\`|*_~-#@.+\"' \n\t\r0129a",
  "\n\n",
  "![",
  "](",
  "][",
  "]:",
  "[1]",
  "[9]",
  "[1](",
  "[a](",
  "[b]",
  "[^1]",
  "![x](",
  "https",
  "http:",
  "//",
  "://",
  "www",
  "www.",
  "evil.example",
  "https://evil.example/a_b",
  "https:\\//evil.example",
  "a@evil.example",
  "@evil.example",
  "&#58;",
  "&#x40;",
  "&lt;",
  "&colon;",
  "<b>",
  "</b>",
  "<br/>",
  "<!--",
  "-->",
  "<img src=https://evil.example>",
  "<a href='https://evil.example'>",
  "<https://evil.example>",
  "```",
  "````",
  "~~~",
  "\n```\n",
  "\n~~~\n",
  "- ",
  "\n- ```\n",
  "\n  ```\n",
  "\n   ",
  "\n> ",
  "\n1. ",
  "`x|",
  "\n-|-\n",
  "\n|--|--|\n",
  "| ",
  "\n[b]: https://evil.example\n",
  "【1†s】",
  "【9】",
  "https://docs.acme.example/install",
  "(/keys)",
  "(https://evil.example)",
  "javascript:alert(1)",
  "mailto:a@evil.example",
  "\\[",
  "\\`",
  "\\.",
  "\\:",
  "\\/",
  "\\@",
];
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));
/** The development build of the renderer throws at it. */
const taskBelowListMarker = /(?:[-*+]|\d[.)])[ \t]*\n[^\w\n]*\[[ x]\]/;
const runs = Number(process.env["OFFPRINT_FILTER_RUNS"] ?? 1500);

test("no text leads elsewhere, however it is composed", () => {
  fc.assert(
    fc.property(soup, (text) => {
      const answer = filter(text);
      fc.pre(!taskBelowListMarker.test(answer));
      expect(foreign(answer)).toEqual([]);
    }),
    { numRuns: runs },
  );
});

test("the positions where the text is cut change nothing", () => {
  const cuts = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(soup, cuts, (text, lengths) => {
      const chunks: string[] = [];
      for (let at = 0, index = 0; at < text.length; index++) {
        const length = lengths[index % lengths.length]! || 1;
        chunks.push(text.slice(at, at + length));
        at += length;
      }
      expect(filtered(chunks)).toEqual(filtered([text]));
    }),
    { numRuns: runs },
  );
});
