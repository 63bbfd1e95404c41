import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../src/service/assistant/answer.js";
import { searchOf } from "../../../src/service/assistant/answer.js";
import { questionLanguage } from "../../../src/service/assistant/extractive-answerer.js";
import { escaped, pageSections, quoteOf, safeMarkdown } from "../../../src/service/assistant/quote-page.js";
import { createTextWords, createWeigher } from "../../../src/service/assistant/retrieval/asked-words.js";
import { chooseScopes } from "../../../src/service/assistant/retrieval/open-site-index.js";
import { withinCpu } from "../../support/machine-time.js";

describe("the indexes to search", () => {
  const versions = [{ version: "v2", isDefault: true }, { version: "v1", isDefault: false }, { isDefault: true }];
  const languages = [
    { language: "en", version: "v2", isDefault: true },
    { language: "en", version: "v1", isDefault: false },
    { language: "es", version: "v1", isDefault: false },
    { language: "es", isDefault: false },
  ];
  const cases = [
    ["of one index", [{ isDefault: true }], {}, undefined, [0]],
    ["are of the default version", versions, {}, undefined, [0, 2]],
    ["are of the version of the reader's page", versions, {}, 1, [1, 2]],
    ["are of the version of the filter", versions, { version: "v1" }, 0, [1, 2]],
    ["are of the default language", languages, {}, undefined, [0]],
    ["are of the filter's language, in a version that it has", languages, { language: "es" }, undefined, [2, 3]],
    ["are of the reader's language", languages, {}, 2, [2, 3]],
  ] as const;
  for (const [rule, scopes, filter, current, chosen] of cases)
    test(rule, () => assert.deepEqual(chooseScopes(scopes, filter, current), chosen));
});

describe("what a question is about besides its words", () => {
  const question: Question = { text: "", turns: [], quoted: [], context: [], passageCount: 5 };
  const before = { turns: [{ question: "How do I rotate a key?", answer: "…" }] };
  const selected = { context: [{ value: "retentionMs: 5" }] };
  const cases: readonly (readonly [rule: string, asked: Partial<Question>, about: object | undefined])[] = [
    ["is nothing for a whole question", { text: "How long are finished bundles kept?", ...before }, undefined],
    [
      "is the question before, for a short one",
      { text: "And then?", ...before },
      { text: "How do I rotate a key?", share: 1 },
    ],
    [
      "may be a question that the client reports",
      {
        text: "Why?",
        quoted: [
          { role: "user", text: "Is it fast?" },
          { role: "assistant", text: "Yes." },
        ],
      },
      { text: "Is it fast?", share: 1 },
    ],
    [
      "is the selection alone, for a question that asks what this is",
      { text: "What is this?", ...before, ...selected },
      { text: "retentionMs: 5", share: "all" },
    ],
    [
      "is little of a selection, for a question with words of its own",
      { text: "How do I rotate a key?", ...selected },
      { text: "retentionMs: 5", share: 0.1 },
    ],
  ];
  for (const [rule, asked, about] of cases)
    test(rule, () => assert.deepEqual(searchOf({ ...question, ...asked }).about, about));
});

describe("the language of a question", () => {
  const cases = [
    ["How do I install it?", "en"],
    ["Wie kann ich das installieren?", "de"],
    ["Comment puis-je installer le programme ?", "fr"],
    ["¿Cómo puedo instalar el programa?", "es"],
    ["Hoe kan ik het installeren?", "nl"],
    ["Как установить программу?", "ru"],
    ["如何安装？", "zh"],
    ["インストールの方法は？", "ja"],
    ["설치 방법은?", "ko"],
    ["docs.json", undefined],
  ] as const;
  for (const [question, tag] of cases) test(question, () => assert.equal(questionLanguage(question), tag));
});

describe("the weight of a text", () => {
  const textWords = createTextWords();
  const weigh = createWeigher(textWords);
  const asked = (...words: readonly string[]) => ({
    numbers: words.map(textWords.numberOf),
    weights: words.map((_, at) => 3 - at),
  });

  test("counts one form of each asked word, the heaviest", () => {
    const { weightIn } = weigh([asked("retry", "retries"), asked("timeout")]);
    assert.equal(weightIn("A retry", "is one of several retries."), 3);
    assert.equal(weightIn("No retries", "before the timeout."), 5);
    assert.equal(weightIn("Other words."), 0);
  });
  test("is that of its question when several are read in turns, also with words that came later", () => {
    const one = weigh([asked("retry", "timeout")]);
    const other = weigh([asked("timeout"), asked("cache")]);
    for (let turn = 0; turn < 3; turn++) {
      assert.equal(one.weightIn(`retry timeout cache new${turn}`), 3);
      assert.equal(other.weightIn(`retry timeout cache new${turn}`), 6);
      assert.equal(weigh([asked(`new${turn}`)]).weightIn(`retry timeout cache new${turn}`), 3);
    }
  });
});

describe("a quotation", () => {
  const textWords = createTextWords();
  const weight = createWeigher(textWords)([{ numbers: [textWords.numberOf("retry")], weights: [3] }]).weightIn;
  const filler = "Something else is said here. ".repeat(12).trim();
  const quoted = (markdown: string): string[] => quoteOf(pageSections(markdown)[1]!.blocks, weight, 300);
  const code = "```ts\nretry();\n```";
  const cases = [
    ["is the whole of a short section", `One.\n\n${code}`, ["One.", code]],
    [
      "begins at the best block, with the sentence that announces it",
      `${filler}\n\nLike this:\n\n${code}`,
      ["Like this:", code],
    ],
    ["does not end with what announces more", `You can retry.\n\n**Tab**\n\n${filler}`, ["You can retry."]],
    [
      "has the best sentences of a long paragraph",
      `${filler} Now retry it. ${filler}`,
      [`Now retry it. ${"Something else is said here. ".repeat(10).trim()}`],
    ],
    [
      "has the best rows of a long table",
      `| A | B |\n|---|---|\n${`| x | ${filler} |\n`.repeat(3)}| retry | 1 |`,
      ["| A | B |\n|---|---|\n| retry | 1 |"],
    ],
  ] as const;
  for (const [rule, section, blocks] of cases)
    test(rule, () => assert.deepEqual(quoted(`# Page\n\nLead.\n\n## Part\n\n${section}\n`), blocks));
});

describe("Markdown of a page in an answer", () => {
  const base = "https://docs.example.com/a/b.md";
  const cases = [
    ["has absolute links to pages", "See [the guide](../c.md#x).", "See [the guide](https://docs.example.com/c#x)."],
    [
      "shows addresses of other sites as code",
      "[uv](https://uv.example/) https://b.example/c",
      "uv (`https://uv.example/`) `https://b.example/c`",
    ],
    [
      "keeps addresses of the site",
      "https://docs.example.com/x <https://docs.example.com>",
      "https://docs.example.com/x <https://docs.example.com>",
    ],
    [
      "is not fooled by a host that begins alike",
      "[a](https://docs.example.com.evil.example/)",
      "a (`https://docs.example.com.evil.example/`)",
    ],
    ["has no link that runs code", "[x](javascript:alert(1)) [y](data:text/html,1)", "x y"],
    ["has the description of a picture", "![A cat](../cat.png)", "A cat"],
    [
      "has no picture within a link",
      "[![A cat](https://evil.example/c.png)](d.md)",
      "[A cat](https://docs.example.com/a/d)",
    ],
    ["shows tags as text", "<img src=x onerror=alert(1)> <Card>", "\\<img src=x onerror=alert(1)> \\<Card>"],
    ["keeps code as it is", "`<div>` and ``[a](b)``", "`<div>` and ``[a](b)``"],
  ] as const;
  for (const [rule, text, safe] of cases)
    test(rule, () => assert.equal(safeMarkdown(text, base, "https://docs.example.com"), safe));
  test("is not made of plain text", () =>
    assert.equal(escaped("# a *b* <c> [d](e)"), "\\# a \\*b\\* \\<c\\> \\[d\\](e)"));
  test("is made in linear time", async () => {
    for (const text of ["[".repeat(3000), "`".repeat(2999), "[a](".repeat(750), "![".repeat(1500), "<".repeat(3000)]) {
      await withinCpu(500, () => {
        safeMarkdown(text, base, "https://docs.example.com");
      });
    }
  });
});
