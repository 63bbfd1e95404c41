import { createContext, runInContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { adaptScripts } from "../../../src/bundle/assets/site-scripts.js";

const files = new Map([
  ...["logo/light.svg", "a b.png", "data.json", "icons/"].map((path) => [path, path] as const),
  ["styles/own.css", "_offprint/site/own.0a1b.css"],
]);
const adapt = (...texts: string[]) =>
  adaptScripts(
    texts.map((text, i) => ({ sourcePath: `${i}.js`, text })),
    files,
  );
const codeOf = (text: string): string | undefined => adapt(text)[0]!.code;

const leftOut = [
  // script                                             why, and where
  ["#!/usr/bin/env node\nconsole.log(1)", /starts with #!/, 1, 1],
  ['const a = 1;\nimport b from "./b.js";', /is an ES module/, 2, 1],
  ["let a;\nexport { a };", /is an ES module/, 2, 1],
  ["await fetch('/x');", /is an ES module/, 1, 1],
  ["const x = <div/>;", /has a syntax error \(Unexpected token\)/, 1, 11],
  ['const fs = require("fs");', /uses "require"/, 1, 12],
  ['run();\nfunction run() {\n  require("fs");\n}', /uses "require"/, 3, 3],
  ['(async () => {\n  const { http } = await import("viem/chains");\n})();', /uses import\("viem\/chains"\)/, 2, 26],
  ["const a = 1;\nmodule.exports = { a };", /uses "module"/, 2, 1],
  ["exports.a = 1;", /uses "exports"/, 1, 1],
] as const;
describe("a script that pages cannot load is left out and reported with its location", () => {
  for (const [text, reason, line, column] of leftOut)
    test(JSON.stringify(text), () => {
      const [{ code, diagnostics }] = adapt(text) as [ReturnType<typeof adapt>[number]];
      expect(code).toBeUndefined();
      expect(diagnostics).toMatchObject([
        { code: "SCRIPT_LEFT_OUT", severity: "warning", location: { sourcePath: "0.js", line, column } },
      ]);
      expect(diagnostics[0]!.what).toMatch(reason);
    });
});

test("a script that reads the page's path gets the path in the site, unless it makes a URL from it", () => {
  const run = (expression: string): unknown => {
    const document = {
      documentElement: { dataset: { currentPath: "/fr/début" } },
      currentScript: { src: "file:///tmp/out/_offprint/site/a.js" },
    };
    const location = { pathname: "/tmp/out/fr/d%C3%A9but.html" };
    const seen: string[] = [];
    const history = { replaceState: (...all: string[]) => seen.push(all[2]!) };
    const scope = { document, location, window: { location }, history };
    const value = new Function(...Object.keys(scope), `${codeOf(`var result = ${expression}`)!}; return result`)(
      ...Object.values(scope),
    );
    return seen.length > 0 ? seen[0] : value;
  };
  expect(run('window.location.pathname.startsWith("/fr/")')).toBe(true);
  expect(run('location.pathname === "/fr/d%C3%A9but" && location.pathname.split("/")[1]')).toBe("fr");
  expect(run('location.pathname + "#top"')).toBe("/tmp/out/fr/d%C3%A9but.html#top");
  expect(run('history.replaceState(null, "", location.pathname)')).toBe("/tmp/out/fr/d%C3%A9but.html");
  expect(codeOf('location.pathname = "/b"')).toBe('location.pathname = "/b"');
});

describe("a script that declares a constant of an earlier one becomes a block, so that browsers run both", () => {
  const cases = [
    ["const tag = 1;", '"use strict";\nconst tag = 2; // end', '"use strict";\n{const tag = 2; // end\n}'],
    ["function load() {}", "let { load } = window;", "{let { load } = window;\n}"],
    ["class Bar {}", 'class Bar { icon = "/a b.png" }', undefined],
  ] as const;
  for (const [first, second, block] of cases)
    test(JSON.stringify(second), () => {
      const [before, after] = adapt(first, second);
      expect(before!.code).toBe(first);
      if (block !== undefined) expect(after!.code).toBe(block);
      const stub = { currentScript: { src: "file:///out/_offprint/site/a.js" } };
      const context = createContext({ document: stub, window: { load: 1 } });
      runInContext(before!.code!, context);
      runInContext(after!.code!, context);
    });
  test("but not for a name that only a function of the earlier one has, nor for variables", () => {
    const texts = [
      "(() => { const tag = 1; })(); var a;",
      "const tag = 2;",
      "var a; function f() {}",
      "function f() {}",
    ];
    expect(adapt(...texts).map(({ code }) => code)).toEqual(texts);
  });
});

describe("a script that browsers can run stays unchanged", () => {
  for (const text of [
    "window.site = 1;",
    "(function (root, factory) { if (typeof module === 'object') module.exports = factory(require('x')); else root.X = factory(root.x); })(this, function () {});",
    "var f = typeof require == 'function' ? require('x') : window.x;",
    "if (typeof window === 'undefined') { module.exports = 1; }",
    "(function e(t, n, r) { function s(o) { return require('x'); } var require = t; })({});",
    "[function (require, module, exports) { module.exports = require('./a'); }];",
    "try { require('x'); } catch (error) {}",
    "var require = {};\nrequire('x');",
    "require(['a', 'b'], function (a, b) {});",
    "require.config({});",
    "window.module = {};\nmodule.exports = 1;",
    "const o = { require: 1, exports: 2 };\no.require;",
    "import('./x.js');",
    "<!-- old\nvar a = 1;",
    "",
  ])
    test(JSON.stringify(text), () =>
      expect(adapt(text)).toEqual([{ sourcePath: "0.js", code: text, diagnostics: [] }]),
    );

  test("also if another script declares a name that it uses", () => {
    expect(adapt("require('x');", "window.require = function () {};").map(({ code }) => code !== undefined)).toEqual([
      true,
      true,
    ]);
  });
  test("also if it is too deep or too large to be read", () => {
    for (const text of [`${"(".repeat(200_000)}1${")".repeat(200_000)}`, `var a;${" ".repeat(5_000_000)}`])
      expect(codeOf(text)).toBe(text);
  });
});

const root = `var offprintBundleRoot=document.currentScript.src.replace(/[^/]*\\/[^/]*\\/[^/]*$/,"");`;
const rewritten = [
  ['a.src = "/logo/light.svg";', 'a.src = (offprintBundleRoot+"logo/light.svg");'],
  ["f('/logo/light.svg')", 'f((offprintBundleRoot+"logo/light.svg"))'],
  ["a = `/logo/light.svg`", 'a = (offprintBundleRoot+"logo/light.svg")'],
  ["a = '/a%20b.png'", 'a = (offprintBundleRoot+"a%20b.png")'],
  ["a = { x: '/data.json' }", 'a = { x: (offprintBundleRoot+"data.json") }'],
  ["a = '/icons/' + b", 'a = (offprintBundleRoot+"icons/") + b'],
  ["link.href = '/styles/own.css'", 'link.href = (offprintBundleRoot+"_offprint/site/own.0a1b.css")'],
  ["a = '/data.json' + '?v=1'", "a = (offprintBundleRoot+\"data.json\") + '?v=1'"],
  [
    "a = dark ? '/logo/light.svg' : ['/data.json']",
    'a = dark ? (offprintBundleRoot+"logo/light.svg") : [(offprintBundleRoot+"data.json")]',
  ],
  [
    'a = `<img src="/logo/light.svg" alt="${b}"><i style="background:url(/a%20b.png)">`',
    'a = `<img src="${offprintBundleRoot}logo/light.svg" alt="${b}"><i style="background:url(${offprintBundleRoot}a%20b.png)">`',
  ],
  ["a += '<img src=\"/logo/light.svg\">'", "a += ('<img src=\"'+offprintBundleRoot+'logo/light.svg\">')"],
  ['a = "<img src=\\"/logo/light.svg\\">" + b', 'a = ("<img src=\\""+offprintBundleRoot+"logo/light.svg\\">") + b'],
  ["x.setAttribute('src', '/data.json')", "x.setAttribute('src', (offprintBundleRoot+\"data.json\"))"],
] as const;
describe("a string that names a file of the bundle becomes its address:", () => {
  for (const [text, expected] of rewritten) test(text, () => expect(codeOf(text)).toBe(root + expected));

  test("the variable comes after the directives", () => {
    expect(codeOf('"use strict"\n// Logo\na = "/data.json"')).toBe(
      `"use strict"\n// Logo\n${root}a = (offprintBundleRoot+"data.json")`,
    );
  });
});

describe("a string with another meaning stays:", () => {
  for (const text of [
    'a = "/logo/dark.svg"',
    'a = "logo/light.svg"',
    'a = "/logo/light.svg?x"',
    'a = "/"',
    'if (b === "/data.json") c()',
    'switch (b) { case "/data.json": c() }',
    'b.endsWith("/data.json")',
    'b.replace("/data.json", "/logo/light.svg")',
    'location.origin + "/data.json"',
    'a += "/data.json"',
    "a = `${b}${'/data.json'}`",
    "a = tag`/data.json`",
    "a = tag`<img src=/logo/light.svg>`",
    "'<img src=/logo/light.svg>'\n+ a",
    "a = '<img src=/logo/dark.svg><a href=/logo>'",
    "a = { '<img src=/logo/light.svg>': 1 }",
    'a = { "/data.json": 1 }',
    'a["/data.json"]',
    '"/data.json".length',
    'b()\n"/data.json" + c',
    "a = /\\/data.json/",
    '// "/data.json"',
    'cache.set("/data.json", 1)',
  ])
    test(text, () => expect(codeOf(text)).toBe(text));
});
