import { describe, expect, test } from "vitest";
import { createApi } from "../../../src/service/http/index.js";
import { openApiWorld } from "../../support/api-world.js";

const adminToken = "operator-".repeat(5);
const root = "/v1/admin/organizations";
const open = async () => {
  const world = await openApiWorld({ adminToken });
  const ask = (method: string, path: string, body?: unknown) =>
    world.call(method, root + path, { key: adminToken, ...(body === undefined ? {} : { body }) });
  return { ...world, ask };
};

describe("the operator's API", () => {
  test("does not exist without a token, and takes no API key", async () => {
    const without = await openApiWorld();
    expect((await without.call("GET", root, { key: without.key })).status).toBe(404);
    const { call, key } = await open();
    for (const wrong of [key, adminToken.slice(1), undefined]) {
      const { status, json } = await call("GET", root, wrong === undefined ? {} : { key: wrong });
      expect([status, json.error]).toEqual([
        401,
        expect.stringContaining("needs the token of offprint administration"),
      ]);
    }
  });

  test("limits the guesses of an address at its token, also together with another process", async () => {
    const { call, clock, store, ask } = await open();
    const other = createApi({ store, options: { adminToken }, now: () => clock.ms });
    const guess = (from = "198.51.100.7") => call("GET", root, { key: "svc_no", from });
    const statuses = [];
    for (let i = 0; i < 8; i++) statuses.push((await guess()).status);
    for (let i = 0; i < 3; i++) {
      const headers = { Authorization: "Bearer svc_no" };
      const request = new Request(`http://localhost${root}`, { headers });
      statuses.push((await other.fetch(request, { remoteAddress: "198.51.100.7" })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const waiting = await guess();
    expect([waiting.status, waiting.headers.get("Retry-After"), waiting.json.error]).toEqual([
      429,
      "5",
      "Too many requests with a wrong token came from 198.51.100.7. Try again in 5 seconds.",
    ]);
    // The right token waits as well: otherwise a guess would have no limit.
    expect((await ask("GET", "")).status).toBe(429);
    expect((await guess("203.0.113.1")).status).toBe(401);
    clock.ms += 5000;
    expect((await ask("GET", "")).status).toBe(200);
    expect((await guess()).status).toBe(401);
    expect((await guess()).headers.get("Retry-After")).toBe("10");
  });

  test("limits the guesses of an address at the token of the metrics", async () => {
    const { call } = await openApiWorld({ metricsToken: "a-token-for-the-metrics", jobsPerWindow: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await call("GET", "/metrics", { key: "svc_no" })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test("creates organizations and changes their plan", async () => {
    const { ask } = await open();
    const { json: created } = await ask("POST", "", { name: "Initech", plan: "free" });
    expect(created).toEqual({ organizationId: expect.stringMatching(/^org_/), name: "Initech", plan: "free" });
    expect((await ask("POST", "", { name: "Initech" })).status).toBe(409);
    const atOnce = await Promise.all([1, 2, 3].map(() => ask("POST", "", { name: "Hooli" })));
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const { json: changed } = await ask("PATCH", `/${created.organizationId}`, { plan: "enterprise" });
    expect(changed).toEqual({ ...created, plan: "enterprise" });
    const { json } = await ask("GET", "");
    expect(json.organizations.map(({ name }: { name: string }) => name)).toEqual([
      "Acme",
      "Globex",
      "Hooli",
      "Initech",
    ]);
    expect((await ask("PATCH", "/org_0", { plan: "pro" })).status).toBe(404);
  });

  test("registers, lists and removes sites, and rotates their secrets", async () => {
    const { ask, acme, clock } = await open();
    const sites = `/${acme.organizationId}/sites`;
    const git = { url: "https://git.example.com/docs.git", ref: "main" };
    const { status, json: site } = await ask("POST", sites, { domain: "API.acme.com", git });
    expect(status).toBe(201);
    expect(site).toMatchObject({ domain: "api.acme.com", git, deployment: "cloud" });
    expect(site.webhookSecret).toMatch(/^whsec_/);
    expect((await ask("POST", sites, { domain: "api.acme.com", git })).status).toBe(409);
    const { json: rotated } = await ask("POST", `${sites}/api.acme.com/rotate-secret`, { overlapSeconds: 60 });
    expect(rotated.webhookSecret).not.toBe(site.webhookSecret);
    expect(rotated.oldSecretValidUntil).toBe(new Date(clock.ms + 60_000).toISOString());
    const { json, text } = await ask("GET", sites);
    expect(json.sites.map(({ domain }: { domain: string }) => domain)).toEqual(["api.acme.com", "docs.acme.com"]);
    expect(text).not.toContain("whsec_");
    expect(site).toMatchObject({ humansFrom: "server", agentsFrom: "server" });
    const counting = await ask("PATCH", `${sites}/api.acme.com`, { humansFrom: "beacon" });
    expect([counting.status, counting.json.humansFrom, counting.json.agentsFrom]).toEqual([200, "beacon", "server"]);
    for (const wrong of [{ agentsFrom: "beacon" }, {}])
      expect((await ask("PATCH", `${sites}/api.acme.com`, wrong)).status).toBe(400);
    expect((await ask("PATCH", `${sites}/docs.globex.com`, { humansFrom: "logs" })).status).toBe(404);
    const removed = await ask("DELETE", `${sites}/api.acme.com`);
    expect([removed.status, removed.json.kind, removed.json.subject]).toEqual([200, "site", "api.acme.com"]);
    expect((await ask("DELETE", `${sites}/api.acme.com`)).status).toBe(404);
    // Another organization's site.
    expect((await ask("DELETE", `${sites}/docs.globex.com`)).status).toBe(404);
  });

  test("creates, rotates and revokes keys, which work at once", async () => {
    const { ask, acme, call, clock } = await open();
    const keys = `/${acme.organizationId}/keys`;
    const works = async (key: string) => (await call("GET", "/v1/static-export/jobs", { key })).status;
    const { json: key } = await ask("POST", keys, { name: "ci", scope: "read", allowedAddresses: ["198.51.100.0/24"] });
    expect(key).toMatchObject({
      kind: "admin",
      scopes: ["read"],
      expiresAt: new Date(clock.ms + 90 * 864e5).toISOString(),
    });
    const { json: rotated } = await ask("POST", `${keys}/${key.keyId}/rotate`, { overlapSeconds: 5 });
    expect([await works(key.secret), await works(rotated.secret)]).toEqual([200, 200]);
    clock.ms += 5_000;
    expect([await works(key.secret), await works(rotated.secret)]).toEqual([401, 200]);
    expect((await ask("DELETE", `${keys}/${rotated.keyId}`)).status).toBe(204);
    expect(await works(rotated.secret)).toBe(401);
    const { json, text } = await ask("GET", keys);
    const lastUsedAt = new Date(clock.ms - 5_000).toISOString();
    expect(json.keys).toContainEqual(
      expect.objectContaining({ keyId: rotated.keyId, revokedAt: new Date(clock.ms).toISOString(), lastUsedAt }),
    );
    expect(text).not.toContain(key.secret);
    expect((await ask("POST", keys, { name: "forever", expiresAt: null })).json.expiresAt).toBeUndefined();
    const allowedOrigins = ["https://docs.acme.com", "null"];
    const widget = await ask("POST", keys, {
      name: "widget",
      kind: "assistant",
      allowedOrigins,
      groups: ["staff", "a"],
    });
    expect([widget.status, widget.json.allowedOrigins]).toEqual([201, allowedOrigins]);
    // A rotated key serves the same pages.
    const next = await ask("POST", `${keys}/${widget.json.keyId}/rotate`, {});
    expect(next.json.allowedOrigins).toEqual(allowedOrigins);
    expect([widget.json.groups, next.json.groups]).toEqual([
      ["a", "staff"],
      ["a", "staff"],
    ]);
  });

  test("erases bundles, conversations, people and organizations, and gives the receipt again", async () => {
    const world = await open();
    const { ask, acme, globex, store, call } = world;
    const of = `/${acme.organizationId}`;
    const jobId = await world.completedJob("bytes");
    const bundle = `${of}/jobs/${jobId}/bundle`;
    expect((await ask("DELETE", `/${globex.organizationId}/jobs/${jobId}/bundle`)).status).toBe(404);
    const withdrawn = await ask("DELETE", bundle);
    expect([withdrawn.status, withdrawn.json]).toMatchObject([
      200,
      { kind: "bundle", requestedBy: "API for the administration", objects: { bundles: 1, caches: 0 } },
    ]);
    const receipt = await call("GET", `/v1/admin/erasures/${withdrawn.json.erasureId}`, { key: adminToken });
    expect(receipt.json).toEqual(withdrawn.json);
    expect((await call("GET", "/v1/admin/erasures/ers_0", { key: adminToken })).status).toBe(404);
    expect((await ask("DELETE", bundle)).status).toBe(404);
    expect((await ask("DELETE", `${of}/threads/01J`)).status).toBe(404);

    const endsAt = new Date(world.clock.ms + 60_000);
    const join = async (email: string) => {
      const { secret } = await store.people.invite({ email, role: "owner", endsAt, ...acme });
      await store.people.acceptInvite(secret, { name: "Ada", passwordHash: "x" });
    };
    await join("ada@acme.com");
    const person = "/v1/admin/people/ada@acme.com";
    const last = await call("DELETE", person, { key: adminToken });
    expect([last.status, last.json.error]).toEqual([409, expect.stringContaining('the last owner of "Acme"')]);
    await join("bob@acme.com");
    const erased = await call("DELETE", person, { key: adminToken });
    expect([erased.status, erased.json.kind, erased.json.database.people]).toEqual([200, "person", 1]);
    expect((await call("DELETE", person, { key: adminToken })).status).toBe(404);

    const gone = await ask("DELETE", of);
    expect([gone.status, gone.json]).toMatchObject([200, { kind: "organization", subject: acme.organizationId }]);
    expect((await ask("GET", "")).json.organizations.map(({ name }: { name: string }) => name)).toEqual(["Globex"]);
    expect((await call("GET", "/v1/static-export/jobs", { key: world.key })).status).toBe(401);
    expect((await ask("DELETE", of)).status).toBe(404);
  });

  test("leaves its changes in the audit log of the organization", async () => {
    const { ask, acme, store } = await open();
    const by = "API for the administration";
    const git = { url: "https://git.example.com/docs.git" };
    await ask("POST", `/${acme.organizationId}/sites`, { domain: "api.acme.com", git });
    await ask("POST", `/${acme.organizationId}/sites/api.acme.com/rotate-secret`, {});
    await ask("DELETE", `/${acme.organizationId}/sites/api.acme.com`);
    const { json: key } = await ask("POST", `/${acme.organizationId}/keys`, { name: "ci" });
    const { json: next } = await ask("POST", `/${acme.organizationId}/keys/${key.keyId}/rotate`, {});
    await ask("DELETE", `/${acme.organizationId}/keys/${next.keyId}`);
    await ask("PATCH", `/${acme.organizationId}`, { plan: "pro" });
    await ask("DELETE", `/${acme.organizationId}/keys/key_0`);
    const { json: created } = await ask("POST", "", { name: "Initech" });
    const { entries: first } = await store.people.auditLog(created.organizationId, { limit: 20 });
    expect(first).toMatchObject([{ actor: by, action: "organization.create", subject: "Initech" }]);
    const { entries } = await store.people.auditLog(acme.organizationId, { limit: 20 });
    const changes = entries.filter(({ actor }) => actor === by).reverse();
    expect(changes.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      [by, "site.add", "api.acme.com"],
      [by, "site.rotate-secret", "api.acme.com"],
      [by, "site.remove", "api.acme.com"],
      [by, "key.create", key.keyId],
      [by, "key.rotate", key.keyId],
      [by, "key.revoke", next.keyId],
      [by, "organization.plan", "Acme"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.secret);
  });

  test.each([
    ["", { name: " " }, /"name" is empty/],
    ["", { name: "a", plan: "gold" }, /"plan" must be one of free, pro, enterprise/],
    ["", { name: "a", plans: "pro" }, /no field "plans"/],
    ["/sites", { domain: "https://a.b", git: { url: "https://g.example/a.git" } }, /Write "a\.b"/],
    ["/sites", { domain: "a.b", git: { url: "https://user:secret@g.example/a.git" } }, /credentials|password/],
    ["/sites", { domain: "a.b", git: { url: "--upload-pack=x" } }, /https:/],
    [
      "/sites",
      { domain: "a.b", git: { url: "file:///srv/git/docs.git" } },
      /can only be added on the service's own machine/,
    ],
    [
      "/sites",
      { domain: "a.b", git: { url: "FILE:///srv/git/docs.git" } },
      /can only be added on the service's own machine/,
    ],
    ["/sites", { domain: "a.b", folder: "/srv/docs" }, /no field "folder"/],
    ["/sites", { domain: "a.b" }, /"git" is missing/],
    ["/keys", { name: "a", allowedAddresses: ["0.0.0.0/0"] }, /203\.0\.113\.7/],
    ["/keys", { name: "a", expiresAt: "tomorrow" }, /2030-12-31T00:00:00Z/],
    ["/keys", { name: "a", expiresAt: "2020-01-01T00:00:00Z" }, /in the past/],
    ["/keys", { name: "a", kind: "assistant", scope: "read" }, /leave "scope" out/],
    ["/keys", { name: "a", allowedOrigins: ["https://a.b"] }, /leave "allowedOrigins" out/],
    ["/keys", { name: "a", groups: ["staff"] }, /leave "groups" out/],
    ["/keys", { name: "a", kind: "assistant", groups: ["*"] }, /not a valid group name/],
    ["/keys", { name: "a", kind: "assistant", allowedOrigins: ["https://a.b/c"] }, /without a path/],
    ["/sites/docs.acme.com/rotate-secret", { overlapSeconds: -1 }, /whole number of seconds/],
    ["/sites", "[[[[", /not valid JSON|nested/],
  ])("refuses %s %j with the reason", async (path, body, reason) => {
    const { ask, acme } = await open();
    const { status, json } = await ask("POST", path === "" ? "" : `/${acme.organizationId}${path}`, body);
    expect([status, json.error]).toEqual([400, expect.stringMatching(reason)]);
  });
});

describe("credentials of an organization", () => {
  const token = "ghp_abcdefghijklmnopqrstuvwxyz";

  test("are added, listed, rotated and removed by the operator; no response has a secret", async () => {
    const { ask, acme, globex, store } = await open();
    const path = `/${acme.organizationId}/credentials`;
    const answers = [await ask("POST", path, { kind: "token", prefix: "https://git.acme.com/a", secret: token })];
    const { status, json: added } = answers[0]!;
    expect([status, added]).toEqual([
      201,
      {
        ...{ credentialId: expect.stringMatching(/^crd_/), kind: "token", name: "https://git.acme.com/a/" },
        ...{ prefix: "https://git.acme.com/a/", hint: "…wxyz", createdAt: expect.any(String) },
      },
    ]);
    const own = `${path}/${added.credentialId}`;
    const foreign = `/${globex.organizationId}/credentials/${added.credentialId}`;
    answers.push(await ask("POST", `${own}/rotate`, { secret: `${token}2345` }), await ask("GET", path));
    expect(answers.slice(1).map((each) => each.status)).toEqual([200, 200]);
    expect(answers[2]!.json.credentials).toEqual([{ ...added, hint: "…2345", rotatedAt: expect.any(String) }]);
    expect((await ask("POST", `${foreign}/rotate`, { secret: token })).status).toBe(404);
    expect((await ask("DELETE", foreign)).status).toBe(404);
    expect((await ask("DELETE", own)).status).toBe(204);
    expect((await ask("DELETE", own)).status).toBe(404);
    expect((await ask("GET", "/org_0/credentials")).status).toBe(404);
    expect(answers.map(({ text }) => text).join()).not.toContain("ghp_");
    const { entries } = await store.people.auditLog(acme.organizationId, { limit: 10 });
    expect(entries.slice(0, 3).map(({ actor, action }) => `${action} by ${actor}`)).toEqual(
      ["remove", "rotate", "add"].map((action) => `credential.${action} by API for the administration`),
    );
  });

  test("that make no sense are refused, without repeating their secret", async () => {
    const { ask, acme, lines } = await open();
    const path = `/${acme.organizationId}/credentials`;
    const wrong = [
      [{ kind: "password" }, '"kind" must be one of token, ssh-key, github-app.'],
      [{ kind: "token", prefix: "git.acme.com", secret: token }, "start it with https:// or ssh://"],
      [{ kind: "token", prefix: "https://git.acme.com/", secret: [token] }, '"secret" is an array'],
      [{ kind: "token", prefix: "https://git.acme.com/", secret: token, forge: token }, "Invalid option"],
      [{ kind: "github-app", installationId: 7 }, "The service has no GitHub app for github.com."],
    ] as const;
    for (const [body, error] of wrong) {
      const { status, json, text } = await ask("POST", path, body);
      expect([status, json.error]).toEqual([400, expect.stringContaining(error)]);
      expect(text).not.toContain(token);
    }
    expect(lines.join()).not.toContain(token);
  });
});
