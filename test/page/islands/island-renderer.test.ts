import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, test } from "vitest";
import { type IslandReply, islandWords } from "../../../src/page/islands/island.js";
import { createIslandWorker, type IslandWorker } from "../../../src/page/islands/worker-process.js";
import { bundleModule } from "../../support/bundle-module.js";
import { shapes } from "./shapes.js";
import { faultsOf, htmlOf, kindOf, page, rendererOf, renderOne, requestOf } from "./site-of-islands.js";

const renderer = rendererOf();
afterAll(() => renderer.close());

for (const [name, kind, tag, code, html] of shapes)
  test(`${name}: ${kind}`, async () => {
    const answer = await renderOne(renderer, tag, code);
    assert.equal(kindOf(answer), kind, JSON.stringify(answer));
    if ("html" in answer) assert.equal(answer.html, html);
    else assert.ok("clientOnly" in answer && answer.clientOnly === html, JSON.stringify(answer));
  });

test("replies do not depend on order, concurrency, process, time zone or language", async () => {
  const requests = shapes.map(([, , tag, code]) => requestOf([tag], code));
  const replies = await Promise.all(requests.map((request) => renderer.render(request)));
  const fresh = rendererOf({ worker: createIslandWorker({ pagesPerProcess: 15 }) });
  try {
    for (const [i, request] of [...requests.entries()].reverse())
      assert.deepEqual(await fresh.render(request), replies[i]);
  } finally {
    await fresh.close();
  }
  const script = bundleModule(fileURLToPath(new URL("./render-shapes.ts", import.meta.url)));
  const env = { ...process.env, TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
  assert.equal(
    execFileSync(process.execPath, [script], { env, encoding: "utf8", maxBuffer: 1e8 }),
    JSON.stringify(replies),
  );
});

test("islands of a page share their modules, but different pages do not", async () => {
  const code = "let count = 0; const Next = () => <b>{++count}</b>;";
  for (const _ of [1, 2]) {
    const { answers } = await renderer.render(requestOf(["<Next />", "<Next />"], code));
    assert.deepEqual(
      answers.map((answer) => "html" in answer && answer.html),
      ["<b>1</b>", "<b>2</b>"],
    );
  }
});

const files = {
  "snippets/quiz.jsx": `import { useState } from "react";
import { Help } from "./help.jsx";
export const Quiz = ({ children }) => {
  const [n, set] = useState(0);
  return <div onClick={() => set(n + 1)}><a href="/quickstart">{n}</a><Icon icon="check" /><Help />{children}</div>;
};`,
  "snippets/help.jsx": `import { Quiz } from "./quiz.jsx";
export const Help = ({ more }) => <i>{more ? <Quiz /> : "help"}</i>;
export const list = ["a", "b"].map((x) => <li key={x}>{x}</li>);
const address = "/elsewhere";`,
  "snippets/typed.tsx": `interface Props { readonly n: number }
export const Typed = ({ n }: Props) => <b>{(n as number) + 1}</b>;`,
  "snippets/data.json": `{ "rows": [1, 2] }`,
  "snippets/broken.jsx": "export const Broken = () => <p>\n  {1 +* 2}</p>;",
  "snippets/broken.tsx": "export const Broken: = 1;",
  "snippets/regexp.tsx": "export const Broken = (a: string) => a.replace(/(/, '');",
  "snippets/regexp.jsx": "export const Broken = (a) =>\n  a.replace(/(/, '');",
  "snippets/throws.jsx": "const width = window.innerWidth; export const Wide = () => <p>{width}</p>;",
  "images/logo.png": "",
};
const site = rendererOf({ files });
afterAll(() => site.close());

test("a live island has its scripts, dependencies first, with their links and icons", async () => {
  const reply = await site.render(
    requestOf(
      ["<Quiz><__Slot n={3} /></Quiz>", "<ul>{list}</ul>"],
      `import { Quiz } from "/snippets/quiz.jsx";\nimport { list } from "../snippets/help";`,
    ),
  );
  assert.deepEqual(reply.faults, []);
  assert.deepEqual(reply.answers.map(kindOf), ["live", "static"]);
  const [quiz] = reply.answers;
  assert.ok(quiz && "html" in quiz);
  assert.match(quiz.html, /<x-slot data-n="3"><\/x-slot>/);
  assert.deepEqual([quiz.slots, quiz.ui], [[3], true]);
  const ids = reply.scripts.map(({ outputPath }) => /^_offprint\/i\/([0-9a-f]{12})\.js$/.exec(outputPath)?.[1]);
  assert.equal(quiz.island, `${ids[2]}#__i0`);
  const [help, own, last] = reply.scripts.map(({ text }) => text);
  for (const [i, { text }] of reply.scripts.entries())
    assert.ok(text.startsWith(`offprintIslands.define("${ids[i]}",{`) && text.endsWith("});"), text);
  // The two import each other.
  assert.ok(help!.includes(`{"./quiz.jsx":"${ids[1]}"},{},{},({`), help);
  assert.ok(own!.includes(`{"./help.jsx":"${ids[0]}","react":"react"},{"/quickstart":"quickstart.html"},`), own);
  assert.ok(own!.includes(`{"check":"<svg viewBox=\\"0 0 1 1\\"></svg>"},({Icon,`), own);
  assert.ok(last!.includes(`"/snippets/quiz.jsx":"${ids[1]}"`), last);
  const rest = last!.slice(last!.indexOf(",") + 1);
  assert.equal(createHash("sha256").update(rest).digest("hex").slice(0, 12), ids[2]);
});

const imports: readonly (readonly [what: string, code: string, html: string, faults: readonly string[]])[] = [
  ["TypeScript", `import { Typed as X } from "/snippets/typed";`, "<b>NaN</b>", []],
  ["data", `import data from "/snippets/data.json"; const X = () => data.rows[1];`, "2", []],
  [
    "a picture",
    `import logo from "/images/logo.png"; const X = () => <img src={logo} />;`,
    `<img src="/images/logo.png"/>`,
    [],
  ],
  ["React", `import R, { Fragment as F } from "react"; const X = () => R.createElement(F, null, "r");`, "r", []],
  ["a package", `import X from "lodash/fp";`, "in", [`IMPORT_PACKAGE ${page}:1:15 lodash/fp`]],
  [
    "a file that is missing",
    `import { X } from "./nothing.jsx";`,
    "in",
    [`IMPORT_NOT_FOUND ${page}:1:19 guides/nothing.jsx`],
  ],
  [
    "a file above the site",
    `import { X } from "../../etc/x.jsx";`,
    "in",
    [`IMPORT_OUTSIDE ${page}:1:19 ../../etc/x.jsx`],
  ],
  ["a module of Node", `import X from "node:fs";`, "in", [`IMPORT_PACKAGE ${page}:1:15 node:fs`]],
  ["require", `const X = () => typeof require("fs").readFileSync;`, "function", [`IMPORT_PACKAGE ${page}:1:32 fs`]],
  [
    "an import at run time",
    `const X = () => (import("/etc/passwd.js"), "none");`,
    "none",
    [`IMPORT_NOT_FOUND ${page}:1:25 etc/passwd.js`],
  ],
  ["a source map", "const X = () => 'map';\n//# sourceMappingURL=file:///etc/passwd\n", "map", []],
  [
    "a module with a mistake",
    `import { Broken as X } from "/snippets/broken.jsx";`,
    "in",
    ["MODULE_SYNTAX snippets/broken.jsx:2:7 Unexpected token"],
  ],
  [
    "one in TypeScript",
    `import { Broken as X } from "/snippets/broken.tsx";`,
    "in",
    ['MODULE_SYNTAX snippets/broken.tsx:1:22 Unexpected "="'],
  ],
  [
    "a module with a mistake that the compiler does not see",
    `import { Broken as X } from "/snippets/regexp.jsx";`,
    "in",
    ["MODULE_SYNTAX snippets/regexp.jsx:2:14 Invalid regular expression: /(/: Unterminated group"],
  ],
  [
    "one of that kind in TypeScript",
    `import { Broken as X } from "/snippets/regexp.tsx";`,
    "in",
    ["MODULE_SYNTAX snippets/regexp.tsx Invalid regular expression: /(/: Unterminated group"],
  ],
];
for (const [what, code, html, faults] of imports)
  test(`import of ${what}`, async () => {
    const reply = await site.render(requestOf(["<X>in</X>"], code));
    const [answer] = reply.answers;
    assert.ok(answer && "html" in answer, JSON.stringify(reply));
    assert.equal(answer.html, html);
    assert.deepEqual(faultsOf(reply), faults);
  });

test("an island inside another one gets its contexts, and is live if they may change", async () => {
  const code = `const Tone = createContext("none");
const Still = ({ value, children }) => <Tone.Provider value={value}>{children}</Tone.Provider>;
const Switch = ({ children }) => {
  const [tone, setTone] = useState("dark");
  return <Tone.Provider value={tone}><button onClick={() => setTone("light")} />{children}</Tone.Provider>;
};
const Show = () => <i>{useContext(Tone)}</i>;
const Reader = () => <Tone.Consumer>{(tone) => <b>{tone}</b>}</Tone.Consumer>;`;
  const slots = [
    // root, in which slot of which root, what it is
    ["<Show />", [5, 0], "live <i>dark</i>"],
    ["<Reader />", [5, 0], "live <b>dark</b>"],
    ["<p>plain</p>", [5, 0], "static <p>plain</p>"],
    ["<Show />", [6, 1], "static <i>inner</i>"],
    ["<Show />", undefined, "static <i>none</i>"],
    ["<Switch><__Slot n={0} /></Switch>", undefined, 'live <button></button><x-slot data-n="0"></x-slot>'],
    [
      "<Still value='outer'><__Slot n={0} /><Still value='inner'><__Slot n={1} /></Still></Still>",
      [5, 0],
      'static <x-slot data-n="0"></x-slot><x-slot data-n="1"></x-slot>',
    ],
    ["<Show />", [6, 0], "static <i>outer</i>"],
    ["<Show />", [8, 0], "static <i>none</i>"],
    ["<Show />", [99, 0], "static <i>none</i>"],
  ] as const;
  const request = requestOf(
    slots.map(([root]) => root),
    code,
  );
  const { answers, faults } = await renderer.render({
    ...request,
    roots: request.roots.map((root, i) => {
      const around = slots[i]![1];
      return around === undefined ? root : { ...root, around: { root: around[0], slot: around[1] } };
    }),
  });
  assert.deepEqual(
    answers.map((answer) => `${kindOf(answer)} ${"html" in answer ? answer.html : ""}`),
    slots.map(([, , outcome]) => outcome),
  );
  assert.deepEqual(faults, []);
});

test("a module that needs a browser when it loads leaves its islands to the browser", async () => {
  const reply = await site.render(requestOf(["<Wide />"], `import { Wide } from "/snippets/throws.jsx";`));
  assert.deepEqual(reply.answers.map(kindOf), ["client only"]);
  assert.equal(reply.scripts.length, 2);
});

test("a page with a mistake fails, and a root that does not exist shows nothing", async () => {
  const { answers, faults } = await renderer.render({
    pageModules: { "a.mdx": "export const __i0 = () => (<p>);", "b.mdx": "export const x = 1;" },
    roots: [
      { module: "a.mdx", name: "__i0" },
      { module: "c.mdx", name: "__i0" },
      { module: "b.mdx", name: "__i0" },
    ],
  });
  assert.deepEqual(answers.map(kindOf), ["syntax", "missing", "static"]);
  assert.deepEqual(
    faults.map(({ code, module }) => `${code} ${module}`),
    ["MODULE_SYNTAX a.mdx", "ISLAND_LIMIT c.mdx"],
  );
});

test("comments do not change how JSX is compiled", async () => {
  for (const pragma of [
    "/** @jsx evil */",
    "/** @jsxRuntime automatic */",
    "// @jsxImportSource evil\n",
    "#!/bin/sh\n",
  ])
    assert.equal(await htmlOf(renderer, "<X />", `${pragma}const X = () => <p>@jsx</p>;`), "<p>@jsx</p>", pragma);
  const typed = rendererOf({ files: { "x.tsx": "/* @jsx evil */ export const X = () => <p>{'a/b'}</p>;" } });
  assert.equal(await htmlOf(typed, "<X />", `import { X } from "/x.tsx";`), "<p>a/b</p>");
  await typed.close();
});

test("network use and components without a browser version are reported only for live islands", async () => {
  const code = `const Live = () => { useEffect(() => { fetch("/x"); new WebSocket("wss://x"); }); return <Tabs><Tab title="t">tab</Tab></Tabs>; };
const Frame2 = () => <iframe src="https://video.example.com/1" />;`;
  const reply = await renderer.render(requestOf(["<Live />", "<Tabs><Tab title='t'>tab</Tab></Tabs>"], code));
  assert.deepEqual(reply.answers.map(kindOf), ["live", "static"]);
  assert.deepEqual(faultsOf(reply), [
    `ISLAND_COMPONENT ${page}:1:91 Tabs`,
    `ISLAND_COMPONENT ${page}:1:97 Tab`,
    `ISLAND_NETWORK ${page}:2:23 <iframe>`,
    `ISLAND_NETWORK ${page}:1:57 WebSocket`,
    `ISLAND_NETWORK ${page}:1:40 fetch`,
  ]);
  assert.deepEqual(faultsOf(await renderer.render(requestOf(["<Frame2 />"], code))), []);
});

test("a second export takes everything from the cache, and another version nothing", async () => {
  const kept = new Map<string, Uint8Array>();
  const cache = {
    get: (key: string) => kept.get(key),
    put: (key: string, value: Uint8Array) => void kept.set(key, value),
  };
  const requests = [
    ...shapes.slice(20, 40).map(([, , tag, code]) => requestOf([tag], code)),
    requestOf(["<p />"], "export default (<>"),
  ];
  const first = rendererOf({ cache, files });
  const replies = [];
  for (const request of requests) replies.push(await first.render(request));
  await first.close();
  const refuse = (): never => assert.fail("It is in the cache.");
  const worker: IslandWorker = { compile: refuse, render: refuse, close: async () => {} };
  const second = rendererOf({ cache, files, worker });
  for (const [i, request] of requests.entries()) assert.deepEqual(await second.render(request), replies[i]);
  await assert.rejects(
    rendererOf({ cache, files, worker, version: "other" }).render(requests[0]!),
    /It is in the cache/,
  );
});

test("a page that crashes the process is tried again, and after three such pages nothing is rendered here", async () => {
  let asked = 0;
  const real = createIslandWorker();
  const worker: IslandWorker = {
    compile: real.compile,
    render: async (job) => {
      asked++;
      return job.modules[0]!.text.includes("fatal") ? { lost: "ended" } : real.render(job);
    },
    close: real.close,
  };
  const frail = rendererOf({ worker });
  const kinds = [];
  for (const text of ["fatal 1", "fatal 2", "good", "fatal 3", "fine"])
    kinds.push(kindOf(await renderOne(frail, `<p>${text}</p>`)));
  await frail.close();
  assert.deepEqual(kinds, ["process", "process", "static", "process", "client only"]);
  assert.equal(asked, 7);
});

test("islands are left to the browser if the process does not start", async () => {
  const { compile, close } = createIslandWorker();
  const unstarted = rendererOf({ worker: { compile, close, render: async () => ({ lost: "unstarted" }) } });
  assert.equal(kindOf(await renderOne(unstarted, "<p>x</p>")), "client only");
  await unstarted.close();
});

test("close rejects waiting pages", async () => {
  const short = rendererOf();
  const waiting = short.render(requestOf(["<p>x</p>"]));
  await short.close();
  await assert.rejects(waiting, /closed/);
});

test("a file that several pages import is read once", async () => {
  let reads = 0;
  const once = rendererOf({
    files: {
      get "snippets/a.jsx"() {
        reads++;
        return "export const A = () => <b>a</b>;";
      },
    },
  });
  const code = `import { A } from "/snippets/a.jsx";`;
  for (const html of ["<b>a</b>", "<i><b>a</b></i>"])
    assert.equal(await htmlOf(once, html.replace("<b>a</b>", "<A />"), code), html);
  assert.equal(reads, 1);
  await once.close();
});

for (const written of ["process.env.NODE_ENV", 'process.env["NODE_ENV"]', "proc\\u0065ss.env.NODE_ENV"])
  test(`${written} has its value of a production build`, async () => {
    assert.equal(await htmlOf(renderer, `<p>{${written}}</p>`), "<p>production</p>");
  });

test("our components in live islands use the page's language, and code files are the same in all languages", async () => {
  const files = {
    "snippets/more.jsx":
      "export const More = () => { const [n, set] = useState(0); return <Expandable title='x' onClick={() => set(n + 1)}><CodeBlock>a</CodeBlock></Expandable>; };",
  };
  const renderer = rendererOf({ files });
  const request = requestOf(["<More />"], 'import { More } from "/snippets/more.jsx";');
  const english = await renderer.render(request);
  const french = await renderer.render({ ...request, words: islandWords("fr")! });
  const htmlIn = ({ answers: [answer] }: IslandReply): string => (answer && "html" in answer ? answer.html : "");
  assert.match(htmlIn(english), /Show .*aria-label="Copy"/);
  assert.match(htmlIn(french), /Afficher .*aria-label="Copier"/);
  assert.equal(french.scripts[0]!.text, english.scripts[0]!.text);
  assert.match(french.scripts[1]!.text, /"copy":"Copier"/);
  // A page without our components gets no words.
  const plain = requestOf(["<button onClick={() => 1} />"]);
  assert.deepEqual(await renderer.render({ ...plain, words: islandWords("fr")! }), await renderer.render(plain));
  await renderer.close();
});

test("undefined names are searched for only in a limited part of a page's code", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 4 }, (_, i) => [
      `snippets/a${i}.jsx`,
      `${"/* long */".repeat(70_000)}\nexport const A = () => nowhere${i};`,
    ]),
  );
  const renderer = rendererOf({ files });
  const imports = Object.keys(files).map((id, i) => `import { A as A${i} } from "/${id}";`);
  const reply = await renderer.render(
    requestOf(
      imports.map((_, i) => `<A${i} />`),
      imports.join("\n"),
    ),
  );
  assert.deepEqual(faultsOf(reply), [
    "UNDEFINED_NAME snippets/a0.jsx:2:24 nowhere0",
    `UNDEFINED_NAME ${page} nowhere1`,
    `UNDEFINED_NAME ${page} nowhere2`,
    `UNDEFINED_NAME ${page} nowhere3`,
  ]);
  await renderer.close();
});
