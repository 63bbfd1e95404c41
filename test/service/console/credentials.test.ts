import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { openConsoleWorld } from "../../support/console-world.js";
import { patience } from "../../support/patience.js";

const secret = "bot:ghp_abcdefghijklmnopqrstuvwxyz";
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

test("an owner adds a token, replaces and removes it; no page shows it, and the audit log names the owner", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  const pages = [await owner.get("/console/credentials"), await owner.get("/console/credentials/new")];
  const added = await owner.post("/console/credentials", { kind: "token", prefix: "https://git.acme.com/a", secret });
  expect(added).toMatchObject({ status: 303, to: "/console/credentials" });
  const [credential] = await world.store.credentials.list(world.acme.organizationId);
  const path = `/console/credentials/${credential!.credentialId}`;
  pages.push(await owner.get("/console/credentials"), await owner.get(path));
  expect(pages.slice(2).map(({ text }) => text.includes("…wxyz"))).toEqual([true, true]);
  pages.push(await owner.post(`${path}/rotate`, { secret: `${secret}\nx` }));
  expect(pages.at(-1)).toMatchObject({ status: 422, text: expect.stringContaining("A token must be one line") });
  expect(await owner.post(`${path}/rotate`, { secret: `${secret}2345` })).toMatchObject({ status: 303, to: path });
  pages.push(await owner.get(path));
  expect(pages.at(-1)!.text).toContain("…2345");
  expect(await owner.post(`${path}/remove`)).toMatchObject({ status: 303, to: "/console/credentials" });
  expect((await owner.get(path)).status).toBe(404);
  expect(pages.map(({ text }) => text).join()).not.toContain("ghp_");
  const { entries } = await world.store.people.auditLog(world.acme.organizationId, { limit: 10 });
  expect(entries.slice(0, 3).map(({ actor, action }) => `${action} by ${actor.split(" ")[0]}`)).toEqual(
    ["remove", "rotate", "add"].map((action) => `credential.${action} by owner`),
  );
});

test("a form that makes no sense is refused with the reason, and the answer does not repeat the secret", async () => {
  const world = await openConsoleWorld();
  const owner = await world.member("owner");
  for (const [form, message] of [
    [{ kind: "token", prefix: "git.acme.com" }, "start it with https:// or ssh://"],
    [{ kind: "token", prefix: "ssh://git@git.acme.com/" }, "The prefix of a token must start with https://"],
    [{ kind: "ssh-key", prefix: "ssh://git@git.acme.com/" }, "An SSH key must start with"],
  ] as const) {
    const { status, text } = await owner.post("/console/credentials", { ...form, secret });
    expect([status, text.includes(message)]).toEqual([422, true]);
    expect(text).toContain(`value="${form.prefix}"`);
    expect(text).not.toContain("ghp_");
  }
  expect(world.lines.join()).not.toContain("ghp_");
});

test("editors neither see credentials nor add them", async () => {
  const world = await openConsoleWorld();
  const editor = await world.member("editor");
  expect((await editor.get("/console")).text).not.toContain("/console/credentials");
  expect((await editor.get("/console/credentials")).status).toBe(404);
  const form = { kind: "token", prefix: "https://git.acme.com/", secret };
  expect((await editor.post("/console/credentials", form)).status).toBe(404);
  expect(await world.store.credentials.list(world.acme.organizationId)).toEqual([]);
});

describe("an installation of the app of GitHub", () => {
  const accounts: Readonly<Record<string, object>> = {
    "7": { login: "acme", id: 70, type: "Organization" },
    "8": { login: "globex", id: 80, type: "Organization" },
    "9": { login: "ada", id: 90, type: "User" },
  };
  /** Role in organizations by the person's code. */
  const people: Readonly<Record<string, { readonly id: number; readonly roles: Readonly<Record<string, string>> }>> = {
    "code-of-ada": { id: 90, roles: { acme: "admin", globex: "member" } },
    "code-of-bob": { id: 91, roles: {} },
  };

  async function openGitHub() {
    const seen: string[] = [];
    const answerOf = (path: string, body: string, authorization: string): object | undefined => {
      if (path === "/app") return { html_url: `${url.replace("http:", "https:")}/apps/offprint` };
      const [, of] = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path) ?? [];
      if (of !== undefined) {
        const expires_at = new Date(Date.now() + 60 * 60_000).toISOString();
        return { token: `installation-${of}-${Buffer.from(body).toString("base64url")}`, expires_at };
      }
      const [, id] = /^\/app\/installations\/(\d+)$/.exec(path) ?? [];
      if (id !== undefined) return accounts[id] && { id: Number(id), account: accounts[id] };
      if (path === "/login/oauth/access_token") {
        const sent = JSON.parse(body);
        const isApp = sent.client_id === "Iv1.x" && sent.client_secret === "client-secret";
        return isApp && people[sent.code] ? { access_token: `user-${sent.code}` } : { error: "bad_verification_code" };
      }
      const person = people[authorization.replace("Bearer user-", "")];
      if (path === "/user") return person && { id: person.id };
      const [, name] = /^\/user\/memberships\/orgs\/(\w+)$/.exec(path) ?? [];
      const role = person?.roles[name ?? ""];
      const id_ = Object.values(accounts).find((each) => "login" in each && each.login === name);
      return role === undefined ? undefined : { role, state: "active", organization: id_ };
    };
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        seen.push(request.url!);
        const answer = answerOf(request.url!, body, request.headers.authorization ?? "");
        response
          .writeHead(answer ? 200 : 404, { "content-type": "application/json" })
          .end(JSON.stringify(answer ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = `http://${host}`;
    const oauth = { clientId: "Iv1.x", clientSecret: "client-secret" };
    const entry = { key: host, prefix: `https://${host}/`, kind: "github", api: url } as const;
    const forges = [{ ...entry, app: { id: "1", privateKey: pem, oauth } }];
    const world = await openConsoleWorld({}, forges);
    const owner = await world.member("owner");
    /** Begins as `visitor` and comes back with what GitHub, or an attacker, puts into the address. */
    const begin = async (visitor = owner): Promise<string> => {
      const { text } = await visitor.post("/console/credentials/github/begin", { host });
      return new RegExp(`href="https://${host}/apps/offprint/installations/new\\?state=([\\w-]{43})"`).exec(text)![1]!;
    };
    const finish = async (form: { state: string; code?: string; installation?: string }, visitor = owner) => {
      const { state, code = "code-of-ada", installation = "7" } = form;
      const query = new URLSearchParams({ installation_id: installation, setup_action: "install", state, code });
      const asked = await visitor.get(`/console/credentials/github?${query}`);
      expect(asked.text).toContain(`Add the installation ${installation}`);
      return visitor.post("/console/credentials/github", { secretState: state, code, installation });
    };
    const prefixes = async (organizationId = world.acme.organizationId) =>
      (await world.store.credentials.list(organizationId)).map(({ prefix }) => prefix);
    return { ...world, host, owner, begin, finish, prefixes, seen };
  }

  test("is bound to the organization of an owner who proves to own its account", async () => {
    const { host, owner, begin, finish, prefixes, acme, store, clock } = await openGitHub();
    expect(await finish({ state: await begin() })).toMatchObject({ status: 303, to: "/console/credentials" });
    clock.ms += 9 * 60_000;
    expect(await finish({ state: await begin(), installation: "9" })).toMatchObject({ status: 303 });
    expect(await prefixes()).toEqual([`https://${host}/acme/`, `https://${host}/ada/`]);
    const { entries } = await store.people.auditLog(acme.organizationId, { limit: 1 });
    expect(entries[0]).toMatchObject({ action: "credential.add", detail: `github-app for https://${host}/ada/` });
    expect((await owner.get("/console/credentials")).text).toContain("installation 7");
  });

  test("gives each of its organization's sites a token for that repository alone", async () => {
    const { host, begin, finish, acme, globex, store } = await openGitHub();
    await finish({ state: await begin() });
    const signal = patience();
    const url = `https://${host}/acme/docs.git`;
    const asked = (token: string) => {
      const [, id, body] = /^installation-(\d+)-(.*)$/.exec(token)!;
      return [id, JSON.parse(Buffer.from(body!, "base64url").toString())];
    };
    const found = await store.credentials.forReading(acme.organizationId, url, signal);
    expect(found).toMatchObject({ kind: "token", prefix: `https://${host}/acme/`, user: "x-access-token" });
    const read = { repositories: ["docs"], permissions: { contents: "read" } };
    expect(asked(found?.kind === "token" ? found.token : "")).toEqual(["7", read]);
    const { forge } = await store.credentials.forAgent(acme.organizationId, url, signal);
    const write = { repositories: ["docs"], permissions: { contents: "write", pull_requests: "write" } };
    expect(asked(forge.token)).toEqual(["7", write]);
    expect(await store.credentials.forReading(globex.organizationId, url, signal)).toBeUndefined();
    const other = `https://${host}/globex/docs.git`;
    expect(await store.credentials.forReading(acme.organizationId, other, signal)).toBeUndefined();
  });

  test("is refused without the proof: another account's number, another session, a second use, after ten minutes", async () => {
    const { begin, finish, prefixes, globex, clock, member, seen } = await openGitHub();
    const refused = async (finishing: ReturnType<typeof finish>, message: string): Promise<void> => {
      const { status, text } = await finishing;
      expect([status, text.includes(message)]).toEqual([422, true]);
    };
    const isOld = "This return URL has already been used, is older than ten minutes, or belongs to another session";
    await refused(finish({ state: await begin(), installation: "8" }), "does not list you as an owner");
    await refused(finish({ state: await begin(), code: "code-of-bob" }), "does not list you as an owner");
    await refused(
      finish({ state: await begin(), code: "code-of-bob", installation: "9" }),
      "does not list you as an owner",
    );
    await refused(finish({ state: await begin(), code: "guessed" }), "does not accept the code");
    const asked = seen.length;
    await refused(finish({ state: "x".repeat(43) }), isOld);
    const stranger = await member("owner", globex.organizationId);
    await refused(finish({ state: await begin() }, stranger), isOld);
    await refused(finish({ state: await begin() }, await member("owner")), isOld);
    const old = await begin();
    clock.ms += 10 * 60_000;
    await refused(finish({ state: old }), isOld);
    expect(seen.slice(asked)).toEqual(["/app", "/app", "/app"]);
    const state = await begin();
    expect(await finish({ state })).toMatchObject({ status: 303 });
    await refused(finish({ state, installation: "9" }), isOld);
    expect(await prefixes()).toHaveLength(1);
    expect(await prefixes(globex.organizationId)).toEqual([]);
  });

  test("is not offered without a client secret, and an address without its proof adds nothing", async () => {
    const world = await openConsoleWorld();
    const owner = await world.member("owner");
    expect((await owner.get("/console/credentials")).text).not.toContain("Connect GitHub");
    const begun = await owner.post("/console/credentials/github/begin", { host: "github.com" });
    expect(begun).toMatchObject({ status: 422, text: expect.stringContaining("no app on github.com") });
    const bare = await owner.get("/console/credentials/github?installation_id=7");
    expect(bare).toMatchObject({ status: 422, text: expect.stringContaining("lacks the installation or its proof") });
    await owner.post("/console/credentials/github", { installation: "7", secretState: "x", code: "y" });
    expect(await world.store.credentials.list(world.acme.organizationId)).toEqual([]);
  });
});
