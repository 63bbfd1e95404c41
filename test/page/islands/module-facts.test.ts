import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import { createCompiler } from "../../../src/page/islands/compile-module.js";
import { findInTokens, findInTree } from "../../../src/page/islands/module-facts.js";
import { shapes } from "./shapes.js";
import { requestOf } from "./site-of-islands.js";

const compiler = createCompiler();
afterAll(() => compiler.close());

const codes = [
  `import { Part } from "/snippets/part.jsx"; import data from '../data.json'; export const x = () => <Part to="/a/b" icon="check" from={data} />;`,
  `export const x = { "check": 1, "a-b": "bolt", c: ["star"], [d ? "x" : "y"]: 2 }; const d = "/e", f = d ? "/g" : d["h-i"];`,
  `export const x = ({ "data-a": a = "none" }) => a.require("/no.jsx") ?? a?.require("/no.jsx"); export * from "/yes.jsx";`,
  `export const x = async () => { "directive"; await import("/later.jsx"); return typeof require; };`,
];

test("the tokens of a module give the same facts as its syntax tree, or none", async () => {
  const sources = [...codes, ...shapes.map(([, , tag, code]) => Object.values(requestOf([tag], code).pageModules)[0]!)];
  const compiled = await compiler.compile(sources.map((text, i) => ({ id: `${i}.jsx`, text })));
  let count = 0;
  for (const module of compiled) {
    assert.ok("code" in module);
    const found = findInTokens(module.code);
    if (found === undefined) continue;
    count++;
    assert.deepEqual(found, await findInTree(module.code), module.code);
  }
  assert.ok(count > sources.length / 2, `${count} of ${sources.length}`);
  for (const [i, { imports, literals }] of (await Promise.all(codes.map((_, at) => foundIn(compiled[at]!)))).entries())
    assert.deepEqual(
      [...imports].sort(),
      [["../data.json", "/snippets/part.jsx"], [], ["/yes.jsx"], ["/later.jsx"]][i],
      `${i} ${[...literals]}`,
    );
});

const foundIn = (module: object) => findInTree((module as { code: string }).code);

const unclear = [
  ["a division", "a/2"],
  ["a regular expression", '/"/.test(a)'],
  ["a template", "`/a`"],
  ["an escape", '"\\x2fa"'],
  ["a name of a method", '({"/a"(){}})'],
  ["a case", 'switch(a){case b,"/a":}'],
  ["a class", 'class A{static"/a"}'],
  ["a spread import", '[...require("/a")]'],
  ["a constructor", 'new require("/a")'],
  ["the network", 'fetch("/a")'],
] as const;
for (const [what, code] of unclear)
  test(`the syntax tree is read for ${what}`, () => assert.equal(findInTokens(code), undefined));
