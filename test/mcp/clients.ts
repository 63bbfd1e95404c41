/** The clients of both generations of the official SDK, and the calls that its inspector makes. */
import assert from "node:assert/strict";
import { Client as NewClient, type Transport as NewTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { onTestFinished } from "vitest";

const info = { name: "test", version: "1.0.0" };

export async function firstClient(transport: FirstTransport): Promise<FirstClient> {
  const client = new FirstClient(info, { capabilities: {} });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** A client of the protocol without sessions and without `initialize`. */
export async function newClient(transport: NewTransport): Promise<NewClient> {
  const client = new NewClient(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

interface Expected {
  /** Words that a search finds on the page. */
  readonly query: string;
  readonly path: string;
  /** Of the page, as Markdown. */
  readonly heading: string;
}

/** Each call that both clients have. */
export async function callEverything(
  client: FirstClient | NewClient,
  { query, path, heading }: Expected,
): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    [
      ["search", true],
      ["read_page", true],
      ["list_pages", true],
    ],
  );
  const call = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const { content } = (await client.callTool({ name, arguments: given })) as { content: { text: string }[] };
    return content[0]!.text;
  };
  assert.ok((await call("search", { query })).includes(`path: ${path}`));
  assert.ok((await call("read_page", { path })).includes(heading));
  assert.ok((await call("list_pages", {})).includes(`- ${path}: `));
  const refused = await client.callTool({ name: "read_page", arguments: { path: "/none" } });
  assert.equal(refused.isError, true);

  const { resources } = await client.listResources();
  assert.deepEqual([resources[0]!.uri, resources[0]!.mimeType], ["docs:///llms.txt", "text/plain"]);
  const uri = `docs://${path}`;
  assert.ok(resources.some((resource) => resource.uri === uri && resource.mimeType === "text/markdown"));
  const { contents } = await client.readResource({ uri });
  assert.ok((contents[0] as { text: string }).text.includes(heading));
  for (const none of ["docs:///none", `other://host${path}`])
    await assert.rejects(client.readResource({ uri: none }), new RegExp(`There is no resource "${none}"`));
  await assert.rejects(client.listResources({ cursor: "wrong" }), /The cursor does not belong to this list/);
  const { resourceTemplates } = await client.listResourceTemplates();
  const template = resourceTemplates[0]!.uriTemplate;
  assert.equal(template, "docs:///{+path}");
  const ref = { type: "ref/resource", uri: template } as const;
  const { completion } = await client.complete({ ref, argument: { name: "path", value: path.slice(1, 6) } });
  assert.ok(completion.values.includes(path.slice(1)), completion.values.join());
  await assert.rejects(
    client.complete({ ref: { type: "ref/prompt", name: "x" }, argument: { name: "path", value: "" } }),
    /can be completed/,
  );
}
