import { describe, expect, test } from "vitest";
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

  test("refuses to be tried out: wrong tokens of one address are limited", async () => {
    const { call } = await openApiWorld({ adminToken, jobsPerWindow: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await call("GET", root, { key: "svc_no" })).status);
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
    expect((await ask("DELETE", `${sites}/api.acme.com`)).status).toBe(204);
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

  test("leaves its changes in the audit log of the organization", async () => {
    const { ask, acme, store } = await open();
    const git = { url: "https://git.example.com/docs.git" };
    await ask("POST", `/${acme.organizationId}/sites`, { domain: "api.acme.com", git });
    await ask("POST", `/${acme.organizationId}/sites/api.acme.com/rotate-secret`, {});
    await ask("DELETE", `/${acme.organizationId}/sites/api.acme.com`);
    const { json: key } = await ask("POST", `/${acme.organizationId}/keys`, { name: "ci" });
    const { json: next } = await ask("POST", `/${acme.organizationId}/keys/${key.keyId}/rotate`, {});
    await ask("DELETE", `/${acme.organizationId}/keys/${next.keyId}`);
    await ask("PATCH", `/${acme.organizationId}`, { plan: "pro" });
    await ask("DELETE", `/${acme.organizationId}/keys/key_0`);
    const { entries } = await store.people.auditLog(acme.organizationId, { limit: 20 });
    expect(entries.map(({ actor, action, subject }) => [actor, action, subject]).reverse()).toEqual([
      ["", "site.add", "api.acme.com"],
      ["", "site.rotate-secret", "api.acme.com"],
      ["", "site.remove", "api.acme.com"],
      ["", "key.create", key.keyId],
      ["", "key.rotate", key.keyId],
      ["", "key.revoke", next.keyId],
      ["", "organization.plan", "pro"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(key.secret);
  });

  test.each([
    ["", { name: " " }, /"name" is empty/],
    ["", { name: "a", plan: "gold" }, /"plan" is one of free, pro, enterprise/],
    ["", { name: "a", plans: "pro" }, /no field "plans"/],
    ["/sites", { domain: "https://a.b", git: { url: "https://g.example/a.git" } }, /Write "a\.b"/],
    ["/sites", { domain: "a.b", git: { url: "https://user:secret@g.example/a.git" } }, /credentials|password/],
    ["/sites", { domain: "a.b", git: { url: "--upload-pack=x" } }, /https:/],
    ["/sites", { domain: "a.b" }, /"git" is missing/],
    ["/keys", { name: "a", allowedAddresses: ["0.0.0.0/0"] }, /203\.0\.113\.7/],
    ["/keys", { name: "a", expiresAt: "tomorrow" }, /2030-12-31T00:00:00Z/],
    ["/keys", { name: "a", expiresAt: "2020-01-01T00:00:00Z" }, /in the past/],
    ["/keys", { name: "a", kind: "assistant", scope: "read" }, /leave "scope" out/],
    ["/keys", { name: "a", allowedOrigins: ["https://a.b"] }, /leave "allowedOrigins" out/],
    ["/keys", { name: "a", groups: ["staff"] }, /leave "groups" out/],
    ["/keys", { name: "a", kind: "assistant", groups: ["*"] }, /"groups" names groups/],
    ["/keys", { name: "a", kind: "assistant", allowedOrigins: ["https://a.b/c"] }, /without a path/],
    ["/sites/docs.acme.com/rotate-secret", { overlapSeconds: -1 }, /whole number of seconds/],
    ["/sites", "[[[[", /not JSON|nested/],
  ])("refuses %s %j with the reason", async (path, body, reason) => {
    const { ask, acme } = await open();
    const { status, json } = await ask("POST", path === "" ? "" : `/${acme.organizationId}${path}`, body);
    expect([status, json.error]).toEqual([400, expect.stringMatching(reason)]);
  });
});
