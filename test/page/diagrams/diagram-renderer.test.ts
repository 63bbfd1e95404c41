import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, test } from "vitest";
import {
  createDiagramRenderer,
  type DiagramRenderer,
  type RenderedDiagram,
} from "../../../src/page/diagrams/diagram-renderer.js";
import { createDiagramWorker } from "../../../src/page/diagrams/worker-process.js";
import { sampleOf } from "../../quality/bundle.js";
import { bundleModule } from "../../support/bundle-module.js";
import { sources } from "./sources.js";

const project = fileURLToPath(new URL("../../..", import.meta.url));
const kept = new Map<string, Uint8Array>();
let puts = 0;
const cache = {
  get: (key: string) => kept.get(key),
  put: (key: string, value: Uint8Array) => {
    puts++;
    kept.set(key, value);
  },
};
const renderer = createDiagramRenderer({ version: "test", cache });
afterAll(() => renderer.close());

async function drawn(
  source: string,
  from: DiagramRenderer = renderer,
): Promise<Exclude<RenderedDiagram, { error: unknown }>> {
  const [diagram] = await from.draw([source]);
  assert.ok(diagram && !("error" in diagram), JSON.stringify(diagram));
  return diagram;
}

for (const [type, source] of sampleOf(Object.entries(sources), 10)) {
  test(`a ${type} diagram is drawn without inline styles, in colours of the theme`, async () => {
    const { svg, css, hash } = await drawn(source);
    assert.match(
      svg,
      new RegExp(`^<svg [^>]*width="\\d+" height="\\d+"[^>]*class="${hash}[" ]|^<svg [^>]*class="${hash}`),
    );
    assert.match(svg, /role="img" aria-label="[^"]+"/);
    assert.doesNotMatch(svg, /<style|\sstyle=|<foreignObject|<script|\son\w+=|\bNaN\b|undefined/);
    assert.match(css + svg, /var\(--diagram-/);
    assert.doesNotMatch(svg + css, /#01fd|hsl\(1[23]\d|url\((?!#)/i);
    for (const line of css.trimEnd().split("\n"))
      assert.ok(line.replace("@media screen{", "").startsWith(`.${hash}`), line);
  });
}

test("a worker process is replaced after some diagrams, and a diagram is the same in every process and order", async () => {
  const sample = sampleOf(Object.values(sources).reverse(), 3);
  const worker = createDiagramWorker({ diagramsPerProcess: sample.length });
  try {
    const drawings = new Map<string, string>();
    for (const source of [...sample, ...sample.toReversed()]) {
      const reply = await worker.draw(source);
      assert.ok("svg" in reply);
      assert.equal(reply.svg, drawings.get(source) ?? reply.svg);
      drawings.set(source, reply.svg);
    }
  } finally {
    await worker.close();
  }
});

test("equal sources are drawn once, and a cached diagram needs no process", async () => {
  const before = puts;
  const source = 'pie title Drawn once\n  "a" : 70\n  "b" : 30';
  const answers = await renderer.draw([source, source, "pie\n bad", source]);
  assert.deepEqual(answers[0], answers[3]);
  assert.equal(puts, before + 2);
  const second = createDiagramRenderer({ version: "test", cache });
  assert.deepEqual(await second.draw([source, source, "pie\n bad", source]), answers);
  await second.close();
  assert.equal(puts, before + 2);
});

test("a mistake is reported with its line in the source", async () => {
  const [diagram] = await renderer.draw([
    "%% a comment\nflowchart TD\n  A --> B\n  %% another\n  B --> [broken\n  C --> D",
  ]);
  assert.ok(diagram && "error" in diagram);
  assert.equal(diagram.error.line, 5);
  assert.match(diagram.error.message, /Parse error/);
});

const hostile = [
  ["a script as the target of a click", 'flowchart LR\n A-->B\n click A "javascript:alert(1)"\n click B call alert(1)'],
  [
    "HTML with a handler in a label",
    'flowchart LR\n A["<img src=x onerror=alert(1)>"] --> B["<script>alert(1)</script>x"]',
  ],
  [
    "style text in a directive",
    '%%{init: {"themeCSS": "@import url(//e.com/x.css); * {background: url(//e.com/y)}"}}%%\nflowchart LR\n A-->B',
  ],
  [
    "HTML labels by directive",
    '%%{init: {"htmlLabels": true, "securityLevel": "loose", "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n A["<b>x</b>"]-->B',
  ],
  [
    "a theme variable that ends the style",
    '%%{init: {"theme":"base","themeVariables": {"primaryColor": "red;} body{background:url(//e.com)}", "fontFamily": "x</style><script>alert(1)</script>"}}}%%\nflowchart LR\n A-->B',
  ],
  [
    "addresses in styles",
    "flowchart LR\n A-->B\n style A fill:url(//e.com/a),background-image:url(//e.com/b)\n classDef c fill:#f00,stroke:url(javascript:alert(1))\n class B c",
  ],
  ["a picture as a node", 'flowchart LR\n A@{ img: "https://e.com/a.png", label: "x", w: 60, h: 60 } --> B'],
  [
    "front matter",
    "---\ntitle: <img src=x onerror=alert(1)>\nconfig:\n  securityLevel: loose\n  themeCSS: '@import url(//e.com)'\n---\nflowchart LR\n A-->B",
  ],
  [
    "links of a sequence diagram",
    'sequenceDiagram\n participant A\n links A: {"x": "javascript:alert(1)"}\n A->>A: hi',
  ],
] as const;
for (const [what, source] of hostile) {
  test(`${what} leaves nothing that runs or loads`, async () => {
    const [diagram] = await renderer.draw([source]);
    if (diagram && "error" in diagram) return assert.ok(diagram.error.message.length > 0);
    const { svg, css } = diagram!;
    assert.doesNotMatch(
      svg,
      /<(?!\/|svg|g|a |path|rect|circle|ellipse|line|poly|text|tspan|defs|marker|stop|clipPath|symbol|use)/,
    );
    assert.doesNotMatch(svg, /<[^<>]*(?:javascript:|\son\w+=|\sstyle=|="(?:https?:)?\/\/)/i);
    assert.doesNotMatch(css, /@import|url\(|e\.com|body/);
  });
}

test("an overlong source is refused", async () => {
  const [diagram] = await renderer.draw([`flowchart LR\n${"A-->B\n".repeat(170_000)}`]);
  assert.ok(diagram && "error" in diagram && diagram.error.unsupported);
});

const odd = [
  ["empty", ""],
  ["not a diagram", "// your diagram here"],
  ["binary", "\0\u0001\uffff"],
  ["deeply nested", `flowchart LR\n${"subgraph a\n".repeat(1000)}`],
  ["full of edges", `flowchart LR\n${Array.from({ length: 3000 }, (_, i) => `a${i}-->b${i}`).join("\n")}`],
] as const;
for (const [what, source] of odd) {
  test(`a source that is ${what} comes back as an error, and the next is drawn`, async () => {
    const [bad, good] = await renderer.draw([source, sources["pie"]!]);
    assert.ok(bad && "error" in bad && bad.error.message.length > 0);
    assert.ok(good && !("error" in good));
  });
}

test("a diagram that takes too long ends its process, and another process draws the next one", async () => {
  const worker = createDiagramWorker({ deadlineMs: 800 });
  const grid = Array.from({ length: 1500 }, (_, i) => `n${i % 120}-->n${(i * 7) % 113}`).join("\n");
  try {
    assert.ok("svg" in (await worker.draw(sources["pie"]!)));
    assert.deepEqual(await worker.draw(`flowchart LR\n${grid}`), { lost: "slow" });
    assert.ok("svg" in (await worker.draw(sources["pie"]!)));
  } finally {
    await worker.close();
  }
});

test("a diagram is drawn without installed packages, and a process that cannot start is reported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "built-"));
  cpSync(join(project, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(project, "package.json"), join(folder, "package.json"));
  const diagrams = bundleModule(join(project, "src/page/diagrams/diagram-renderer.ts"), {
    outfile: join(folder, "diagrams.mjs"),
    withPackages: true,
  });
  const { createDiagramRenderer: createBuilt } = (await import(/* @vite-ignore */ pathToFileURL(diagrams).href)) as {
    createDiagramRenderer: typeof createDiagramRenderer;
  };
  const built = createBuilt({ version: "test" });
  assert.ok("svg" in (await drawn(sources["pie"]!, built)));
  await built.close();

  rmSync(join(folder, "dist/font-widths.json"));
  const broken = createBuilt({ version: "test" });
  assert.deepEqual(await broken.draw([sources["pie"]!]), [
    { error: { message: "The renderer process cannot be started.", unstarted: true } },
  ]);
  await broken.close();
});

test("close rejects waiting and later diagrams", async () => {
  const short = createDiagramRenderer({ version: "test" });
  const waiting = short.draw(Object.values(sources));
  const rejected = assert.rejects(waiting, /closed/);
  await short.close();
  await rejected;
  await assert.rejects(short.draw(["pie"]), /closed/);
});
