import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "vitest";
import { loadGuest, type Source } from "../../../src/page/islands/sandbox/interpreter.js";
import { createIslandWorker } from "../../../src/page/islands/worker-process.js";

import { childrenOf } from "../../support/worker-processes.js";

const fileOf = (name: string): Buffer => readFileSync(new URL(`../../../dist/${name}`, import.meta.url));
const wasm = fileOf("quickjs.wasm");

const define = (render: string): string =>
  `offprintIslands.define("0123456789ab",{},{},{},({__h})=>(require,module,exports)=>{exports.a=()=>{${render}}});`;

test("a page sees nothing of earlier pages in the memory that it reuses", async () => {
  const open = await loadGuest(await WebAssembly.compile(new Uint8Array(wasm)), fileOf("island-guest.js").toString());
  const sources = new Map<string, Source>();
  const run = async (code: string): Promise<string> => {
    const source = sources.get(code) ?? { text: define(code), isReused: false };
    sources.set(code, source.isReused ? source : { ...source, isReused: true });
    const interpreter = await open();
    interpreter.allow(1_000);
    interpreter.run(source, "test");
    const { html, error } = JSON.parse(interpreter.call("render", "0123456789ab", "a"));
    return html ?? error;
  };
  const look = 'return [globalThis.seen, {}.seen, [].map.seen, new Array(200).fill(0).join("").length].join(" ")';
  // The same code, as text and as bytecode.
  for (const _ of [1, 2, 3]) assert.equal(await run(look), "   200");
  for (const code of [
    "globalThis.seen = Object.prototype.seen = Array.prototype.map.seen = 1; return 1",
    "globalThis.kept = []; for (let i = 0; i < 3e5; i++) kept.push({ i }); Object.freeze(Object.prototype); return 1",
    "globalThis.kept = new Uint8Array(4e6).fill(7); JSON.stringify = () => 0; return 1",
    "const f = () => f(); return f()",
    "Promise.resolve().then(() => { globalThis.seen = 1 }); return 1",
  ]) {
    await run(code).catch(() => {});
    assert.equal(await run(look), "   200", code);
  }
  assert.equal(await run('return __h("p", null, 1)'), "<p>1</p>");
});

test("the interpreter's process starts when the first module is compiled, not before", async () => {
  const count = (): number => childrenOf(process.pid).length;
  const before = count();
  const worker = createIslandWorker();
  assert.equal(count(), before);
  const compiled = worker.compile([{ id: "a.jsx", text: "export const A = 1;" }]);
  assert.equal(count(), before + 1);
  assert.match(JSON.stringify(await compiled), /"code"/);
  const module = {
    id: "a",
    text: 'offprintIslands.define("a",{},{},{},()=>(_,__,exports)=>{exports.b=()=>1});',
    deps: [],
  };
  const reply = await worker.render({ modules: [module], roots: [{ module: "a", name: "b" }] });
  assert.deepEqual(reply, { roots: [{ html: "1", live: false, used: [] }], id: 1 });
  await worker.close();
});

test("besides its memory, the interpreter's WebAssembly module has one variable, which is exported", () => {
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  for (const globals = 6; at < wasm.length; ) {
    const [section, length] = [wasm[at++], number()];
    if (section === globals) {
      assert.equal(number(), 1);
      const exports = WebAssembly.Module.exports(new WebAssembly.Module(new Uint8Array(wasm)));
      assert.deepEqual(
        exports.filter(({ kind }) => kind === "global").map(({ name }) => name),
        ["__stack_pointer"],
      );
      return;
    }
    at += length;
  }
  assert.fail("It has no section of globals.");
});
