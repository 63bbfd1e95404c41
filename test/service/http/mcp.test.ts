/** The MCP server of each site of the service, with the SDK's clients and with plain requests. */
import assert from "node:assert/strict";
import { StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { callEverything, firstClient, newClient } from "../../mcp/clients.js";
import { type ApiCall, openApiWorld } from "../../support/api-world.js";
import { serve } from "../../support/raw-http.js";
import { passage, scriptedAssistant } from "../../support/scripted-assistant.js";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

async function openWorld(options = {}) {
  const assistant = scriptedAssistant();
  const world = await openApiWorld(options, {}, assistant);
  const { secret } = await world.newKey({ kind: "assistant", scopes: [] });
  const post = (call: ApiCall = {}, path = "/mcp/docs") =>
    world.call("POST", path, { key: secret, body: ping, ...call, headers: { Accept: both, ...call.headers } });
  return { ...world, ...assistant, secret, post };
}
const both = "application/json, text/event-stream";

test("both clients of the SDK make every call, with the key in the header or in the address", async () => {
  const world = await openWorld();
  const page = world.settings.index!.page;
  world.settings.index = {
    ...world.settings.index!,
    page: async (path) => (path === "/llms.txt" ? { path, content: "# Acme" } : page(path)),
  };
  const { url } = await serve(world);
  const wanted = { query: "node", path: passage.path, heading: "# Install" };
  const headers = { Authorization: `Bearer ${world.secret}` };
  const first = new StreamableHTTPClientTransport(new URL(`${url}/mcp/docs`), { requestInit: { headers } });
  await callEverything(await firstClient(first as never), { ...wanted, path: "/guides/install" });
  const second = new NewTransport(new URL(`${url}/mcp/docs.acme.com?key=${world.secret}`));
  await callEverything(await newClient(second), wanted);
});

test("keys, sites and origins have the same rules as for the assistant", async () => {
  const world = await openWorld();
  const { post, key, secret, newKey, globex } = world;
  expect((await post()).status).toBe(200);
  const missing = await post({ key: undefined as never });
  expect([missing.status, missing.headers.get("WWW-Authenticate")]).toEqual([401, 'Bearer realm="offprint"']);
  expect((await post({ key })).status).toBe(403);
  expect((await post({ key: undefined as never }, `/mcp/docs?key=${secret}`)).status).toBe(200);
  expect((await post({ key: undefined as never }, `/mcp/docs?key=${key}`)).status).toBe(403);
  expect((await post({ key: undefined as never }, "/mcp/docs?key=svc_dsc_unknown")).status).toBe(401);
  const { secret: foreign } = await newKey({ kind: "assistant", scopes: [], organizationId: globex.organizationId });
  expect((await post({ key: foreign }, "/mcp/docs.acme.com")).status).toBe(404);
  expect((await post({}, "/mcp/nothing")).status).toBe(404);
  const own = await post({ headers: { Origin: "https://docs.acme.com" } });
  expect([own.status, own.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
  expect((await post({ headers: { Origin: "https://evil.example" } })).status).toBe(403);
  world.settings.index = undefined;
  expect((await post()).status).toBe(503);
});

test("each message counts against the limits of the key's organization", async () => {
  const { post } = await openWorld({ assistantLimits: { organizationPerHour: 5 } });
  expect((await post({ body: [ping, ping, ping] })).status).toBe(200);
  const refused = await post({ body: [ping, ping, ping] });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("Retry-After")) > 0);
  const many = await (await openWorld()).post({ body: Array.from({ length: 21 }, () => ping) });
  expect([many.status, many.json.error]).toEqual([400, "A request can have at most 20 messages."]);
});

test("other methods and bodies are refused, and no line of the log has an address or a question", async () => {
  const { call, post, secret, lines } = await openWorld();
  for (const method of ["GET", "DELETE"]) {
    const { status, headers } = await call(method, "/mcp/docs", { key: secret });
    expect([method, status, headers.get("Allow")]).toEqual([method, 405, "POST"]);
  }
  expect((await post({ body: "{" })).status).toBe(400);
  expect((await post({ body: "x".repeat(300_000) })).status).toBe(413);
  expect((await post({ headers: { "Content-Type": "text/plain" } })).status).toBe(415);
  const query = "a question of a reader";
  await post({ body: { ...ping, method: "tools/call", params: { name: "search", arguments: { query } } } });
  assert.ok(!/198\.51\.100\.7|a question of a reader|svc_dsc_/.test(lines.join("\n")), lines.join("\n"));
});
