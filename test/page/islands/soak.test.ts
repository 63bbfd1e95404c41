/** Many pages, a tenth of them hostile, leave no process behind and no memory. Long, so only with OFFPRINT_SOAK=1. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { childrenOf } from "../../support/worker-processes.js";
import { bombs } from "./bombs.js";
import { escapes } from "./escapes.js";
import { shapes } from "./shapes.js";
import { kindOf, rendererOf, renderOne } from "./site-of-islands.js";

const pageCount = 10_000;

/** Those that cost no second each. */
const quick = bombs.filter(([, , kinds]) => /^(?:memory|stack|size|live|client only)$/.test(kinds));
const slow = bombs.filter((bomb) => !quick.includes(bomb));

test.skipIf(!process.env["OFFPRINT_SOAK"])(`${pageCount} pages, a tenth of them hostile`, async () => {
  const before = childrenOf(process.pid).length;
  const renderer = rendererOf();
  const outcomes = new Map<string, string>();
  const memoryMb: number[] = [];
  for (let i = 0; i < pageCount; i++) {
    const isHostile = i % 10 === 9;
    const [name, kind, tag, code, outcome] = shapes[i % shapes.length]!;
    if (isHostile) {
      const n = Math.floor(i / 10);
      const body =
        n % 100 === 99
          ? slow[n % slow.length]![1]
          : (n % 2 ? quick : escapes)[n % (n % 2 ? quick : escapes).length]![1];
      const hostile = `const FILE = "/etc/passwd", FOLDER = "/", PORT = 9; const Hostile = () => { ${body} }; const Bomb = Hostile;`;
      // Each page also has its own text, so that no code is compiled once for all.
      await renderOne(renderer, "<Hostile />", `${hostile} const number = ${i};`);
      continue;
    }
    const answer = await renderOne(renderer, tag, code);
    const shown = "html" in answer ? answer.html : "clientOnly" in answer ? answer.clientOnly : answer.message;
    assert.equal(kindOf(answer), kind, `${name} ${i}`);
    assert.equal(shown.replaceAll(/island-\w+-/g, ""), outcome.replaceAll(/island-\w+-/g, ""), `${name} ${i}`);
    outcomes.set(name, shown);
    if (i % 500 === 0) {
      const children = childrenOf(process.pid);
      assert.ok(children.length <= before + 2, `${children.length} processes`);
      const sandbox = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("island-worker.js"));
      const status = sandbox === undefined ? "" : readFileSync(`/proc/${sandbox}/status`, "utf8");
      const peakMb = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
      assert.ok(peakMb < 300, `${peakMb} MB`);
      globalThis.gc?.();
      memoryMb.push(process.memoryUsage().rss / 1024 / 1024);
    }
  }
  await renderer.close();
  assert.equal(outcomes.size, shapes.length);
  // Processes that were killed end on their own time.
  for (let i = 0; i < 100 && childrenOf(process.pid).length > before; i++) await sleep(20);
  assert.equal(childrenOf(process.pid).length, before);
  const [early, last] = [memoryMb[Math.floor(memoryMb.length / 3)]!, memoryMb.at(-1)!];
  assert.ok(last < early + 100, `${early} to ${last} MB`);
});
