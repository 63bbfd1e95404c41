import assert from "node:assert/strict";
import { afterAll, test } from "vitest";
import { createCompiler } from "../../../src/page/islands/compile-module.js";
import { compileShort } from "../../../src/page/islands/island-renderer.js";
import { shapes } from "./shapes.js";

const compiler = createCompiler();
afterAll(() => compiler.close());

type Exports = Record<string, unknown>;

/** The exports of the module, with the names of modules in place of its imports. Functions are called. */
function exportsOf(code: string): unknown {
  const module: { exports: Exports } = { exports: {} };
  const React = { useState: (value: unknown) => [value], version: "19" };
  const require = (path: string): unknown =>
    path === "react"
      ? React
      : {
          __esModule: true,
          ...Object.fromEntries([..."abcdefgk", "default"].map((name) => [name, `${path}#${name}`])),
        };
  const __h = (...parts: unknown[]): unknown => parts;
  new Function("__h", "__F", "__Slot", "require", "module", "exports", code)(
    __h,
    "__F",
    "__Slot",
    require,
    module,
    module.exports,
  );
  const plain = (value: unknown): unknown =>
    typeof value === "function"
      ? /^class\b/.test(String(value))
        ? "class"
        : plain(value({ title: "t", items: [1, 2], rest: 3 }))
      : Array.isArray(value)
        ? value.map(plain)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
          : value;
  return plain(Object.fromEntries(Object.entries(module.exports)));
}

const esbuildOf = async (text: string): Promise<string> => {
  const [compiled] = await compiler.compile([{ id: "a.jsx", text }]);
  assert.ok(compiled && "code" in compiled, JSON.stringify(compiled));
  return compiled.code;
};

const sources: readonly (readonly [rule: string, text: string])[] = [
  ["elements", "export const a = () => <a b='1' c data-d={2} e-f={<i/>} g={[<b/>]}><B.C.D/><e-f/>{1}{/* 2 */}</a>;"],
  ["fragments", "export const a = () => <><b/>x<></></>;"],
  ["spread properties", "export const a = (p) => <a {...p} b={1} /* c */ { ...{c: 2} }/>;"],
  ["lists of expressions", "export const a = () => <a b={(1, 2)}>{(3, 4)}{ /* 5 */ 6 // 7\n}</a>;"],
  ["lines of text", "export const a = () => <a>  b  \n\n   c\td \n <b> e </b>  \n </a>;"],
  ["white space of other scripts", "export const a = () => <a>\u00a0b\u00a0\n\u3000c\u2003\r\n \ufeff d</a>;"],
  ["quotes in texts", "export const a = () => <a b='\"\\n' c=\"'\">'\"\\`{'`'}</a>;"],
  ["comments", "/* a */ // b\nexport/* c */const a = 1/* d\n */\nexport const b = () => { return/* e */<a/> } // f"],
  ["elements next to words", "export const a = (b) => { if (!b) return<a/>; else return typeof<b/>in{} };"],
  [
    "imports",
    "import A, { b, c as d, default as e } from './f'; import * as g from 'h'; import 'i';\nexport const j = () => [A, b, d, e, g.k, <A><g.L m={b} {...d}/></A>];",
  ],
  [
    "packages",
    "import React, { useState } from 'react';\nexport const a = () => [useState(1), React.version, React.useState(2)];",
  ],
  ["imports after their use", "export const a = () => b;\nimport { b } from 'c';"],
  [
    "names of properties",
    "import { a, b } from 'c';\nexport const d = () => { const e = { a, b: a, f: b, [b]: { a: 1 }.a }; a: for (;;) break a; return e; };",
  ],
  [
    "assignments to patterns",
    "import { a } from 'c';\nexport const d = ({ [a]: e = a, ...f } = {}, [g = a] = []) => ({ e, f, g });",
  ],
  [
    "lines without semicolons",
    "import { a } from 'b'\nconst c = 1\nexport const d = [c, a]\nexport const e = () => {\n  const f = c\n  return f\n}",
  ],
  [
    "exports",
    "const a = 1, b = () => 2;\nexport { a, b as c };\nexport function d() { return 3 }\nexport let e = 4; e++;\nexport class F {};",
  ],
  ["exports of other modules", "export { a, b as c } from 'd';\nimport { e } from 'f';\nexport { e, e as g };"],
  ["a default export", "export default (1, 2);"],
  ["a default function", "export default function a() { return 1 }\nexport const b = a;"],
  ["a default function without a name", "export default function () { return 1 }\n(2)"],
  ["a default class", "export default class { }\n;[1].map(String)"],
  ["a default element", "export default<a/>"],
  ["a default import", "import a from 'b'; export default a\nexport const c = <a/>"],
  ...shapes.flatMap(([name, kind, tag, code]) =>
    kind === "client only" ? [] : [[name, `${code}\nexport const __i0 = () => (${tag});`] as const],
  ),
];

for (const [rule, text] of sources)
  test(`short modules are compiled as by esbuild: ${rule}`, async () => {
    const code = await compileShort(text);
    if (code === undefined) return assert.ok(shapes.some(([name]) => name === rule));
    assert.doesNotMatch(code, /\/\*|\/\/ /);
    assert.deepEqual(outcomeOf(code), outcomeOf(await esbuildOf(text)));
  });

/** The exports of a module, or its error without names. */
function outcomeOf(code: string): unknown {
  try {
    return exportsOf(code);
  } catch (error) {
    return String((error as Error).message).replace(/".*"|\b\w+(?=\.| is)/g, "…");
  }
}

test("a module with one changed letter is compiled as by esbuild, or left to esbuild", async () => {
  const imports = `import A, { b, c as D, default as E, } from './f';
import { Quiz } from "/snippets/quiz.jsx"

import React, { useState } from 'react'
`;
  const elements = [
    "<A/>",
    "(<D.e.f g='1' h-i=\"\n'2\" j/>)",
    "(\n  <Quiz a={1} b={ -2.5 } c={[1, 'x', null, ]} d={{ e: true, 'f g': [b], \"h\" : `i\nj` }} >\n <__Slot n={0} /> text </Quiz>\n)",
    "<p><b>x</b>y<i/>{ 1 }{'z'} \n\n  <u>\n  a\tb \n c </u>\u00a0</p>",
    "<E.x k={<A l={D}><m/></A>}>w<b/></E.x>",
  ];
  const letters = [..."{}<>()[],;:=/.-'\"`$ \n&a1?!"];
  let compiledCount = 0;
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  for (let i = 0; i < 800; i++) {
    const module = `${imports}export const __i0 = () => ${elements[random(elements.length)]!};`;
    const at = random(module.length);
    const changed = module.slice(0, at) + letters[random(letters.length)] + module.slice(at + random(3));
    const code = await compileShort(changed);
    if (code === undefined) continue;
    compiledCount++;
    assert.deepEqual(outcomeOf(code), outcomeOf(await esbuildOf(changed)), changed);
  }
  assert.ok(compiledCount > 100, String(compiledCount));
});

const unusual: readonly string[] = [
  "import { a } from 'b'; import { a } from 'c';",
  "import { class } from 'b';",
  "import { a b } from 'b';",
  "import a { b } from 'b';",
  "import a, from 'b';",
  "import a from 'b' with { type: 'json' };",
  "export const a = () => <b/>; export const a = () => <b/>;",
  "export const a = () => <b></c>;",
  "export const a = () => <b c={}/>;",
  "export const a = () => <b>}</b>;",
  "export const a = () => <b c={01}/>;",
  "export const a = () => <b c={1 2}/>;",
  "export const a = () => (<b/>;",
  "export const a = () => <b/> export const c = () => <d/>;",
];
for (const text of unusual)
  test(`esbuild reports the mistake in ${text}`, async () => assert.equal(await compileShort(text), undefined));

for (const text of [
  "export const a = () => <b>{}</b>;",
  "export const a = () => <b c={{ d }}/>;",
  `export const a = () => ${"<b>".repeat(150)}${"</b>".repeat(150)};`,
])
  test(`short modules are compiled as by esbuild: ${text.slice(0, 40)}`, async () =>
    assert.deepEqual(outcomeOf((await compileShort(text))!), outcomeOf(await esbuildOf(text))));

const others: readonly (readonly [what: string, text: string])[] = [
  ["comments of HTML, which scripts have and modules do not", "export const a = (b) => b<!--b;"],
  ["names that the compiled module uses", "export const a = (require) => require;"],
  ["a variable with the name of an import", "import { a } from 'b'; export const c = (a) => a;"],
  ["the environment", "export const a = () => process.env.NODE_ENV;"],
  ["later syntax", "export const a = class { b = 1 };"],
  ["imports at run time", "export const a = () => import('b');"],
  ["import.meta", "export const a = import.meta.url;"],
  ["this", "export const a = this;"],
  ["all exports of a module", "export * from 'a';"],
  ["patterns that are exported", "export const { a } = { a: 1 };"],
  ["references in text", "export const a = () => <a>&copy;</a>;"],
  ["references in properties", "export const a = () => <a b='&lt;'/>;"],
  ["another factory of elements", "/** @jsx b */ export const a = <c/>;"],
  ["deep nesting", `export const a = ${"<a>".repeat(550)}${"</a>".repeat(550)};`],
  ["deeper nesting than the parser takes", `export const a = ${"[".repeat(4000)}`],
  ["long modules", `export const a = "${"b".repeat(4096)}";`],
  ["faults", "export const a = ;"],
];
for (const [what, text] of others)
  test(`esbuild compiles ${what}`, async () => {
    assert.equal(await compileShort(text), undefined);
  });
