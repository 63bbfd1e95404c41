import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { callCli, cli, finish, start, temporaryFolder } from "../support/cli.js";

function openFolder() {
  const folder = temporaryFolder();
  const env = { PATH: process.env["PATH"], OFFPRINT_DATA: join(folder, "data") };
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (...words: readonly string[]) => callCli(["credential", ...words], { env });
  return { env, file, run, keyFile: join(folder, "data", "credentials.key") };
}

test("a token is added from a file, listed without its secret, replaced and removed", async () => {
  const { env, file, run, keyFile } = openFolder();
  expect(await run("list")).toMatchObject({ code: 1, stderr: expect.stringContaining('no organization "default"') });
  await callCli(["organization", "create", "acme"], { env });
  const acme = ["--organization", "acme"];
  expect(existsSync(keyFile)).toBe(false);
  const secretFile = file("token", "bot:ghp_abcdefghijklmnopqrstuvwxyz\n");
  const added = await run("add", "https://git.acme.com/team", "--secret-file", secretFile, ...acme);
  expect(added.stdout).toMatch(
    /^crd_[0-9a-f]{32} gives acme access to the repositories under https:\/\/git\.acme\.com\/team\/.\n$/,
  );
  const [id] = added.stdout.split(" ");
  expect(readFileSync(keyFile, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  const listed = await run("list", "--json", ...acme);
  expect(JSON.parse(listed.stdout)).toMatchObject({ credentialId: id, hint: "…wxyz", kind: "token" });
  expect(listed.stdout).not.toMatch(/ghp_|sealed/);
  expect((await run("list", ...acme)).stdout).toContain("https://git.acme.com/team/  token  ");
  const again = await run("add", "https://git.acme.com/team", "--secret-file", secretFile, ...acme);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("offprint credential rotate") });
  expect(await run("rotate", id!, "--secret-file", file("new", "new-token"), ...acme)).toMatchObject({ code: 0 });
  expect((await run("rotate-key")).stdout).toContain("0 credentials");
  expect((await run("remove", id!, ...acme)).stdout).toBe("https://git.acme.com/team/: the credential was removed.\n");
  expect(await run("remove", id!, ...acme)).toMatchObject({ code: 1 });
});

test("a token is added from the standard input", async () => {
  const { env, run } = openFolder();
  await callCli(["organization", "create", "default"], { env });
  const script = 'printf ghp_abcdefghijklmnopqrstuvwxyz | "$0" "$1" credential add https://git.acme.com/';
  const added = await finish(start("sh", ["-c", script, process.execPath, cli], { env }));
  expect(added).toMatchObject({ code: 0, stderr: "" });
  expect((await run("list")).stdout).toContain("…wxyz");
});

test("a command that makes no sense explains what to write", async () => {
  const { env, file, run } = openFolder();
  await callCli(["organization", "create", "default"], { env });
  for (const [words, message] of [
    [["add"], "needs the URL prefix of the repositories"],
    [["add", "https://git.acme.com/", "--kind", "password"], "--kind must be one of token, ssh-key"],
    [["add", "https://git.acme.com/", "--forge", "svn"], "--forge must be one of github, gitlab, gitea, none"],
    [["add", "https://git.acme.com/", "--secret-file", "/nothing"], '"/nothing" cannot be read (ENOENT)'],
    [["add", "https://git.acme.com/", "--secret-file", file("empty", "\n")], "The secret is empty"],
    [["add", "--github-app-installation", "x"], "--github-app-installation must be a whole number"],
    [["add", "--github-app-installation", "7"], "The service has no GitHub app for github.com."],
  ] as const)
    expect((await run(...words)).stderr).toContain(message);
});

test("without a key for all machines a credential is refused", async () => {
  const { env, file } = openFolder();
  const { storeSettings } = await import("../../src/cli/settings/store.js");
  const { openKeyring } = await import("../../src/service/git/credentials/index.js");
  await expect(openKeyring({}).seal("x", [])).rejects.toThrow("set OFFPRINT_CREDENTIALS_KEY_FILE");
  const broken = openKeyring({ file: file("key", "short") });
  await expect(broken.seal("x", [])).rejects.toThrow(
    "is not a key of 64 hexadecimal digits. To create one: openssl rand",
  );
  const settings = (more: NodeJS.ProcessEnv) =>
    storeSettings(undefined, { env: { ...env, ...more }, platform: "linux" } as never).credentialKeys;
  expect(settings({ OFFPRINT_CREDENTIALS_KEY_FILE: " /run/key " })).toEqual({ file: "/run/key" });
  expect(settings({ OFFPRINT_CREDENTIALS_KEY: "a" })).toEqual({ keys: "a" });
});

test("the operator binds an installation of the app, whose account comes from GitHub", async () => {
  const { env, file, run } = openFolder();
  await callCli(["organization", "create", "default"], { env });
  const account = { login: "acme", id: 70, type: "Organization" };
  const server = createServer((request, response) => {
    const isKnown = request.url === "/app/installations/7";
    response.writeHead(isKnown ? 200 : 404).end(JSON.stringify(isKnown ? { id: 7, account } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privateKeyFile = file("app.pem", privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const forges = { "github.com": { api, app: { id: "1", privateKeyFile } } };
  const withApp = { ...env, OFFPRINT_FORGES_FILE: file("forges.json", JSON.stringify(forges)) };
  const add = (id: string) => callCli(["credential", "add", "--github-app-installation", id], { env: withApp });
  expect((await add("7")).stdout).toMatch(
    / gives default access to the repositories under https:\/\/github\.com\/acme\/.\n$/,
  );
  expect(await add("8")).toMatchObject({ code: 1, stderr: expect.stringContaining("it is not installed there") });
  expect((await run("list")).stdout).toContain("github-app  acme  installation 7");
});
