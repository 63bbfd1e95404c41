import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import { createCompiler } from "../../../src/page/islands/compile-module.js";
import { readFacts } from "../../../src/page/islands/module-graph.js";

const compiler = createCompiler();
afterAll(() => compiler.close());

const modules: readonly (readonly [
  rule: string,
  text: string,
  imports: readonly string[],
  literals: readonly string[],
])[] = [
  [
    "imports and properties of elements",
    `import { Part } from "/snippets/part.jsx"; import data from '../data.json'; export const x = () => <Part to="/a/b" icon="check" from={data} />;`,
    ["../data.json", "/snippets/part.jsx"],
    ["/a/b", "/snippets/part.jsx", "check"],
  ],
  [
    "values, but no names of properties",
    `export const x = { "check": 1, "a-b": "bolt", c: ["star"], [d ? "x" : "y"]: 2 }; const d = "/e", f = d ? "/g" : d["h-i"];`,
    [],
    ["/e", "/g", "bolt", "h-i", "star", "x", "y"],
  ],
  [
    "exports of other modules, but no methods named require",
    `export const x = ({ "data-a": a = "none" }) => a.require("/no.jsx") ?? a?.require("/no.jsx"); export * from "/yes.jsx";`,
    ["/yes.jsx"],
    ["/no.jsx", "/yes.jsx", "none"],
  ],
  [
    "imports at run time",
    `export const x = async () => { "directive"; await import("/later.jsx"); return typeof require; };`,
    ["/later.jsx"],
    ["/later.jsx", "directive"],
  ],
];
for (const [rule, text, imports, literals] of modules)
  test(`facts of a compiled module: ${rule}`, async () => {
    const [compiled] = await compiler.compile([{ id: "a.jsx", text }]);
    assert.ok(compiled && "code" in compiled);
    const facts = await readFacts(compiled.code);
    assert.deepEqual(facts.imports, imports);
    for (const literal of literals) assert.ok(facts.literals.includes(literal), literal);
  });

const codes: readonly (readonly [
  what: string,
  code: string,
  imports: readonly string[],
  literals: readonly string[],
  network: readonly string[],
])[] = [
  ["a division", "a/2", [], [], []],
  ["a regular expression", '/"/.test(a)', [], [], []],
  ["a template", "`/a`", [], ["/a"], []],
  ["an escape", '"\\x2fa"', [], ["/a"], []],
  ["a name of a method", '({"/a"(){}})', [], [], []],
  ["a case", 'switch(a){case b,"/a":}', [], ["/a"], []],
  ["a class", 'class A{static"/a"}', [], [], []],
  ["a spread import", '[...require("/a")]', ["/a"], ["/a"], []],
  ["a constructor", 'new require("/a")', [], ["/a"], []],
  ["the network", 'fetch("/a")', [], ["/a"], ["fetch"]],
];
for (const [what, code, imports, literals, network] of codes)
  test(`facts of ${what}`, async () =>
    assert.deepEqual(await readFacts(code), { imports, provided: [], literals, network }));

test("a long list has facts as well", async () =>
  assert.deepEqual((await readFacts(`[${'"/a",'.repeat(200_000)}]`)).literals, ["/a"]));
