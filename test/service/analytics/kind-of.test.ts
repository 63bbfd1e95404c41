import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
// @ts-expect-error a script without types
import { crawlerPatterns } from "../../../scripts/crawler-patterns.js";
import { builtFile } from "../../../src/lib/package-root.js";
import { aiWords, type KindName, kindNames, kindOf, type Visit } from "../../../src/service/analytics/visit-kind.js";
import { withinCpu } from "../../support/machine-time.js";
import labelled from "./labelled.json" with { type: "json" };

const require = createRequire(import.meta.url);
const crawlerList: readonly { readonly tags: readonly string[]; readonly instances: readonly string[] }[] =
  require("crawler-user-agents");
const userAgents = new URL("../../../node_modules/user-agents/dist/user-agents.json", import.meta.url);
const browsers: readonly string[] = [
  ...new Set([
    ...(require("top-user-agents") as string[]),
    ...(JSON.parse(readFileSync(userAgents, "utf8")) as { readonly userAgent: string }[]).map((each) => each.userAgent),
  ]),
];

const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const kind = (headers: Visit["headers"], target: "page" | "markdown" = "page"): KindName =>
  kindNames[kindOf({ method: "GET", path: "/", status: 200, address: undefined, headers }, target)];
const share = (count: number, of: number): number => count / of;

describe("the labelled set", () => {
  const people = browsers.flatMap((userAgent) => [
    kind({ "user-agent": userAgent, accept: html, "sec-fetch-mode": "navigate" }),
    // As the log of a server has it.
    kind({ "user-agent": userAgent }),
    kind({ "user-agent": userAgent, accept: html, "sec-fetch-mode": "navigate" }, "markdown"),
  ]);
  const crawled = crawlerList.flatMap(({ tags, instances }) =>
    instances.map((userAgent) => ({ userAgent, tags, kind: kind({ "user-agent": userAgent }) })),
  );
  const requests = labelled.map(({ kind: expected, target, headers }) => ({
    expected,
    headers,
    kind: kind(headers as Visit["headers"], target as "page" | "markdown"),
  }));

  test("of people, at most 1 in 1,000 is an agent", () => {
    expect(people.length).toBeGreaterThan(2500);
    expect(share(people.filter((each) => each === "ai").length, people.length)).toBeLessThanOrEqual(0.001);
    expect(share(people.filter((each) => each !== "human").length, people.length)).toBeLessThanOrEqual(0.001);
  });

  test("of agents and crawlers, at most 1 in 100 is a person", () => {
    // The browser inside an editor has a person before it, though the list has it as automation.
    const agentsAndCrawlers = crawled.filter(({ userAgent }) => !/ (Code|Trae)\/.* Chrome\//.test(userAgent));
    expect(agentsAndCrawlers.length).toBeGreaterThan(2000);
    const taken = agentsAndCrawlers.filter((each) => each.kind === "human").map(({ userAgent }) => userAgent);
    expect(taken).toEqual([]);
    const asked = requests.filter(({ expected }) => expected !== "human");
    expect(share(asked.filter((each) => each.kind === "human").length, asked.length)).toBeLessThanOrEqual(0.01);
  });

  test("no crawler for search, training, SEO and the like is in any total", () => {
    const readers = new Set(["ai-crawler", "browser-automation", "search-engine"]);
    const silent = crawled.filter(
      ({ tags, userAgent }) => !tags.some((tag) => readers.has(tag)) && !/meta-externalfetcher/.test(userAgent),
    );
    expect(silent.length).toBeGreaterThan(1500);
    expect(silent.filter((each) => each.kind === "human" || each.kind === "ai")).toEqual([]);
    const engines = crawled.filter(({ tags }) => tags.includes("search-engine") && !tags.includes("ai-crawler"));
    expect(share(engines.filter((each) => each.kind === "search").length, engines.length)).toBeGreaterThan(0.97);
  });

  test("150 requests of agents, and those of libraries and people, have the kind that someone gave them", () => {
    expect(requests.filter((each) => each.expected !== "human").length).toBeGreaterThanOrEqual(150);
    for (const { expected, headers, kind: actual } of requests) expect([headers, actual]).toEqual([headers, expected]);
  });
});

test.each([
  [
    "the browser in an editor is a person",
    "human",
    "page",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Code/1.115.0 Chrome/142.0.7444.265 Electron/39.8.5 Safari/537.36",
  ],
  ["the editor's own client is an agent", "ai", "page", "Cursor/2.3.1 (darwin arm64)"],
  ["curl reads a page as a bot", "bot", "page", "curl/8.14.1"],
  ["curl reads Markdown as an agent", "ai", "markdown", "curl/8.14.1"],
  [
    "GPTBot trains",
    "training",
    "page",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  ],
  ["GPTBot trains on Markdown, too", "training", "markdown", "GPTBot/1.2"],
  [
    "part of a word does not make an agent",
    "human",
    "page",
    "Mozilla/5.0 (Linux; Android 15; Goosebump 5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36 Vivaldi/7.1",
  ],
  ["no name is a bot", "bot", "page", ""],
])("%s", (_, expected, target, userAgent) =>
  expect(kind({ "user-agent": userAgent }, target as "page" | "markdown")).toBe(expected),
);

test("a browser that a script drives is a bot", () => {
  const headers = { "user-agent": browsers[0]! };
  expect(
    kindOf({ method: "GET", path: "/", status: 200, address: undefined, headers, isAutomated: true }, "page"),
  ).toBe(5);
});

test("names are not repeated, and none is a word of robots.txt alone", () => {
  const words = aiWords.map(([word]) => word.toLowerCase());
  expect(new Set(words).size).toBe(words.length);
  expect(words.length).toBeGreaterThanOrEqual(120);
  expect(words.filter((word) => word.endsWith("-extended"))).toEqual([]);
});

test("the built patterns are those of the package", () =>
  expect(JSON.parse(readFileSync(builtFile("crawlers.json"), "utf8"))).toEqual(crawlerPatterns()));

test("a long user agent takes no long time", async () => {
  await withinCpu(3000, () => {
    for (const part of ["Code/ ", "Spider ", "Mozilla/5.0 (", "(Linux; Android 1; ", "bot", "a-", " Mobile"])
      for (let i = 0; i < 20; i++) kind({ "user-agent": `${i} ${part.repeat(20_000)}` });
  });
});
