/** An export in a process that may start no others has its live components rendered by its worker. */
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { answerCalls } from "../../../src/service/worker/answer-calls.js";
import { createCalls } from "../../../src/service/worker/ask-worker.js";
import { type FromChild, isFromChild } from "../../../src/service/worker/messages.js";
import { shapes } from "../../page/islands/shapes.js";
import { rendererOf, requestOf } from "../../page/islands/site-of-islands.js";

test("islands of an export are compiled and rendered by its worker, with the same outcome", async () => {
  const worker = answerCalls({ folder: mkdtempSync(join(tmpdir(), "calls-")), sandbox: { permissions: true } });
  const kinds = new Set<string>();
  const calls = createCalls(async (sent) => {
    // As over the channel between the processes.
    const message = JSON.parse(JSON.stringify(sent)) as FromChild;
    assert.ok(isFromChild(message) && message.type === "call");
    const { call } = message;
    kinds.add(call.kind);
    assert.ok(call.kind === "compile islands" || call.kind === "render islands");
    const answer =
      call.kind === "compile islands"
        ? worker.answers["compile islands"](call)
        : worker.answers["render islands"](call);
    calls.onAnswer(message.id, JSON.parse(JSON.stringify(await answer)));
  });
  const here = rendererOf();
  const there = rendererOf({ worker: calls.outside.islandWorker() });
  for (const [, , tag, code] of shapes.slice(0, 6)) {
    const request = requestOf([tag], code);
    assert.deepEqual(await there.render(request), await here.render(request));
  }
  const broken = requestOf(["<p />"], "const x = ;");
  assert.deepEqual(await there.render(broken), await here.render(broken));
  await Promise.all([here.close(), there.close(), worker.close()]);
  assert.deepEqual([...kinds].sort(), ["compile islands", "render islands"]);
});

test("a worker refuses invalid islands", () => {
  const call = (value: object): boolean => isFromChild({ type: "call", id: 1, call: value });
  const source = { id: "a.jsx", text: "" };
  const module = { id: "a", text: "", deps: ["b"] };
  const root = { module: "a", name: "__i0" };
  const job = { modules: [module], roots: [root] };
  assert.ok(call({ kind: "compile islands", sources: [source] }));
  assert.ok(call({ kind: "render islands", job }));
  assert.ok(
    call({ kind: "render islands", job: { ...job, roots: [root, { ...root, around: { root: 0, slot: 1 } }] } }),
  );
  for (const sources of [undefined, {}, [null], [{ id: "a" }], [{ ...source, text: 1 }]])
    assert.ok(!call({ kind: "compile islands", sources }), JSON.stringify(sources));
  const jobs = [
    undefined,
    {},
    { ...job, modules: [null] },
    { ...job, modules: [{ ...module, deps: [1] }] },
    { ...job, modules: [{ ...module, id: "x".repeat(1_001) }] },
    { ...job, modules: Array.from({ length: 501 }, () => module) },
    { ...job, roots: [{ module: "a" }] },
    { ...job, roots: [{ ...root, around: { root: "0", slot: 0 } }] },
    { ...job, roots: [{ ...root, around: { root: 0 } }] },
    { ...job, roots: Array.from({ length: 201 }, () => root) },
  ];
  for (const bad of jobs) assert.ok(!call({ kind: "render islands", job: bad }), JSON.stringify(bad)?.slice(0, 99));
});
