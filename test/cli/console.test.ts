import { createHash } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
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
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringContaining("no account has the email address ada@acme.com"),
  ]);
  const words = ["console", "invite", "ada@acme.com", "--role", "owner", "--data", data];
  const invited = await offprint(...words, "--public-url", "https://a.example/");
  expect(invited.code).toBe(0);
  expect(invited.stderr).toContain(
    "ada@acme.com can join default as owner. It works only once and expires in 24 hours.",
  );
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
  await done("organization", "create", "globex");
  await done("organization", "set-plan", "globex", "--plan", "pro");
  const { keyId, organizationId } = (await accounts.findKey(secret.trim()))!;
  await done("key", "rotate", keyId);
  await done("key", "revoke", keyId);
  await done("site", "remove", "docs.acme.com");
  const link = await done("console", "invite", "ada@acme.com", "--role", "owner");
  const by = `command line (${userInfo().username})`;
  await people.acceptInvite(link.trim().replace(/.*\//, ""), { name: "Ada", passwordHash: "x" });
  const reset = await done("console", "reset", "ada@acme.com");
  await people.acceptInvite(reset.trim().replace(/.*\//, ""), { name: "", passwordHash: "y" });
  const globex = (await accounts.organizations()).find(({ name }) => name === "globex")!;
  const { entries: ofGlobex } = await people.auditLog(globex.organizationId, { limit: 20 });
  expect(ofGlobex.map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).toEqual([
    [by, "organization.plan", "globex", "pro"],
    [by, "organization.create", "globex", "enterprise"],
  ]);
  const { entries } = await people.auditLog(organizationId, { limit: 20 });
  expect(entries.toReversed().map(({ action, subject }) => [action, subject])).toEqual([
    ["organization.create", "default"],
    ["site.add", "docs.acme.com"],
    ["site.set-counting", "docs.acme.com"],
    ["site.rotate-secret", "docs.acme.com"],
    ["site.secret", "docs.acme.com"],
    ["key.create", keyId],
    ["key.rotate", keyId],
    ["key.revoke", keyId],
    ["site.remove", "docs.acme.com"],
    ["person.invite", "ada@acme.com"],
    ["person.join", "ada@acme.com"],
    ["password.reset-link", "ada@acme.com"],
    ["password.reset", "ada@acme.com"],
  ]);
  // Whoever uses a link that an operator has made is not known to be the person.
  expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([by, `link by ${by}`, "Ada (ada@acme.com)"]));
  expect(JSON.stringify(entries)).not.toContain(secret.trim());
});

test("offprint audit exports the log and says where it was changed", async () => {
  const data = join(temporaryFolder(), "data");
  const audit = (...words: readonly string[]) => offprint("audit", ...words, "--data", data);
  await offprint("site", "add", "docs.acme.com", "--git", "https://git.acme.com/a.git", "--data", data);
  await offprint("organization", "create", "=globex", "--data", data);
  const verified = await audit("verify");
  expect([verified.code, verified.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^=globex: 1 line in an unbroken chain, last hash: [0-9a-f]{64}\ndefault: 2 lines in an unbroken chain, .*\n$/,
    ),
  ]);
  const { stdout: json } = await audit("export", "--organization", "default");
  const lines = json
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ organization, line, action }) => [organization, line, action])).toEqual([
    ["default", 1, "organization.create"],
    ["default", 2, "site.add"],
  ]);
  // Whoever has the export can compute the hashes.
  const sha256 = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
  const { accounts } = await open(data);
  const { organizationId } = (await accounts.projectByDomain("docs.acme.com"))!;
  const { at, line, action, digest, hash, salt, actor, subject, detail } = lines[1];
  expect(digest).toBe(sha256([salt, actor, subject, detail]));
  expect(hash).toBe(sha256([lines[0].hash, organizationId, line, Date.parse(at), null, null, action, digest]));
  const { stdout: csv } = await audit("export", "--format", "csv");
  const rows = csv.split("\r\n");
  expect(rows).toHaveLength(5);
  expect(rows[0]).toBe("organization,position,line,at,actor,personId,keyId,action,subject,detail,salt,digest,hash");
  expect(rows[1]).toMatch(/^'=globex,3,1,/);
  const database = new DatabaseSync(join(data, "offprint.db"));
  database.exec("update audit_log set subject = 'docs.globex.com' where action = 'site.add'");
  database.close();
  const broken = await audit("verify", "--organization", "default");
  expect([broken.code, broken.stderr]).toEqual([
    1,
    'offprint: the audit log of "default" was changed at position 2: its texts were changed.\n',
  ]);
  expect((await audit("verify", "--organization", "=globex")).code).toBe(0);
  expect(await audit("verify", "--organization", "Globex")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no organization "Globex"'),
  });
});

test("offprint erase deletes a person and an organization and prints the receipt, which it shows again", async () => {
  const data = join(temporaryFolder(), "data");
  const erase = (...words: readonly string[]) => offprint("erase", ...words, "--data", data);
  const git = ["--git", "https://git.acme.com/docs.git"];
  await offprint("organization", "create", "globex", "--data", data);
  await offprint("site", "add", "docs.globex.com", ...git, "--organization", "globex", "--data", data);
  await offprint("site", "add", "docs.acme.com", ...git, "--data", data);
  const removed = await offprint("site", "remove", "docs.acme.com", "--data", data);
  const receiptId = /offprint erase show (ers_\w+)/.exec(removed.stderr)![1]!;
  expect(JSON.parse((await erase("show", receiptId)).stdout)).toMatchObject({ kind: "site", subject: "docs.acme.com" });
  const { people } = await open(data);
  const links = [];
  for (const email of ["ada@acme.com", "bob@acme.com"])
    links.push(await offprint("console", "invite", email, "--role", "owner", "--data", data));
  for (const { stdout } of links)
    await people.acceptInvite(stdout.trim().replace(/.*\//, ""), { name: "Ada", passwordHash: "x" });
  const person = await erase("person", "ada@acme.com");
  expect([person.code, JSON.parse(person.stdout)]).toMatchObject([
    0,
    { kind: "person", completedAt: expect.any(String) },
  ]);
  const last = await erase("person", "bob@acme.com");
  expect([last.code, last.stderr]).toEqual([
    1,
    expect.stringContaining('bob@acme.com is the last owner of "default".'),
  ]);
  expect(await erase("person", "ada@acme.com")).toMatchObject({
    code: 1,
    stderr: "offprint: there is no person ada@acme.com.\n",
  });
  const organization = await erase("organization", "globex");
  expect(JSON.parse(organization.stdout)).toMatchObject({ kind: "organization", database: { projects: 1 } });
  const { stdout } = await offprint("organization", "list", "--data", data);
  expect(stdout).not.toContain("globex");
  for (const words of [
    ["bundle", "se_0"],
    ["thread", "01J"],
    ["show", "ers_0"],
    ["organization", "globex"],
  ])
    expect(await erase(...words)).toMatchObject({ code: 1, stderr: expect.stringContaining(words[1]!) });
});

test("lists of sites and keys say what other organizations have, and a misspelt organization is not created", async () => {
  const data = join(temporaryFolder(), "data");
  const run = (...words: readonly string[]) => offprint(...words, "--data", data);
  const git = ["--git", "https://git.acme.com/docs.git"];
  expect((await run("site", "list")).stderr).toMatch(/^There are no sites yet in /);
  await run("site", "add", "docs.globex.com", ...git, "--organization", "globex");
  await run("key", "create", "--organization", "globex");
  await run("key", "create", "--organization", "initech");
  const sites = await run("site", "list");
  expect(sites.stderr).toMatch(
    /^1 site belongs to other organizations\. To list them, add --organization NAME \(globex\)\.\n/,
  );
  const keys = await run("key", "list", "--json");
  expect([keys.code, keys.stdout, keys.stderr]).toEqual([
    0,
    "",
    "2 keys belong to other organizations. To list them, add --organization NAME (globex, initech).\n",
  ]);
  const ofGlobex = await run("site", "list", "--organization", "globex");
  expect([ofGlobex.stdout, ofGlobex.stderr]).toEqual([expect.stringContaining("docs.globex.com"), ""]);
  for (const words of [
    ["site", "list"],
    ["key", "list"],
    ["site", "secret", "docs.globex.com"],
    ["key", "revoke", "key_0"],
  ])
    expect(await run(...words, "--organization", "globx")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining('there is no organization "globx". See: offprint organization list'),
    });
  expect((await run("organization", "list")).stdout).not.toContain("globx");
});

test("on a terminal the service prints a link for the first owner, who chooses the address; elsewhere it prints the command that makes one", async () => {
  const store = await open(join(temporaryFolder(), "data"));
  const textFor = (isTerminal: boolean) =>
    firstOwnerText(store, "http://127.0.0.1:7070", "/data", environmentOf(isTerminal).environment);
  const command =
    "offprint console invite you@example.com --role owner --public-url http://127.0.0.1:7070 --data /data";
  expect(await textFor(false)).toContain(`\n\n${command}\n\n`);
  const { environment } = environmentOf(false);
  const inClone = { ...environment, env: { npm_lifecycle_script: "node dist/cli/main.js service" } };
  expect(await firstOwnerText(store, "http://127.0.0.1:7070", "/data", inClone)).toContain(
    "\n\nnpm run -s offprint -- console invite ",
  );
  expect(await firstOwnerText(store, undefined, undefined, environmentOf(true).environment)).toBe("");
  const text = await textFor(true);
  const secret = /http:\/\/127\.0\.0\.1:7070\/console\/invite\/([\w-]{43})\n/.exec(text)![1]!;
  const entry = { name: "Ada", email: "Ada@Acme.com", passwordHash: "x" };
  expect(await store.people.acceptInvite(secret, { name: "Ada", passwordHash: "x" })).toBe(undefined);
  expect(await store.people.acceptInvite(secret, entry)).toMatchObject({ email: "ada@acme.com" });
  expect([await textFor(true), await textFor(false)]).toEqual(["", ""]);
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
