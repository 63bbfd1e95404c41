import { expect, test } from "vitest";
import { fillConsole } from "../../support/console-data.js";
import { openConsoleWorld } from "../../support/console-world.js";

const newSite = {
  domain: "api.acme.com",
  url: "https://git.acme.com/api.git",
  ref: "main",
  subfolder: "/docs/",
  deployment: "client-hosted",
};

test("an editor adds a site, exports it and changes its source", async () => {
  const world = await openConsoleWorld();
  const editor = await world.member("editor");
  const added = await editor.post("/console/sites", newSite);
  expect(added.status).toBe(303);
  const project = (await world.store.accounts.projectByDomain("api.acme.com"))!;
  const source = { kind: "git", url: newSite.url, ref: "main", subfolder: "docs" };
  expect(project).toMatchObject({
    organizationId: world.acme.organizationId,
    deployment: "client-hosted",
    source,
  });
  const path = `/console/sites/${project.projectId}`;
  expect(added.to).toBe(path);
  const page = await editor.get(path);
  expect(page.text).toContain("api.acme.com is added");
  expect(page.text).toContain("https://git.acme.com/api.git, folder docs, at main");

  const started = await editor.post(`${path}/export`);
  const { jobs } = await world.store.jobs.list(world.acme.organizationId, { limit: 5 });
  expect(jobs).toMatchObject([{ domain: "api.acme.com", status: "queued" }]);
  expect(started.to).toBe(`/console/jobs/${jobs[0]!.jobId}`);

  const forStaff = await editor.post(`${path}/export`, { audience: "staff, partners" });
  expect((await editor.get(forStaff.to!)).text).toMatch(/Readers.*partners, staff/s);
  expect((await editor.post(`${path}/export`, { audience: "*" })).to).toBe(path);

  expect((await editor.get(`${path}/source`)).text).toContain('value="main"');
  const changes = { ...newSite, url: "https://git.acme.com/new.git", ref: "", subfolder: "", deployment: "air-gapped" };
  expect((await editor.post(`${path}/source`, changes)).to).toBe(path);
  const changed = await world.store.accounts.projectById(project.projectId);
  expect(changed).toMatchObject({ domain: "api.acme.com", deployment: "air-gapped" });
  expect(changed!.source).toEqual({ kind: "git", url: "https://git.acme.com/new.git" });
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 10 });
  const actions = entries.map(({ action }) => action);
  // The first one is of the world's own site.
  expect(actions.filter((action) => action.startsWith("site."))).toEqual(["site.change", "site.add", "site.add"]);
});

test.each([
  ["domain", "", /Enter the domain/],
  ["domain", "https://api.acme.com/docs", /Write "api\.acme\.com"/],
  ["domain", "docs.globex.com", /Another site already has the domain/],
  ["url", "", /Enter the URL/],
  ["url", "/etc", /Write it like https/],
  ["url", "file:///srv/secret.git", /can only be added on the service/],
  ["url", "https://me:secret@git.acme.com/a.git", /contains a user name or password. Remove it/],
  ["ref", "--upload-pack=x", /is not a valid branch/],
  ["subfolder", "../..", /is not a path inside the repository/],
  ["deployment", "moon", /Choose one of the three/],
])("a site with the %s %j is refused, and the other fields are kept", async (field, value, reason) => {
  const world = await openConsoleWorld();
  const editor = await world.member("editor");
  const answer = await editor.post("/console/sites", { ...newSite, [field]: value });
  expect(answer.status).toBe(422);
  expect(answer.text).toMatch(reason);
  expect(answer.text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
  if (field !== "domain") expect(answer.text).toContain('value="api.acme.com"');
  expect(await world.store.accounts.projects(world.acme.organizationId)).toHaveLength(1);
});

test("a site is removed once its domain is typed, by an owner only", async () => {
  const world = await openConsoleWorld();
  const [owner, editor] = [await world.member("owner"), await world.member("editor")];
  const project = (await world.store.accounts.projectByDomain("docs.acme.com"))!;
  const path = `/console/sites/${project.projectId}/remove`;
  expect((await editor.post(path, { domain: "docs.acme.com" })).status).toBe(404);
  expect((await owner.get(path)).text).toContain("Type docs.acme.com");
  expect((await owner.post(path, { domain: "docs.acme.org" })).status).toBe(422);
  expect(await world.store.accounts.projectByDomain("docs.acme.com")).toBeDefined();
  expect((await owner.post(path, { domain: "Docs.acme.com " })).to).toBe("/console/sites");
  expect(await world.store.accounts.projectByDomain("docs.acme.com")).toBeUndefined();
});

test("a site's page has the diagnostics of its last finished export by code, errors first", async () => {
  const world = await openConsoleWorld();
  const filled = await fillConsole(world);
  const reader = await world.member("reader");
  const { text } = await reader.get(`/console/sites/${filled.site}`);
  expect(text).toMatch(/Error.*PAGE_NOT_FOUND.*guides\/first-steps\.mdx:41:13.*<b>Fix<\/b>.*Warning.*LINK_BROKEN/s);
  // Readers look only.
  expect(text).not.toContain("Export now");
  expect((await reader.post(`/console/sites/${filled.site}/export`)).status).toBe(404);
  const list = await reader.get("/console/sites");
  expect(list.text).toMatch(/api\.acme\.com.*docs\.acme\.com.*Running/s);
  expect(list.text).not.toContain("docs.globex.com");
});

test("a site of another organization is unknown", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const { projectId } = (await world.store.accounts.projectByDomain("docs.globex.com"))!;
  const path = `/console/sites/${projectId}`;
  const answers = [
    await owner.get(path),
    await owner.post(`${path}/export`),
    await owner.post(`${path}/source`, newSite),
    await owner.post(`${path}/remove`, { domain: "docs.globex.com" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
});

test("an editor chooses who counts the views of a site", async () => {
  const world = await openConsoleWorld();
  const [editor, reader] = [await world.member("editor"), await world.member("reader")];
  const { projectId } = (await world.store.accounts.projectByDomain("docs.acme.com"))!;
  const path = `/console/sites/${projectId}`;
  const page = await editor.get(`${path}/settings`);
  expect(page.text).toContain('<option value="server" selected>');
  expect(page.text).not.toContain("Webhook secret");
  expect((await reader.get(`${path}/settings`)).status).toBe(404);
  const wrong = await editor.post(`${path}/counting`, { humansFrom: "beacon", agentsFrom: "beacon" });
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringMatching(/id="agentsFrom"[^>]*aria-invalid="true"/)]);
  expect((await editor.post(`${path}/counting`, { humansFrom: "beacon", agentsFrom: "logs" })).status).toBe(303);
  const changed = await world.store.accounts.projectById(projectId);
  expect(changed!.counting).toEqual({ humansFrom: "beacon", agentsFrom: "logs" });
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 1 });
  expect(entries).toMatchObject([
    { action: "site.set-counting", subject: "docs.acme.com", detail: "people from beacon, agents from logs" },
  ]);
});

test("an owner rotates the secret of webhooks, which is shown once", async () => {
  const world = await openConsoleWorld();
  const [owner, editor] = [await world.member("owner"), await world.member("editor")];
  const { projectId, webhookSecret } = (await world.store.accounts.projectByDomain("docs.acme.com"))!;
  const path = `/console/sites/${projectId}`;
  expect((await editor.post(`${path}/webhook-secret`, { overlap: "24" })).status).toBe(404);
  expect((await owner.post(`${path}/webhook-secret`, { overlap: "9000" })).status).toBe(422);
  const rotated = await owner.post(`${path}/webhook-secret`, { overlap: "24" });
  const changed = (await world.store.accounts.projectById(projectId))!;
  expect(changed.webhookSecret).not.toBe(webhookSecret);
  expect(changed.oldWebhookSecret).toMatchObject({ secret: webhookSecret });
  expect(rotated.text).toContain(changed.webhookSecret);
  expect(rotated.text).toContain("The old secret also signs for a day.");
  const page = await owner.get(`${path}/settings`);
  expect(page.text).toContain("The secret before the last rotation signs until");
  expect(page.text).not.toContain(changed.webhookSecret);
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 1 });
  expect(entries).toMatchObject([{ action: "site.rotate-secret", subject: "docs.acme.com", detail: "" }]);
});

test("the commands of empty pages are those of this service's data", async () => {
  const system = { database: "SQLite", bundles: "a folder", dataOption: " --data out/service" };
  const world = await openConsoleWorld({ system });
  const owner = await world.member("owner");
  await world.store.erasures.erase({
    kind: "site",
    organizationId: world.acme.organizationId,
    domain: "docs.acme.com",
  });
  const { organizationId } = world.acme;
  for (const { keyId } of await world.store.accounts.keys(organizationId))
    await world.store.accounts.revokeKey(organizationId, keyId);
  const add = "offprint site add docs.example.com --folder ./docs --data out/service";
  for (const path of ["", "/sites", "/sites/new", "/jobs", "/views"])
    expect([path, (await owner.get(`/console${path}`)).text]).toEqual([
      path,
      expect.stringContaining(`<code>${add}</code>`),
    ]);
  const reader = await world.member("reader");
  const link = '<a href="/console/sites/new">Add a repository</a>';
  for (const path of ["/console", "/console/jobs", "/console/views"]) {
    expect((await owner.get(path)).text).toContain(link);
    expect((await reader.get(path)).text).not.toContain(link);
  }
  expect((await owner.get("/console/keys")).text).toContain("offprint key create --name ci --data out/service");
});
