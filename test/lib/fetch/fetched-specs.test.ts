/** Specifications at addresses, from the settings to the plan and the pages. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { loadSite } from "offprint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardedFetch } from "../../../src/lib/fetch/index.js";
import { newFolder, writeSite } from "../../security/site-folder.js";
import { exportInProcess } from "../../support/pool-in-process.js";

const beside = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const folder = newFolder("fetched");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = "https://specs.example/openapi.yaml";
const siteOf = (name: string, navigation: object, files: object = {}): string =>
  writeSite(join(folder, name), {
    "docs.json": { theme: "mint", name: "Acme", colors: { primary: "#0a6c5b" }, navigation },
    "index.mdx": "---\ntitle: Start\n---\n\nHello.\n",
    ...files,
  });

describe("a specification at a URL", () => {
  let server: Server;
  const asked: string[] = [];
  const spec = `openapi: 3.1.0
info: {title: Far, version: "1"}
paths:
  /users:
    get:
      summary: List users
      responses:
        "200": {content: {application/json: {schema: {$ref: "https://specs.example/schemas.json#/User"}}}}
        "400": {$ref: "https://10.0.0.1/errors.json"}
        "500": {$ref: "file:///etc/passwd"}
`;

  beforeAll(async () => {
    server = createServer(
      { key: beside("test-only-key.pem"), cert: beside("test-only-certificate.pem") },
      (request, response) => {
        asked.push(`${request.headers.host}${request.url}`);
        if (request.url === "/moved.yaml") response.writeHead(302, { location: "https://10.0.0.1/openapi.yaml" }).end();
        else if (request.url?.endsWith(".yaml")) response.end(spec);
        else response.writeHead(404).end();
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const load = (source: string) => {
    const { port } = server.address() as AddressInfo;
    const network = {
      resolve: async () => ["93.184.215.14"],
      connect: () => connect(port, "127.0.0.1"),
      ca: beside("test-only-certificate.pem"),
    };
    return loadSite({ source, fetchText: (address, signal) => guardedFetch(address, { network }, signal) });
  };

  test("is fetched once, however many pages name it; what it refers to is not fetched", async () => {
    const source = siteOf(
      "once",
      {
        tabs: [
          { tab: "A", openapi: url },
          { tab: "B", openapi: { source: url, directory: "b" } },
          { tab: "C", pages: ["index", "users", `${url} GET /users`] },
        ],
      },
      { "users.mdx": `---\nopenapi: ${url} GET /users\n---\n` },
    );
    asked.length = 0;
    const { site, diagnostics } = await load(source);
    expect(asked).toEqual(["specs.example/openapi.yaml"]);
    expect(site?.pages.map(({ urlPath }) => urlPath)).toEqual([
      "/api-reference/overview",
      "/api-reference/list-users",
      "/b/overview",
      "/b/list-users",
      "/",
      "/users",
    ]);
    expect(site?.specs.map(({ source, json }) => [source, json?.includes("List users")])).toEqual([[url, true]]);
    expect(diagnostics.map(({ code, location }) => `${code} ${location?.sourcePath}:${location?.line}`)).toEqual([
      "OPERATION_TWICE docs.json:1",
      ...[8, 9, 10].map((line) => `SPEC_REF_EXTERNAL ${url}:${line}`),
    ]);
  });

  test("that is missing or private gets a page that says so", async () => {
    const source = siteOf("gone", {
      groups: [
        { group: "Gone", openapi: "https://specs.example/gone.json" },
        { group: "Moved", openapi: "https://specs.example/moved.yaml" },
      ],
    });
    asked.length = 0;
    const { site, diagnostics } = await load(source);
    expect(asked.toSorted()).toEqual(["specs.example/gone.json", "specs.example/moved.yaml"]);
    expect(site?.pages.map(({ title, unavailableSpec }) => [title, unavailableSpec])).toEqual([
      ["Gone", "https://specs.example/gone.json"],
      ["Moved", "https://specs.example/moved.yaml"],
      ["Start", undefined],
    ]);
    expect(diagnostics.map(({ code, what }) => `${code} ${/fetched: (.*)\. Its/.exec(what)?.[1]}`)).toEqual([
      "SPEC_UNAVAILABLE it answered 404",
      'SPEC_UNAVAILABLE "10.0.0.1" is not on the public internet',
    ]);
  });

  test("is fetched if it is among the first fifty", async () => {
    const openapi = Array.from({ length: 60 }, (_, i) => `https://specs.example/${i}.yaml`);
    asked.length = 0;
    const { diagnostics } = await load(siteOf("many", { groups: [{ group: "G", openapi }] }));
    expect(asked).toHaveLength(50);
    const refused = diagnostics.filter(({ code }) => code === "SPEC_UNAVAILABLE");
    expect(refused).toHaveLength(10);
    expect(refused[0]?.what).toContain("fetched: an export fetches at most 50 specifications.");
  });
});

describe("an export without a network", () => {
  const source = (): string =>
    siteOf("closed", {
      groups: [
        { group: "Start", pages: ["index"] },
        { group: "API", openapi: "https://127.0.0.1/openapi.json" },
      ],
    });
  for (const deployment of ["air-gapped", "client-hosted"] as const)
    test(`for ${deployment} has a page that says what is missing`, async () => {
      const output = join(folder, deployment);
      const { ok, diagnostics } = await exportInProcess({ source: source(), output, deployment });
      expect(ok).toBe(true);
      expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning SPEC_UNAVAILABLE"]);
      const page = "api-reference/api";
      expect(existsSync(join(output, `${page}.html`))).toBe(true);
      expect(readFileSync(join(output, `${page}.html`), "utf8")).toContain("https://127.0.0.1/openapi.json");
      expect(readFileSync(join(output, `${page}.md`), "utf8")).toContain("https://127.0.0.1/openapi.json");
    });
});
