/** Settings of other tools in JavaScript and TypeScript, evaluated in the interpreter of live components. */
import { expect, test } from "vitest";
import { Call, evaluateSettings, Unknown, unknownPart } from "../../src/convert/settings/evaluate.js";
import { lazy } from "../../src/lib/memo.js";
import { memoryFiles } from "../support/memory-files.js";

async function evaluate(texts: Readonly<Record<string, string>>, path = Object.keys(texts)[0]!) {
  const result = (await evaluateSettings(memoryFiles(texts), [path], () => {})).get(path)!;
  return "value" in result ? result.value : { error: result.error };
}

const list = { items: [{ text: "A" }, { text: "B" }] };

const cases: readonly (readonly [name: string, texts: Readonly<Record<string, string>>, value: unknown])[] = [
  [
    "calls of packages around them",
    {
      "a.ts":
        'import { defineConfig } from "p"; import { extendConfig } from "q/config"; export default extendConfig(defineConfig({ a: 1 as number }));',
    },
    { a: 1 },
  ],
  [
    "a function of the mode",
    { "a.mjs": "export default ({ mode, command }) => ({ mode, command });" },
    { mode: "production", command: "build" },
  ],
  [
    "an async function",
    { "a.js": "module.exports = async () => ({ a: await Promise.resolve(2), async b() {} });" },
    { a: 2 },
  ],
  [
    "spreads, maps and other files",
    {
      "a.js": 'import { names as all } from "./b"; export default { items: [...all.map((text) => ({ text }))] };',
      "b.ts": 'export const names: string[] = ["A", "B"];',
    },
    list,
  ],
  [
    "packages of the same repository, but not a tool's own, and lists that packages return",
    {
      "docs/a.ts":
        'import { names } from "@s/shared"; import { last } from "@s/shared/last"; import made from "q"; export default { items: [...names.map((text) => ({ text })), last], plugins: [...made({})] };',
      "shared/package.json": '{ "name": "@s/shared", "exports": { ".": "./dist/index.js" } }',
      "shared/src/index.ts": 'export const names: string[] = ["A"];',
      "shared/last.js": 'export const last = { text: "B" };',
      "q/package.json": '{ "name": "q", "peerDependencies": { "vite": "*" } }',
      "q/index.ts": "export default () => ({ hooks: {} });",
    },
    { ...list, plugins: [new Call("q", [{}])] },
  ],
  [
    "JSON and YAML",
    {
      "a.js":
        'import { version } from "./p.json" with { type: "json" }; import y from "./y.yml"; export default { version, y };',
      "p.json": '{ "version": "1.2.3" }',
      "y.yml": "b: [x]",
    },
    { version: "1.2.3", y: { b: ["x"] } },
  ],
  [
    "the environment, which is empty",
    { "a.js": 'export default { url: process.env.URL || "none", at: process.env.X?.slice(0, 2) ?? "-" };' },
    { url: "none", at: "-" },
  ],
  [
    "its own folder under the names of CommonJS",
    {
      "d/a.mjs":
        'import path from "path"; import { fileURLToPath } from "url"; const __filename = fileURLToPath(import.meta.url); const __dirname = path.dirname(__filename); export default { at: path.join(__dirname, "x"), name: path.basename(__filename) };',
    },
    { at: "/repository/d/x", name: "a.mjs" },
  ],
  [
    "names that nothing defines",
    {
      "a.js":
        'const read = () => fs.readFileSync("x.txt", "utf8").trim(); export default { title: read(), debug: isDebug ? 1 : 2, items: [{ text: "A" }] };',
      "x.txt": "words\n",
    },
    { title: "words", debug: 1, items: [{ text: "A" }] },
  ],
  [
    "files of the repository",
    {
      "a.js":
        'import fs from "node:fs"; import { join } from "path"; import { fileURLToPath } from "url"; const here = fileURLToPath(new URL(".", import.meta.url)); export default { names: fs.readdirSync(join(here, "d")), text: fs.readFileSync("d/x.txt", "utf8") };',
      "d/x.txt": "words",
    },
    { names: ["x.txt"], text: "words" },
  ],
  [
    "files outside, which do not exist",
    {
      "a.js":
        'const fs = require("fs"); let text = "no"; try { text = fs.readFileSync("/etc/passwd", "utf8"); } catch {} export default { text };',
    },
    { text: "no" },
  ],
  [
    "no export, whose calls of a package have them",
    { "a.ts": 'import { define } from "p"; define.lib({ a: 1 }); define.doc(() => ({ title: "T" }));' },
    { lib: { a: 1 }, doc: { title: "T" } },
  ],
  [
    "a package of the same repository that needs what only its build makes",
    {
      "docs/a.ts": 'import { defineConfig } from "tool/config"; export default defineConfig(() => ({ title: "T" }));',
      "tool/package.json": '{ "name": "tool" }',
      "tool/config.js": "module.exports = {};",
    },
    { title: "T" },
  ],
  ["text of JSX", { "a.tsx": "export default { title: <b>Big <i>words</i></b> };" }, { title: "Big words" }],
  [
    "no way out",
    {
      "a.js":
        'export default { a: typeof require("child_process").execSync, b: typeof globalThis.fetch, c: [].constructor.constructor("return typeof process")() };',
    },
    { b: "undefined", c: "undefined" },
  ],
];
/** Those whose paths and names matter. The others are evaluated together, since each time starts a process. */
const alone = ["a package of the same", "its own folder under", "names that", "files "];
const together = cases.filter(([name]) => !alone.some((start) => name.startsWith(start)));
const evaluatedTogether = lazy(() => {
  const folders = together.map(([, texts], at) => Object.entries(texts).map(([path, text]) => [`${at}/${path}`, text]));
  const mains = folders.map(([main]) => main![0]!);
  return evaluateSettings(memoryFiles(Object.fromEntries(folders.flat())), mains, () => {});
});
for (const [name, texts, value] of cases)
  test(`settings with ${name} are evaluated`, async () => {
    const at = together.findIndex(([other]) => other === name);
    const path = `${at}/${Object.keys(texts)[0]}`;
    const actual = at < 0 ? await evaluate(texts) : (await evaluatedTogether()).get(path);
    expect(actual).toMatchObject(at < 0 ? (value as object) : { value });
  });

test("a value of a package is reported with the location of its import, and all others are evaluated", async () => {
  const value = (await evaluate({
    "a.js": 'import { made } from "some-package";\nexport default { title: "T", items: [...made(1), { text: "A" }] };',
  })) as { title: string; items: unknown[] };
  expect(value.title).toBe("T");
  expect(value.items[0]).toBeInstanceOf(Unknown);
  expect((value.items[0] as Unknown).name).toContain("some-package.made()");
  expect((value.items[0] as Unknown).name).toContain("a.js:1");
  expect(value.items[1]).toEqual({ text: "A" });
});

test("an object into which a package is spread keeps its own entries", async () => {
  const value = (await evaluate({
    "a.js":
      'import { made } from "p"; export default { a: 1, sidebar: { "/b/": [{ text: "B" }], ...(await made()) } };',
  })) as { sidebar: Record<string, unknown> };
  expect(value).toMatchObject({ a: 1, sidebar: { "/b/": [{ text: "B" }], [unknownPart]: expect.any(Unknown) } });
});

test("a name made from the entries of a package has the expression", async () => {
  const value = await evaluate({
    "a.js": 'import { rules } from "p"; export default { a: 1, items: Object.keys(rules).map((name) => `r/${name}`) };',
  });
  expect(value).toEqual({ a: 1, items: ["r/{p.rules}"] });
});

test("a helper of the settings that fails does not affect the other settings", async () => {
  const value = await evaluate({
    "a.ts":
      'import { plugin } from "./b"; import { other } from "./c"; export default { plugins: [plugin(), other], nav: [{ text: "A" }] };',
    "b.ts": 'import { mkdir } from "node:fs/promises"; export function plugin() { return mkdir("x").then(() => 1); }',
    "c.ts": "export const other = [].reduce((sum) => sum);",
  });
  expect(value).toMatchObject({ plugins: [expect.any(Unknown), expect.any(Unknown)], nav: [{ text: "A" }] });
});

test("classes of packages, functions that write files, modules with a made name and defaults of require are evaluated", async () => {
  const value = await evaluate({
    "a.ts":
      'import { Logger } from "p"; import { rm } from "fs/promises"; import fs from "fs"; new Logger("x").info(rm("y"), fs.cpSync("a", "b")); export default async () => ({ labels: await Promise.all(["de", "fr"].map(async (name) => (await import(`./texts/${name}.json`)).default.label)), items: [...require("./list.ts").items] });',
    "texts/de.json": '{ "label": "Boden" }',
    "texts/fr.json": '{ "label": "Sol" }',
    "list.ts": 'export default { items: ["A"] };',
  });
  expect(value).toEqual({ labels: ["Boden", "Sol"], items: ["A"] });
});

test("the content of a missing file is unknown, and all other values are evaluated", async () => {
  const value = (await evaluate({
    "a.js":
      'import { readFileSync } from "node:fs"; const { version } = JSON.parse(readFileSync("package.json", "utf8")); export default { title: `S ${version}`, nav: [version, "A"] };',
  })) as { nav: unknown[] };
  expect(value.nav).toEqual([expect.any(Unknown), "A"]);
});

test("an undefined name is unknown, and all other values are evaluated", async () => {
  const value = (await evaluate({ "a.js": "export default { a: nobody.here, b: 1 };" })) as { a: Unknown; b: number };
  expect(value.a).toBeInstanceOf(Unknown);
  expect(value.a.name).toBe("nobody.here");
  expect(value.b).toBe(1);
});

const faults: readonly (readonly [name: string, text: string, error: RegExp])[] = [
  ["that throw", 'throw new Error("no token"); export default {};', /no token/],
  ["that run without end", "for (;;) {} export default {};", /./],
  ["that are not JavaScript", "export default {;", /./],
];
for (const [name, text, error] of faults)
  test(`settings ${name} are an error`, async () => {
    expect(((await evaluate({ "a.js": text })) as { error: string }).error).toMatch(error);
  });
