import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeSite } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";

/** A long guide in one description: 600,000 characters, the last of them a link to a schema. */
const guide = `${Array.from({ length: 10_000 }, (_, i) => `Line ${i} of a guide that tells all it can say of ships.\n\n`).join("")}# End\n\nThe last words: [Mast](#/components/schemas/Mast).`;

const api = {
  openapi: "3.1.0",
  info: { title: "Ships", version: "1", description: guide },
  tags: [{ name: "Paging", "x-traitTag": true, description: "How pages of ships follow each other." }],
  paths: {
    "/ships": {
      get: { summary: "List ships", tags: ["Paging"], "x-badges": [{ name: "Early", color: "purple" }], responses: {} },
    },
  },
  components: { schemas: { Mast: { type: "string", description: "It carries the sails." } } },
};

const parent = mkdtempSync(join(tmpdir(), "offprint-test-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));
const folder = join(parent, "site");
const read = (path: string): string => readFileSync(join(folder, "../out", path), "utf8");
let seconds = 0;

beforeAll(async () => {
  const navigation = {
    tabs: [
      { tab: "Home", pages: ["index", "old"] },
      { tab: "API", openapi: "api.json" },
    ],
  };
  writeSite(folder, {
    "docs.json": JSON.stringify({ theme: "mint", name: "Ships", colors: { primary: "#0a6c5b" }, navigation }),
    "index.mdx": "---\ntitle: Start\n---\n\nHello.\n",
    "old.md":
      '---\ntitle: Old\n---\n\n<p>See <a href="/index">the <b>start</b></a>.</p>\n\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n',
    "api.json": JSON.stringify(api),
  });
  const start = performance.now();
  const result = await exportInProcess({ source: folder, output: join(folder, "../out") });
  seconds = (performance.now() - start) / 1000;
  assert(result.ok);
  expect(result.diagnostics.map(({ code, what }) => `${code}: ${what}`)).toEqual([]);
});

test("a description of 600,000 characters is complete, in little time", () => {
  const html = read("api-reference/overview.html");
  for (const words of ["Line 0 of", "Line 4999 of", "Line 9999 of", "The last words: "]) expect(html).toContain(words);
  expect(read("api-reference/overview.md")).toContain("Line 9999 of");
  expect(seconds).toBeLessThan(120);
});

test("a link to a schema in a description leads to its page, which has all its text", () => {
  expect(read("api-reference/overview.html")).toContain('href="objects/mast.html"');
  expect(read("api-reference/objects/mast.html")).toContain("It carries the sails.");
});

test("the first badge of an operation is in the navigation, and a trait has a page", () => {
  const sidebar = read("index.html") + read("api-reference/paging.html");
  expect(sidebar).toContain("Early");
  expect(read("api-reference/paging.html")).toContain("How pages of ships follow each other.");
});

test("the Markdown version of a page in Markdown keeps links, emphasis and lists written in HTML", () => {
  expect(read("old.md")).toContain("See [the **start**](index.md).\n\n- one\n- two");
});

test("a page whose operation no specification describes shows the method and path that it names", async () => {
  const site = join(parent, "lost");
  const output = join(parent, "lost-out");
  const navigation = { pages: ["index", "named"] };
  const page = (openapi: string) => `---\ntitle: Sink\nopenapi: "${openapi}"\n---\n`;
  writeSite(site, {
    "docs.json": JSON.stringify({ theme: "mint", name: "Ships", colors: { primary: "#0a6c5b" }, navigation }),
    "index.mdx": page("POST /ships/sink"),
    "named.mdx": page("api.json DELETE /ships/rope"),
    "api.json": JSON.stringify(api),
  });
  const { ok, diagnostics } = await exportInProcess({ source: site, output });
  assert(ok);
  expect(diagnostics.map(({ code }) => code)).toEqual(["OPERATION_NOT_FOUND", "OPERATION_NOT_FOUND"]);
  const textOf = (path: string) => readFileSync(join(output, path), "utf8").replace(/<[^>]+>/g, "");
  expect(textOf("index.html")).toContain("POST/ships/sink");
  expect(textOf("named.html")).toContain("DELETE/ships/rope");
});
