import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/cli.js";
import { openConsoleWorld } from "../../support/console-world.js";

const secretIn = (html: string): string => /<code>(svc_\w+)<\/code>/.exec(html)![1]!;

test("a key is created with its limits, shown once, and works", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  expect((await owner.get("/console/keys/new")).text).toContain('value="2026-08-30"');
  const created = await owner.post("/console/keys", {
    kind: "admin",
    name: "deploys",
    scope: "read",
    addresses: "203.0.113.0/24\n2001:db8::1",
    expires: "2026-06-30",
  });
  expect(created.status).toBe(200);
  const secret = secretIn(created.text);
  const key = (await world.store.accounts.findKey(secret))!;
  expect(key).toMatchObject({
    organizationId: world.acme.organizationId,
    kind: "admin",
    name: "deploys",
    scopes: ["read"],
    allowedAddresses: ["203.0.113.0/24", "2001:db8::1"],
    // The last day counts.
    expiresAt: new Date("2026-07-01T00:00:00Z"),
  });
  expect((await world.call("GET", "/v1/static-export/jobs", { key: secret, from: "203.0.113.9" })).status).toBe(200);
  for (const path of ["/console/keys", `/console/keys/${key.keyId}`, "/console/log"])
    expect((await owner.get(path)).text).not.toContain(secret);
  expect((await owner.get("/console/keys")).text).toContain(`svc_…${secret.slice(-4)}`);
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 10 });
  expect(entries[0]).toMatchObject({ action: "key.create", subject: key.keyId });
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test("an assistant key has origins and no scope, and may never expire", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  expect((await owner.get("/console/keys/new?kind=assistant")).text).toContain("Allowed origins");
  const form = {
    kind: "assistant",
    name: "widget",
    origins: "https://docs.acme.com null",
    groups: "staff, a",
    addresses: "",
    expires: "",
  };
  const secret = secretIn((await owner.post("/console/keys", form)).text);
  expect(secret).toMatch(/^svc_dsc_/);
  expect(await world.store.accounts.findKey(secret)).toMatchObject({
    scopes: [],
    allowedOrigins: ["https://docs.acme.com", "null"],
    groups: ["a", "staff"],
    expiresAt: undefined,
  });
});

test.each([
  ["name", "", /Give the key a name/],
  ["name", "x".repeat(101), /at most 100 characters/],
  ["scope", "all", /Choose one of the two/],
  ["addresses", "203.0.113.0/24\nhome", /not &quot;home&quot;|not "home"/],
  ["addresses", "0.0.0.0/0", /not "0\.0\.0\.0\/0"/],
  ["addresses", "10.0.0.1 ".repeat(101), /At most 100 entries/],
  ["expires", "soon", /Enter a date/],
  ["expires", "2026-02-31", /Enter a date/],
  ["expires", "2026-05-31", /This day is over/],
])("a key with the %s %j is refused, and the other fields are kept", async (field, value, reason) => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const before = await world.store.accounts.keys(world.acme.organizationId);
  const form = { kind: "admin", name: "deploys", scope: "read", addresses: "203.0.113.7", expires: "2026-07-01" };
  const answer = await owner.post("/console/keys", { ...form, [field]: value });
  expect(answer.status).toBe(422);
  expect(answer.text).toMatch(reason);
  expect(answer.text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*autofocus`));
  if (field !== "name") expect(answer.text).toContain('value="deploys"');
  expect(await world.store.accounts.keys(world.acme.organizationId)).toEqual(before);
});

test("a key is rotated with an overlap, and revoked", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const { key, secret } = await world.newKey({ name: "deploys" });
  const path = `/console/keys/${key.keyId}`;
  expect((await owner.post(`${path}/rotate`, { overlap: "1000" })).status).toBe(422);
  const rotated = await owner.post(`${path}/rotate`, { overlap: "1" });
  const next = secretIn(rotated.text);
  expect(rotated.text).toContain("for an hour");
  const works = async (each: string) => (await world.call("GET", "/v1/static-export/jobs", { key: each })).status;
  expect([await works(secret), await works(next)]).toEqual([200, 200]);
  world.clock.ms += 60 * 60_000;
  expect([await works(secret), await works(next)]).toEqual([401, 200]);
  expect((await owner.post(`${path}/rotate`, { overlap: "1" })).text).toContain("no longer valid");
  const nextKey = (await world.store.accounts.findKey(next))!;
  expect((await owner.post(`/console/keys/${nextKey.keyId}/revoke`)).to).toBe("/console/keys");
  expect(await works(next)).toBe(401);
  expect((await owner.get("/console/keys")).text).toContain("Revoked");
});

test("an eleventh key within an hour is refused", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const form = { kind: "admin", name: "deploys", scope: "read", expires: "" };
  for (let count = 0; count < 10; count++) expect((await owner.post("/console/keys", form)).status).toBe(200);
  const answer = await owner.post("/console/keys", form);
  expect(answer.status).toBe(429);
  expect(answer.text).toContain("can create 10 keys per hour");
});

test("a key of another organization is unknown", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const { key, secret } = await world.newKey({ organizationId: world.globex.organizationId });
  const path = `/console/keys/${key.keyId}`;
  for (const answer of [
    await owner.get(path),
    await owner.post(`${path}/rotate`, { overlap: "1" }),
    await owner.post(`${path}/revoke`),
  ])
    expect(answer.status).toBe(404);
  expect((await world.store.accounts.findKey(secret))!.revokedAt).toBeUndefined();
});

test("the overview warns an owner before the last admin key expires, and of a secret that others can read", async () => {
  const linkSecretFile = join(temporaryFolder(), "link-secret");
  writeFileSync(linkSecretFile, "secret", { mode: 0o600 });
  const world = await openConsoleWorld({ system: { database: "SQLite", bundles: "a folder", linkSecretFile } });
  const [owner, reader] = [await world.member("owner"), await world.member("reader")];
  const { organizationId } = world.acme;
  for (const { keyId } of await world.store.accounts.keys(organizationId))
    await world.store.accounts.revokeKey(organizationId, keyId);
  await world.newKey({ name: "ci", expiresAt: new Date(world.clock.ms + 13 * 24 * 60 * 60_000) });
  expect((await owner.get("/console")).text).toMatch(/The last valid admin key, <a [^>]*>ci<\/a>, expires/);
  expect((await reader.get("/console")).text).not.toContain("last valid admin key");
  await world.newKey({ name: "second", expiresAt: new Date(world.clock.ms + 15 * 24 * 60 * 60_000) });
  const text = (await owner.get("/console")).text;
  expect(text).not.toContain("last valid admin key");
  expect(text).not.toContain("chmod");
  chmodSync(linkSecretFile, 0o640);
  expect((await owner.get("/console")).text).toContain("chmod 600 link-secret");
});

test("a new key comes with the three calls of an export and the projects; the overview shows which have succeeded with a key", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  await owner.get("/console/keys/new");
  const form = { kind: "admin", name: "ci", scope: "write", addresses: "", expires: "2026-06-30" };
  const { text } = await owner.post("/console/keys", form);
  const secret = secretIn(text);
  const project = (await world.store.accounts.projectByDomain("docs.acme.com"))!;
  expect(text).toContain(`Bearer ${secret}`);
  expect(text).toContain("/v1/static-export/jobs/$JOB/bundle");
  for (const id of [project.projectId, project.identifier]) expect(text).toContain(`data-copy="${id}"`);
  expect((await owner.get("/console/keys")).text).toContain(`data-copy="${project.projectId}"`);
  expect((await owner.get(`/console/sites/${project.projectId}`)).text).toContain(`data-copy="${project.projectId}"`);

  const stepsDone = async () => (await owner.get("/console")).text.match(/>Done</g)?.length ?? 0;
  expect(await stepsDone()).toBe(0);
  const { organizationId, projectId } = project;
  const lineOf = (subject: string) => ({ organizationId, action: "job.download", subject, detail: "" });
  const { personId } = (await world.store.people.members(organizationId))[0]!.person;
  await world.store.jobs.create({ organizationId, projectId, domain: project.domain }, undefined, { personId });
  const lease = await world.takeJob();
  await world.store.jobs.complete(lease, { objectKey: "a", bytes: 1, sha256: "b" }, 1);
  await world.store.people.addAuditEntry({ ...lineOf(lease.job.jobId), personId });
  expect(await stepsDone()).toBe(0);
  const jobId = await world.startJob();
  expect(await stepsDone()).toBe(1);
  await world.store.jobs.complete(await world.takeJob(), { objectKey: "a", bytes: 1, sha256: "b" }, 1);
  expect(await stepsDone()).toBe(2);
  const [key] = await world.store.accounts.keys(organizationId);
  await world.store.people.addAuditEntry({ ...lineOf(jobId), keyId: key!.keyId });
  expect(await stepsDone()).toBe(3);
  expect((await owner.get("/console")).text).toContain("All three requests succeeded.");
});
