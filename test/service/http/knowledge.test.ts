import { expect, test } from "vitest";
import { openApiWorld } from "../../support/api-world.js";
import { passage, scriptedAssistant } from "../../support/scripted-assistant.js";

const root = "/api/universal-search/v1";

async function openWorld() {
  const world = await openApiWorld({}, {}, scriptedAssistant());
  const { secret: reader } = await world.newKey({ scopes: ["read"] });
  const ask = (path: string, body: object, key = reader) => world.call("POST", `${root}${path}`, { key, body });
  return { ...world, ask };
}

const result = {
  id: "docs:/guides/install#requirements",
  url: passage.url,
  title: "Install › Requirements",
  text: "",
  truncated: true,
  totalCharacters: 19,
  score: 1,
  source: "mintlify",
  siteName: "docs",
  breadcrumbs: ["Guides"],
  publishedDate: null,
};

test("a search finds sections of the organization's sites, with the requested amount of their text", async () => {
  const { ask } = await openWorld();
  const { status, json } = await ask("/search", { query: "node", numResults: 5 });
  expect([status, json]).toEqual([200, { requestId: expect.any(String), results: [result] }]);
  const text = async (wanted: unknown) =>
    (await ask("/search", { query: "node", numResults: 5, text: wanted })).json.results[0].text;
  expect([await text(true), await text(false), await text({ maxCharacters: 4 })]).toEqual([
    "Acme needs Node 22.",
    "",
    "Acme",
  ]);
  const found = async (filter: object) =>
    (await ask("/search", { query: "node", numResults: 1, ...filter })).json.results.length;
  expect(await found({ includeDomains: ["acme.com"] })).toBe(1);
  expect(await found({ includeDomains: ["cme.com"] })).toBe(0);
  expect(await found({ excludeDomains: ["docs.acme.com"] })).toBe(0);
});

test("contents are pages by the id or the address of a result, and missing pages are listed", async () => {
  const { ask } = await openWorld();
  const { json } = await ask("/contents", {
    ids: [result.id, "docs:/nothing", "other:/guides/install"],
    urls: [passage.url, "https://docs.acme.com.evil.com/guides/install"],
    maxCharacters: 9,
  });
  expect(json.results).toHaveLength(2);
  expect(json.results[0]).toMatchObject({ id: "docs:/guides/install", title: "Install", text: "# Install", score: 0 });
  expect(json.statuses.map(({ status }: { status: string }) => status)).toEqual([
    "success",
    "error",
    "error",
    "success",
    "error",
  ]);
  expect(json.statuses[1].error).toEqual({ tag: "NOT_FOUND", httpStatusCode: 404 });
  const selected = await ask("/contents", { ids: [result.id], maxCharacters: 20, query: "node" });
  expect(selected.json.results[0].text).toBe("Requirements\n\nAcme n");
});

test("context is one text with addresses, within its budget", async () => {
  const { ask } = await openWorld();
  const { json } = await ask("/context", { query: "node", product: "Acme", format: "txt", tokenBudget: 3000 });
  expect(json).toMatchObject({ query: "node", resultsCount: 1 });
  expect(json.response).toContain(`### Install › Requirements\n\nSource: ${passage.url}\n\nAcme needs Node 22.`);
  expect(json.outputTokens).toBe(Math.ceil(json.response.length / 4));
  expect((await ask("/context", { query: "node", format: "txt", tokenBudget: 1 })).json).toMatchObject({
    response: "",
    resultsCount: 0,
  });
  const asJson = (await ask("/context", { query: "node", format: "json" })).json.response;
  expect(JSON.parse(asJson).results[0].id).toBe(result.id);
});

test("a request that makes no sense is refused; a key sees only the sites of its organization", async () => {
  const { ask, newKey, store, acme, globex } = await openWorld();
  for (const [path, body] of [
    ["/search", { query: "", numResults: 1 }],
    ["/search", { query: "a" }],
    ["/search", { query: "a", numResults: 21 }],
    ["/search", { query: "a", numResults: 1, text: { maxCharacters: 0 } }],
    ["/search", { query: "a", numResults: 1, includeDomains: [] }],
    ["/search", { query: "a", numResults: 1, unknown: 1 }],
    ["/contents", {}],
    ["/contents", { ids: Array.from({ length: 15 }, () => "a"), urls: Array.from({ length: 6 }, () => "b") }],
    ["/context", { query: "a" }],
    ["/context", { query: "a", format: "txt", tokenBudget: 6001 }],
  ] as const)
    expect([path, (await ask(path, body)).status]).toEqual([path, 400]);
  const domain = "docs.acme.com";
  await store.erasures.erase({ kind: "site", organizationId: acme.organizationId, domain }, { actor: "test" });
  expect((await ask("/search", { query: "node", numResults: 5 })).json.results).toEqual([]);
  const { secret: foreign } = await newKey({ organizationId: globex.organizationId });
  expect((await ask("/contents", { ids: ["docs:/guides/install"] }, foreign)).json.results).toHaveLength(1);
  const { secret: assistant } = await newKey({ kind: "assistant", scopes: [] });
  expect((await ask("/search", { query: "node", numResults: 5 }, assistant)).status).toBe(403);
});
