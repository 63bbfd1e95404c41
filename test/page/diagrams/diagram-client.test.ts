import assert from "node:assert/strict";
import type { Element } from "hast";
import { test } from "vitest";
import { writeHtml } from "../../../src/lib/html/write-html.js";
import { messagesFor } from "../../../src/lib/language/index.js";
import { createDiagramClient } from "../../../src/page/diagrams/diagram-client.js";
import type { RenderedDiagram } from "../../../src/page/diagrams/diagram-renderer.js";

const location = { sourcePath: "a.mdx", line: 10, column: 1 };
const good: RenderedDiagram = {
  svg: '<svg class="d1"><marker id="d1-a"/><path marker-end="url(#d1-a)"/></svg>',
  css: ".d1{}",
  hash: "d1",
};
type Requests = Parameters<ReturnType<typeof createDiagramClient>["draw"]>[0];
const client = (...answers: RenderedDiagram[]) => ({
  draw: (requests: Requests) => createDiagramClient(async () => answers).draw(requests, messagesFor("en")),
});
const html = (node: unknown): string => writeHtml(node as Element);

test("a diagram is a figure with its text and its own style sheet", async () => {
  const [drawing] = await client(good).draw([
    { source: "a <b>", meta: 'placement="top-left" actions={false}', location },
  ]);
  const text = html(drawing!.node);
  assert.match(text, /^<figure class="mermaid" data-component-name="mermaid-container" data-placement="top-left">/);
  assert.ok(text.includes(good.svg));
  assert.match(
    text,
    /<details class="mermaid-source"><summary>[^<]+<\/summary><pre tabindex="0"><code>a &lt;b><\/code><\/pre><\/details>/,
  );
  assert.deepEqual(drawing!.stylesheet, { outputPath: "_offprint/diagrams/d1.css", bytes: Buffer.from(".d1{}") });
  assert.deepEqual(drawing!.diagnostics, []);
});

test("unknown options are ignored", async () => {
  const [drawing] = await client(good).draw([{ source: "a", meta: 'placement="><script>" actions=maybe', location }]);
  assert.doesNotMatch(html(drawing!.node), /data-placement|script/);
});

const high = '<svg class="d1" width="300" height="240"></svg>';
const wide = '<svg class="d1" width="900" height="60"></svg>';
for (const [rule, svg, meta, has] of [
  ["a high diagram has controls", high, "", true],
  ["a low diagram has none", good.svg, "", false],
  ["a low diagram has controls if it is wider than a phone", wide, "", true],
  ["a wide diagram has none if its author turns them off", wide, "actions={false}", false],
  ["a low diagram has controls if its author asks for them", good.svg, "actions={true}", true],
  ["a high diagram has none if its author turns them off", high, "actions={false}", false],
] as const)
  test(rule, async () => {
    const [drawing] = await client({ ...good, svg }).draw([{ source: "a", meta, location }]);
    const buttons = html(drawing!.node).match(/<button type="button" data-diagram="\w+" aria-label="[^"]+"/g) ?? [];
    assert.equal(buttons.length, has ? 4 : 0);
  });

const labelled = { ...good, svg: '<svg class="d1" role="img" aria-label="Flowchart: A"></svg>' };
const names = [
  // the name of a diagram is …        diagram                          meta            caption     group       image
  ["its own title", { ...labelled, title: "Own" }, "Fence", "Caption", "Own", "Flowchart: A"],
  [
    "the title of its fence",
    labelled,
    'Sign "in" actions={true}',
    "Caption",
    "Sign &quot;in&quot;",
    "Sign &quot;in&quot;",
  ],
  ["the caption of its frame", labelled, 'placement="top-left"', "A & B", "A &amp; B", "A &amp; B"],
  ["its kind", labelled, "", undefined, "Diagram", "Flowchart: A"],
] as const;
for (const [rule, diagram, meta, caption, group, image] of names)
  test(`the name of a diagram is ${rule}`, async () => {
    const [drawing] = await client(diagram).draw([{ source: "a", meta, caption, location }]);
    const found = html(drawing!.node).match(/(?<=(?:drawing" [^>]*|role="img") aria-label=")[^"]*/g);
    assert.deepEqual(found, [group, image]);
  });

test("a diagram that occurs twice on a page has different ids", async () => {
  const drawn = await client(good, good).draw([
    { source: "a", location },
    { source: "a", location },
  ]);
  const ids = drawn.flatMap(({ node }) => html(node).match(/(?<=id="|url\(#)[\w-]+/g));
  assert.deepEqual(ids, ["d1-a", "d1-a", "d1-2-a", "d1-2-a"]);
});

test("an invalid diagram shows its text and is reported with its line in the file", async () => {
  const message = "Parse error on line 2:\n...A --> [x\n----^\nExpecting 'NODE', got 'SQS'";
  const [drawing] = await client({ error: { message, line: 2 } }).draw([
    { source: "flowchart LR\nA --> [x", location },
  ]);
  assert.match(html(drawing!.node), /A --> \[x<\/code><\/pre>/);
  const [diagnostic] = drawing!.diagnostics;
  assert.equal(diagnostic?.code, "DIAGRAM_INVALID");
  assert.equal(diagnostic?.severity, "warning");
  assert.deepEqual(diagnostic?.location, { sourcePath: "a.mdx", line: 12, column: 1 });
  assert.match(diagnostic!.what, / at "A --> \[x", .*: "\[" is unexpected there/);
});

test("an unsupported diagram is reported with another code than an invalid one", async () => {
  const [drawing] = await client({ error: { message: "no canvas", unsupported: true } }).draw([
    { source: "x", location },
  ]);
  assert.equal(drawing!.diagnostics[0]?.code, "DIAGRAM_UNSUPPORTED");
  assert.deepEqual(drawing!.diagnostics[0]?.location, location);
});

test("a worker process that does not start gives every diagram the same diagnostic", async () => {
  const error = { message: "It does not start.", unstarted: true } as const;
  const drawn = await client({ error }, { error }).draw([
    { source: "a", location },
    { source: "b", location: { ...location, line: 20 } },
  ]);
  const [first, second] = drawn.map(({ diagnostics }) => diagnostics);
  assert.equal(first![0]?.code, "DIAGRAMS_NOT_DRAWN");
  assert.deepEqual(first, second);
  assert.match(html(drawn[1]!.node), /<code>b</);
});
