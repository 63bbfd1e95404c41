import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../src/cli/environment.js";
import { firstOwnerText, openConsole } from "../../src/cli/open-console.js";
import { run } from "../../src/cli/run.js";
import { openStore } from "../../src/service/open-store.js";
import { temporaryFolder } from "../support/cli.js";
import { exchange } from "../support/raw-http.js";

function environmentOf(isTTY = false) {
  const printed = { stdout: "", stderr: "" };
  const writer = (name: "stdout" | "stderr") => ({
    isTTY,
    write(text: string): void {
      printed[name] += text;
    },
  });
  const environment = { stdout: writer("stdout"), stderr: writer("stderr"), env: {}, platform: "linux" };
  return { printed, environment: environment as unknown as Environment };
}

async function offprint(...words: readonly string[]) {
  const { printed, environment } = environmentOf();
  return { code: await run(words, environment), ...printed };
}

async function open(dataFolder: string) {
  const store = await openStore({ dataFolder, publicUrl: "http://localhost" });
  onTestFinished(() => store.close());
  return store;
}

test("offprint console prints links, which the console takes", async () => {
  const data = join(temporaryFolder(), "data");
  const none = await offprint("console", "reset", "ada@acme.com", "--data", data);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("nobody has the address ada@acme.com")]);
  const words = ["console", "invite", "ada@acme.com", "--role", "owner", "--data", data];
  const invited = await offprint(...words, "--public-url", "https://a.example/");
  expect(invited.code).toBe(0);
  expect(invited.stderr).toContain("ada@acme.com becomes owner of default. It works once, for 24 hours.");
  const secret = /^https:\/\/a\.example\/console\/invite\/([\w-]{43})\n$/.exec(invited.stdout)![1]!;
  const { people } = await open(data);
  expect(await people.findInvite(secret)).toMatchObject({ email: "ada@acme.com", role: "owner" });
  await people.acceptInvite(secret, { name: "Ada", passwordHash: "x" });
  const reset = await offprint("console", "reset", "ada@acme.com", "--data", data);
  expect(await people.findInvite(reset.stdout.trim().replace(/.*\//, ""))).toMatchObject({ kind: "reset" });
});

test("the audit log has what the command line changes, and who did it", async () => {
  const data = join(temporaryFolder(), "data");
  const done = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await offprint(...words, "--data", data);
    expect([code, stderr]).toEqual([0, stderr]);
    return stdout;
  };
  const git = ["--git", "https://git.acme.com/docs.git"];
  await done("site", "add", "docs.acme.com", ...git);
  await done("site", "set-counting", "docs.acme.com", "--humans-from", "beacon");
  await done("site", "rotate-secret", "docs.acme.com");
  await done("site", "secret", "docs.acme.com");
  const secret = await done("key", "create", "--name", "ci");
  const { accounts, people } = await open(data);
  const { keyId, organizationId } = (await accounts.findKey(secret.trim()))!;
  await done("key", "rotate", keyId);
  await done("key", "revoke", keyId);
  await done("site", "remove", "docs.acme.com");
  await done("console", "invite", "ada@acme.com", "--role", "owner");
  const { entries } = await people.auditLog(organizationId, { limit: 20 });
  expect(entries.toReversed().map(({ action, subject }) => [action, subject])).toEqual([
    ["site.add", "docs.acme.com"],
    ["site.set-counting", "docs.acme.com"],
    ["site.rotate-secret", "docs.acme.com"],
    ["key.create", keyId],
    ["key.rotate", keyId],
    ["key.revoke", keyId],
    ["site.remove", "docs.acme.com"],
    ["person.invite", "ada@acme.com"],
  ]);
  expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([`command line (${userInfo().username})`]));
  expect(JSON.stringify(entries)).not.toContain(secret.trim());
});

test("on a terminal the service prints a link for the first owner, who chooses the address; elsewhere it does not", async () => {
  const store = await open(join(temporaryFolder(), "data"));
  expect(await firstOwnerText(store, "http://127.0.0.1:7070", environmentOf(false).environment)).toBe("");
  expect(await firstOwnerText(store, undefined, environmentOf(true).environment)).toBe("");
  const text = await firstOwnerText(store, "http://127.0.0.1:7070", environmentOf(true).environment);
  const secret = /http:\/\/127\.0\.0\.1:7070\/console\/invite\/([\w-]{43})\n/.exec(text)![1]!;
  const entry = { name: "Ada", email: "Ada@Acme.com", passwordHash: "x" };
  expect(await store.people.acceptInvite(secret, { name: "Ada", passwordHash: "x" })).toBe(undefined);
  expect(await store.people.acceptInvite(secret, entry)).toMatchObject({ email: "ada@acme.com" });
  expect(await firstOwnerText(store, "http://127.0.0.1:7070", environmentOf(true).environment)).toBe("");
});

test("the console has a port of its own, with nothing of the API, or is off", async () => {
  const store = await open(join(temporaryFolder(), "data"));
  const lines: string[] = [];
  const setup = {
    store,
    settings: { credentialKeys: {}, dataFolder: "/nowhere" },
    publicUrl: "http://127.0.0.1:1",
    options: {},
    agent: {},
    environment: environmentOf().environment,
    log: (_level: string, message: string) => void lines.push(message),
  };
  const { listening, below, url } = await openConsole({
    ...setup,
    args: { console: { host: "127.0.0.1", port: 0 }, consoleLogin: "any" },
  });
  onTestFinished(() => listening!.close());
  expect(below).toBe(undefined);
  expect(url).toBe(listening!.url);
  const page = await fetch(`${url}/console`);
  expect([page.status, page.headers.get("Content-Security-Policy")]).toEqual([
    404,
    expect.stringContaining("script-src 'self'"),
  ]);
  expect(await page.text()).toContain("The console is closed");
  expect((await fetch(`${url}/v1/static-export/jobs`)).status).toBe(404);
  expect((await fetch(url!)).url).toBe(`${url}/console`);
  const answer = await exchange(url!, "GET /console/%2e%2e/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  expect(answer).toContain("HTTP/1.1 400 ");
  expect(lines).toContain("the console listens");
  expect(await openConsole({ ...setup, args: { console: "off", consoleLogin: "any" } })).toEqual({});
});
