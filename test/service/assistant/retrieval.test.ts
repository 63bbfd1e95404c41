import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { AnswerEvent, Question, SiteIndex } from "../../../src/service/assistant/answer.js";
import { searchOf } from "../../../src/service/assistant/answer.js";
import { createExtractiveAnswerer } from "../../../src/service/assistant/extractive-answerer.js";
import { openFolderIndex } from "../../../src/service/assistant/retrieval/open-folder-index.js";
import { openSiteIndex } from "../../../src/service/assistant/retrieval/open-site-index.js";
import { writeIndex } from "../../../src/service/assistant/retrieval/write-index.js";
import { page, writeSite } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { sharedBaseUrl, sharedExport } from "../../support/shared-export.js";
import { foreignQuestions, hitsIn, questionsOf, statesOf } from "./questions.js";

const baseUrl = sharedBaseUrl;
const folder = mkdtempSync(join(tmpdir(), "offprint-retrieval-"));
const object = join(folder, "index");
let index: SiteIndex;

beforeAll(async () => {
  const { archive, result } = await sharedExport("handbook");
  assert.ok(result.ok);
  await writeIndex(archive, object, "https://fallback.example.com");
  ({ index } = await openSiteIndex(readFileSync(object), "https://fallback.example.com"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("of the handbook", () => {
  test("the answering page is among the first five for at least 9 of 10 questions", async () => {
    const { share, misses } = await hitsIn(index, questionsOf("handbook"));
    assert.ok(share >= 0.9, misses.join("\n"));
  });

  test("its own questions are not refused, and questions about other subjects are", async () => {
    const own = await statesOf(
      index,
      questionsOf("handbook").map(({ question }) => question),
    );
    assert.deepEqual(own.nothing, []);
    assert.ok(own.sure.length >= 0.2 * questionsOf("handbook").length, `${own.sure.length} are answered surely`);
    const foreign = await statesOf(index, foreignQuestions);
    assert.deepEqual(foreign.sure, []);
    const { length } = foreign.nothing;
    assert.ok(length >= 0.9 * foreignQuestions.length, foreign.unsure.join("\n"));
  });

  test("passages are the best sections, those of different pages first, with their public addresses", async () => {
    const { passages, certainty } = await index.search({ query: "How do I hide a page from the search?", count: 8 });
    assert.equal(passages.length, 8);
    const paths = passages.map(({ path }) => path);
    const pageCount = new Set(paths).size;
    assert.equal(new Set(paths.slice(0, pageCount)).size, pageCount);
    for (const { url, path, anchor, text, title } of passages) {
      assert.equal(url, `${baseUrl}${path}${anchor === "" ? "" : `#${encodeURIComponent(anchor)}`}`);
      assert.ok(text.length <= 1500 && title !== "");
    }
    assert.equal(certainty, "sure");
    const section = passages.find(({ anchor }) => anchor === "rank-and-hide-pages")!;
    assert.deepEqual(
      [section.path, section.anchor, section.heading, section.title, section.trail],
      ["/guides/search", "rank-and-hide-pages", "Rank and hide pages", "Search", ["Handbook", "Write"]],
    );
  });

  test("the reader's page adds its best section", async () => {
    const query = "Which limits are there?";
    for (const currentPath of ["/service/capacity", "/service/capacity/", "service/capacity.html"]) {
      const { passages } = await index.search({ query, count: 2, currentPath });
      assert.equal(passages.length, 2);
      assert.ok(passages.some(({ path }) => path === "/service/capacity"));
    }
    const { passages } = await index.search({ query, count: 20, currentPath: "/service/backup" });
    const places = passages.map(({ path }) => path === "/service/backup");
    assert.ok(places.slice(0, 5).includes(true));
    const elsewhere = await index.search({ query, count: 2, currentPath: "/../../etc/passwd" });
    assert.equal(elsewhere.passages.length, 2);
  });

  test("an equal request reuses the search, and a different one searches again", async () => {
    const request = { query: "Which limits are there?", count: 5 };
    const outcome = await index.search(request);
    assert.equal(await index.search({ ...request }), outcome);
    const others = [{ count: 4 }, { query: "Which limits are there" }, { currentPath: "/service/backup" }];
    for (const other of others) assert.notEqual(await index.search({ ...request, ...other }), outcome);
  });

  test("a question of 8,000 characters is answered by its rare words", async () => {
    const words = "I have tried it and it is what it is and then I do not know what to do. ".repeat(110);
    const query = `${words} How do I restore a backup of the database? ${words}`.slice(0, 16_000);
    const { passages } = await index.search({ query, count: 5 });
    assert.ok(passages.some(({ path }) => path === "/service/backup"));
  });

  test("a page is given as Markdown, by any spelling of its path", async () => {
    const spellings = [
      "/service/backup",
      "service/backup",
      "/service/backup/",
      "/service/backup.md",
      "/service/backup.html",
    ];
    for (const path of spellings) {
      const page = await index.page(path);
      assert.equal(page?.path, "/service/backup");
      assert.match(page.content, /^# Backup and restore\n/);
    }
    assert.match((await index.page("/"))!.content, /^# Offprint\n/);
    for (const path of ["/nothing", "/../service/backup", "/service", ""]) {
      const page = await index.page(path);
      if (path === "") assert.equal(page?.path, "/");
      else assert.equal(page, undefined, path);
    }
  });
});

test('a small site whose texts lack "how" and "do" has the language of a question, and a title that says its one word in another way may answer it', async () => {
  const sections = Array.from(
    { length: 12 },
    (_, at) => `## Part ${at}\n\nThis is the part of the pump with a ring to turn.`,
  ).join("\n\n");
  const source = join(folder, "site");
  writeSite(source, {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Pumps",
      colors: { primary: "#0a6c5b" },
      navigation: { pages: ["index", "quickstart"] },
    }),
    "index.mdx": page("Pumps", sections),
    "quickstart.mdx": page("Quickstart", "Open the valve."),
  });
  const output = join(folder, "bundle");
  const { manifest } = await exportInProcess({ source, output });
  const small = await openFolderIndex(output, manifest!.files, baseUrl);
  assert.deepEqual(await statesOf(small, ["How do I begin?", "How do I fly?"]), {
    sure: [],
    unsure: ["How do I begin?"],
    nothing: ["How do I fly?"],
  });
});

test("parts of the words, or one word of many, do not make an answer certain", async () => {
  const source = join(folder, "parts");
  writeSite(source, {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Zimmer",
      colors: { primary: "#0a6c5b" },
      navigation: { pages: ["index", "mint", "order"] },
    }),
    "index.mdx": page("概要", "部屋の予約と料金の説明です。"),
    "mint.mdx": page("飲み物", "ロール、ルーミー、ミント、リングを選ぶ。"),
    "order.mdx": page("开通服务", "开通服务之前先登录。"),
  });
  const output = join(folder, "parts-bundle");
  const { manifest } = await exportInProcess({ source, output });
  const site = await openFolderIndex(output, manifest!.files, baseUrl);
  const states = await statesOf(site, ["ローミングを選ぶ", "如何开通会员去广告", "ミントを選ぶ"]);
  assert.deepEqual(states.sure, ["ミントを選ぶ"]);
});

describe("a small site in two languages", () => {
  const german = {
    datenschutz: page("Datenschutz", "Wir speichern personenbezogene Daten höchstens 90 Tage."),
    passwort: page("Passwort zurücksetzen", "Ein Link kommt an Ihre Adresse, wenn Sie das Kennwort vergessen haben."),
    rechnungen: page("Rechnungen", "Wir nehmen Kreditkarten und Lastschrift an."),
    team: page("Mitglieder einladen", "Laden Sie Kollegen in den Arbeitsbereich ein."),
  };
  const english = {
    privacy: page("Privacy", "We keep personal data for at most 90 days."),
    password: page("Reset your password", "We send a link to your address if you have forgotten it."),
    invoices: page("Invoices", "We accept credit cards and direct debit."),
    team: page("Invite members", "Invite colleagues to the workspace."),
  };
  let site: SiteIndex;

  beforeAll(async () => {
    const source = join(folder, "two-languages");
    const inFolder = (name: string, pages: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(pages).map(([slug, text]) => [`${name}/${slug}.mdx`, text]));
    const pagesOf = (name: string, pages: object) => Object.keys(pages).map((slug) => `${name}/${slug}`);
    writeSite(source, {
      "docs.json": JSON.stringify({
        theme: "mint",
        name: "Rota",
        colors: { primary: "#0a6c5b" },
        navigation: {
          languages: [
            { language: "en", pages: pagesOf("en", english) },
            { language: "de", pages: pagesOf("de", german) },
          ],
        },
      }),
      ...inFolder("en", english),
      ...inFolder("de", german),
    });
    const output = join(folder, "two-languages-bundle");
    const { manifest } = await exportInProcess({ source, output });
    site = await openFolderIndex(output, manifest!.files, baseUrl);
  });

  test("a question without a word of the grammar is searched in the language that has its words", async () => {
    const cases = [
      ["Mitglieder einladen", "/de/team", "de"],
      ["invite members", "/en/team", "en"],
      ["Passwort zurücksetzen", "/de/passwort", "de"],
      ["Link zum Kennwort", "/de/passwort", "de"],
    ] as const;
    for (const [query, path, language] of cases) {
      const outcome = await site.search({ query, count: 3 });
      assert.deepEqual([outcome.passages[0]?.path, outcome.language], [path, language], query);
    }
  });

  test("a word that one page has is not unknown, so a question with it is not refused", async () => {
    const own = ["Kreditkarte oder Lastschrift", "wie lange speichern Sie Daten", "can I pay by direct debit"];
    assert.deepEqual((await statesOf(site, own)).nothing, []);
    const foreign = ["How do I bake a sourdough bread?", "Wann fährt der nächste Zug nach Kiel?"];
    assert.deepEqual((await statesOf(site, foreign)).nothing, foreign);
  });
});

describe("what a question is about", () => {
  const first = async (asked: Partial<Question> & { readonly text: string }): Promise<string | undefined> => {
    const question = { turns: [], quoted: [], context: [], passageCount: 5, ...asked };
    return (await index.search(searchOf(question))).passages[0]?.url;
  };
  const questions = questionsOf("handbook").map(({ question }) => question);
  const code = 'import { useState } from "react";\nexport const Counter = () => useState(0);';
  const contexts: readonly (readonly [name: string, more: Partial<Question>])[] = [
    [
      "the code that the vendor's example sends",
      { context: [{ type: "code", value: 'const example = "code snippet";' }] },
    ],
    ["a code block", { context: [{ type: "code", value: code }] }],
    ["a selection", { context: [{ type: "textSelection", value: "The archive is uploaded to the bucket in parts." }] }],
    ["the reader's page", { currentPath: "/guides/search" }],
  ];
  for (const [name, more] of contexts)
    test(`${name}, if it is unrelated, changes the first section of at most 1 of 10 questions`, async () => {
      const changed: string[] = [];
      for (const text of questions)
        if ((await first({ text })) !== (await first({ text, ...more }))) changed.push(text);
      assert.ok(changed.length <= questions.length / 10, changed.join("\n"));
    });

  test("a selection is the subject of a question that has no words of its own", async () => {
    const value = "Pages that are hidden from the search keep their address. boost, noindex";
    for (const text of ["What does this do?", "Explain this.", "Was ist das?"])
      assert.match(
        (await first({ text, context: [{ type: "textSelection", value }] })) ?? "",
        /\/guides\/search/,
        text,
      );
  });
});

describe("the sections of a page", () => {
  test("are its Markdown, with tables, code and lists as they are", async () => {
    const sections = (await index.readSections("/service/assistant"))!;
    const page = (await index.page("/service/assistant"))!.content;
    assert.deepEqual([sections[0]!.heading, sections[0]!.anchor], ["", ""]);
    const kept = sections.find(({ anchor }) => anchor === "what-is-kept")!;
    assert.equal(kept.url, `${baseUrl}/service/assistant#what-is-kept`);
    assert.match(kept.text, /^## What is kept\n\n\| For each answer \| Kept \|\n\| --- \| --- \|\n/);
    assert.match(sections.find(({ anchor }) => anchor === "with-embeddings")!.text, /\n```bash\nOFFPRINT_EMBEDDINGS=/);
    // The only part of the page that is lost is the note to agents.
    const joined = sections.map(({ text }) => text).join("\n\n");
    for (const block of page.split("\n\n").filter((each) => !each.includes("Agent instructions")))
      assert.ok(joined.includes(block.trim()), block);
    assert.equal(await index.readSections("/nothing"), undefined);
  });
});

describe("without a language model", () => {
  const ask = async (text: string, changes: Partial<Question> = {}): Promise<AnswerEvent[]> => {
    const question = { text, turns: [], quoted: [], context: [], passageCount: 5, ...changes };
    const answers = createExtractiveAnswerer().answer(question, index, new AbortController().signal);
    const events: AnswerEvent[] = [];
    for await (const event of answers) events.push(event);
    return events;
  };
  const textOf = (events: readonly AnswerEvent[]): string =>
    events.map((event) => (event.kind === "text" ? event.text : "")).join("");

  test("an answer starts with a note that it quotes word for word, and links each passage", async () => {
    const events = await ask("How do I hide a page from the search?");
    assert.deepEqual([...new Set(events.map(({ kind }) => kind))], ["search", "text", "source", "end"]);
    const text = textOf(events);
    assert.doesNotMatch(text, /Agent instructions/);
    const [says, ...quotations] = text.split(/\n\n(?=\*\*[^\n]*\*\* \[\d\]\()/);
    assert.equal(says, "From the documentation, word for word:");
    const sources = events.filter((event) => event.kind === "source");
    const { passages } = events[0] as Extract<AnswerEvent, { kind: "search" }>;
    assert.equal(sources.length, 1);
    assert.equal(sources[0]!.url, `${baseUrl}/guides/search#rank-and-hide-pages`);
    assert.equal(quotations.length, sources.length);
    for (const [at, { id, url }] of sources.entries()) {
      assert.equal(passages[Number(id) - 1]!.url, url);
      assert.ok(quotations[at]!.includes(`[${id}](${url})`));
      const page = await index.page(new URL(url).pathname.replace("/handbook", ""));
      // Only the addresses of links differ.
      const plain = (markdown: string): string => markdown.replace(/\]\([^)]*\)/g, "]").replace(/^> /gm, "");
      const [quotation, related] = quotations[at]!.split("\n\nRelated:\n\n");
      assert.match(related!, /^- \[[^\n]+\]\(https:/);
      for (const block of quotation!.split("\n\n").slice(1))
        assert.ok(plain(page!.content).includes(plain(block)), block);
    }
    assert.deepEqual(events.at(-1), {
      kind: "end",
      outcome: "answered",
      usage: { promptTokens: 0, completionTokens: 0 },
    });
  });

  test("sections that may help are listed as the search ranks them, each with one sentence", async () => {
    const events = await ask("can several machines share their finished pages");
    const { passages } = events[0] as Extract<AnswerEvent, { kind: "search" }>;
    const [says, ...sections] = textOf(events).split(/\n\n(?=\*\*[^\n]*\*\* \[\d\]\()/);
    assert.equal(says, "These sections may help:");
    assert.equal(sections.length, passages.length);
    const urls = events.flatMap((event) => (event.kind === "source" ? event.url : []));
    assert.deepEqual(
      urls,
      passages.map(({ url }) => url),
    );
    for (const [at, section] of sections.entries()) {
      assert.ok(section.includes(`[${at + 1}](${urls[at]})`));
      assert.ok(section.length < 700, section);
    }
    assert.equal((events.at(-1) as { outcome: string }).outcome, "unsure");
  });

  test("a greeting and thanks are answered as such, without a search, in their language", async () => {
    for (const [text, answer] of [
      ["Hello!", "Hello! Ask a question about this documentation."],
      ["vielen Dank", "Gern geschehen. Fragen Sie jederzeit wieder."],
    ] as const) {
      const events = await ask(text);
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ["text", "end"],
      );
      assert.equal(textOf(events), answer);
      assert.equal((events.at(-1) as { outcome: string }).outcome, "answered");
    }
  });

  test("a question in a language that the site lacks is searched by the names that both languages share", async () => {
    const events = await ask("OFFPRINT_S3_BUCKET の意味は何ですか");
    const { passages } = events[0] as Extract<AnswerEvent, { kind: "search" }>;
    assert.match(passages[0]!.text, /OFFPRINT_S3_BUCKET/);
    assert.match(textOf(events), /^次のセクションが参考になるかもしれません：/);
    assert.equal((events.at(-1) as { outcome: string }).outcome, "unsure");
    // "was" is an English word, too, "com" is in addresses, and "con" is Spanish or Italian.
    for (const [question, name] of [
      ["Wie verbinde ich Cursor?", "Cursor"],
      ["Was kostet PostgreSQL?", "PostgreSQL"],
      ["conectar com Cursor", "Cursor"],
      ["quanto custa PostgreSQL", "PostgreSQL"],
      ["desplegar con Docker", "Docker"],
      ["как подключить Cursor", "Cursor"],
    ] as const) {
      const events = await ask(question);
      assert.equal((events.at(-1) as { outcome: string }).outcome, "unsure", question);
      assert.ok(textOf(events).includes(name), question);
    }
    assert.match(textOf(await ask("Wie verbinde ich Cursor?")), /^Diese Abschnitte könnten helfen:/);
  });

  test("a question that the documentation does not answer is refused, with the nearest titles", async () => {
    const events = await ask("How do I bake a sourdough bread?");
    assert.match(textOf(events), /^The documentation does not seem to answer this question\./);
    assert.ok(events.every(({ kind }) => kind !== "source"));
    assert.equal((events.at(-1) as { outcome: string }).outcome, "unanswered");
  });

  test("the fixed words are in the language of the question", async () => {
    assert.match(textOf(await ask("Wie backe ich ein Brot?")), /^Die Dokumentation scheint diese Frage nicht/);
    assert.match(textOf(await ask("パンの焼き方は？")), /^この質問への回答は/);
    assert.match(textOf(await ask("Ist ein Helm chart mit PostgreSQL besser?")), /^Diese Abschnitte könnten helfen:/);
  });

  test("a short follow-up is searched with the words of the question before", async () => {
    const turns = [{ question: "How do I rotate an API key?", answer: "…" }];
    const events = await ask("And of the bucket?", { turns });
    const search = events[0] as Extract<AnswerEvent, { kind: "search" }>;
    assert.ok(search.passages.some(({ path }) => path === "/service/rotation"));
    assert.notEqual((events.at(-1) as { outcome: string }).outcome, "unanswered");
  });

  test("a short question about something else is refused, although the one before was answered", async () => {
    const turns = [{ question: "How do I rotate an API key?", answer: "…" }];
    assert.match(textOf(await ask("What does bread cost?", { turns })), /^The documentation does not seem to answer/);
  });

  test("an answer ends once its reader has left", async () => {
    const leave = new AbortController();
    const question = { text: "What are the rate limits?", turns: [], quoted: [], context: [], passageCount: 5 };
    const answers = createExtractiveAnswerer().answer(question, index, leave.signal)[Symbol.asyncIterator]();
    await answers.next();
    leave.abort(new Error("left"));
    await assert.rejects(async () => {
      for (;;) if ((await answers.next()).done) return;
    }, /left/);
  });
});
