import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runMaintenance } from "../../../src/service/run-service-worker.js";
import type { S3StoreOptions } from "../../../src/service/store/index.js";
import { runCli, temporaryFolder, writeManyPages } from "../../support/cli.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { type Swift, startSwift } from "../../support/swift.js";
import { openTestStore, type TestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import {
  childrenOf,
  isExport,
  nodeInside,
  startWorkerProcess,
  type WorkerProcess,
} from "../../support/worker-processes.js";

let swift: Swift;
let s3: S3StoreOptions;
beforeAll(async () => {
  const { stop, ...server } = await startSwift();
  swift = { stop, ...server };
  s3 = { bucket: "bundles", ...server };
  await new S3Client({ ...server, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: s3.bucket }));
});
afterAll(() => swift.stop());

/** A worker on its own machine. */
function startWorker({ options }: TestStore, workFolder = join(temporaryFolder(), "work")): WorkerProcess {
  const cacheFolder = join(temporaryFolder(), "cache");
  return startWorkerProcess({
    ...{ store: options, cacheFolder, workFolder },
    ...{ concurrency: 1, graceMs: 0, keepSpare: false },
  });
}
const cold = async (source: string): Promise<string> => {
  const archive = join(temporaryFolder(), "own.tar.gz");
  return (await exportInProcess({ source, archive, baseUrl: "https://docs.acme.com" })).archive!.sha256;
};
/** Pages that the last attempt of a job has made. */
const madeBy = async ({ store: { jobs } }: TestStore, jobId: string): Promise<number> => {
  const log = JSON.stringify(await jobs.log(jobId, { limit: 100 }));
  return Number(/\(pages: \d+, rendered: (\d+)/.exec(log)![1]);
};
/** Runs a job. */
const exported = async (each: TestStore) => {
  const job = await each.untilFinished(await each.startJob());
  return { sha256: job.bundle!.sha256, made: await madeBy(each, job.jobId) };
};

/** The pages whose bodies the indexes in the bucket have. */
async function storedPages({ store: { objects } }: TestStore, under: string): Promise<Set<string>> {
  const found = await objects.list(under);
  const keys = found.map(({ objectKey }) => objectKey).filter((key) => key.includes("/index"));
  const texts = await Promise.all(
    keys.map(async (key) => gunzipSync((await objects.read(key, 0, 1e9))!.bytes).toString("utf8")),
  );
  // After the head, each block has a line with the fields of its entries, and one with what was read for them.
  const entries = texts.flatMap((text) =>
    text
      .split("\n")
      .filter((line, at) => at % 2 === 1 && line !== "")
      .flatMap((line) => JSON.parse(line)),
  );
  return new Set(entries.flatMap(({ page, body }) => (body ? [page] : [])));
}

test("workers on other machines make only new pages: after a kill halfway, of the same site and of a changed one", async () => {
  const pageCount = 160;
  const site = writeManyPages(temporaryFolder(), pageCount);
  const each = await openTestStore(site, { leaseMs: 5000, backoffMs: 50, maxAttempts: 3 }, { s3 });
  const under = `cache/${each.project.organizationId}/${each.project.projectId}/`;
  const stored = () => storedPages(each, under);

  const jobId = await each.startJob();
  const work = join(temporaryFolder(), "work");
  const first = startWorker(each, work);
  const noted = (): string[] =>
    existsSync(work)
      ? readdirSync(work, { recursive: true })
          .map((path) => /\/pages\/\w+\/(index-\w+)$/.exec(String(path))?.[1])
          .filter((name) => name !== undefined)
      : [];
  await waitUntil("the first pages on the disk", () => noted().length > 0);
  const [exporting] = childrenOf(first.pid).filter(isExport);
  process.kill(nodeInside(exporting!)!, "SIGSTOP");
  // All that are noted by now: one that is still on its way would arrive after they are counted.
  await waitUntil("these pages in the bucket", async () => {
    const keys = (await each.store.objects.list(under)).map(({ objectKey }) => objectKey);
    return noted().every((name) => keys.some((key) => key.endsWith(`/${name}.gz`)));
  });
  first.kill("SIGKILL");
  process.kill(-exporting!, "SIGKILL");
  await first.ended;
  const before = (await stored()).size;
  expect(before).toBeLessThan(pageCount);
  const second = startWorker(each);
  const job = await each.untilFinished(jobId);
  expect([job.status, job.attempt]).toEqual(["completed", 2]);
  expect(await madeBy(each, jobId)).toBe(pageCount - before);
  expect((await stored()).size).toBe(pageCount);
  expect(job.bundle!.sha256).toBe(await cold(site));
  second.kill("SIGKILL");

  const third = startWorker(each);
  expect(await exported(each)).toEqual({ sha256: job.bundle!.sha256, made: 0 });
  third.kill("SIGKILL");

  appendFileSync(join(site, "page-7.mdx"), "\nOne more paragraph.\n");
  startWorker(each);
  expect(await exported(each)).toEqual({ sha256: await cold(site), made: 1 });

  // The site is removed together with its stored pages.
  await each.store.erasures.erase({
    kind: "site",
    organizationId: each.project.organizationId,
    domain: each.project.domain,
  });
  const stop = new AbortController();
  const maintained = runMaintenance({ store: each.store, signal: stop.signal });
  await waitUntil("the end of the cache", async () => (await each.store.objects.list("cache/")).length === 0);
  stop.abort();
  await maintained;
});

test("offprint export --cache s3://… shares pages as well, and goes on without a bucket that refuses", async () => {
  const site = writeManyPages(join(temporaryFolder(), "docs"), 5);
  const exportOn = async (more: NodeJS.ProcessEnv = {}) => {
    const machine = temporaryFolder();
    const { accessKeyId, secretAccessKey } = swift.credentials;
    const env = {
      ...{ PATH: process.env["PATH"], XDG_CACHE_HOME: machine, OFFPRINT_S3_ENDPOINT: swift.endpoint },
      ...{ AWS_REGION: swift.region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, ...more },
    };
    const report = join(machine, "report.json");
    const words = ["export", site, "-o", join(machine, "out"), "--report", report, "--cache", "s3://bundles/of/acme"];
    const { code, stdout, stderr } = await runCli(words, { env });
    return { code, printed: stdout + stderr, made: code === 0 && JSON.parse(readFileSync(report, "utf8")).pagesMade };
  };
  const failure = "the shared cache failed; the export continues without it";
  const [first, second] = [await exportOn(), await exportOn()];
  expect([first.made, second.made]).toEqual([5, 0]);
  expect(first.printed + second.printed).not.toContain(failure);
  const secret = "another-secret-of-this-test";
  for (const more of [{ AWS_SECRET_ACCESS_KEY: secret }, { OFFPRINT_S3_ENDPOINT: "http://127.0.0.1:9" }]) {
    const refused = await exportOn(more);
    expect([refused.code, refused.made]).toEqual([0, 5]);
    expect(refused.printed.split(failure)).toHaveLength(2);
    expect(refused.printed).not.toContain(secret);
  }
  const lacking = await exportOn({ AWS_REGION: "" });
  expect([lacking.code, lacking.printed]).toEqual([2, expect.stringContaining("AWS_REGION is not")]);
});
