import { expect, test } from "vitest";
import { jobsPath, openApiWorld } from "../../support/api-world.js";

const git = { kind: "git", url: "https://git.acme.com/docs.git" } as const;

async function openWorld() {
  const world = await openApiWorld();
  const { accounts } = world.store;
  const project = (await accounts.projectByDomain("docs.acme.com"))!;
  const foreign = (await accounts.projectByDomain("docs.globex.com"))!;
  const { organizationId, projectId } = project;
  const useGit = () => accounts.changeProject(organizationId, projectId, { source: git, deployment: "cloud" });
  const ask = (method: string, path: string, body?: unknown) =>
    world.call(method, path, { key: world.key, ...(body !== undefined && { body }) });
  return { ...world, project, foreign, useGit, ask };
}

test("a key sees the projects of its organization, with what names them in other routes", async () => {
  const { ask, project } = await openWorld();
  const { projectId, identifier } = project;
  expect((await ask("GET", "/v1/projects")).json).toEqual({
    projects: [{ projectId, domain: "docs.acme.com", identifier, deployment: "cloud" }],
  });
});

test("an update is an export of the whole site, and its status follows the job", async () => {
  const { ask, project, key, call, takeJob, store, foreign } = await openWorld();
  const { projectId } = project;
  const started = await ask("POST", `/v1/project/update/${projectId}`);
  const { statusId } = started.json;
  expect([started.status, started.json]).toEqual([202, { statusId: expect.stringMatching(/^se_[0-9a-f]{32}$/) }]);
  const status = async () => (await ask("GET", `/v1/project/update-status/${statusId}`)).json;
  expect(await status()).toEqual({
    _id: statusId,
    projectId,
    createdAt: "2026-06-01T06:00:00.000Z",
    status: "queued",
    summary: "The update is waiting for a worker.",
    logs: [],
    subdomain: "docs",
    author: { name: "test" },
    source: "api",
  });
  const lease = await takeJob();
  expect(await status()).toMatchObject({ status: "in_progress" });
  await store.jobs.fail(lease, "The repository is gone.", false);
  expect(await status()).toMatchObject({
    status: "failure",
    summary: "The repository is gone.",
    endedAt: "2026-06-01T06:00:00.000Z",
    logs: expect.arrayContaining([expect.stringContaining("The repository is gone.")]),
  });
  expect((await ask("GET", `${jobsPath}/${statusId}`)).json).toMatchObject({
    domain: "docs.acme.com",
    status: "failed",
  });

  const headers = { "Idempotency-Key": "one" };
  const [first, second] = [1, 2].map(() => call("POST", `/v1/project/update/${projectId}`, { key, headers }));
  expect((await first!).json).toEqual((await second!).json);
  for (const id of [foreign.projectId, `prj_${"0".repeat(32)}`, "docs"])
    expect((await ask("POST", `/v1/project/update/${id}`)).status).toBe(404);
  expect((await ask("GET", `/v1/project/update-status/se_${"0".repeat(32)}`)).status).toBe(404);
});

test("a preview exports a branch; it is neither the site's last export nor what the assistant answers from", async () => {
  const { ask, project, useGit, takeJob, store } = await openWorld();
  const path = `/v1/project/preview/${project.projectId}`;
  const refused = await ask("POST", path, { branch: "quickstart" });
  expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining("comes from a folder")]);
  await useGit();
  for (const [body, error] of [
    [{}, '"branch" is missing.'],
    [{ branch: "" }, '"branch" is a branch'],
    [{ branch: "--upload-pack=x y" }, '"branch" is a branch'],
  ] as const) {
    const { status, json } = await ask("POST", path, body);
    expect([status, json.error]).toEqual([400, expect.stringContaining(error)]);
  }
  const { status, json } = await ask("POST", path, { branch: "docs/quickstart" });
  expect([status, json]).toEqual([
    202,
    { statusId: json.statusId, previewUrl: expect.stringContaining(`${jobsPath}/${json.statusId}`) },
  ]);
  const lease = await takeJob();
  expect(lease.job.version).toBe("refs/heads/docs/quickstart");
  await store.jobs.complete(lease, { objectKey: "a", bytes: 1, sha256: "b" }, 1);
  expect(await store.jobs.newestExport(project.projectId)).toBeUndefined();
  expect(await store.jobs.latest(project.organizationId)).toEqual([]);
  expect((await ask("GET", `/v1/project/update-status/${json.statusId}`)).json).toMatchObject({
    status: "success",
    commit: { ref: "docs/quickstart" },
  });
});

test("an automation gets 501 with the alternative", async () => {
  const { ask, project, foreign } = await openWorld();
  const { status, json } = await ask("POST", `/v1/workflow/${project.projectId}/abc/trigger`);
  expect([status, json.error]).toEqual([501, expect.stringContaining("has no automations")]);
  expect((await ask("POST", `/v1/workflow/${foreign.projectId}/abc/trigger`)).status).toBe(404);
});

test("updates and previews need the scope write, statuses the scope read; an assistant key opens neither", async () => {
  const { call, project, newKey } = await openWorld();
  const { secret: reader } = await newKey({ scopes: ["read"] });
  const { secret: assistant } = await newKey({ kind: "assistant", scopes: [] });
  const update = `/v1/project/update/${project.projectId}`;
  expect((await call("POST", update, { key: reader })).status).toBe(403);
  expect((await call("GET", "/v1/projects", { key: reader })).status).toBe(200);
  expect((await call("GET", "/v1/projects", { key: assistant })).status).toBe(403);
  expect((await call("GET", "/v1/projects")).status).toBe(401);
});
