import assert from "node:assert/strict";
import { test } from "vitest";
import { limits, type RenderJob } from "../../../src/page/islands/sandbox/protocol.js";
import { createIslandWorker, createTextSlots } from "../../../src/page/islands/worker-process.js";

const moduleOf = (id: string, text = `text of ${id}`) => ({ id, text, deps: [] });

test("a text is sent twice before the process stores it, and again after the process is replaced", () => {
  const slots = createTextSlots();
  slots.reset();
  const sent = () => {
    const { text, slot } = slots.pack(moduleOf("a"));
    return [text, slot];
  };
  const slot = limits.slotCount - 1;
  assert.deepEqual(
    [sent(), sent(), sent(), sent()],
    [
      ["text of a", undefined],
      ["text of a", slot],
      [undefined, slot],
      [undefined, slot],
    ],
  );
  slots.reset();
  assert.deepEqual(
    [sent(), sent()],
    [
      ["text of a", undefined],
      ["text of a", slot],
    ],
  );
});

test("the text of a file, which pages share, is stored when it is first sent", () => {
  const slots = createTextSlots();
  slots.reset();
  const sent = [1, 2].map(() => slots.pack({ ...moduleOf("a"), isShared: true }));
  assert.deepEqual(sent, [
    { id: "a", deps: [], text: "text of a", slot: limits.slotCount - 1 },
    { id: "a", deps: [], slot: limits.slotCount - 1 },
  ]);
});

test("the process stores the most recently used texts, each in its own slot", () => {
  const slots = createTextSlots();
  slots.reset();
  const inProcess = new Map<number, string>();
  for (let i = 0; i < 5_000; i++) {
    const module = moduleOf(`m${(i * i) % 331}`);
    const { text: sent, slot } = slots.pack(module);
    const text = sent ?? inProcess.get(slot!);
    assert.equal(text, module.text);
    if (slot === undefined) continue;
    assert.ok(slot >= 0 && slot < limits.slotCount);
    inProcess.set(slot, text!);
  }
  assert.equal(slots.pack(moduleOf("long", "x".repeat(limits.slotTextLength + 1))).slot, undefined);
});

test("pages that share modules render the same with stored texts as in a new process", async () => {
  const worker = createIslandWorker({ pagesPerProcess: 4 });
  const define = (id: string, code: string, deps = "{}") =>
    `offprintIslands.define("${id}",${deps},{},{},({__h})=>(require,module,exports)=>{${code}});`;
  const shared = [
    { id: "a", text: define("a", "exports.a=(p)=>__h('b',null,p.n)"), deps: [] },
    { id: "b", text: define("b", "exports.b=require('a').a", '{"a":"a"}'), deps: ["a"] },
  ];
  const render = async (n: number) => {
    const page = define(`p${n}`, `exports.i=()=>__h(require('b').b,{n:${n}})`, '{"b":"b"}');
    const job: RenderJob = {
      modules: [...shared, { id: `p${n}`, text: page, deps: ["b"] }],
      roots: [{ module: `p${n}`, name: "i" }],
    };
    const reply = await worker.render(job);
    assert.ok("roots" in reply, JSON.stringify(reply));
    return reply.roots.map((root) => ("html" in root ? root.html : root.message)).join();
  };
  const pages = Array.from({ length: 10 }, (_, n) => n);
  assert.deepEqual(
    await Promise.all(pages.map(render)),
    pages.map((n) => `<b>${n}</b>`),
  );
  await worker.close();
});
