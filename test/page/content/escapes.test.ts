import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createContentReader } from "../../../src/page/content/index.js";
import type { PropValue } from "../../../src/page/content/page-content.js";
import { memoryFiles } from "../../support/memory-files.js";
import { escapes } from "./escapes.js";
import { readPage } from "./read-page.js";

const canary = "canary-5c1f7e";
const folder = mkdtempSync(join(tmpdir(), "escapes-"));
writeFileSync(join(folder, "canary.mdx"), canary);
process.env["CANARY"] = canary;
afterAll(() => {
  delete process.env["CANARY"];
  rmSync(folder, { recursive: true });
});

/** Every string and key of a value, for a search; throws for values that are not plain data. */
function flatten(value: unknown, seen: Set<unknown>, out: string[]): void {
  if (typeof value === "string") out.push(value);
  if (typeof value === "function" || typeof value === "symbol") throw new Error(`a ${typeof value} got out`);
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null)
    throw new Error("an object of ours got out");
  for (const [key, each] of Object.entries(value)) {
    out.push(key);
    flatten(each, seen, out);
  }
}

test("the corpus of escapes has its full size", () => {
  expect(new Set(escapes).size).toBeGreaterThanOrEqual(400);
});

test("no escape reaches the process, its variables, its files or a prototype", async () => {
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const globals = Object.getOwnPropertyNames(globalThis).toSorted().join();
  for (const source of escapes) {
    const page = await readPage(source, { files: { "snippets/a.mdx": "a" } });
    const strings: string[] = [];
    flatten(page.tree as unknown as PropValue, new Set(), strings);
    const all = strings.join("\n");
    expect(all, source).not.toContain(canary);
    expect(all, source).not.toContain("root:");
    expect(all, source).not.toContain("[object ");
    expect(all, source).not.toContain("[native code]");
    expect((globalThis as Record<string, unknown>)["__escaped"], source).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"], source).toBeUndefined();
  }
  expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  expect(Object.getOwnPropertyNames(globalThis).toSorted().join()).toBe(globals);
});

test("no import or file attribute reads a path outside the site", async () => {
  const site = memoryFiles({});
  const asked: string[] = [];
  let source = "";
  const reader = await createContentReader({
    files: {
      ...site,
      has: (path) => {
        asked.push(path);
        return false;
      },
      readText: (path) => {
        if (path !== "page.mdx") throw new Error(`${path} was read`);
        return source;
      },
    },
    config: {
      variables: {},
      styling: { codeblocks: { mode: "system", theme: { light: "a", dark: "b" }, customLanguages: [] } },
    },
    markdownComponents: new Set(),
  });
  for (source of [...escapes, `import A from "${folder}/canary.mdx"\n\n<A/>`]) reader.read({ sourcePath: "page.mdx" });
  for (const path of asked) expect(path).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)|\\|\0/);
});
