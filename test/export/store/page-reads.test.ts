/** A stored page depends on exactly what it has recorded: see `page-reads.ts`. */
import assert from "node:assert/strict";
import fs, { mkdtempSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { createPageOutputs, outputPathsOf } from "../../../src/bundle/outputs/page-outputs.js";
import { createRecorder } from "../../../src/bundle/search/index.js";
import { runExport } from "../../../src/export/index.js";
import { createContentStage, createRenderStage } from "../../../src/export/pages/body-stages.js";
import { openPageThread } from "../../../src/export/pages/open-page-thread.js";
import { createPageTask } from "../../../src/export/pages/page-task.js";
import type { PageTask, PageThreadData, PageToStore } from "../../../src/export/pages/thread-messages.js";
import { notePaths } from "../../../src/export/store/page-reads.js";
import { bodyPlanOf } from "../../../src/export/store/plan-hashes.js";
import type { WorkerPoolOptions } from "../../../src/lib/queue/worker-pool.js";
import { findCorpora } from "../../support/corpora.js";
import { createPoolInProcess } from "../../support/pool-in-process.js";

interface Threads {
  readonly data: PageThreadData;
  readonly onCall: NonNullable<WorkerPoolOptions["onCall"]>;
}
type Made = ReadonlyMap<PageTask, PageToStore>;
const temporary = (): string => mkdtempSync(join(tmpdir(), "page-reads-"));

/** Exports a site. Before its threads end, returns their inputs and outputs. */
async function whileMaking(source: string, look: (threads: Threads, made: Made) => Promise<void>): Promise<void> {
  const made = new Map<PageTask, PageToStore>();
  const pagePool = (options: WorkerPoolOptions) => {
    const pool = createPoolInProcess(options);
    const data = { ...(options.workerData as PageThreadData), scratch: temporary(), packs: temporary() };
    return {
      ...pool,
      async run(task: PageTask) {
        const outcome = await pool.run(task);
        if (outcome.ok && outcome.result.toStore) made.set(task, outcome.result.toStore);
        return outcome;
      },
      close: () => look({ data, onCall: options.onCall! }, made),
    };
  };
  const result = await runExport({ source, output: "memory", cacheFolder: temporary() }, { pagePool });
  assert.ok(result.ok);
}

/** Makes these pages once more in another thread. @param look gets the files below the site that the page looked at. */
async function makeAgain(
  { data, onCall }: Threads,
  tasks: Iterable<PageTask>,
  look: (task: PageTask, page: PageToStore, seen: ReadonlySet<string>) => void,
): Promise<void> {
  const make = await createPageTask(data, onCall);
  const seen = new Set<string>();
  const names = ["readFileSync", "openSync", "statSync", "lstatSync", "readdirSync", "existsSync"] as const;
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]));
  for (const name of names) {
    const watched = (path: unknown, ...more: unknown[]): unknown => {
      if (typeof path === "string" && path.startsWith(`${data.root}/`)) seen.add(relative(data.root, path));
      return (real[name] as (...given: unknown[]) => unknown)(path, ...more);
    };
    Object.assign(fs, { [name]: watched });
  }
  syncBuiltinESMExports();
  try {
    for (const task of tasks) {
      seen.clear();
      const { toStore } = await make(task);
      assert.ok(toStore);
      look(task, toStore, seen);
    }
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}

const questionsOf = (reads: readonly string[] = []): string[] => reads.filter((_, at) => at % 2 === 0);
/** Without a question whose answer follows from the answer to another one. */
const readsOf = ({ body }: PageToStore): string[] => {
  const questions = new Set(questionsOf(body?.reads));
  return [...questions].filter((question) => !questions.has(question.replace(/^has /, "text "))).toSorted();
};

async function assertNoted(threads: Threads, made: Made): Promise<void> {
  let isWatching = false;
  await makeAgain(threads, [...made.keys()].toReversed(), (task, page, seen) => {
    const noted = new Set([...questionsOf(page.body?.reads), ...questionsOf(page.reads)]);
    const unnoted = [...seen].filter((path) => !noted.has(`text ${path}`) && !noted.has(`size ${path}`));
    isWatching ||= seen.size > 0;
    assert.deepEqual(unnoted, [], JSON.stringify(task));
    assert.deepEqual(readsOf(page), readsOf(made.get(task)!), JSON.stringify(task));
  });
  assert.ok(isWatching);
}

/** A value that calls `onRead` with the name of each property of it, and of the objects in it, that is read. */
function watchedValue<Value>(value: Value, onRead: (name: string) => void, path = ""): Value {
  if (typeof value !== "object" || value === null || value instanceof Map) return value;
  return new Proxy(value, {
    get(object, name) {
      const found: unknown = Reflect.get(object, name);
      if (typeof name === "symbol" || typeof found === "function") return found;
      const inside = `${path}${/^\d+$/.test(name) ? "*" : name}`;
      onRead(inside);
      return watchedValue(found, onRead, `${inside}.`);
    },
  });
}

/** Parts of the site that the stages of a body read without the help of what notes reads, each part of a question. */
const partsOfQuestions = [
  // Of the question "spec".
  /^specs(?:\.|$)/,
];
/** Of the question "facts". */
const partsOfRecords = [
  /^divisions(?:\.\*(?:\.sections(?:\.|$)|$)|\.length|$)/,
  /^sections(?:\.\*(?:\.(?:kind|label)|$)|$)/,
];

async function assertNothingElse({ data, onCall }: Threads, made: Made): Promise<void> {
  let allowed: readonly RegExp[] | undefined;
  const site = watchedValue(data.site, (name) => {
    if (allowed?.every((part) => !part.test(name))) throw new Error(`The body reads ${name} of the site.`);
  });
  const thread = { ...(await openPageThread(data)), site };
  const content = await createContentStage(thread);
  const render = await createRenderStage(thread, content, onCall);
  const outputs = createPageOutputs(thread.bodySite, {
    addresses: thread.bodyAddresses,
    paths: notePaths(outputPathsOf(data.site), thread.log),
    baseUrl: thread.baseUrl,
    readSource: (path) => (thread.files.has(path) ? thread.files.readText(path) : undefined),
  });
  const record = createRecorder(site);
  for (const task of made.keys()) {
    if (task.kind !== "page") continue;
    const whole = data.site.pages[task.index]!;
    const plan = bodyPlanOf(whole);
    allowed = partsOfQuestions;
    const read = content.content(plan);
    const rendered = await render.render(plan, read);
    outputs(plan, read, plan.generated?.text ?? thread.files.readText(plan.sourcePath));
    allowed = partsOfRecords;
    record(whole, rendered);
    allowed = undefined;
  }
}

const fixture = (name: string): string => fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url));
const sites = ["api-pages", "snippets-and-variables", "languages-and-versions", "components", "markdown-dialect"];
const all = [
  ...sites.map((name) => ({ name, folder: fixture(`sites/${name}`) })),
  ...(process.env["OFFPRINT_SOAK"] ? findCorpora() : []),
];
for (const { name, folder } of all)
  test(`${name}: a page records everything that it reads, and the same whichever pages were made before`, () =>
    whileMaking(folder, async (threads, made) => {
      assert.ok(made.size > 1);
      await assertNoted(threads, made);
      await assertNothingElse(threads, made);
    }));
