import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { exportSite } from "offprint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runMaintenance } from "../../../src/service/maintenance.js";
import type { S3StoreOptions } from "../../../src/service/store/index.js";
import { temporaryFolder, writeManyPages } from "../../support/cli.js";
import { type FaultyProxy, startFaultyProxy } from "../../support/faulty-proxy.js";
import { type Swift, startSwift } from "../../support/swift.js";
import { openTestStore, type TestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import { startWorkerProcess, type WorkerProcess } from "../../support/worker-processes.js";

let swift: Swift;
let proxy: FaultyProxy;
let s3: S3StoreOptions;
beforeAll(async () => {
  swift = await startSwift();
  proxy = await startFaultyProxy(swift.endpoint);
  const { region, credentials } = swift;
  s3 = { bucket: "bundles", endpoint: proxy.url, region, credentials };
  await new S3Client({ ...s3, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: s3.bucket }));
});
afterAll(async () => {
  await proxy.close();
  await swift.stop();
});

/** A worker on a machine of its own. */
const startWorker = ({ options }: TestStore): WorkerProcess => {
  const machine = temporaryFolder();
  return startWorkerProcess({
    store: options,
    cacheFolder: join(machine, "cache"),
    workFolder: join(machine, "work"),
    concurrency: 1,
    graceMs: 0,
    keepSpare: false,
  });
};
const cold = async (source: string): Promise<string> => {
  const archive = join(temporaryFolder(), "own.tar.gz");
  return (await exportSite({ source, archive, baseUrl: "https://docs.acme.com" })).archive!.sha256;
};
const bundleOf = async (each: TestStore): Promise<string | undefined> => {
  const job = await each.untilFinished(await each.startJob(), 120_000);
  return job.bundle?.sha256;
};

/** Where the body of each page is, by the indexes in the bucket. */
async function storedPages({ store: { objects } }: TestStore, under: string): Promise<Map<string, string>> {
  const found = await objects.list(under);
  const keys = found.map(({ objectKey }) => objectKey).filter((key) => key.includes("/index"));
  const texts = await Promise.all(
    keys.map(async (key) => gunzipSync((await objects.read(key, 0, 1e9))!.bytes).toString("utf8")),
  );
  const entries = texts.flatMap((text) =>
    text
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line)),
  );
  return new Map(entries.flatMap(({ page, body }) => (body ? [[page, body.at[0]]] : [])));
}

test("workers on other machines make only what is new: after a kill in the middle, of a same and of a changed site", async () => {
  const pageCount = 600;
  const site = writeManyPages(temporaryFolder(), pageCount);
  const each = await openTestStore(site, { leaseMs: 2500, backoffMs: 50, maxAttempts: 3 }, { s3 });
  const under = `cache/${each.project.organizationId}/${each.project.projectId}/`;
  const stored = () => storedPages(each, under);

  const jobId = await each.startJob();
  const first = startWorker(each);
  await waitUntil("the first pages in the bucket", async () => (await stored()).size > 0);
  first.kill("SIGKILL");
  await first.ended;
  const before = await stored();
  expect(before.size).toBeLessThan(pageCount);
  const second = startWorker(each);
  const job = await each.untilFinished(jobId, 120_000);
  expect([job.status, job.attempt]).toEqual(["completed", 2]);
  const after = await stored();
  expect(after.size).toBe(pageCount);
  const packs = new Set(before.values());
  expect([...after].filter(([, pack]) => packs.has(pack)).length).toBe(before.size);
  expect(job.bundle!.sha256).toBe(await cold(site));
  second.kill("SIGKILL");

  const third = startWorker(each);
  expect(await bundleOf(each)).toBe(job.bundle!.sha256);
  expect(await stored()).toEqual(after);
  third.kill("SIGKILL");

  appendFileSync(join(site, "page-7.mdx"), "\nOne more paragraph.\n");
  startWorker(each);
  expect(await bundleOf(each)).toBe(await cold(site));
  const now = await stored();
  expect([...now].filter(([page, pack]) => after.get(page) !== pack).map(([page]) => page)).toEqual(["page-7.html"]);

  // The site is removed, and with it what was stored for it.
  await each.store.accounts.removeProject(each.project.organizationId, each.project.domain);
  const stop = new AbortController();
  const maintained = runMaintenance({ store: each.store, signal: stop.signal });
  await waitUntil("the end of the cache", async () => (await each.store.objects.list("cache/")).length === 0);
  stop.abort();
  await maintained;
});
