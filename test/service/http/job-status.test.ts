import { expect, test } from "vitest";
import { jobsPath, openApiWorld } from "../../support/api-world.js";
import { startLoopTimer } from "../../support/machine-time.js";

test("a job is shown from queued to completed, with its progress", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob({ version: "v2" });
  const look = async () => (await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key })).json;
  const seen = [await look()];
  const lease = await world.takeJob();
  world.clock.ms += 1000;
  await world.store.jobs.heartbeat(lease, { progress: 40, pageCount: 12 });
  seen.push(await look());
  world.clock.ms += 1000;
  await world.store.jobs.complete(lease, { objectKey: "x", bytes: 1, sha256: "0" }, 30);
  seen.push(await look());
  const same = { jobId, domain: "docs.acme.com", version: "v2", createdAt: "2026-06-01T06:00:00.000Z" };
  expect(seen).toEqual([
    { ...same, status: "queued", progress: 0, pageCount: 0, updatedAt: "2026-06-01T06:00:00.000Z" },
    { ...same, status: "running", progress: 40, pageCount: 12, updatedAt: "2026-06-01T06:00:01.000Z" },
    {
      ...same,
      status: "completed",
      progress: 100,
      pageCount: 30,
      updatedAt: "2026-06-01T06:00:02.000Z",
      finishedAt: "2026-06-01T06:00:02.000Z",
    },
  ]);
});

test("a failed job says why", async () => {
  const world = await openApiWorld();
  const jobId = await world.failedJob("docs.json is missing.");
  const { json } = await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key });
  expect([json.status, json.error]).toEqual(["failed", "docs.json is missing."]);
});

const tagRules: readonly [rule: string, header: (tag: string) => string, status: number][] = [
  ["the tag", (tag) => tag, 304],
  ["the tag, made weak by a proxy", (tag) => `W/${tag}`, 304],
  ["the tag among others", (tag) => `"a", ${tag}`, 304],
  ["any tag", () => "*", 304],
  ["another tag", () => '"a"', 200],
  ["an invalid tag", () => "a", 200],
];
for (const [rule, header, status] of tagRules)
  test(`If-None-Match with ${rule} gets ${status}`, async () => {
    const world = await openApiWorld();
    const path = `${jobsPath}/${await world.startJob()}`;
    const tag = (await world.call("GET", path, { key: world.key })).headers.get("ETag")!;
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const again = await world.call("GET", path, { key: world.key, headers: { "If-None-Match": header(tag) } });
    expect([again.status, again.headers.get("ETag"), again.text === ""]).toEqual([status, tag, status === 304]);
    expect(again.headers.get("Cache-Control")).toBe("private, no-cache");
  });

test("the tag changes with the job", async () => {
  const world = await openApiWorld();
  const path = `${jobsPath}/${await world.startJob()}`;
  const tag = (await world.call("GET", path, { key: world.key })).headers.get("ETag")!;
  await world.takeJob();
  const again = await world.call("GET", path, { key: world.key, headers: { "If-None-Match": tag } });
  expect([again.status, again.json.status]).toEqual([200, "running"]);
});

const ages = [
  // seconds since the start, Retry-After
  [0, "1"],
  [9, "1"],
  [45, "5"],
  [3600, "10"],
] as const;
for (const [seconds, retryAfter] of ages)
  test(`Retry-After of a job that started ${seconds} seconds ago is ${retryAfter}`, async () => {
    const world = await openApiWorld();
    const path = `${jobsPath}/${await world.startJob()}`;
    world.clock.ms += seconds * 1000;
    expect((await world.call("GET", path, { key: world.key })).headers.get("Retry-After")).toBe(retryAfter);
  });

test("a finished job has no Retry-After", async () => {
  const world = await openApiWorld();
  for (const jobId of [await world.failedJob("x"), await world.completedJob("x")])
    expect((await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key })).headers.get("Retry-After")).toBeNull();
});

for (const wait of ["-1", "61", "1.5", "a", "", "0x1", "1&wait=2"])
  test(`?wait=${wait} is a 400`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("GET", `${jobsPath}/${await world.startJob()}?wait=${wait}`, { key: world.key });
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatch(
      /^"wait" (must be a whole number from 0 to 60|is an array, but must be a string)\.$/,
    );
  });

test("?wait= answers as soon as the job changes", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  const spent = startLoopTimer();
  const waiting = world.call("GET", `${jobsPath}/${jobId}?wait=30`, { key: world.key });
  await world.store.jobs.cancel(jobId, "The job was cancelled by request.");
  expect((await waiting).json.status).toBe("failed");
  expect(spent()).toBeLessThan(5000);
});

test("?wait= with the tag of an earlier state answers at once", async () => {
  const world = await openApiWorld();
  const path = `${jobsPath}/${await world.startJob()}`;
  const tag = (await world.call("GET", path, { key: world.key })).headers.get("ETag")!;
  await world.takeJob();
  const answer = await world.call("GET", `${path}?wait=60`, { key: world.key, headers: { "If-None-Match": tag } });
  expect([answer.status, answer.json.status]).toEqual([200, "running"]);
});

test("?wait= ends unchanged after its timeout, with 304 if the tag was sent", async () => {
  const world = await openApiWorld();
  const path = `${jobsPath}/${await world.startJob()}`;
  const first = await world.call("GET", `${path}?wait=1`, { key: world.key });
  expect([first.status, first.json.status]).toEqual([200, "queued"]);
  const headers = { "If-None-Match": first.headers.get("ETag")! };
  expect((await world.call("GET", `${path}?wait=1`, { key: world.key, headers })).status).toBe(304);
});

test("?wait= answers at once for a finished job, while the server closes, and above the limit of waiting requests", async () => {
  const world = await openApiWorld({ maxWaiting: 1 });
  const { key } = world;
  const ended = await world.failedJob("x");
  const jobId = await world.startJob();
  const one = new AbortController();
  const waiting = world.call("GET", `${jobsPath}/${jobId}?wait=60`, { key, signal: one.signal });
  const spent = startLoopTimer();
  await world.call("GET", `${jobsPath}/${ended}?wait=60`, { key });
  await world.call("GET", `${jobsPath}/${jobId}?wait=60`, { key, closing: AbortSignal.abort() });
  await world.call("GET", `${jobsPath}/${jobId}?wait=60`, { key });
  one.abort();
  await waiting;
  expect(spent()).toBeLessThan(5000);
});
