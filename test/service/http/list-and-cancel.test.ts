import { expect, test } from "vitest";
import { jobsPath, openApiWorld } from "../../support/api-world.js";

test("pages of the list are consistent, even if jobs are added meanwhile", async () => {
  const world = await openApiWorld();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.unshift(await world.startJob());
  const pages: string[][] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await world.call("GET", `${jobsPath}?limit=2${query}`, { key: world.key });
    pages.push(json.jobs.map((job: { jobId: string }) => job.jobId));
    cursor = json.nextCursor;
    await world.startJob();
  }
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});

test("the list shows the organization's jobs, filtered by status and domain", async () => {
  const world = await openApiWorld();
  const failed = await world.failedJob("x");
  const queued = await world.startJob();
  const { secret: other } = await world.newKey({ organizationId: world.globex.organizationId });
  const list = async (query: string, key = world.key) =>
    (await world.call("GET", jobsPath + query, { key })).json.jobs.map((job: { jobId: string }) => job.jobId);
  expect(await list("")).toEqual([queued, failed]);
  expect(await list("?status=failed")).toEqual([failed]);
  expect(await list("?domain=DOCS.acme.com&status=queued")).toEqual([queued]);
  expect(await list("?domain=docs.globex.com")).toEqual([]);
  expect(await list("", other)).toEqual([]);
});

for (const [query, error] of [
  ["limit=0", '"limit" must be a whole number from 1 to 100.'],
  ["limit=101", '"limit" must be a whole number from 1 to 100.'],
  ["limit=all", '"limit" must be a whole number from 1 to 100.'],
  ["status=cancelled", '"status" must be queued, running, completed or failed.'],
  [`cursor=${"a".repeat(501)}`, '"cursor" must be the nextCursor of the previous page.'],
])
  test(`the list refuses ${query?.slice(0, 20)}`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("GET", `${jobsPath}?${query}`, { key: world.key });
    expect([answer.status, answer.json]).toEqual([400, { error }]);
  });

test("the audit log says which key started and cancelled a job", async () => {
  const { store, acme, key, call, startJob } = await openApiWorld();
  const jobId = await startJob();
  for (let i = 0; i < 2; i++) await call("DELETE", `${jobsPath}/${jobId}`, { key });
  const { entries } = await store.people.auditLog(acme.organizationId, { limit: 10 });
  const names = (await store.accounts.keys(acme.organizationId)).map(({ name }) => name);
  expect(names).toHaveLength(1);
  const ofKey = entries.filter(({ keyId }) => keyId !== undefined);
  expect(ofKey.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).toEqual([
    [`key ${names[0]}`, "job.cancel", jobId, "docs.acme.com"],
    [`key ${names[0]}`, "job.start", jobId, "docs.acme.com"],
  ]);
});

test("a cancelled job is failed, with cancellation as the reason; cancelling again changes nothing", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  const lease = await world.takeJob();
  const cancel = () => world.call("DELETE", `${jobsPath}/${jobId}`, { key: world.key });
  const first = await cancel();
  expect([first.status, first.json.status, first.json.error]).toEqual([
    200,
    "failed",
    "The job was cancelled by request.",
  ]);
  world.clock.ms += 1000;
  expect((await cancel()).text).toBe(first.text);
  expect(await world.store.jobs.heartbeat(lease, { progress: 50, pageCount: 1 })).toBe(false);
});

test("a completed job stays completed when it is cancelled", async () => {
  const world = await openApiWorld();
  const jobId = await world.completedJob("x");
  const answer = await world.call("DELETE", `${jobsPath}/${jobId}`, { key: world.key });
  expect([answer.status, answer.json.status]).toEqual([200, "completed"]);
});
