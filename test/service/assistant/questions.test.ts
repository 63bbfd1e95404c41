import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { languageIn } from "../../../src/lib/language/index.js";
import type { Question } from "../../../src/service/assistant/answer.js";
import { searchOf } from "../../../src/service/assistant/answer.js";
import { smallTalkIn } from "../../../src/service/assistant/extractive-answerer.js";
import { type QuestionKind, questionKind, questionLanguage } from "../../../src/service/assistant/question.js";
import {
  escaped,
  pageSections,
  partsNamed,
  quoteOf,
  safeMarkdown,
  shortQuoteOf,
  stepsOf,
} from "../../../src/service/assistant/quote-page.js";
import { createTextWords, createWeigher } from "../../../src/service/assistant/retrieval/asked-words.js";
import { chooseScopes } from "../../../src/service/assistant/retrieval/choose-scopes.js";
import { withinCpu } from "../../support/machine-time.js";

describe("the indexes to search", () => {
  const versions = [{ version: "v2", isDefault: true }, { version: "v1", isDefault: false }, { isDefault: true }];
  const languages = [
    { language: "en", version: "v2", isDefault: true },
    { language: "en", version: "v1", isDefault: false },
    { language: "es", version: "v1", isDefault: false },
    { language: "es", isDefault: false },
  ];
  const chinese = [
    { language: "en", isDefault: true },
    { language: "zh-Hans", isDefault: false },
    { language: "ja", isDefault: false },
  ];
  const cases = [
    ["of one index", [{ isDefault: true }], {}, [0]],
    ["are of the default version", versions, {}, [0, 2]],
    ["are of the version of the reader's page", versions, { current: 1 }, [1, 2]],
    ["are of the version of the filter", versions, { filter: { version: "v1" }, current: 0 }, [1, 2]],
    ["are of the default language", languages, {}, [0]],
    ["are of the filter's language, in a version that it has", languages, { filter: { language: "es" } }, [2, 3]],
    ["are of the reader's language", languages, { current: 2 }, [2, 3]],
    ["are of the question's language", chinese, { spoken: "zh" }, [1]],
    ["are in simplified Chinese if there is no traditional", chinese, { spoken: "zh-Hant" }, [1]],
    ["are of the filter's language, not of the question's", chinese, { spoken: "zh", filter: { language: "ja" } }, [2]],
    ["are of the page's language, then of the question's", chinese, { spoken: "zh", current: 0 }, [0, 1]],
    [
      "are also of the question's language if the filter repeats the page's",
      chinese,
      { spoken: "zh", current: 0, filter: { language: "en" } },
      [0, 1],
    ],
    ["are the default ones for a language that the site lacks", chinese, { spoken: "ko" }, [0]],
  ] as const;
  for (const [rule, scopes, choice, chosen] of cases)
    test(rule, () => assert.deepEqual(chooseScopes(scopes, choice), chosen));
});

describe("a language of the site", () => {
  const tags = ["en", "zh-Hans", "pt-BR", "ja"];
  const cases = [
    ["zh-Hans", "zh-Hans"],
    ["zh", "zh-Hans"],
    ["cn", "zh-Hans"],
    ["zh-hans", "zh-Hans"],
    ["jp", "ja"],
    ["pt", "pt-BR"],
    ["en-US", "en"],
    ["zh-Hant", undefined],
    ["p", undefined],
    ["fr", undefined],
  ] as const;
  for (const [name, tag] of cases) test(`may be named ${name}`, () => assert.equal(languageIn(tags, name), tag));
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
      "includes little of a selection, if the question has words of its own",
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
    ["如何設定這個選項？", "zh-Hant"],
    ["インストールの方法は？", "ja"],
    ["설치 방법은?", "ko"],
    ["como uso el nodo", "es"],
    ["docs.json", undefined],
  ] as const;
  for (const [question, tag] of cases) test(question, () => assert.equal(questionLanguage(question), tag));
});

describe("a message", () => {
  const cases = [
    ["hi", "en", "greeting", "en"],
    ["Hi there!", "en", "greeting", "en"],
    ["Hi 👋", "de", "greeting", "de"],
    ["Guten Morgen", "en", "greeting", "de"],
    ["Merci beaucoup !", "en", "welcome", "fr"],
    ["Obrigado.", "en", "welcome", "pt"],
    ["ありがとうございます！", "ja", "welcome", "ja"],
    ["你好", "zh-Hant", "greeting", "zh-Hant"],
    ["شكرًا", "en", "welcome", "ar"],
    ["OK", "de", "welcome", "de"],
    ["got it!", "en", "welcome", "en"],
    ["merci", "en", "welcome", "fr"],
  ] as const;
  for (const [text, preferred, reply, locale] of cases)
    test(`that only says "${text}" is answered as such`, () =>
      assert.deepEqual(smallTalkIn(text, preferred), { reply, locale }));
  for (const text of ["hello world example", "thanks, and how do I rotate a key?", "", "!", "hi ".repeat(40)])
    test(`that says "${text.slice(0, 40)}" is a question`, () => assert.equal(smallTalkIn(text, "en"), undefined));
});

describe("the kind of a question", () => {
  const cases = [
    ["How do I rotate a key?", "steps"],
    ["Wie lösche ich ein Projekt?", "steps"],
    ["如何删除项目？", "steps"],
    ["プロジェクトを削除したい", "steps"],
    ["What is the default timeout?", "value"],
    ["how many requests per minute", "value"],
    ["Was ist der Preis?", "value"],
    ["默认超时是多少", "value"],
    ["料金はいくらですか", "value"],
    ["What is a webhook?", "meaning"],
    ["Qu’est-ce qu’un webhook ?", "meaning"],
    ["什么是工作流", "meaning"],
    ["FileNotFoundError: no such key", "error"],
    ["it says “connection refused by host”", "error"],
    ["webhook", "other"],
  ] as const;
  for (const [text, kind] of cases) test(`${text} is ${kind}`, () => assert.equal(questionKind(text), kind));
});

describe("the weight of a text", () => {
  const textWords = createTextWords();
  const weigh = createWeigher(textWords);
  const asked = (...words: readonly string[]) => ({
    numbers: words.map(textWords.numberOf),
    weights: words.map((_, at) => 3 - at),
  });

  test("counts one form of each word of the question, the heaviest", () => {
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
      "has steps from the first one on, and tells that more follow",
      `1. Open it.\n2. ${filler}\n3. Now retry it.`,
      ["1. Open it.\n\n…"],
    ],
    [
      "has no descriptions of pictures",
      "You can retry.\n\n![A dialog with a button](a.png)\n\nPress it.",
      ["You can retry.", "Press it."],
    ],
    [
      "has the best items of a long list",
      `- ${filler}\n- Now retry it.\n- Two.\n- ${filler}`,
      ["- Now retry it.\n- Two.\n\n…"],
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

describe("a quotation for a kind of question", () => {
  const textWords = createTextWords();
  const weight = createWeigher(textWords)([{ numbers: [textWords.numberOf("retry")], weights: [3] }]).weightIn;
  const filler = "Something else is said here. ".repeat(40).trim();
  const rows = Array.from({ length: 20 }, (_, at) => `| option${at} | ${at} | a value that nobody asks for |`).join(
    "\n",
  );
  const table = `| Option | Default | Meaning |\n|---|---|---|`;
  const section = (markdown: string) => pageSections(`# Page\n\nLead.\n\n## Part\n\n${markdown}\n`)[1]!.blocks;
  const cases = [
    [
      "steps",
      `You can retry it. ${filler}\n\nTo start:\n\n1. Open it.\n2. Press retry.\n\n${filler}`,
      "",
      ["To start:", "1. Open it.\n2. Press retry."],
    ],
    [
      "value",
      `Options that matter for a retry.\n\n${table}\n${rows}\n| retry | 5 | how often |`,
      "",
      [`${table}\n| retry | 5 | how often |`],
    ],
    ["value", "**Limits**\n\n- One for each\n- retry: 5", "", ["**Limits**", "- One for each\n- retry: 5"]],
    [
      "meaning",
      `A retry is a second attempt that follows a failure, with the same input and the same limits. ${filler}`,
      "",
      ["A retry is a second attempt that follows a failure, with the same input and the same limits."],
    ],
    [
      "meaning",
      "The network may fail at any time, and so may the server at the other end of the line that you use. Then the queue tries again: a retry. It ends.",
      "",
      ["Then the queue tries again: a retry."],
    ],
    ["value", "1. Open it.\n2. Set the retry.", "", ["1. Open it.\n2. Set the retry."]],
    [
      "value",
      "1. Open it.\n2. Retry a request.\n\n**Why**\n\n- Each request",
      "",
      ["1. Open it.\n2. Retry a request.", "**Why**", "- Each request"],
    ],
    [
      "error",
      `You can retry. ${filler}\n\nIt fails with:\n\n\`\`\`\nError: no such key in store\n\`\`\`\n\nCreate the key. ${filler}`,
      "what does no such key in store mean",
      ["It fails with:", "```\nError: no such key in store\n```"],
    ],
  ] as const;
  for (const [kind, markdown, question, blocks] of cases)
    test(`${kind}: ${blocks[0].slice(0, 20)}`, () =>
      assert.deepEqual(quoteOf(section(markdown), weight, 300, kind, question), blocks));
  test("is not the row of a table that lacks the subject of the question", () =>
    assert.deepEqual(quoteOf(section(`You can retry five times.\n\n${table}\n| a | 1 | b |`), weight, 900, "value"), [
      "You can retry five times.",
      `${table}\n| a | 1 | b |`,
    ]));
});

describe("a part of a page", () => {
  const textWords = createTextWords();
  const weight = createWeigher(textWords)([{ numbers: [textWords.numberOf("retry")], weights: [3] }]).weightIn;
  const textsOf = (markdown: string, name: string): string[][] =>
    partsNamed(name, pageSections(markdown)).map(({ blocks }) => blocks.map(({ text }) => text));
  test("may be the item of a field", () =>
    assert.deepEqual(textsOf("# Page\n\n- `size` (integer): Bytes.\n\n  Example: `1`\n\n- `sizes`: Two", "size"), [
      ["- `size` (integer): Bytes.\n\n  Example: `1`"],
    ]));
  test("may follow a bold line", () =>
    assert.deepEqual(textsOf("# Page\n\n**Paths**\n\nOne.\n\n- Two\n\n**Names**\n\nThree.", "Paths"), [
      ["One.", "- Two"],
    ]));
  const steps = (lead: string, ...sections: readonly string[]): string | undefined =>
    stepsOf(pageSections(["# Page", lead, ...sections].join("\n\n")), weight)?.heading;
  test("has the steps that its first text lacks", () =>
    assert.equal(steps("Retry it.", "## Why\n\nTo retry.", "## How to `retry`\n\n1. One.\n2. Two."), "How to `retry`"));
  test("has no steps of another task", () => assert.equal(steps("Retry it.", "## Close it\n\n1. One."), undefined));
  test("needs no further steps after those of its first text", () =>
    assert.equal(steps("1. Retry it.", "## Retry\n\n1. One."), undefined));
});

describe("a short quotation of a section", () => {
  const textWords = createTextWords();
  const weight = createWeigher(textWords)([{ numbers: [textWords.numberOf("retry")], weights: [3] }]).weightIn;
  const of = (markdown: string, kind: QuestionKind = "other", question = ""): string[] =>
    shortQuoteOf(pageSections(`# Page\n\n${markdown}`)[0]!.blocks, weight, kind, question);
  test("is the sentence with most words of the question", () =>
    assert.deepEqual(of("One. Now retry it. Two."), ["Now retry it."]));
  test("may be an item of a list, without its marker", () =>
    assert.deepEqual(of("One.\n\n- Two\n- Now retry it"), ["Now retry it"]));
  test("is a paragraph of an item, without its code", () =>
    assert.deepEqual(
      of("- **Install**\n\n  Now retry it:\n\n  ```sh\n  retry\n\n  retry\n  ```\n\n  Then retry.\n- Two"),
      ["Then retry."],
    ));
  test("is not just a name", () => {
    assert.deepEqual(of("- `retry`\n- Two of them"), ["Two of them"]);
    assert.deepEqual(of("- `retry`"), []);
  });
  test("does not end at an abbreviation", () =>
    assert.deepEqual(of("One. The U.S. Government, e.g. NASA, may retry. Two."), [
      "The U.S. Government, e.g. NASA, may retry.",
    ]));
  test("is the first sentence if none has it", () => assert.deepEqual(of("One is here. Two."), ["One is here."]));
  test("is the first sentence of a question for a meaning", () =>
    assert.deepEqual(of("One is here. Retry it.", "meaning"), ["One is here. Retry it."]));
  test("is the row with its header of a question for a value", () => {
    const table = "| Option | Default |\n|---|---|\n| retry | 5 |";
    assert.deepEqual(of(`One.\n\n${table}`, "value"), [table]);
  });
  test("is the place that has the text of an error", () => {
    const code = "```\nError: no such key\n```";
    assert.deepEqual(of(`If you see:\n\n${code}\n\nthe key is gone.`, "error", "it says no such key"), [
      "If you see:",
      code,
      "the key is gone.",
    ]);
  });
  test("is code only of a section without text, and not all of a long one", () => {
    const code = "```\nretry\n```";
    assert.deepEqual(of(`${code}\n\nOne is here.`), ["One is here."]);
    assert.deepEqual(of(`**Two retries:**\n\n${code}`), [code]);
    const long = ["```sh", ..."abcdefghijklmnop", "```"];
    assert.deepEqual(of(long.join("\n")), [[...long.slice(0, 12), "```", "", "…"].join("\n")]);
    assert.deepEqual(of(["```", "x".repeat(2000), "```"].join("\n")), []);
  });
  test("is not the tags of an update", () => {
    assert.deepEqual(of("*New retry · Bug fixes*\n\nOne is here."), ["One is here."]);
    assert.deepEqual(of("*Now retry it.*\n\nOne."), ["*Now retry it.*"]);
  });
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
    ["keeps code unchanged", "`<div>` and ``[a](b)``", "`<div>` and ``[a](b)``"],
  ] as const;
  for (const [rule, text, safe] of cases)
    test(rule, () => assert.equal(safeMarkdown(text, base, "https://docs.example.com"), safe));
  test("is not made from plain text", () =>
    assert.equal(escaped("# a *b* <c> [d](e)"), "\\# a \\*b\\* \\<c\\> \\[d\\](e)"));
  test("is made in linear time", async () => {
    for (const text of ["[".repeat(3000), "`".repeat(2999), "[a](".repeat(750), "![".repeat(1500), "<".repeat(3000)]) {
      await withinCpu(500, () => {
        safeMarkdown(text, base, "https://docs.example.com");
      });
    }
  });
});
