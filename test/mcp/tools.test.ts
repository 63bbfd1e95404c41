/** What agents get from a real bundle: the handbook's, and small ones with languages, long pages and odd headings. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressless, type Documentation } from "../../src/mcp/documentation.js";
import { callTool, sectionOf, ToolFault, toolsFor } from "../../src/mcp/tools.js";
import { bundleLimitDefaults } from "../../src/serve/refusal.js";
import { verifyFolder } from "../../src/serve/verify-bundle.js";
import { openFolderIndex } from "../../src/service/assistant/retrieval/open-folder-index.js";
import { newFolder } from "../serve/small-site.js";
import { page, writeSite } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { sharedBaseUrl, sharedExport } from "../support/shared-export.js";

const place = newFolder();
let handbook: Documentation;
let docs: Documentation;

const open = async (folder: string): Promise<Documentation> => {
  const { manifest } = await verifyFolder(folder, bundleLimitDefaults);
  return openFolderIndex(folder, manifest.files, addressless);
};

beforeAll(async () => {
  handbook = await open((await sharedExport("handbook")).folder);
  const source = writeSite(join(place, "site"), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "Pumps",
      colors: { primary: "#0a6c5b" },
      navigation: {
        languages: [
          { language: "en", pages: ["index", "guides/start", "guides/long", "parts"] },
          { language: "de", pages: ["de/index"] },
        ],
      },
    }),
    "index.mdx": page("Pumps", "Pumps move water."),
    "guides/start.mdx": page("Start", "Open the valve."),
    "guides/long.mdx": page("Long", "All of it.\n\n".concat("A sentence about the impeller. \n\n".repeat(3000))),
    "parts.mdx": page(
      "Parts",
      "Before.\n\n## Example\n\nOne.\n\n```md\n## Example\n```\n\n### Below\n\nTwo.\n\n## Example\n\nThree.\n\n## A `code` and a [link](/guides/start) {#own}\n\nFour.",
    ),
    "de/index.mdx": page("Pumpen", "Pumpen bewegen Wasser."),
  });
  const result = await exportInProcess({ source, output: join(place, "bundle") });
  assert.equal(result.ok, true);
  docs = await open(join(place, "bundle"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const refusal = (name: string, given: Readonly<Record<string, unknown>>): Promise<string> =>
  callTool(docs, name, given).then(
    (text) => assert.fail(`it answered ${text}`),
    (error: unknown) => {
      assert.ok(error instanceof ToolFault, String(error));
      return error.message;
    },
  );

test("a search gives the best sections with what read_page takes and what an answer cites", async () => {
  const text = await callTool(handbook, "search", { query: "hide a page from the search", limit: 3 });
  const [path] = /(?<=^path: )\S*#rank-and-hide-pages$/m.exec(text)!;
  assert.ok(text.includes(`url: ${sharedBaseUrl}/guides/search#rank-and-hide-pages`));
  assert.equal(text.match(/^path: /gm)?.length, 3);
  assert.match(await callTool(handbook, "read_page", { path }), /^## Rank and hide pages\n/);
});

test("a search without results says so", async () => {
  assert.match(await callTool(docs, "search", { query: "zzqqxx" }), /^Nothing in the documentation of Pumps matches/);
});

test("a page is found by its path, its file, its address, and its resource", async () => {
  for (const path of ["/guides/start", "guides/start", "/guides/start.md", "guides/start.html", "docs:///guides/start"])
    assert.match(await callTool(docs, "read_page", { path }), /^# Start\n/, path);
  for (const path of [`${sharedBaseUrl}/guides/search`, `${sharedBaseUrl}/guides/search?from=here#top`])
    assert.match(await callTool(handbook, "read_page", { path }), /# Search\n/, path);
  assert.match(await callTool(docs, "read_page", { path: "/" }), /^# Pumps\n/);
  assert.match(await callTool(docs, "read_page", { path: "llms.txt" }), /^# Pumps\n[\s\S]*## Docs/);
});

test("only pages can be read", async () => {
  for (const path of [
    "../../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "offprint.json",
    "_offprint/search/0.js",
    "C:\\x",
  ])
    assert.match(await refusal("read_page", { path }), /^There is no page /, path);
  assert.match(await refusal("read_page", { path: "/start" }), /Did you mean \/guides\/start\?/);
});

test("a long page is read in parts, which add up to the whole", async () => {
  const whole = (await docs.page("/guides/long"))!.content;
  let read = "";
  for (let offset = 0; ; ) {
    const text = await callTool(docs, "read_page", { path: "/guides/long", offset });
    const [note, next] = /\n\n\(Characters \d+ to \d+ of \d+\. Continue with "offset": (\d+)\.\)$/.exec(text) ?? [""];
    read += note === "" ? text : text.slice(0, -note.length);
    assert.ok(text.length < 41_000);
    if (next === undefined) break;
    offset = Number(next);
  }
  assert.equal(read, whole);
  assert.match(await refusal("read_page", { path: "/guides/long", offset: 10_000_000 }), /"offset" is 10000000/);
});

test("a section is the part from its heading to the next of its level, whatever the page repeats", async () => {
  const section = (anchor: string) => callTool(docs, "read_page", { path: `/parts#${anchor}` });
  assert.equal(await section("example"), "## Example\n\nOne.\n\n```md\n## Example\n```\n\n### Below\n\nTwo.");
  assert.equal(await section("example-2"), "## Example\n\nThree.");
  assert.match(await section("own"), /^## A `code` and a \[link\]\([^)]*\)\n\nFour\.$/);
  assert.match(await section("nowhere"), /^\(The page has no section "nowhere"; this is the whole page\.\)\n\n# Parts/);
  assert.equal(sectionOf("# A", [], "a"), undefined);
});

test("pages are listed in the order of the navigation, by language and by the start of their path", async () => {
  assert.equal(
    await callTool(docs, "list_pages", { language: "en" }),
    "Pages 1 to 4 of 4.\n\n- /: Pumps\n- /guides/start: Start\n- /guides/long: Long\n- /parts: Parts",
  );
  assert.match(await callTool(docs, "list_pages", { prefix: "guides/" }), /^Pages 1 to 2 of 2\.\n\n- \/guides\/start/);
  assert.match(await callTool(docs, "list_pages", { language: "de" }), /- \/de: Pumpen$/);
  assert.match(await refusal("list_pages", { prefix: "/none" }), /No page has a path that starts with "\/none"/);
});

test("a site with languages takes one of them, others take none", async () => {
  const properties = (site: Documentation) => Object.keys(toolsFor(site)[0]!.inputSchema.properties);
  expect(properties(docs)).toEqual(["query", "limit", "language"]);
  expect(properties(handbook)).toEqual(["query", "limit"]);
  for (const language of ["de", "de-DE", "DE"])
    assert.match(await callTool(docs, "search", { query: "Wasser", language }), /path: \/de/);
});

test("an invalid argument is reported, with the allowed values", async () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ["search", {}, 'search: the argument "query" is missing.'],
    ["search", { query: " " }, 'search: "query" must be a string of 1 to 1000 characters.'],
    ["search", { query: 5 }, 'search: "query" must be a string of 1 to 1000 characters.'],
    ["search", { query: "x".repeat(1001) }, 'search: "query" must be a string of 1 to 1000 characters.'],
    ["search", { query: "x", limit: 21 }, 'search: "limit" must be a whole number from 1 to 20.'],
    ["search", { query: "x", limit: "5" }, 'search: "limit" must be a whole number from 1 to 20.'],
    ["search", { query: "x", language: "fr" }, 'search: "language" must be one of en, de, not "fr".'],
    ["search", { query: "x", page: 1 }, 'search: there is no argument "page". It takes query, limit, language.'],
    ["read_page", { path: null }, 'read_page: the argument "path" is missing.'],
    ["list_pages", { offset: -1 }, 'list_pages: "offset" must be a whole number from 0 to 100000000.'],
    ["list_pages", JSON.parse('{"__proto__": 1}'), 'list_pages: there is no argument "__proto__".'],
    ["delete", {}, 'There is no tool "delete". The tools are search, read_page and list_pages.'],
  ];
  for (const [name, given, message] of cases) assert.ok((await refusal(name, given)).startsWith(message), message);
});
