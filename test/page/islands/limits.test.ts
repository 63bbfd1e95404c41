/** What takes too much stops, and the pages next to it are whole. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterAll, test } from "vitest";
import { createCompiler } from "../../../src/page/islands/compile-module.js";
import { createIslandWorker } from "../../../src/page/islands/worker-process.js";
import { sweeping } from "../../quality/bundle.js";
import { waitUntil } from "../../support/wait-until.js";
import { childrenOf, isAlive } from "../../support/worker-processes.js";
import { bombs } from "./bombs.js";
import { faultsOf, htmlOf, kindOf, rendererOf, renderOne, requestOf } from "./site-of-islands.js";

/** What takes all the time that it gets comes last, and gets less. */
const isEndless = (kinds: string): boolean => kinds.startsWith("deadline");
/** Of each way to end the first; in a sweep all. */
const taken = bombs.filter(([, , kinds], at) => sweeping || bombs.findIndex(([, , other]) => other === kinds) === at);
const sorted = taken.toSorted(([, , a], [, , b]) => Number(isEndless(a)) - Number(isEndless(b)));
const create = (pageMs: number) => ({ pageMs, ...rendererOf({ worker: createIslandWorker({ pageMs }) }) });
let renderer = create(1_000);
/** Of the sites whose modules are refused. */
const worker = createIslandWorker();
afterAll(() => Promise.all([renderer.close(), worker.close()]));

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, "utf8");

/** The process of the interpreter: its id, its processor time, and the most memory that it had. */
function sandboxProcess(): { pid: number; ms: number; peakMb: number } | undefined {
  const pid = childrenOf(process.pid).find((each) => read(each, "cmdline").includes("island-worker.js"));
  if (pid === undefined) return undefined;
  const fields = read(pid, "stat").split(") ")[1]!.split(" ");
  const peakMb = Number(/VmHWM:\s*(\d+)/.exec(read(pid, "status"))![1]) / 1024;
  return { pid, ms: (Number(fields[11]) + Number(fields[12])) * 10, peakMb };
}

for (const [name, body, kinds] of sorted)
  test(`${name}: ${kinds}`, async () => {
    const pageMs = isEndless(kinds) ? 200 : 1_000;
    if (renderer.pageMs !== pageMs) {
      await renderer.close();
      renderer = create(pageMs);
    }
    await htmlOf(renderer, "<p>before</p>");
    const before = sandboxProcess();
    const answer = await renderOne(renderer, "<Bomb />", `const Bomb = () => { ${body} };`);
    const after = sandboxProcess();
    assert.match(kindOf(answer), new RegExp(`^(?:${kinds})$`), JSON.stringify(answer));
    // A process that was killed has had its 3 s.
    if (before && after?.pid === before.pid) {
      assert.ok(after.ms - before.ms < 3_000, `${after.ms - before.ms} ms`);
      assert.ok(after.peakMb < 256, `${after.peakMb} MB`);
    } else {
      // After three lost processes, a renderer starts no other.
      await renderer.close();
      renderer = create(pageMs);
    }
    assert.equal(await htmlOf(renderer, "<p>next</p>"), "<p>next</p>");
  });

test("islands next to one that exceeds a limit are rendered", async () => {
  await renderer.close();
  renderer = create(300);
  const code = "const Loop = () => { for (;;); }; const Fill = () => { const a = []; for (;;) a.push([a]); };";
  const roots = ["<p>1</p>", "<Loop />", "<p>2</p>", "<Fill />", "<p>3</p>", "<Deep />"];
  const reply = await renderer.render(requestOf(roots, `${code} const Deep = () => Deep() + 1;`));
  const [first, loop, second, fill, third, deep] = reply.answers.map(kindOf);
  assert.deepEqual([first, loop, second, third], ["static", "deadline", "static", "static"]);
  assert.match(`${fill} ${deep}`, /^(?:memory|deadline) stack$/);
  assert.deepEqual(
    reply.faults.map(({ code: each, root }) => `${each} ${root}`),
    ["ISLAND_LIMIT 1", "ISLAND_LIMIT 3", "ISLAND_LIMIT 5"],
  );
});

test("a page has 200 islands at most", async () => {
  const { answers, faults } = await renderer.render(requestOf(Array.from({ length: 203 }, (_, i) => `<p>${i}</p>`)));
  assert.deepEqual(answers.map(kindOf).slice(198), ["static", "static", "count", "count", "count"]);
  assert.deepEqual(
    faults.map(({ code, root }) => `${code} ${root}`),
    ["ISLAND_LIMIT 200", "ISLAND_LIMIT 201", "ISLAND_LIMIT 202"],
  );
});

const many = 300_000;
const modules: readonly (readonly [name: string, file: string, text: string, fault: string])[] = [
  ["brackets", "jsx", `export const X = ${"[".repeat(many)}${"]".repeat(many)};`, "ISLAND_LIMIT"],
  ["open brackets", "jsx", `export const X = ${"(".repeat(many)}`, "ISLAND_LIMIT"],
  ["elements", "jsx", `export const X = ${"<b>".repeat(100_000)}${"</b>".repeat(100_000)};`, "ISLAND_LIMIT"],
  ["operators", "jsx", `export const X = ${"!".repeat(many)}1;`, "ISLAND_LIMIT"],
  ["conditions", "jsx", `export const X = ${"a?a:".repeat(100_000)}1;`, "ISLAND_LIMIT"],
  ["functions", "jsx", `export const X = ${"a=>".repeat(100_000)}1;`, "ISLAND_LIMIT"],
  ["levels above the limit", "jsx", `export const X = ${"[".repeat(600)}${"]".repeat(600)};`, "ISLAND_LIMIT"],
  ["brackets in TypeScript", "tsx", `export const X = ${"[".repeat(many)}${"]".repeat(many)};`, "ISLAND_LIMIT"],
  ["elements in TypeScript", "tsx", `export const X = ${"<b>".repeat(100_000)}`, "ISLAND_LIMIT"],
  ["open comments in TypeScript", "ts", `/* @jsx */ ${"/*".repeat(30_000)}`, "MODULE_SYNTAX"],
  ["operators in TypeScript", "ts", `export const X = ${"!".repeat(many)}1;`, "ISLAND_LIMIT"],
  ["2 MB", "jsx", `export const X = () => "${"x".repeat(2 * 1024 * 1024)}";`, "ISLAND_LIMIT"],
  ["bytes that are not text", "jsx", "export const X = \0\ufffd;", "MODULE_SYNTAX"],
];
for (const [name, extension, text, fault] of modules)
  test(`a module of ${name} is refused, and the next one is compiled`, async () => {
    const id = `snippets/x.${extension}`;
    const files = { [id]: text, "snippets/good.tsx": "export const Good = () => <b>{1 as number}</b>;" };
    const site = rendererOf({ files, worker });
    const { cpuUsage } = process;
    const from = cpuUsage();
    const reply = await site.render(requestOf(["<X>shown</X>"], `import { X } from "/${id}";`));
    assert.equal(
      faultsOf(reply)[0]
        ?.split(" ")
        .slice(0, 2)
        .join(" ")
        .replace(/:\d+:\d+$/, ""),
      `${fault} ${id}`,
    );
    assert.ok("html" in reply.answers[0]! && reply.answers[0].html === "shown", JSON.stringify(reply.answers));
    const { user, system } = cpuUsage(from);
    assert.ok(user + system < 3_000_000, `${user + system} µs`);
    assert.equal(await htmlOf(site, "<Good />", `import { Good } from "/snippets/good";`), "<b>1</b>");
  });

test("a module that takes too long to compile ends the compiler, and a new one compiles the next module", async () => {
  const compiler = createCompiler(500);
  const [slow, good] = await compiler.compile([
    { id: "slow.ts", text: `export const x = ${"a?a:".repeat(12_000)}1;` },
    { id: "good.ts", text: "export const x = 1 as number;" },
  ]);
  assert.deepEqual(slow, { fault: { kind: "limit", message: "it takes too long to compile" } });
  assert.ok(good && "code" in good);
  const service = childrenOf(process.pid).find((pid) => read(pid, "cmdline").includes("--service="))!;
  process.kill(service, "SIGKILL");
  await waitUntil("the compiler ends", () => !isAlive(service));
  const [again] = await compiler.compile([{ id: "good.ts", text: "export const x = 1 as number;" }]);
  assert.deepEqual(again, good);
  const queued = Array.from({ length: 50 }, (_, i) => ({ id: "good.ts", text: `export const x = ${i} as number;` }));
  const waiting = assert.rejects(compiler.compile(queued), /closed before the module was compiled/);
  await compiler.close();
  await waiting;
});
