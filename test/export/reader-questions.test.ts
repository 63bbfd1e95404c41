import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import { search } from "../../src/bundle/search/engine/engine.js";
import { createIndexOpener } from "../../src/bundle/search/engine/index-files.js";
import { dataIn } from "../bundle/search/index-of.js";
import { exportInProcess } from "../support/pool-in-process.js";

interface Asked {
  readonly authorization?: string | undefined;
  readonly sections: readonly { readonly page: string; readonly heading: string; readonly text: string }[];
}

const folder = mkdtempSync(join(tmpdir(), "offprint-questions-"));
const source = join(folder, "site");
let asked: Asked[] = [];
let reply: (sections: Asked["sections"], response: ServerResponse) => void;

/** A model on a server with OpenAI's chat completions. */
const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  request.on("end", () => {
    const { messages } = JSON.parse(text) as { readonly messages: readonly { readonly content: string }[] };
    const sections = JSON.parse(messages.at(-1)!.content) as Asked["sections"];
    asked.push({ authorization: request.headers.authorization, sections });
    reply(sections, response);
  });
});
const answer = (response: ServerResponse, content: string): void => {
  const usage = { prompt_tokens: 100, completion_tokens: 20 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ choices: [{ message: { content } }], usage }));
};
const questionsFor = ({ heading }: Asked["sections"][number]): string[] =>
  heading === "Keep volumes" ? ["Does my stuff survive a zonked machine?"] : ["What is this?"];

const long = "Volumes outlive the pod that has them, so that its files stay where they are for the next one.";
const writePage = (name: string, title: string, text: string): void =>
  writeFileSync(join(source, `${name}.mdx`), `---\ntitle: ${title}\n---\n\n${text}\n`);

beforeAll(async () => {
  mkdirSync(source);
  const navigation = { pages: ["index", "storage"] };
  const config = { theme: "mint", name: "Acme", colors: { primary: "#0f766e" }, navigation };
  writeFileSync(join(source, "docs.json"), JSON.stringify(config));
  writePage("index", "Start", `${long} This is the first page.\n\n## Short\n\nLittle.`);
  writePage("storage", "Storage", `Where files are.\n\n## Keep volumes\n\n${long}`);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  reply = (sections, response) => answer(response, `Here: ${JSON.stringify(sections.map(questionsFor))}`);
});

const key = "sk-canary";
const modelOf = () => ({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, model: "tiny", key });
async function exported(cacheName: string, questions = true) {
  const cacheFolder = join(folder, cacheName);
  const result = await exportInProcess({
    ...{ source, output: "memory", cacheFolder },
    ...(questions && { questions: modelOf() }),
  });
  assert.ok(result.ok);
  return { ...result, files: result.files! };
}
async function firstTitle({ files }: Awaited<ReturnType<typeof exported>>, query: string): Promise<string | undefined> {
  const open = createIndexOpener(async (path) => dataIn(Buffer.from(files.get(path)!).toString()));
  return (await search([await open("0")], query)).hits[0]?.title;
}

describe("questions of readers that a language model writes", () => {
  test("find a section by words that its page lacks", async () => {
    const result = await exported("first");
    assert.equal(await firstTitle(result, "zonked machine"), "Keep volumes");
    assert.deepEqual(result.questions, {
      ...{ sections: 2, cached: 0, requests: 2, promptTokens: 200, completionTokens: 40 },
    });
    assert.deepEqual(
      asked.flatMap(({ sections }) => sections.map(({ page, heading }) => `${page}/${heading}`)).toSorted(),
      ["Start/", "Storage/Keep volumes"],
    );
    assert.ok(asked.every(({ authorization }) => authorization === `Bearer ${key}`));
    assert.equal(result.diagnostics.length, 0);
  });

  test("are not requested again, and the same site gives the same bytes", async () => {
    const before = await exported("first");
    assert.equal(asked.length, 0);
    assert.equal(before.questions?.cached, 2);
    writePage("index", "Start", `${long} This is the new first page.`);
    const changed = await exported("first");
    assert.deepEqual([asked.length, asked[0]?.sections.length], [1, 1]);
    writePage("index", "Start", `${long} This is the first page.\n\n## Short\n\nLittle.`);
    const after = await exported("first");
    assert.deepEqual([...after.files], [...before.files]);
    assert.notDeepEqual([...after.files], [...changed.files]);
  });

  test("leave no trace in an export without them", async () => {
    const withQuestions = await exported("second");
    const own = await exported("second", false);
    const fresh = await exported("third", false);
    assert.deepEqual([...own.files], [...fresh.files]);
    assert.notDeepEqual([...own.files], [...withQuestions.files]);
    assert.equal(own.questions, undefined);
    assert.notEqual(await firstTitle(own, "zonked"), "Keep volumes");
    for (const [path, bytes] of withQuestions.files) assert.ok(!Buffer.from(bytes).includes(key), path);
  });

  const failures = [
    [
      "answers with an error",
      (response: ServerResponse) => response.writeHead(500).end(key),
      /because it answered 500/,
    ],
    [
      "answers with other lists",
      (response: ServerResponse) => answer(response, "[]"),
      /because its answer is not a list with an entry/,
    ],
    ["answers without text", (response: ServerResponse) => response.end("{}"), /because its answer has no text/],
  ] as const;
  for (const [name, fail, reason] of failures)
    test(`are reported as missing if the model ${name}; the export goes on`, async () => {
      reply = (_, response) => fail(response);
      const result = await exported(`failing ${name}`);
      const [warning] = result.diagnostics;
      assert.equal(warning?.code, "QUESTIONS_NOT_WRITTEN");
      assert.match(warning.what, reason);
      assert.match(warning.what, /"(?:Start|Storage)" and 1 more/);
      assert.ok(!JSON.stringify(result.diagnostics).includes(key));
      assert.equal(await firstTitle(result, "volumes outlive"), "Keep volumes");
    });
});
