import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { DomainTakenError, type NewApiKey, type Organization } from "../../../src/service/jobs/index.js";
import { createJob, describeStates, type TestState } from "./open-test-state.js";

const siteOf = (organization: Organization, domain = "docs.acme.com") =>
  ({
    organizationId: organization.organizationId,
    domain,
    source: { kind: "git", url: "https://git.acme.com/docs.git", ref: "main", subfolder: "docs" },
    deployment: "client-hosted",
  }) as const;

const keyOf = (organization: Organization, fields: Partial<NewApiKey> = {}): NewApiKey => ({
  organizationId: organization.organizationId,
  kind: "admin",
  name: "deploys",
  scopes: ["write"],
  allowedAddresses: ["192.0.2.0/24", "2001:db8::1"],
  ...fields,
});

describeStates("an organization", (open) => {
  test("is created once per name, on the enterprise plan, and its plan can be changed", async () => {
    const { accounts } = await open();
    const [first, second] = await Promise.all([accounts.organization("Acme"), accounts.organization("Acme")]);
    expect(second).toEqual(first);
    expect(first).toEqual({
      organizationId: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      name: "Acme",
      plan: "enterprise",
    });
    await accounts.setPlan(first.organizationId, "free");
    expect(await accounts.organization("Acme", "pro")).toEqual({ ...first, plan: "free" });
    expect(await accounts.organizationById(first.organizationId)).toEqual({ ...first, plan: "free" });
    expect(await accounts.organization("Other", "pro")).toMatchObject({ plan: "pro" });
    expect(await accounts.organizationById("org_none")).toBeUndefined();
    const created = await Promise.all([1, 2, 3].map(() => accounts.createOrganization("Third", "free")));
    expect(created.filter((each) => each !== undefined)).toEqual([await accounts.organization("Third")]);
    expect(await accounts.createOrganization("Acme")).toBeUndefined();
    expect((await accounts.organizations()).map(({ name }) => name)).toEqual(["Acme", "Other", "Third"]);
  });
});

describeStates("a site", (open) => {
  test("is found by domain and id, and has its own secret", async () => {
    const { accounts } = await open();
    const acme = await accounts.organization("Acme");
    const site = await accounts.addProject(siteOf(acme));
    const second = await accounts.addProject(siteOf(acme, "api.acme.com"));
    expect(site).toEqual({
      ...siteOf(acme),
      identifier: "docs",
      counting: { humansFrom: "server", agentsFrom: "server" },
      projectId: expect.stringMatching(/^prj_[0-9a-f]{32}$/),
      webhookSecret: expect.stringMatching(/^whsec_[\w+/=]{44}$/),
    });
    expect(second.webhookSecret).not.toBe(site.webhookSecret);
    expect(await accounts.projectByDomain("docs.acme.com")).toEqual(site);
    expect(await accounts.projectById(site.projectId)).toEqual(site);
    expect(await accounts.projects(acme.organizationId)).toEqual([second, site]);
    expect(await accounts.projectByDomain("none.acme.com")).toBeUndefined();
  });

  test("gets another source only from its own organization", async () => {
    const { accounts, erasures } = await open();
    const [acme, other] = [await accounts.organization("Acme"), await accounts.organization("Other")];
    const { projectId, ...site } = await accounts.addProject(siteOf(acme));
    const changes = { source: { kind: "git", url: "https://git.acme.com/new.git" }, deployment: "air-gapped" } as const;
    expect(await accounts.changeProject(other.organizationId, projectId, changes)).toBeUndefined();
    const changed = { ...site, projectId, ...changes };
    expect(await accounts.changeProject(acme.organizationId, projectId, changes)).toEqual(changed);
    expect(await accounts.projectById(projectId)).toEqual(changed);
    await erasures.erase({ kind: "site", organizationId: acme.organizationId, domain: site.domain });
    expect(await accounts.changeProject(acme.organizationId, projectId, changes)).toBeUndefined();
  });

  test("is counted by the ways that its owner chooses", async () => {
    const { accounts } = await open();
    const acme = await accounts.organization("Acme");
    const other = await accounts.organization("Other");
    const { domain } = await accounts.addProject(siteOf(acme));
    const { organizationId } = acme;
    await accounts.setCounting(organizationId, domain, { agentsFrom: "logs" });
    const changed = await accounts.setCounting(organizationId, domain, { humansFrom: "beacon" });
    expect(changed?.counting).toEqual({ humansFrom: "beacon", agentsFrom: "logs" });
    expect(await accounts.projectByDomain(domain)).toEqual(changed);
    expect(await accounts.setCounting(other.organizationId, domain, { humansFrom: "logs" })).toBeUndefined();
  });

  test("gets a new secret, and keeps the old one for a while", async () => {
    const state = await open();
    const { accounts } = state;
    const acme = await accounts.organization("Acme");
    const other = await accounts.organization("Other");
    const { domain, webhookSecret } = await accounts.addProject(siteOf(acme));
    expect(await accounts.rotateWebhookSecret(other.organizationId, domain, 1_000)).toBeUndefined();
    const rotated = await accounts.rotateWebhookSecret(acme.organizationId, domain, 1_000);
    expect(rotated!.webhookSecret).not.toBe(webhookSecret);
    expect(rotated!.oldWebhookSecret).toEqual({ secret: webhookSecret, until: new Date(state.now() + 1_000) });
    expect(await accounts.projectByDomain(domain)).toEqual(rotated);
  });

  test("has a unique domain, even if two are added at the same time", async () => {
    const { accounts } = await open();
    const [acme, other] = [await accounts.organization("Acme"), await accounts.organization("Other")];
    const added = await Promise.allSettled([accounts.addProject(siteOf(acme)), accounts.addProject(siteOf(other))]);
    const refused = added.filter((each) => each.status === "rejected");
    expect(refused).toHaveLength(1);
    expect(refused[0]!.reason).toBeInstanceOf(DomainTakenError);
  });

  test("that is removed ends its jobs, frees its domain, and can still sign webhooks", async () => {
    const state = await open({ retentionMs: 1_000 });
    const { accounts, jobs, erasures } = state;
    const acme = await accounts.organization("Acme");
    const other = await accounts.organization("Other");
    const site = await accounts.addProject(siteOf(acme));
    const { projectId, organizationId } = site;
    const { jobId } = await createJob(state, { projectId, organizationId, webhookUrl: "https://acme.com/hook" });
    expect(await erasures.erase({ kind: "site", organizationId: other.organizationId, domain: site.domain })).toEqual({
      kind: "unknown",
    });
    expect(
      await erasures.erase({ kind: "site", organizationId: acme.organizationId, domain: site.domain }),
    ).toMatchObject({ subject: site.domain });
    expect(await erasures.erase({ kind: "site", organizationId: acme.organizationId, domain: site.domain })).toEqual({
      kind: "unknown",
    });
    expect(await accounts.projectByDomain(site.domain)).toBeUndefined();
    expect(await accounts.projects(organizationId)).toEqual([]);
    expect(await jobs.get(jobId)).toMatchObject({ status: "failed", error: "The site docs.acme.com was removed." });
    expect(await jobs.take("a")).toBeUndefined();
    expect((await jobs.takeDelivery(1_000))?.job.jobId).toBe(jobId);
    expect((await accounts.projectById(projectId))?.webhookSecret).toBe(site.webhookSecret);
    expect((await accounts.addProject(siteOf(other))).projectId).not.toBe(projectId);
    // It is deleted after its last job.
    await jobs.remove(jobId);
    await jobs.maintain();
    expect(await accounts.projectById(projectId)).toBeUndefined();
  });
});

describeStates("a key", (open, kind) => {
  test("that is rotated expires after the overlap, and the new one is valid as long as it was", async () => {
    const state = await open();
    const { accounts } = state;
    const acme = await accounts.organization("Acme");
    const { key, secret } = await accounts.createKey(keyOf(acme, { expiresAt: new Date(state.now() + 10_000) }));
    await state.advance(4_000);
    expect(await accounts.rotateKey("org_none", key.keyId, 1_000)).toBeUndefined();
    const rotated = (await accounts.rotateKey(acme.organizationId, key.keyId, 1_000))!;
    const { keyId, lastFour } = rotated.key;
    const createdAt = new Date(state.now());
    expect(rotated.key).toEqual({ ...key, keyId, lastFour, createdAt, expiresAt: new Date(state.now() + 10_000) });
    expect([keyId, rotated.secret]).not.toEqual([key.keyId, secret]);
    expect(await accounts.findKey(secret)).toEqual({ ...key, expiresAt: new Date(state.now() + 1_000) });
    // A longer overlap does not extend a key.
    await accounts.rotateKey(acme.organizationId, key.keyId, 60_000);
    expect((await accounts.findKey(secret))!.expiresAt).toEqual(new Date(state.now() + 1_000));
    await state.advance(1_000);
    expect(await accounts.rotateKey(acme.organizationId, key.keyId, 1_000)).toBeUndefined();
  });

  test.each([
    ["admin", /^svc_[0-9A-Za-z]{43}$/],
    ["assistant", /^svc_dsc_[0-9A-Za-z]{43}$/],
  ] as const)("for an %s is found by its secret, which is shown once", async (keyKind, form) => {
    const state = await open();
    const { accounts } = state;
    const acme = await accounts.organization("Acme");
    const expiresAt = new Date(state.now() + 86_400_000);
    const { key, secret } = await accounts.createKey(keyOf(acme, { kind: keyKind, expiresAt }));
    expect(secret).toMatch(form);
    expect(key).toEqual({
      ...keyOf(acme, { kind: keyKind, expiresAt }),
      allowedOrigins: [],
      groups: [],
      keyId: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      lastFour: secret.slice(-4),
      createdAt: new Date(state.now()),
    });
    expect(await accounts.findKey(secret)).toEqual(key);
    expect(await accounts.keys(acme.organizationId)).toEqual([key]);
    for (const wrong of [
      "",
      "svc_",
      secret.slice(0, -1),
      `${secret}x`,
      secret.toLowerCase(),
      "\u0000",
      "x".repeat(1e6),
    ])
      expect(await accounts.findKey(wrong), wrong.slice(0, 60)).toBeUndefined();
    expect(await everythingKept(state, kind)).not.toContain(secret.slice(8, 30));
  });

  test("that is revoked is still found, with the time of revocation", async () => {
    const state = await open();
    const { accounts } = state;
    const [acme, other] = [await accounts.organization("Acme"), await accounts.organization("Other")];
    const { key, secret } = await accounts.createKey(keyOf(acme));
    expect(await accounts.revokeKey(other.organizationId, key.keyId)).toBe(false);
    expect((await accounts.findKey(secret))?.revokedAt).toBeUndefined();
    expect(await accounts.revokeKey(acme.organizationId, key.keyId)).toBe(true);
    expect(await accounts.revokeKey(acme.organizationId, key.keyId)).toBe(false);
    expect((await accounts.findKey(secret))?.revokedAt).toEqual(new Date(state.now()));
  });
});

describeStates("a key in use", (open) => {
  test("has the time of its last use, written at most once a minute", async () => {
    const state = await open();
    const { accounts } = state;
    const { key, secret } = await accounts.createKey(keyOf(await accounts.organization("Acme")));
    const start = state.now();
    const use = async () => {
      await accounts.markKeyUsed((await accounts.findKey(secret))!);
      return (await accounts.findKey(secret))!.lastUsedAt!.getTime() - start;
    };
    expect(key.lastUsedAt).toBeUndefined();
    expect(await use()).toBe(0);
    await state.advance(59_999);
    expect(await use()).toBe(0);
    await state.advance(1);
    expect(await use()).toBe(60_000);
    // A request that was looked up before another one stored its use.
    await accounts.markKeyUsed({ ...key, lastUsedAt: new Date(start) });
    expect((await accounts.keys(key.organizationId))[0]!.lastUsedAt).toEqual(new Date(start + 60_000));
  });
});

describeStates("uses", (open) => {
  test("are counted per key in a sliding window, even if they are concurrent", async () => {
    const state = await open();
    const other = await state.another();
    const windowMs = 60_000;
    const start = state.now();
    const use = (key = "org_a") => state.accounts.countUse(key, 20, windowMs);
    const each = Array.from({ length: 25 }, (_, i) => (i % 2 ? state : other).accounts.countUse("org_a", 20, windowMs));
    const uses = await Promise.all(each);
    expect(uses.map(({ left }) => left).sort((a, b) => b - a)).toEqual([
      ...Array.from({ length: 20 }, (_, i) => 19 - i),
      ...Array(5).fill(0),
    ]);
    expect(uses.filter(({ useId }) => useId === undefined)).toHaveLength(5);
    expect(await use("org_b")).toMatchObject({ left: 19, resetsAt: new Date(start + windowMs) });
    await state.advance(windowMs - 1);
    expect(await use()).toEqual({ useId: undefined, left: 0, resetsAt: new Date(start + windowMs) });
    await state.advance(1);
    expect(await use()).toMatchObject({ left: 19, resetsAt: new Date(start + 2 * windowMs) });
  });

  test("never exceed the limit in any window, and can be taken back", async () => {
    const state = await open();
    const use = () => state.accounts.countUse("org_a", 2, 60_000);
    const first = await use();
    await state.advance(59_000);
    const second = await use();
    await state.advance(1000);
    const third = await use();
    expect([first.left, second.left, third.left]).toEqual([1, 0, 0]);
    const refused = await use();
    expect(refused).toEqual({ useId: undefined, left: 0, resetsAt: new Date(state.now() + 59_000) });
    await state.accounts.releaseUse(third.useId!);
    expect(await use()).toMatchObject({ useId: expect.any(Number), left: 0 });
    await state.advance(120_000);
    await state.jobs.maintain();
    expect(await use()).toMatchObject({ left: 1 });
  });
});

/** Everything stored in the database. */
async function everythingKept(state: TestState, kind: "sqlite" | "postgres"): Promise<string> {
  if (kind === "sqlite")
    return `${readFileSync(state.address, "latin1")}${readFileSync(`${state.address}-wal`, "latin1")}`;
  const client = new pg.Client({ connectionString: state.address });
  await client.connect();
  const { rows } = await client.query("select * from offprint.api_keys").finally(() => client.end());
  return JSON.stringify(rows);
}
