import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import type { Passage, SiteIndex } from "../../../../src/service/assistant/answer.js";
import { createEmbeddings } from "../../../../src/service/assistant/retrieval/embeddings.js";

interface Asked {
  readonly path: string;
  readonly key: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
}
const asked: Asked[] = [];
let answer: (input: readonly string[]) => unknown;
/** A text about warmth points elsewhere than others, and one about ice to the other side. */
const vectorOf = (text: string): readonly number[] =>
  /warm|heat/.test(text) ? [1, 0] : /Ice/.test(text) ? [-1, 0] : [0, 1];
const vectors = (input: readonly string[]) => ({
  data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed(),
});
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    const { model, input } = JSON.parse(body) as Asked;
    asked.push({ path: request.url!, key: request.headers.authorization, model, input });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(input)));
  });
});
let url: string;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => void server.close());
beforeEach(() => {
  asked.length = 0;
  answer = vectors;
});

const passage = (title: string, text: string, score: number): Passage => ({
  path: `/${title.toLowerCase()}`,
  url: `https://docs.example.com/${title.toLowerCase()}`,
  anchor: "",
  title,
  heading: "",
  trail: [],
  text,
  score,
});
const found = [passage("Cold", "Ice.", 3), passage("Oven", "It gives heat.", 2), passage("Snow", "Snow.", 1)];
let searches = 0;
const index = {
  search: async ({ count }: { readonly count: number }) => {
    searches++;
    return { passages: found.slice(0, count), certainty: "sure", coverage: 1 };
  },
} as unknown as SiteIndex;

function setUp() {
  const log: string[] = [];
  const clock = { now: 0 };
  const withMeaning = createEmbeddings(
    { url, model: "e5", key: "sk-1" },
    (_, message) => void log.push(message),
    () => clock.now,
  );
  const titles = async (query: string, count = 2) =>
    (await withMeaning(index).search({ query, count })).passages.map(({ title }) => title);
  return { titles, log, clock, withMeaning };
}

test("search results are ordered by words and by meaning together", async () => {
  const { titles, withMeaning } = setUp();
  assert.deepEqual(await titles("how do I warm it"), ["Oven", "Cold"]);
  assert.deepEqual(asked[0], {
    path: "/v1/embeddings",
    key: "Bearer sk-1",
    model: "e5",
    input: ["how do I warm it", "Cold\n\nIce.", "Oven\n\nIt gives heat.", "Snow\n\nSnow."],
  });
  searches = 0;
  assert.equal((await withMeaning(index).search({ query: "how do I warm it", count: 2 })).certainty, "unsure");
  assert.equal(searches, 1, "one search finds the passages and tells how sure it is");
});

test("a text that already has a vector is not sent again", async () => {
  const { titles } = setUp();
  await titles("how do I warm it");
  await titles("how do I heat it");
  assert.deepEqual(asked[1]!.input, ["how do I heat it"]);
});

test("without vectors the order stays, and the server gets a pause", async () => {
  const { titles, log, clock } = setUp();
  for (const broken of [{}, { data: [{ embedding: ["no"] }] }, "no"]) {
    answer = () => broken;
    assert.deepEqual(await titles("warm"), ["Cold", "Oven"]);
    const count = asked.length;
    assert.deepEqual(await titles("warm"), ["Cold", "Oven"]);
    assert.equal(asked.length, count);
    clock.now += 60_000;
  }
  assert.equal(log.length, 3);
  answer = vectors;
  assert.deepEqual(await titles("warm"), ["Oven", "Cold"]);
});
