/** `offprint serve --mcp` over real HTTP: with the SDK's clients, and with requests that no client of it sends. */
import assert from "node:assert/strict";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BundleServer, type ServeOptions, serveBundle } from "../../src/serve/serve-bundle.js";
import { exportSmallSite, newFolder, type SmallBundle } from "../serve/small-site.js";
import { page } from "../support/cli.js";
import { callEverything, firstClient, newClient } from "./clients.js";

let bundle: SmallBundle;
let server: BundleServer;
const wanted = { query: "Some text about it", path: "/guides/install", heading: "# Install" };

beforeAll(async () => {
  bundle = await exportSmallSite("Hello.");
  server = await serveBundle({ source: bundle.folder, port: 0, mcp: { origins: ["https://agent.example.com"] } });
});
afterAll(async () => {
  await server.close();
  rmSync(join(bundle.folder, ".."), { recursive: true, force: true });
});

async function openServer(options: Partial<ServeOptions>): Promise<BundleServer> {
  const opened = await serveBundle({ source: bundle.folder, port: 0, mcp: {}, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

const accept = "application/json, text/event-stream";
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}, url = `${server.url}mcp`) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: accept, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
// biome-ignore lint/suspicious/noExplicitAny: each test checks what it reads
const jsonOf = async (response: Response): Promise<any> => JSON.parse(await response.text());
const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } },
});

describe("with the clients of the SDK", () => {
  test("the first generation makes every call of its inspector", async () => {
    const client = await firstClient(new StreamableHTTPClientTransport(new URL(`${server.url}mcp`)) as never);
    assert.deepEqual(await client.ping(), {});
    assert.deepEqual(await client.setLoggingLevel("debug"), {});
    assert.equal(client.getServerVersion()?.name, "Acme");
    assert.match(client.getInstructions()!, /documentation of Acme/);
    await callEverything(client, wanted);
  });

  test("the second generation makes every call without a session", async () => {
    const client = await newClient(new NewTransport(new URL(`${server.url}mcp`)));
    await callEverything(client, wanted);
    const { supportedVersions } = (await client.discover()) as { supportedVersions: readonly string[] };
    expect(supportedVersions).toEqual(["2026-07-28"]);
  });

  test("a site below a path has its server there", async () => {
    const { url } = await openServer({ basePath: "/docs" });
    await callEverything(await firstClient(new StreamableHTTPClientTransport(new URL(`${url}mcp`)) as never), wanted);
    assert.equal((await post(ping, {}, new URL("/mcp", url).href)).status, 405);
  });

  test("an archive is served like a folder", async () => {
    const { url } = await openServer({ source: bundle.archive });
    await callEverything(await firstClient(new StreamableHTTPClientTransport(new URL(`${url}mcp`)) as never), wanted);
  });
});

describe("versions of the protocol", () => {
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
    test(`${version} is spoken`, async () => {
      const response = await post(initialize(version));
      expect([response.status, (await jsonOf(response)).result.protocolVersion]).toEqual([200, version]);
      const listed = await post({ ...ping, method: "tools/list" }, { "MCP-Protocol-Version": version });
      expect((await jsonOf(listed)).result.tools).toHaveLength(3);
    });

  test("a client that asks for an unknown version is offered one", async () => {
    expect((await jsonOf(await post(initialize("1999-01-01")))).result.protocolVersion).toBe("2025-11-25");
  });

  test("a request of an unknown version is refused, with the versions that exist", async () => {
    const response = await post(ping, { "MCP-Protocol-Version": "1999-01-01" });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("2025-11-25");
  });
});

describe("requests", () => {
  test("several messages in one are answered together, and none makes an empty answer", async () => {
    const response = await post([ping, { ...ping, id: 2 }]);
    expect(await jsonOf(response)).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
    expect((await post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  });

  test("a program that accepts no particular format gets JSON", async () => {
    for (const Accept of ["*/*", "application/json", "text/plain"]) {
      const response = await post(ping, { Accept });
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect((await jsonOf(response)).result).toEqual({});
    }
  });

  test("GET and DELETE are refused, since there are no sessions", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(`${server.url}mcp`, { method, headers: { Accept: "text/event-stream" } });
      expect([method, response.status, response.headers.get("Allow")]).toEqual([method, 405, "POST"]);
    }
    expect((await fetch(`${server.url}mcp`)).status).toBe(405);
  });

  test("a body that is not a message is refused with the reason", async () => {
    const cases = [
      ["{", 400],
      ["[]", 400],
      ['"text"', 400],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
      ["[".repeat(100_000), 400],
    ] as const;
    for (const [body, status] of cases)
      expect([body.slice(0, 20), (await post(body)).status]).toEqual([body.slice(0, 20), status]);
    expect((await post("x=1", { "Content-Type": "text/plain" })).status).toBe(415);
    const unknown = await jsonOf(await post({ ...ping, method: "nope" }));
    expect(unknown.error.code).toBe(-32_601);
  });

  test("a body above 256 kB is refused, even if it does not state its size", async () => {
    const big = {
      ...ping,
      method: "tools/call",
      params: { name: "search", arguments: { query: "x".repeat(300_000) } },
    };
    expect((await post(big)).status).toBe(413);
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 300; i++) controller.enqueue(new Uint8Array(1024).fill(32));
        controller.close();
      },
    });
    const headers = { "Content-Type": "application/json", Accept: accept };
    const response = await fetch(`${server.url}mcp`, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    expect(response.status).toBe(413);
  });

  test("a subscription is refused, since nothing would ever be sent", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const method = "subscriptions/listen";
    const response = await post(
      { jsonrpc: "2.0", id: 1, method, params: { _meta, notifications: { toolsListChanged: true } } },
      { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method },
    );
    expect((await jsonOf(response)).error.message).toMatch(/limit/);
  });

  test("a client that leaves does no harm", async () => {
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify({
      ...ping,
      method: "tools/call",
      params: { name: "search", arguments: { query: "it" } },
    });
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept: ${accept}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, count % 2 ? 10 : undefined)}`,
      );
      setTimeout(() => socket.destroy(), count);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await jsonOf(await post(ping))).result).toEqual({});
  });

  test("other routes work as without it", async () => {
    expect((await fetch(server.url)).status).toBe(200);
    expect((await post(ping, {}, server.url)).status).toBe(405);
    const plain = await openServer({ mcp: undefined });
    expect((await post(ping, {}, `${plain.url}mcp`)).status).toBe(405);
    expect((await fetch(`${plain.url}.well-known/mcp`)).status).toBe(404);
  });
});

describe("limits", () => {
  const originOf = async (origin: string) => {
    const response = await post(ping, { Origin: origin });
    return [response.status, response.headers.get("Access-Control-Allow-Origin")];
  };
  test("only pages of this machine, of the site and of named origins may ask", async () => {
    for (const origin of ["http://localhost:6274", "https://docs.acme.com", "https://agent.example.com"])
      expect(await originOf(origin)).toEqual([200, origin]);
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost.evil.example",
      "x",
      "https://docs.acme.com.evil.example",
    ])
      expect(await originOf(origin)).toEqual([403, null]);
  });

  test("a page may send the headers of the protocol", async () => {
    const response = await fetch(`${server.url}mcp`, {
      method: "OPTIONS",
      headers: { Origin: "http://localhost:6274", "Access-Control-Request-Method": "POST" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("Access-Control-Allow-Headers")).toContain("MCP-Protocol-Version");
  });

  test("an address may send a limited number of messages, however they are packed", async () => {
    const { url } = await openServer({ mcp: { messagesPerHour: 5 } });
    expect((await post([ping, ping, ping], {}, `${url}mcp`)).status).toBe(200);
    const refused = await post([ping, ping, ping], {}, `${url}mcp`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3500);
    expect((await post(ping, {}, `${url}mcp`)).status).toBe(200);
    expect((await post(ping, {}, `${url}mcp`)).status).toBe(200);
    expect((await post(ping, {}, `${url}mcp`)).status).toBe(429);
    expect((await fetch(url)).status).toBe(200);
  });
});

test("agents find the server by the documents of its host", async () => {
  const { url } = await openServer({ basePath: "/docs" });
  const { origin } = new URL(url);
  const read = async (path: string) => (await fetch(path)).json();
  const found = await read(`${origin}/.well-known/mcp`);
  expect(found).toMatchObject({ transport: "http", url: `${url}mcp`, servers: [{ name: "public", url: `${url}mcp` }] });
  expect(await read(`${url}.well-known/mcp.json`)).toEqual(found);
  const card = await read(`${url}.well-known/mcp/server-card.json`);
  expect(card).toMatchObject({ name: "Acme", url: `${url}mcp`, capabilities: { tools: true, resources: true } });
  expect(card.tools.map(({ name }: { name: string }) => name)).toEqual(["search", "read_page", "list_pages"]);
  expect(await read(`${origin}/.well-known/mcp/server-cards.json`)).toEqual({ servers: [card] });
  expect((await fetch(`${origin}/.well-known/mcp/other`)).status).toBe(404);
});

test("a page at /mcp stays where readers find it", async () => {
  const site = await exportSmallSite("Hi.", {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "A",
      colors: { primary: "#000000" },
      navigation: { pages: ["mcp"] },
    }),
    "mcp.mdx": page("Our MCP server", "How to connect."),
  });
  onTestFinished(() => rmSync(join(site.folder, ".."), { recursive: true, force: true }));
  const { url } = await openServer({ source: site.folder });
  const read = await fetch(`${url}mcp`, { headers: { Accept: "text/html" } });
  expect(await read.text()).toContain("How to connect.");
  expect((await fetch(`${url}mcp`, { headers: { Accept: "text/event-stream" } })).status).toBe(405);
  expect((await jsonOf(await post(ping, {}, `${url}mcp`))).result).toEqual({});
});

test("a new bundle answers once it is served", async () => {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = join(folder, "bundle");
  cpSync(bundle.folder, source, { recursive: true });
  const opened = await openServer({ source });
  const read = async () =>
    (
      await jsonOf(
        await post(
          { ...ping, method: "tools/call", params: { name: "read_page", arguments: { path: "/" } } },
          {},
          `${opened.url}mcp`,
        ),
      )
    ).result.content[0].text;
  assert.match(await read(), /Hello\./);
  const next = await exportSmallSite("Good evening.");
  onTestFinished(() => rmSync(join(next.folder, ".."), { recursive: true, force: true }));
  rmSync(source, { recursive: true });
  cpSync(next.folder, source, { recursive: true });
  assert.match(await read(), /Hello\./);
  await opened.reload();
  assert.match(await read(), /Good evening\./);
});

test("a bundle whose files change before they are read is not served from", async () => {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(bundle.folder, folder, { recursive: true });
  const logged: string[] = [];
  const opened = await openServer({ source: folder, log: (_, message) => logged.push(message) });
  writeFileSync(join(folder, "guides/install.md"), "Changed.");
  const response = await post(ping, {}, `${opened.url}mcp`);
  expect([response.status, (await response.json()).error.message]).toEqual([
    503,
    "This bundle cannot be searched. See the server's log for the reason.",
  ]);
  expect(logged).toContain('A request failed: "guides/install.md" has changed since it was verified');
});
