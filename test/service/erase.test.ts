import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { erase } from "../../src/service/erase.js";
import { runServiceWorker } from "../../src/service/run-service-worker.js";
import { bundleKey, indexKey, type S3StoreOptions } from "../../src/service/store/index.js";
import { page, temporaryFolder, writeSite } from "../support/cli.js";
import { type Swift, startSwift } from "../support/swift.js";
import { openTestStore, type TestStore } from "../support/test-store.js";
import { waitUntil } from "../support/wait-until.js";

let swift: Swift;
let s3: S3StoreOptions;
beforeAll(async () => {
  const { stop, ...server } = await startSwift();
  swift = { stop, ...server };
  s3 = { bucket: "bundles", ...server };
  await new S3Client({ ...server, forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: s3.bucket }));
});
afterAll(() => swift.stop());

const by = { actor: "operator" };
const siteFolder = () => writeSite(temporaryFolder(), { "index.mdx": page("Start", "Hello.") });
const stores = [
  ["a folder", () => openTestStore(siteFolder())],
  ["a bucket", () => openTestStore(siteFolder(), {}, { s3 })],
] as const;

const statusOf = async ({ store: { objects } }: TestStore, url: string): Promise<number> =>
  (await (objects.serveObject ? objects.serveObject(new Request(url)) : fetch(url))).status;

describe.each(stores)("with bundles in %s", (_, open) => {
  test("a link to a withdrawn bundle ends at once; its index and the cached pages of its site are gone", async () => {
    const each = await open();
    const { store, project } = each;
    const { organizationId, projectId } = project;
    const archive = join(each.folder, "bundle.tar.gz");
    writeFileSync(archive, "bytes");
    const jobId = await each.startJob();
    const lease = (await store.jobs.take("worker"))!;
    const [objectKey, index] = [bundleKey(jobId, 1), indexKey(jobId, 1)];
    const ofSite = `cache/${organizationId}/${projectId}/a`;
    const ofOther = `cache/${organizationId}/prj_${"0".repeat(32)}/a`;
    for (const key of [objectKey, index, ofSite, ofOther]) await store.objects.put(key, archive, "application/gzip");
    await store.jobs.complete(lease, { objectKey, bytes: 5, sha256: "0".repeat(64) }, 1);
    const { url } = await store.objects.link(objectKey, 60_000);
    expect(await statusOf(each, url)).toBe(200);
    const receipt = await erase(store, { kind: "bundle", organizationId, jobId }, by);
    expect(receipt).toMatchObject({ objects: { bundles: 2, caches: 1 }, completedAt: expect.any(Date) });
    expect(await statusOf(each, url)).toBe(404);
    for (const key of [objectKey, index, ofSite]) expect(await store.objects.sizeOf(key)).toBe(undefined);
    expect(await store.objects.sizeOf(ofOther)).toBe(5);
  });

  test("a worker that uploads after the site was removed leaves nothing, and its disk is cleaned", async () => {
    const each = await open();
    const { store, project } = each;
    const { organizationId, projectId, domain } = project;
    const work = temporaryFolder();
    const cacheFolder = join(work, "cache");
    const upload = Promise.withResolvers<void>();
    let isHeld = false;
    const put: typeof store.objects.put = async (key, path, type) => {
      if (isHeld) await upload.promise;
      // A worker that has not noticed yet that its job has ended.
      await store.objects.put(key, path, type);
    };
    const stop = new AbortController();
    const running = runServiceWorker({
      ...{ store: { ...store, objects: { ...store.objects, put } }, cacheFolder, workFolder: join(work, "work") },
      ...{ concurrency: 1, graceMs: 0, keepSpare: false, exportPriority: "normal", signal: stop.signal },
    });
    onTestFinished(async () => {
      upload.resolve();
      stop.abort();
      await running;
    });
    const first = await each.untilFinished(await each.startJob());
    expect(first.status).toBe("completed");
    const disk = join(cacheFolder, "sites", projectId);
    expect(existsSync(disk)).toBe(true);
    // Stored pages are uploaded after the end of the job.
    await waitUntil("the shared cache", async () => (await store.objects.list("cache/")).length > 0);
    isHeld = true;
    const late = await each.startJob();
    await waitUntil("the upload", async () => (await store.jobs.log(late, { limit: 99 })).lines.some(isExported));
    const receipt = await erase(store, { kind: "site", organizationId, domain }, by);
    if (!("erasureId" in receipt)) throw new Error(receipt.kind);
    expect(receipt.completedAt).toBe(undefined);
    expect(receipt.workers).toMatchObject([{ workerId: expect.any(String) }]);
    upload.resolve();
    const complete = await waitUntil("the receipt", async () => {
      const erasure = await store.erasures.get(receipt.erasureId);
      return erasure?.completedAt && erasure;
    });
    expect(complete.workers).toEqual([
      { ...receipt.workers[0], confirmedAt: expect.any(Date), files: expect.any(Number) },
    ]);
    expect(complete.workers[0]!.files).toBeGreaterThan(0);
    expect(complete.objects!.bundles).toBeGreaterThan(0);
    expect(complete.objects!.caches).toBeGreaterThan(0);
    expect(existsSync(disk)).toBe(false);
    const left = [...(await store.objects.list("static-exports/")), ...(await store.objects.list("cache/"))];
    const own = left.filter(({ objectKey }) => [first.jobId, late, projectId].some((id) => objectKey.includes(id)));
    expect(own).toEqual([]);
    expect([await store.jobs.get(first.jobId), await store.jobs.get(late)]).toEqual([undefined, undefined]);
  });
});

const isExported = ({ message }: { readonly message: string }): boolean => message.startsWith("The site was exported");

test("a worker removes the packs of the repository, too, once it starts", async () => {
  const each = await openTestStore(siteFolder());
  const { store, project } = each;
  const { organizationId, projectId } = project;
  const source = { kind: "git", url: "https://git.acme.com/docs.git", subfolder: "site" } as const;
  await store.accounts.changeProject(organizationId, projectId, { source, deployment: "cloud" });
  const { packEntryName } = await import("../../src/service/git/checkout/index.js");
  const work = temporaryFolder();
  const folders = [
    packEntryName(source.url, source.subfolder),
    packEntryName("https://git.acme.com/other.git", undefined),
  ];
  for (const folder of folders) mkdirSync(join(work, "cache", "git", folder), { recursive: true });
  const erased = await erase(store, { kind: "site", organizationId, domain: project.domain }, by);
  if (!("erasureId" in erased)) throw new Error(erased.kind);
  const stop = new AbortController();
  const running = runServiceWorker({
    ...{ store, cacheFolder: join(work, "cache"), workFolder: join(work, "work") },
    ...{ concurrency: 1, keepSpare: false, signal: stop.signal },
  });
  await waitUntil("the worker's answer", async () => (await store.erasures.get(erased.erasureId))!.workers.length > 0);
  stop.abort();
  await running;
  expect(folders.map((folder) => existsSync(join(work, "cache", "git", folder)))).toEqual([false, true]);
});
