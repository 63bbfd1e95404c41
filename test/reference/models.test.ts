/**
 * Operations with more fields than a page can show: the page shows the first levels, and every other structure has a page
 * of its own that the page leads to.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Nodes } from "mdast";
import { exportSite } from "offprint";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectedSpec, writeConnectedSite } from "../../bench/connected-site.js";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import { messagesFor } from "../../src/lib/language/index.js";
import type { Reference } from "../../src/reference/index.js";
import type { ApiTarget } from "../../src/site/specs/index.js";
import { sweeping } from "../quality/bundle.js";
import { findChromium } from "../support/browser.js";
import { exportInProcess } from "../support/pool-in-process.js";
import { actsAsReader, sharedBrowser } from "../support/shared-browser.js";
import { object, ref, referenceOf, specOf } from "./spec-of.js";

const answer = (schema: JsonObject): JsonObject => ({
  "200": { description: "Done", content: { "application/json": { schema } } },
});

/** Four levels of objects with ten properties each: 1,110 properties. */
function tree(levels: number, prefix: string): JsonObject {
  const names = Array.from({ length: 10 }, (_, i) => `${prefix}${i}`);
  return object(
    Object.fromEntries(
      names.map((name) => [
        name,
        levels > 1 && !name.endsWith("9") ? tree(levels - 1, name) : { type: "string", description: `About ${name}.` },
      ]),
    ),
  );
}

const largeSpec = {
  openapi: "3.1.0",
  info: { title: "Large", version: "1" },
  paths: {
    "/large": {
      post: {
        summary: "Large",
        requestBody: { content: { "application/json": { schema: ref("Large") } } },
        responses: answer(ref("Large")),
      },
    },
    "/small": { get: { summary: "Small", responses: answer(object({ id: { type: "string" } })) } },
  },
  components: { schemas: { Large: tree(3, "f") } },
};

const contentOf = (reference: Reference, target: ApiTarget) =>
  reference.content(target, {
    messages: messagesFor("en"),
    models: { from: "api/page.html", folder: () => "models/" },
  });

function namesIn(nodes: readonly Nodes[]): string[] {
  return nodes.flatMap((node) => {
    const own =
      node.type === "mdxJsxFlowElement" && node.name === "ParamField" ? [String(node.data?.props?.["name"])] : [];
    return [...own, ...("children" in node ? namesIn(node.children) : [])];
  });
}

/** Names of all properties to a depth. */
function resolved(spec: JsonObject, schema: Json, depth: number, names: Set<string>, seen: Map<object, number>): void {
  if (typeof schema !== "object" || schema === null || depth === 0) return;
  const { $ref, properties, items } = schema as { $ref?: string; properties?: JsonObject; items?: Json };
  const schemas = (spec["components"] as { schemas: JsonObject }).schemas;
  if ($ref !== undefined) resolved(spec, schemas[$ref.split("/").at(-1)!]!, depth, names, seen);
  if ((seen.get(schema) ?? 0) >= depth) return;
  seen.set(schema, depth);
  if (items !== undefined) resolved(spec, items, depth, names, seen);
  for (const [name, each] of Object.entries(properties ?? {})) {
    names.add(name);
    resolved(spec, each, depth - 1, names, seen);
  }
}

test("pages of 1,100 connected operations lead to every property, and none exceeds the limit of a page", () => {
  const document = connectedSpec(1_100, 120);
  const reference = referenceOf(specOf(document));
  const pages = new Map<string, { next: string[] }>();
  const pagesWith = new Map<string, string[]>();
  const wanted = new Map<number, Set<string>>();
  const namesOf = (model: number): Set<string> => {
    const names = wanted.get(model) ?? new Set();
    if (!wanted.has(model)) resolved(document, ref(`Model${model}`), 10, names, new Map());
    wanted.set(model, names);
    return names;
  };
  const visit = (key: string, target: ApiTarget): string[] => {
    const known = pages.get(key);
    if (known) return known.next;
    const { tree: nodes, models = [], diagnostics } = contentOf(reference, target);
    expect(diagnostics).toEqual([]);
    const names = namesIn(nodes as Nodes[]);
    expect(names.length).toBeLessThan(450);
    for (const name of new Set(names)) pagesWith.set(name, [...(pagesWith.get(name) ?? []), key]);
    pages.set(key, { next: models.map(({ outputPath }) => outputPath) });
    for (const model of models) visit(model.outputPath, model.target);
    return pages.get(key)!.next;
  };
  // Every tenth operation is enough for the check, which walks all that a page leads to.
  for (let i = 0; i < 1_100; i += 10) {
    const spec = "openapi.json";
    visit(`/r${i}`, { kind: "operation", spec, method: "post", path: `/r${i}` });
    const reached = new Set([`/r${i}`]);
    for (const key of reached) for (const each of pages.get(key)!.next) reached.add(each);
    for (const model of [i % 120, (i * 3) % 120])
      for (const name of namesOf(model))
        if (!pagesWith.get(name)?.some((key) => reached.has(key))) expect.fail(`/r${i} does not lead to ${name}`);
  }
  // A structure has one page, whatever refers to it.
  expect(pages.size).toBeLessThanOrEqual(110 + 120 * 7);
});

/** Three operations that answer with an order, and one with a note. */
const ordersSpec = (itemFields: number, others = 0): JsonObject => {
  const fields = (prefix: string, count: number): JsonObject =>
    object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, { type: "string" }])));
  const withField = (schema: JsonObject, more: JsonObject): JsonObject =>
    object({ ...(schema["properties"] as JsonObject), ...more });
  const answers = (schema: JsonObject) => ({ get: { responses: answer(schema) } });
  const rest = Array.from({ length: others }, (_, i) => [`/other${i}`, { get: { responses: {} } }]);
  return {
    openapi: "3.1.0",
    paths: {
      "/a": answers(ref("Order")),
      "/b": answers(ref("Order")),
      "/c": answers(ref("Order")),
      "/d": answers(ref("Note")),
      ...Object.fromEntries(rest),
    },
    components: {
      schemas: {
        Order: withField(fields("order", 20), { item: ref("Item"), size: ref("Size"), own: fields("own", 10) }),
        Item: fields("item", itemFields),
        Size: fields("size", 3),
        Note: withField(fields("note", 100), { text: ref("Text") }),
        Text: fields("text", 10),
      },
    },
  };
};

/** Names of the fields of `GET path`, and the models that it leads to. */
function shownAt(path: string, itemFields: number, others?: number) {
  const reference = referenceOf(specOf(ordersSpec(itemFields, others)));
  const { tree, models = [] } = contentOf(reference, { kind: "operation", spec: "x", method: "get", path });
  return { names: namesIn(tree as Nodes[]), models: models.map(({ title }) => title) };
}

test("a page of up to 100 fields shows all of them, in a large API up to 60", () => {
  const { names, models } = shownAt("/a", 60);
  expect([names.length, models]).toEqual([23 + 60 + 3 + 10, []]);
  expect(shownAt("/a", 60, 100).models).toEqual(["Item"]);
  expect(shownAt("/a", 20, 100).models).toEqual([]);
});

test("a page of more than 100 fields links to the pages of named structures that several operations use inside", () => {
  const { names, models } = shownAt("/a", 80);
  expect(models).toEqual(["Item"]);
  // A structure that is small, unnamed or used once stays on the page.
  expect(names.length).toBe(23 + 3 + 10);
  expect(shownAt("/d", 80)).toMatchObject({ names: { length: 101 + 10 }, models: [] });
});

test("the specification in a Markdown version has what the page shows, and links to the rest", () => {
  const spec = specOf(ordersSpec(80));
  const excerptOf = (target: ApiTarget): string =>
    JSON.stringify(contentOf(referenceOf(spec, { excerpts: true }), target).tree.at(-1));
  const operation = excerptOf({ kind: "operation", spec: "x", method: "get", path: "/a" });
  expect(operation).toContain("order19:");
  expect(operation).toContain("size2:");
  expect(operation).not.toContain("item79:");
  expect(operation).toContain('"url":"../models/item.md"');
  const pointer = "#/components/schemas/Item";
  expect(excerptOf({ kind: "model", spec: "x", name: "Item", pointer, skip: 0 })).toContain("item79:");
});

test("models with different schema names have different addresses", () => {
  const big = tree(3, "x");
  const document = {
    openapi: "3.1.0",
    paths: { "/x": { get: { responses: answer(object({ a: ref("User"), b: ref("user"), c: ref("Team") })) } } },
    components: { schemas: { User: big, user: tree(3, "y"), Team: tree(3, "z") } },
  };
  const spec = specOf(document as never);
  const { models = [] } = contentOf(referenceOf(spec), { kind: "operation", spec: "x", method: "get", path: "/x" });
  const paths = models.map(({ outputPath }) => outputPath.toLowerCase());
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) expect(path).toMatch(/^models\/[a-z0-9-]+(?:\.\d+)?\.html$/);
});

const inGroup: JsonObject = { groups: [{ group: "API", openapi: "openapi.json" }] };

function writeSite(folder: string, spec: JsonObject, navigation = inGroup): void {
  const settings = { name: "Large", theme: "mint", colors: { primary: "#0f766e" } };
  writeFileSync(join(folder, "docs.json"), JSON.stringify({ ...settings, navigation }));
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(spec));
}

const pagesAbove = (bytes: number, folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".html") && statSync(join(folder, path)).size > bytes)
    .toSorted();

test.runIf(sweeping)("no page of 1,100 connected operations is above 400 kB", async () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  try {
    writeConnectedSite(folder, 1_100, 120);
    const { ok, pageCount } = await exportInProcess({ source: folder, output: join(folder, "out") });
    expect([ok, pageCount]).toEqual([true, 1_100]);
    expect(pagesAbove(400_000, join(folder, "out"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the page of a model is itself in the menu of versions, and leads to the first page of the others", async () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  try {
    writeSite(folder, ordersSpec(100), {
      versions: [
        { version: "1", groups: [{ group: "API", openapi: "openapi.json" }] },
        { version: "2", pages: ["new"] },
      ],
    });
    writeFileSync(join(folder, "new.md"), "---\ntitle: New\n---\n\nText.\n");
    const { ok, diagnostics, files } = await exportInProcess({ source: folder, output: "memory" });
    expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
    const path = [...files!.keys()].find((each) => each.includes("/objects/") && each.endsWith(".html"))!;
    const html = new TextDecoder().decode(files!.get(path));
    expect(html).toContain(`href="../../${path}"`);
    expect(html).toContain('href="../../new.html"');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const chromium = findChromium();

describe.skipIf(chromium === undefined)("an operation with 2,000 fields", actsAsReader, () => {
  const browser = sharedBrowser(chromium);
  let folder: string;
  let context: BrowserContext;
  const page = "api-reference/large.html";
  const read = (path: string): string => readFileSync(join(folder, "out", path), "utf8");
  const open = async (hash = ""): Promise<Page> => {
    const opened = await context.newPage();
    await opened.goto(pathToFileURL(join(folder, "out", page)).href + hash);
    return opened;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
    writeSite(folder, largeSpec);
    const { ok, diagnostics } = await exportInProcess({ source: folder, output: join(folder, "out") });
    expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
    context = await browser().newContext({ viewport: { width: 1300, height: 800 }, reducedMotion: "reduce" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("has no page above 400 kB", () => expect(pagesAbove(400_000, join(folder, "out"))).toEqual([]));

  test("is small", () => {
    expect(read(page).match(/<[a-z]/g)!.length).toBeLessThan(4_500);
    expect(read(page)).not.toContain("Further attributes are not shown");
    expect(read("api-reference/small.html")).not.toContain("models");
  });

  test("has a Markdown version that leads to the deep fields", () => {
    const first = page.replace(".html", ".md");
    const reached = new Set([first]);
    for (const path of reached)
      for (const [, href] of read(path).matchAll(/\]\(([^()]+\.md)\)/g)) reached.add(join(dirname(path), href!));
    const fields = [...reached].map((path) => read(path).match(/^ *- `f123`/gm)?.length ?? 0);
    expect(fields[0]).toBe(0);
    expect(Math.max(...fields)).toBe(1);
  });

  test("has each field in the text of all pages, and its models after the pages of its specification", () => {
    const text = read("llms-full.txt");
    expect(text).toMatch(/^ *- `f123`/m);
    expect(text.indexOf("Source: models/")).toBeGreaterThan(text.indexOf("# Small"));
    // The specification itself would be the same once more.
    expect(text).not.toContain("```yaml");
    expect(read(page.replace(".html", ".md"))).toContain("```yaml");
  });

  test("is the same bytes each time, with any number of threads", async () => {
    const again = join(folder, "again");
    await exportSite({ source: folder, output: again, concurrency: 3 });
    const names = readdirSync(join(folder, "out", "models")).sort();
    expect(readdirSync(join(again, "models")).sort()).toEqual(names);
    for (const name of names) expect(readFileSync(join(again, "models", name), "utf8")).toBe(read(`models/${name}`));
  });

  test("shows the fields of a model in its place when a reader opens it", async () => {
    const opened = await open();
    const folded = opened.locator("details[data-prefix]").first();
    const prefix = (await folded.getAttribute("data-prefix"))!;
    await folded.evaluate((details: HTMLDetailsElement) => {
      for (let each: Element | null = details; each; each = each.parentElement)
        if (each instanceof HTMLDetailsElement) each.open = true;
    });
    const field = opened.locator(`[id^="${prefix}"]`).first();
    await field.waitFor();
    expect(await field.isVisible()).toBe(true);
    const ids = await opened.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await opened.close();
  });

  test("opens the model with the field in the address, even in the spelling of another tool", async () => {
    for (const [hash, id] of [
      ["#param-f1:f12:f123", "param-f1:f12:f123"],
      ["#body-f2-f23-f230", "param-f2:f23:f230"],
    ]) {
      const opened = await open(hash);
      const field = opened.locator(`[id="${id}"]`);
      await field.waitFor();
      const top = await field.evaluate((element) => element.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(800);
      await opened.close();
    }
  });

  test("without scripts leads to pages that show the rest", async () => {
    const plain = await browser().newContext({ javaScriptEnabled: false });
    const opened = await plain.newPage();
    await opened.goto(pathToFileURL(join(folder, "out", page)).href);
    const folded = opened.locator("details[data-prefix]").first();
    await folded.evaluate((details: HTMLDetailsElement) => {
      for (let each: Element | null = details; each; each = each.parentElement)
        if (each instanceof HTMLDetailsElement) each.open = true;
    });
    await folded.getByRole("link").click();
    expect(await opened.locator(".field").count()).toBeGreaterThan(5);
    await plain.close();
  });

  test("is found by the name of a deep field", async () => {
    const opened = await open();
    await opened.keyboard.press("Control+k");
    await opened.keyboard.type("f457");
    // Until the search has answered, the list has the pages that were offered before anything was typed.
    const result = opened.locator("#search-list:not([aria-busy]) [role=option]").first();
    await result.waitFor();
    expect(await result.textContent()).toContain("f457");
    await opened.close();
  });
});
