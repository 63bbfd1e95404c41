import { randomBytes } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type ExportOptions, type ExportResult, runExport } from "../../../src/export/index.js";
import type { PageTask } from "../../../src/export/pages/thread-messages.js";
import type { WorkerPoolOptions } from "../../../src/lib/queue/worker-pool.js";
import { shortHash } from "../../../src/lib/short-hash.js";
import { temporaryFolder, writeManyPages } from "../../support/cli.js";
import { createPoolInProcess } from "../../support/pool-in-process.js";
import { createRemoteInMemory, type RemoteInMemory } from "../../support/remote-in-memory.js";

let made = 0;
const pagePool = (options: WorkerPoolOptions) => {
  const pool = createPoolInProcess(options);
  return {
    ...pool,
    async run(task: PageTask) {
      const outcome = await pool.run(task);
      if (task.kind === "page" && outcome.ok && !outcome.result.isReused) made++;
      return outcome;
    },
  };
};
function exportWith(options: ExportOptions): Promise<ExportResult> {
  made = 0;
  return runExport(options, { pagePool });
}
/** The site, on a machine that has never seen it. */
const exportElsewhere = (source: string, remote?: RemoteInMemory, cacheFolder = temporaryFolder()) =>
  exportWith({
    source,
    output: join(temporaryFolder(), "out"),
    ...(remote && { cacheFolder, cacheName: "docs", remoteCache: remote.store }),
  });
const bytesOf = ({ manifest }: ExportResult): unknown => manifest?.files;
const copyOf = (remote: RemoteInMemory): RemoteInMemory => {
  const copy = createRemoteInMemory();
  for (const [name, object] of remote.objects) copy.objects.set(name, object);
  return copy;
};

const count = 8;
const site = (): string => writeManyPages(temporaryFolder(), count);

test("another machine makes only the pages that have changed, with the bytes of an export without a cache", async () => {
  const source = site();
  const remote = createRemoteInMemory();
  await exportElsewhere(source, remote);
  expect(made).toBe(count);
  const packs = remote.packs();

  const again = await exportElsewhere(writeManyPages(temporaryFolder(), count), remote);
  expect(made).toBe(0);
  expect(remote.packs()).toEqual(packs);
  expect(remote.indexes()).toHaveLength(1);
  expect(bytesOf(again)).toEqual(bytesOf(await exportElsewhere(source)));

  appendFileSync(join(source, "page-3.mdx"), "\nOne more paragraph.\n");
  const changed = await exportElsewhere(source, remote);
  expect(made).toBe(1);
  expect(remote.packs()).toHaveLength(packs.length + 1);
  expect(bytesOf(changed)).toEqual(bytesOf(await exportElsewhere(source)));
  expect(remote.failures).toEqual([]);
});

test("a machine that has seen the site fetches only new entries, and sends nothing if nothing has changed", async () => {
  const source = site();
  const remote = createRemoteInMemory();
  const cacheFolder = temporaryFolder();
  await exportElsewhere(source, remote, cacheFolder);
  await exportElsewhere(source, remote, cacheFolder);
  remote.asked.length = 0;
  await exportElsewhere(source, remote, cacheFolder);
  expect(made).toBe(0);
  expect(remote.asked.map((each) => each.split(" ")[0])).toEqual(["list"]);

  appendFileSync(join(source, "page-3.mdx"), "\nOne more paragraph.\n");
  await exportElsewhere(source, remote);
  remote.asked.length = 0;
  await exportElsewhere(source, remote, cacheFolder);
  expect(made).toBe(0);
  // The index of the other machine, and its pack.
  expect(remote.asked.filter((each) => each.startsWith("get"))).toHaveLength(2);
});

test("of two exports at once, none loses its pages", async () => {
  const source = site();
  const remote = createRemoteInMemory();
  await exportElsewhere(source, remote);
  const [one, two] = [site(), site()];
  appendFileSync(join(one, "page-3.mdx"), "\nOne more paragraph.\n");
  appendFileSync(join(two, "page-4.mdx"), "\nOne more paragraph.\n");
  await Promise.all([exportElsewhere(one, remote), exportElsewhere(two, remote)]);
  for (const each of [one, two, source]) {
    await exportElsewhere(each, copyOf(remote));
    expect(made).toBeLessThanOrEqual(1);
  }
  appendFileSync(join(one, "page-4.mdx"), "\nOne more paragraph.\n");
  await exportElsewhere(one, remote);
  expect(made).toBe(0);
  expect(remote.indexes()).toHaveLength(1);
});

const halfOf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
function flipped(packed: Buffer): Buffer {
  const bytes = gunzipSync(packed);
  bytes[Math.floor(bytes.length / 3)]! ^= 4;
  return gzipSync(bytes);
}
const damages: readonly (readonly [kind: "packs" | "indexes", what: string, (bytes: Buffer) => Buffer | undefined])[] =
  [
    ["packs", "missing", () => undefined],
    ["packs", "truncated", halfOf],
    ["packs", "random", (bytes) => randomBytes(bytes.length)],
    ["packs", "with a bit flipped", flipped],
    ["indexes", "truncated", halfOf],
    ["indexes", "of other content", () => gzipSync(randomBytes(3000))],
    ["indexes", "with a bit flipped", flipped],
  ];

test("damaged objects only cost time, and the export repairs them", async () => {
  const source = site();
  const whole = createRemoteInMemory();
  const cold = bytesOf(await exportElsewhere(source, whole));
  for (const [kind, what, damage] of damages) {
    const remote = copyOf(whole);
    const [name] = whole[kind]();
    const bytes = damage(Buffer.from(whole.objects.get(name!)!.bytes));
    if (bytes) remote.objects.set(name!, { bytes, changedAt: Date.now() });
    else remote.objects.delete(name!);
    expect(bytesOf(await exportElsewhere(source, remote)), `${kind} ${what}`).toEqual(cold);
    expect(made, `${kind} ${what}`).toBeGreaterThan(0);
    expect(remote.failures).toEqual([]);
    if (what !== "with a bit flipped") continue;
    await exportElsewhere(source, remote);
    expect(made, `after ${kind} ${what}`).toBe(0);
  }
});

test("entries by somebody else are not trusted, even in an index with the right hash", async () => {
  const source = site();
  const remote = createRemoteInMemory();
  const cold = bytesOf(await exportElsewhere(source, remote));
  const [name] = remote.indexes();
  const lines = gunzipSync(remote.objects.get(name!)!.bytes).toString().split("\n").slice(1);
  // biome-ignore lint/suspicious/noExplicitAny: what the store has written
  const fields = JSON.parse(lines[0]!) as readonly Record<"page" | "readBytes" | "body" | "record", any>[];
  const end = (index: number): number => fields.slice(0, index).reduce((sum, { readBytes }) => sum + readBytes, 0);
  const allReads = Buffer.from(lines[1]!);
  /** The two lines of a block with one entry. */
  const block = (entry: unknown, reads: string): string[] => [
    JSON.stringify([entry && typeof entry === "object" ? { ...entry, readBytes: Buffer.byteLength(reads) } : entry]),
    reads,
  ];
  const readsAt = (index: number): string => allReads.subarray(end(index), end(index + 1)).toString();
  const index = fields.findIndex(({ page }) => page === "page-3.html");
  const [entry, reads] = [fields[index]!, readsAt(index)];
  const { body, record } = entry;
  const [file] = record.files;
  const hostile = [
    ...[null, [], "text", { ...entry, page: 3 }, { ...entry, changeable: [1, 2] }, { ...entry, record: null }],
    ...[
      { ...entry, texts: "text" },
      { ...entry, site: 1 },
    ],
    { ...entry, record: { ...record, files: [{ ...file, bytes: -1 }] } },
    { ...entry, record: { ...record, diagnostics: {} } },
    { ...entry, body: { ...body, at: ["../../../etc/passwd", 0, 10, "x"], record: undefined } },
    { ...entry, body: { ...body, record: [body.at[0], 0, 2 ** 50, body.at[3]] } },
    { ...entry, body: { ...body, record: [body.at[0], -1, 10, body.at[3]] } },
  ].flatMap((each) => block(each, reads));
  const questions = ["address", "nearest {", "text ../../secret"].map((question) => [question, "x"]);
  for (const body of [3, [1], ...questions])
    hostile.push(...block({ ...entry, site: "" }, JSON.stringify({ body, document: [] })));
  hostile.push("null", "", ...block({ ...entry, site: "" }, ""), ...block({ ...entry, site: "" }, "["));
  for (const readBytes of [-1, 0.5, "5"]) hostile.push(JSON.stringify([{ ...entry, site: "", readBytes }]), reads);
  const others = fields.flatMap((each, at) =>
    at === index
      ? []
      : block(each, readsAt(at)).map((line) => line.replace('"page-4.html","bytes"', '"../../x.html","bytes"')),
  );
  expect(others.join()).toContain("../../x.html");
  const content = [...hostile, ...others, "{"].join("\n");
  remote.objects.set(name!, { bytes: gzipSync(`${shortHash(content)}\n${content}`), changedAt: Date.now() });
  expect(bytesOf(await exportElsewhere(source, remote))).toEqual(cold);
  expect(made).toBe(1);
});

test("a store that fails is not used again after one message, and the export goes on", async () => {
  const source = site();
  const whole = createRemoteInMemory();
  await exportElsewhere(source, whole);
  appendFileSync(join(source, "page-3.mdx"), "\nOne more paragraph.\n");
  const cold = bytesOf(await exportElsewhere(source));
  for (const method of ["list", "get", "put", "remove"] as const) {
    const remote = copyOf(whole);
    let calls = 0;
    let callsAfterFailure = 0;
    const refuse = async (): Promise<never> => {
      calls++;
      // A slow export has sent several indexes, which are removed at once.
      if (remote.failures.length > 0) callsAfterFailure++;
      throw new Error("status 403");
    };
    const store = { ...remote.store, [method]: refuse };
    expect(bytesOf(await exportElsewhere(source, { ...remote, store }))).toEqual(cold);
    expect(made).toBe(method === "list" || method === "get" ? count : 1);
    expect(remote.failures.map(String)).toEqual(["Error: status 403"]);
    expect(calls).toBeGreaterThan(0);
    expect(callsAfterFailure).toBe(0);
  }
});
