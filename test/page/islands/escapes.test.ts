/** What code of a site reaches from the interpreter: nothing. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { builtFile } from "../../../src/lib/package-root.js";
import type { Namespace } from "../../../src/lib/sandbox/namespace.js";
import type { IslandAnswer, IslandReply } from "../../../src/page/islands/island.js";
import { isRenderReply } from "../../../src/page/islands/sandbox/protocol.js";
import { createIslandWorker } from "../../../src/page/islands/worker-process.js";
import { escapes } from "./escapes.js";
import { htmlOf, kindOf, page, rendererOf, requestOf } from "./site-of-islands.js";

const folder = mkdtempSync(join(tmpdir(), "escapes-"));
const secret = "a-secret-of-the-machine";
const file = join(folder, "secret.js");
writeFileSync(file, `export default "${secret}";`);

let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.destroy();
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
});
const renderer = rendererOf();
afterAll(async () => {
  await renderer.close();
  server.close();
});

/** An island that makes an attempt, and says what came of it. */
const attempt = (body: string) =>
  requestOf(
    ["<Attempt />"],
    `const FILE = ${JSON.stringify(file)}, FOLDER = ${JSON.stringify(folder)}, PORT = ${port};
const attempt = () => { ${body} };
const Attempt = () => {
  let result;
  try { result = attempt(); } catch (error) { if (error === null || typeof error !== "object") throw error; result = "threw " + error.message + error.stack; }
  return <p title={String(result)}>{result}</p>;
};`,
  );

const canary = [
  "<Canary list={['a', 'b']} />",
  "const Canary = ({ list }) => { const [n] = useState(1); return <ul>{list.map((x) => <li key={x} className={x}>{x.replace('a', 'A')}{n}</li>)}</ul>; };",
] as const;
const canaryHtml = '<ul><li class="a">A1</li><li class="b">b1</li></ul>';

/** Paths and names that only the process knows, and the texts that a poisoned function would put into a later answer. */
const leaks = [secret, realpathSync(builtFile(".")), process.cwd(), "node:internal", "file://", "wasm-function"];

function assertHarmless({ answers, scripts, faults }: IslandReply): void {
  const said = JSON.stringify(answers);
  for (const leak of leaks) assert.ok(!said.includes(leak), said);
  assert.ok(answers.length === 1 && scripts.length <= 1);
  for (const { code, module } of faults) assert.ok(/^I(?:SLAND|MPORT)_/.test(code) && module === page, code);
}

/** The title of the paragraph, or why there is none. */
function outcomeOf(answer: IslandAnswer): string {
  if ("failed" in answer) return answer.failed;
  if ("clientOnly" in answer) return answer.clientOnly.replace("it fails without a browser ", "");
  return /^<p title="([^"]*)"/.exec(answer.html)?.[1] ?? answer.html;
}

for (const [name, body, outcome] of escapes)
  test(`${name}: nothing outside is reached, and the next page is unaffected`, async () => {
    const reply = await renderer.render(attempt(body));
    assertHarmless(reply);
    assert.equal(outcomeOf(reply.answers[0]!).split(" ".repeat(4))[0]!.trim(), outcome);
    assert.equal(await htmlOf(renderer, ...canary), canaryHtml);
    assert.equal(connections, 0);
    assert.deepEqual(readdirSync(folder), ["secret.js"]);
  });

test("only the process that is given a script runs, with an empty environment", async () => {
  const worker = createIslandWorker({
    sandbox: {
      permissions: true,
      // Shows what the process receives: its own program is not started.
      namespace: printing(join(folder, "environment")),
    },
  });
  const printed = rendererOf({ worker });
  assert.equal(kindOf((await printed.render(attempt("return 1"))).answers[0]), "client only");
  await printed.close();
  const names = readFileSync(join(folder, "environment"), "utf8").split("\n").filter(Boolean);
  rmSync(join(folder, "environment"));
  assert.deepEqual(names.map((line) => line.replace(/=.*/, "")).sort(), [
    "NODE_CHANNEL_FD",
    "NODE_CHANNEL_SERIALIZATION_MODE",
    "TZ",
  ]);
});

const printing = (path: string): Namespace => ({
  program: "bwrap",
  prefix: () => ["/bin/sh", "-c", `unset PWD OLDPWD; /usr/bin/env > ${path}`, "sh"],
});

const strace = "/usr/bin/strace";
const whyNoStrace = !existsSync(strace)
  ? "strace is not installed"
  : spawnSync(strace, ["-o", "/dev/null", "/bin/true"]).status !== 0
    ? "strace may not trace here"
    : "";

test.skipIf(whyNoStrace !== "")(`the system is asked for nothing ${whyNoStrace && `(${whyNoStrace})`}`, async () => {
  const log = join(mkdtempSync(join(tmpdir(), "strace-")), "log");
  const words = [
    strace,
    "-f",
    "-qq",
    "-e",
    "trace=%file,%process,socket,connect,bind,listen,accept4,sendto",
    "-o",
    log,
  ];
  const traced = rendererOf({
    worker: createIslandWorker({
      sandbox: { permissions: true, namespace: { program: "bwrap", prefix: () => words } },
    }),
  });
  await traced.render(attempt("return 'first'"));
  const { size } = statSync(log);
  assert.ok(size > 1_000);
  for (const [, body] of escapes) await traced.render(attempt(body));
  const calls = readFileSync(log).subarray(size).toString("utf8").split("\n").filter(Boolean);
  await traced.close();
  // V8 looks up how fast the clock of the processor is; the C library, whether it may return memory.
  const lookUp = /openat\(\w+, "\/(?:sys\/devices\/system\/cpu\/[\w/]+|proc\/sys\/vm\/overcommit_memory)", O_RDONLY/;
  assert.deepEqual(
    calls.filter((line) => !lookUp.test(line)),
    [],
  );
});

const reply = (root: object): boolean => isRenderReply({ roots: [root] });
const good = { html: "<p>", live: true, used: ["Card"] };
test("a reply of the process is checked", () => {
  assert.ok(reply(good));
  assert.ok(reply({ error: "threw", message: "x", unstable: "clock", touched: "window" }));
  assert.ok(isRenderReply({ roots: [], spent: true }));
  const bad: unknown[] = [
    null,
    "text",
    { ...good, html: 1 },
    { ...good, html: "x".repeat(1024 * 1024 + 1) },
    { ...good, live: "yes" },
    { ...good, used: "none" },
    { ...good, used: [{}] },
    { ...good, used: ["x".repeat(1_001)] },
    { ...good, used: Array.from({ length: 1_001 }, () => "x") },
    { ...good, unstable: "moon" },
    { error: "other", message: "x" },
    { error: "threw", message: { toString: "x" } },
    { error: "threw", message: "x", touched: 1 },
    {},
  ];
  for (const root of bad) assert.ok(!reply(root as object), JSON.stringify(root)?.slice(0, 100));
  assert.ok(!isRenderReply({ roots: Array.from({ length: 201 }, () => good) }));
  assert.ok(!isRenderReply({ roots: {} }) && !isRenderReply({ roots: [], spent: 1 }));
});
