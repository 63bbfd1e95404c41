import { expect, test } from "vitest";
import type { Diagnostic } from "../../../src/lib/diagnostic/index.js";
import { createApi } from "../../../src/service/http/index.js";
import { findingsOf } from "../../../src/service/worker/findings.js";
import { keepRecord } from "../../../src/service/worker/run-leased.js";
import { type ApiWorld, jobsPath, openApiWorld, publicUrl } from "../../support/api-world.js";

const diagnostic = (index: number, severity: Diagnostic["severity"] = "warning"): Diagnostic => ({
  code: "LINK_NOT_FOUND",
  severity,
  what: `Fault ${index}: "é😀\n".`,
  location: { sourcePath: `pages/${index}.mdx`, line: index + 1, column: 2, length: 3 },
  fix: "remove it.",
});

/** A job whose export failed with the diagnostics, recorded as the worker does. */
async function failedJob(world: ApiWorld, diagnostics: readonly Diagnostic[]): Promise<string> {
  const jobId = await world.startJob();
  const lease = await world.takeJob();
  const record = keepRecord(lease, world.store, () => {});
  await record.add("info", "Attempt 1 started.");
  const report = await record.report(findingsOf(diagnostics, (text) => text));
  expect(await world.store.jobs.fail(lease, "The site could not be exported.", false, report)).toBe(true);
  return jobId;
}

const readAll = async (world: ApiWorld, path: string, field: string, limit: number) => {
  const pages: unknown[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, json } = await world.call("GET", `${path}?limit=${limit}${query}`, { key: world.key });
    expect(status).toBe(200);
    pages.push(json[field]);
    cursor = json.nextCursor;
  }
  return pages;
};

test("a finished job says how many errors and warnings it has, and lists them in pages, errors first", async () => {
  const world = await openApiWorld();
  const given = [diagnostic(0), diagnostic(1, "error"), diagnostic(2), diagnostic(3, "error"), diagnostic(4)];
  const jobId = await failedJob(world, given);
  const { json } = await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key });
  expect(json).toMatchObject({ status: "failed", errors: 2, warnings: 3 });
  const expected = [given[1], given[3], given[0], given[2], given[4]];
  const path = `${jobsPath}/${jobId}/diagnostics`;
  expect(await readAll(world, path, "diagnostics", 2)).toEqual([
    expected.slice(0, 2),
    expected.slice(2, 4),
    expected.slice(4),
  ]);
  expect(await readAll(world, path, "diagnostics", 5)).toEqual([expected]);
  expect((await world.call("GET", path, { key: world.key })).json).toEqual({ diagnostics: expected, nextCursor: null });
});

test("thousands of long diagnostics are read in pages, each bounded in bytes", async () => {
  const world = await openApiWorld();
  const given = Array.from({ length: 3000 }, (_, i) => ({ ...diagnostic(i), what: `${i} ${"\u0001".repeat(3000)}` }));
  const jobId = await failedJob(world, given);
  const pages = await readAll(world, `${jobsPath}/${jobId}/diagnostics`, "diagnostics", 100);
  const all = pages.flat() as Diagnostic[];
  // Not all of them are kept, but the counts are whole.
  expect(all.length).toBeGreaterThan(500);
  expect(all.map(({ what }) => Number(what.split(" ")[0]))).toEqual(all.map((_, i) => i));
  expect(all.every(({ what }) => what.length <= 2000)).toBe(true);
  expect(Math.max(...pages.map((page) => JSON.stringify(page).length))).toBeLessThan(300 * 1024);
  expect((await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key })).json.warnings).toBe(3000);
});

test("an unfinished job has no diagnostics yet, and a job that was cancelled has none", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  const path = `${jobsPath}/${jobId}/diagnostics`;
  const early = await world.call("GET", path, { key: world.key });
  expect([early.status, early.headers.get("Retry-After"), early.json.error]).toEqual([
    409,
    "1",
    "The job is queued, so it has no diagnostics yet. Ask again when it has ended.",
  ]);
  await world.call("DELETE", `${jobsPath}/${jobId}`, { key: world.key });
  const late = await world.call("GET", path, { key: world.key });
  expect([late.status, late.json]).toEqual([200, { diagnostics: [], nextCursor: null }]);
});

test("diagnostics that were deleted in the object store are a 404", async () => {
  const world = await openApiWorld();
  const jobId = await failedJob(world, [diagnostic(0)]);
  await world.store.objects.remove(`static-exports/${jobId}/1/diagnostics.jsonl`);
  const answer = await world.call("GET", `${jobsPath}/${jobId}/diagnostics`, { key: world.key });
  expect([answer.status, answer.json.error]).toEqual([
    404,
    "The diagnostics of this job have been deleted. Start a new job.",
  ]);
});

test("a cursor that leads into a line, or after the end, is a 400", async () => {
  const world = await openApiWorld();
  const jobId = await failedJob(world, [diagnostic(0), diagnostic(1)]);
  for (const position of [1, 50, 10_000]) {
    const cursor = Buffer.from(`p${position}`).toString("base64url");
    const { status, json } = await world.call("GET", `${jobsPath}/${jobId}/diagnostics?cursor=${cursor}`, {
      key: world.key,
    });
    expect([position, status, json.error]).toEqual([
      position,
      400,
      '"cursor" must be the nextCursor of the previous page.',
    ]);
  }
});

test("an object store that hangs is a 503 for the diagnostics", async () => {
  const world = await openApiWorld();
  const jobId = await failedJob(world, [diagnostic(0)]);
  const objects = { ...world.store.objects, read: () => new Promise<never>(() => {}) };
  const api = createApi({ store: { ...world.store, objects }, options: { objectsMs: 50 } });
  const headers = { Authorization: `Bearer ${world.key}` };
  const response = await api.fetch(new Request(`${publicUrl}${jobsPath}/${jobId}/diagnostics`, { headers }));
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
});

test("the log tells what happened, while the job runs and afterwards", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  const lease = await world.takeJob();
  const record = keepRecord(lease, world.store, () => {});
  await record.add("info", "Attempt 1 started.");
  world.clock.ms += 1500;
  await record.add("warning", "Attempt 1 failed. The disk is full.");
  const path = `${jobsPath}/${jobId}/logs`;
  const lines = [
    { time: "2026-06-01T06:00:00.000Z", level: "info", message: "Attempt 1 started." },
    { time: "2026-06-01T06:00:01.500Z", level: "warning", message: "Attempt 1 failed. The disk is full." },
  ];
  expect((await world.call("GET", path, { key: world.key })).json).toEqual({ lines, nextCursor: null });
  await world.store.jobs.cancel(jobId, "The job was cancelled by request.");
  const last = { ...lines[1], level: "error", message: "The job failed. The job was cancelled by request." };
  expect(await readAll(world, path, "lines", 2)).toEqual([lines, [last]]);
});

test("a job is run again with the same request", async () => {
  const world = await openApiWorld();
  const request = { version: "v2", paths: ["guides/install"], webhookUrl: "https://ci.acme.com/hook" };
  const jobId = await world.startJob(request);
  const rerun = (headers = {}) => world.call("POST", `${jobsPath}/${jobId}/rerun`, { key: world.key, headers });
  const early = await rerun();
  expect([early.status, early.json.error]).toEqual([
    409,
    "The job is queued. Wait until it has ended, or cancel it, before you run it again.",
  ]);
  await world.store.jobs.cancel(jobId, "cancelled");
  const again = await rerun();
  expect([again.status, again.headers.get("Location")]).toEqual([202, `${jobsPath}/${again.json.jobId}`]);
  expect(again.json.jobId).not.toBe(jobId);
  expect(again.json).toMatchObject({ status: "queued", domain: "docs.acme.com", version: "v2", paths: request.paths });
  expect(await world.store.jobs.get(again.json.jobId)).toMatchObject(request);
});

test("running a job again takes an Idempotency-Key of its own, and counts as a start", async () => {
  const world = await openApiWorld({ jobsPerWindow: 4 });
  const jobId = await world.failedJob("x");
  const rerun = (key: string, id = jobId) =>
    world.call("POST", `${jobsPath}/${id}/rerun`, { key: world.key, headers: { "Idempotency-Key": key } });
  const first = await rerun("k-1");
  const second = await rerun("k-1");
  expect([second.status, second.text, second.headers.get("Idempotent-Replayed")]).toEqual([202, first.text, "true"]);
  expect((await rerun("k-2")).json.jobId).not.toBe(first.json.jobId);
  // One start and two reruns are counted; the next refusal is the fourth.
  expect((await rerun("k-3", first.json.jobId)).status).toBe(409);
  expect((await rerun("k-4")).status).toBe(429);
  await world.store.erasures.erase({
    kind: "site",
    organizationId: world.acme.organizationId,
    domain: "docs.acme.com",
  });
  world.clock.ms += 60_000;
  const gone = await rerun("k-5");
  // The job is erased with its site.
  expect(gone.status).toBe(404);
});
