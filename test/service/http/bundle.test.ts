import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createApi } from "../../../src/service/http/index.js";
import { type ApiWorld, jobsPath, openApiWorld, publicUrl } from "../../support/api-world.js";

const hour = 60 * 60_000;
const content = "the bytes of a bundle";
const sha256 = createHash("sha256").update(content).digest("hex");

const download = (world: ApiWorld, url: string, init?: RequestInit) => world.api.fetch(new Request(url, init));
const bundle = (world: ApiWorld, jobId: string, headers = {}) =>
  world.call("POST", `${jobsPath}/${jobId}/bundle`, { key: world.key, headers });

test("the bundle of a completed job is a link that anyone can fetch until it expires", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob(content);
  const { status, json, headers } = await bundle(world, jobId);
  expect([status, json]).toEqual([
    200,
    {
      jobId,
      bundleUrl: expect.stringContaining(`${publicUrl}/v1/objects/static-exports/${jobId}/1/bundle.tar.gz?`),
      sizeBytes: content.length,
      expiresAt: "2026-06-01T07:00:00.000Z",
      sha256,
    },
  ]);
  expect(headers.get("Cache-Control")).toBe("no-store");
  const file = await download(world, json.bundleUrl);
  expect([file.status, await file.text()]).toEqual([200, content]);
  const part = await download(world, json.bundleUrl, { headers: { Range: "bytes=4-8" } });
  expect([part.status, await part.text()]).toEqual([206, "bytes"]);
});

test("an expired link is refused, and asking again gives a link to the same bytes", async () => {
  const world = await openApiWorld({ linkTtlMs: hour });
  const jobId = await world.completedJob(content);
  const first = (await bundle(world, jobId)).json;
  world.clock.ms += hour;
  expect((await download(world, first.bundleUrl)).status).toBe(403);
  const second = (await bundle(world, jobId)).json;
  expect([second.sizeBytes, second.sha256, second.expiresAt]).toEqual([
    first.sizeBytes,
    sha256,
    "2026-06-01T08:00:00.000Z",
  ]);
  expect(await (await download(world, second.bundleUrl)).text()).toBe(content);
});

test("a repeated Idempotency-Key gives a new link", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob(content);
  const first = await bundle(world, jobId, { "Idempotency-Key": "k" });
  world.clock.ms += 1000;
  const second = await bundle(world, jobId, { "Idempotency-Key": "k" });
  expect([first.status, second.status, second.json.sha256]).toEqual([200, 200, sha256]);
  expect((await bundle(world, jobId, { "Idempotency-Key": "a b" })).status).toBe(400);
});

test("a request body is ignored", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob(content);
  const path = `${jobsPath}/${jobId}/bundle`;
  for (const [body, type] of [
    ["", "application/x-www-form-urlencoded"],
    ["{}", "application/json"],
    ["{", "text/plain"],
  ])
    expect((await world.call("POST", path, { key: world.key, body, headers: { "Content-Type": type! } })).status).toBe(
      200,
    );
});

test("an uncompleted job has no bundle: 409, with Retry-After or the reason of its failure", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  const queued = await bundle(world, jobId);
  expect([queued.status, queued.headers.get("Retry-After"), queued.json.error]).toEqual([
    409,
    "1",
    'The job is queued, so there is no bundle yet. Ask again when its status is "completed".',
  ]);
  await world.store.jobs.fail(await world.takeJob(), "docs.json is missing.", false);
  const failed = await bundle(world, jobId);
  expect([failed.status, failed.headers.get("Retry-After"), failed.json.error]).toEqual([
    409,
    null,
    "The job failed, so there is no bundle: docs.json is missing. Start a new job.",
  ]);
});

test("a deleted bundle is a 404", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob(content);
  await world.store.objects.remove(`static-exports/${jobId}/1/bundle.tar.gz`);
  const answer = await bundle(world, jobId);
  expect([answer.status, answer.json.error]).toEqual([
    404,
    "The bundle of this job has been deleted. Start a new job.",
  ]);
});

test("links, keys and webhooks are not logged", async () => {
  const world = await openApiWorld();
  await world.startJob({ webhookUrl: "https://ci.acme.com/?token=hush" });
  await world.store.jobs.cancel((await world.takeJob()).job.jobId, "x");
  const { json } = await bundle(world, await world.completedJob(content));
  await download(world, json.bundleUrl);
  const log = world.lines.join("\n");
  expect(log).toContain('"route":"/v1/objects/*"');
  for (const secret of [world.key, new URL(json.bundleUrl).search.slice(1), "signature", "hush"])
    expect(log).not.toContain(secret);
});

test("a link that takes too long is a 503 with Retry-After, and its requests end", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob(content);
  let stopped = 0;
  const hang = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) =>
      signal!.addEventListener("abort", () => {
        stopped += 1;
        reject(signal!.reason);
      }),
    );
  const link = (_key: string, _ttlMs: number, signal?: AbortSignal) => hang(signal);
  const objects = { ...world.store.objects, link };
  const api = createApi({ store: { ...world.store, objects }, options: { objectsMs: 100 } });
  const response = await api.fetch(
    new Request(`${publicUrl}${jobsPath}/${jobId}/bundle`, {
      method: "POST",
      headers: { Authorization: `Bearer ${world.key}` },
    }),
  );
  expect([response.status, response.headers.get("Retry-After"), await response.json()]).toEqual([
    503,
    "5",
    {
      error: "The object store did not answer within 0.1 seconds. Try again in a few seconds.",
    },
  ]);
  expect(stopped).toBe(1);
});

test("a tenant withdraws a bundle: its links end at once, and only a key of its organization that may write can do it", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob(content);
  const { bundleUrl } = (await bundle(world, jobId)).json;
  const withdraw = (key: string) => world.call("DELETE", `${jobsPath}/${jobId}/bundle`, { key });
  const scopes = ["read"] as const;
  const { secret: reading } = await world.newKey({ kind: "admin", name: "reads", scopes, allowedAddresses: [] });
  expect((await withdraw(reading)).status).toBe(403);
  expect((await download(world, bundleUrl)).status).toBe(200);
  const withdrawn = await withdraw(world.key);
  expect([withdrawn.status, withdrawn.json]).toMatchObject([200, { kind: "bundle", subject: jobId, workers: [] }]);
  expect((await download(world, bundleUrl)).status).toBe(404);
  const again = await bundle(world, jobId);
  expect([again.status, again.json.error]).toEqual([409, expect.stringContaining("The bundle was withdrawn.")]);
  expect((await withdraw(world.key)).status).toBe(409);
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 1 });
  expect(entries).toMatchObject([{ action: "job.withdraw", subject: jobId, actor: expect.stringMatching(/^key /) }]);
});
