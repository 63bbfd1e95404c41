import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type NewCredential, openCredentials, openKeyring } from "../../../src/service/git/credentials/index.js";
import type { Forges } from "../../../src/service/git/forge/index.js";
import type { State } from "../../../src/service/jobs/index.js";
import { temporaryFolder } from "../../support/cli.js";
import { patience } from "../../support/patience.js";
import { describeStates, type OpenTestState } from "../jobs/open-test-state.js";

const by = { actor: "test" };
const token = "ghp_abcdefghijklmnopqrstuvwxyz";
const newKey = (): string => randomBytes(32).toString("hex");
const signal = patience();

const openWith = (state: State, ownFile: string, forges: Forges = []) =>
  openCredentials({
    store: state.sealedCredentials,
    accounts: state.accounts,
    keyring: openKeyring({ ownFile }),
    forges,
  });

async function openWorld(open: OpenTestState, forges?: Forges) {
  const state = await open();
  const keyFile = join(temporaryFolder(), "data", "credentials.key");
  const credentials = openWith(state, keyFile, forges);
  const acme = (await state.accounts.organization("Acme")).organizationId;
  const globex = (await state.accounts.organization("Globex")).organizationId;
  const add = (organizationId: string, prefix: string, more: Partial<NewCredential> = {}) =>
    credentials.add({ organizationId, kind: "token", prefix, secret: token, ...more }, by);
  const tokenFor = async (organizationId: string, url: string): Promise<string | undefined> => {
    const found = await credentials.forReading(organizationId, url, signal);
    return found && (found.kind === "token" ? `${found.user}:${found.token}` : found.kind);
  };
  return { state, keyFile, credentials, acme, globex, add, tokenFor };
}

describeStates("a credential", (open) => {
  test("is listed without its secret, and its key is a file of this user alone", async () => {
    const { credentials, acme, add, keyFile } = await openWorld(open);
    const added = await add(acme, "https://git.acme.com/team", { name: "Deploys" });
    expect(await credentials.list(acme)).toEqual([added]);
    expect(added).toEqual({
      credentialId: expect.stringMatching(/^crd_[0-9a-f]{32}$/),
      organizationId: acme,
      kind: "token",
      name: "Deploys",
      prefix: "https://git.acme.com/team/",
      hint: "…wxyz",
      createdAt: expect.any(Date),
    });
    expect((statSync(keyFile).mode & 0o777).toString(8)).toBe("600");
  });

  test("opens the repositories below its prefix for its organization, the longest prefix first", async () => {
    const { acme, globex, add, tokenFor } = await openWorld(open);
    await add(acme, "https://git.acme.com/", { secret: "host" });
    await add(acme, "https://git.acme.com/team/", { secret: "bot:team" });
    await add(globex, "https://git.globex.com/", { secret: "globex" });
    await add(acme, "https://git.acme.com/one/docs/", { secret: "repository" });
    await add(acme, "https://git.acme.com/two.git/", { secret: "dot" });
    for (const end of ["", "/", ".git", ".git/"])
      expect(await tokenFor(acme, `https://git.acme.com/one/docs${end}`)).toBe("x-access-token:repository");
    for (const other of ["one/docs2", "one", "two/docs", "team/../docs"])
      expect(await tokenFor(acme, `https://git.acme.com/${other}`)).toBe("x-access-token:host");
    expect(await tokenFor(acme, "https://git.acme.com/team/docs.git")).toBe("bot:team");
    expect(await tokenFor(acme, "https://git.acme.com/teams/docs.git")).toBe("x-access-token:host");
    for (const url of [
      "https://git.acme.com:8443/team/docs.git",
      "https://git.acme.com.evil.example/team/docs.git",
      "https://git.acme.com@evil.example/team/docs.git",
      "ssh://git.acme.com/team/docs.git",
      "https://git.acme.com/team/..%2fother/docs.git",
      "https://git.acme.com/team%2Fdocs.git",
      "https://git.globex.com/docs.git",
      "file:///srv/docs.git",
      "no address",
    ])
      expect([url, await tokenFor(acme, url)]).toEqual([url, undefined]);
    expect(await tokenFor(globex, "https://git.acme.com/team/docs.git")).toBeUndefined();
  });

  test("copied to another organization, or pointed at another address, does not decrypt", async () => {
    const { state, credentials, acme, globex, add, tokenFor } = await openWorld(open);
    await add(acme, "https://git.acme.com/");
    const stored = (await state.sealedCredentials.list(acme))[0]!;
    await state.sealedCredentials.add({ ...stored, organizationId: globex, credentialId: "crd_copy" }, by);
    await state.sealedCredentials.add({ ...stored, credentialId: "crd_other", prefix: "https://evil.example/" }, by);
    const refused = "was changed or belongs to another organization";
    await expect(tokenFor(globex, "https://git.acme.com/docs.git")).rejects.toThrow(refused);
    await expect(tokenFor(acme, "https://evil.example/docs.git")).rejects.toThrow(refused);
    await expect(credentials.secretsOf(globex)).rejects.toThrow(refused);
    expect(await tokenFor(acme, "https://git.acme.com/docs.git")).toBe(`x-access-token:${token}`);
  });

  test("is encrypted again with a new key, after which the old one may go", async () => {
    const { keyFile, credentials, acme, globex, add, tokenFor } = await openWorld(open);
    await add(acme, "https://git.acme.com/");
    const oldKey = readFileSync(keyFile, "utf8").trim();
    writeFileSync(keyFile, `${newKey()}\n${oldKey}\n`);
    await add(globex, "https://git.globex.com/", { secret: "globex" });
    expect(await credentials.encryptAgain()).toBe(1);
    expect(await credentials.encryptAgain()).toBe(0);
    writeFileSync(keyFile, readFileSync(keyFile, "utf8").replace(`${oldKey}\n`, ""));
    expect(await tokenFor(acme, "https://git.acme.com/docs.git")).toBe(`x-access-token:${token}`);
    writeFileSync(keyFile, newKey());
    await expect(tokenFor(globex, "https://git.globex.com/docs.git")).rejects.toThrow(`which is not in "${keyFile}"`);
  });

  test("is replaced and removed; each change is in the audit log, without the secret", async () => {
    const { state, credentials, acme, globex, add, tokenFor } = await openWorld(open);
    const { credentialId } = await add(acme, "https://git.acme.com/");
    await expect(add(acme, "https://git.acme.com")).rejects.toThrow(
      "The organization already has a credential for https://",
    );
    const secret = "another-token-1234567890";
    expect(await credentials.rotate(globex, credentialId, { secret }, by)).toBeUndefined();
    expect(await credentials.remove(globex, credentialId, by)).toBeUndefined();
    expect(await credentials.rotate(acme, credentialId, { secret }, by)).toMatchObject({ hint: "…7890" });
    expect(await tokenFor(acme, "https://git.acme.com/docs.git")).toBe(`x-access-token:${secret}`);
    expect((await credentials.list(acme))[0]).toMatchObject({
      rotatedAt: expect.any(Date),
      lastUsedAt: expect.any(Date),
    });
    expect(await credentials.remove(acme, credentialId, by)).toMatchObject({ credentialId });
    expect(await tokenFor(acme, "https://git.acme.com/docs.git")).toBeUndefined();
    const { entries } = await state.people.auditLog(acme, { limit: 10 });
    expect(entries.slice(0, 3).map(({ actor, action, subject, detail }) => [actor, action, subject, detail])).toEqual(
      ["remove", "rotate", "add"].map((action) => [
        ...["test", `credential.${action}`, credentialId, "token for https://git.acme.com/"],
      ]),
    );
    const { entries: others } = await state.people.auditLog(globex, { limit: 10 });
    expect(others.map(({ action }) => action)).toEqual(["organization.create"]);
  });

  test("keeps only the secrets of its own organization from being pushed", async () => {
    const entry = { key: "x", prefix: "https://x.example/", kind: "gitea", api: "" } as const;
    const forges = [{ ...entry, token: "lent-to-globex", organizations: ["Globex"] }];
    const { credentials, acme, globex, add } = await openWorld(open, forges);
    await add(acme, "https://git.acme.com/", { secret: "bot:acme-token" });
    expect(await credentials.secretsOf(acme)).toEqual(["acme-token"]);
    expect(await credentials.secretsOf(globex)).toEqual(["lent-to-globex"]);
  });

  test("that the operator lends is used by the organizations that it names alone", async () => {
    const entry = { kind: "gitea", api: "" } as const;
    const forges = [
      { ...entry, key: "a", prefix: "https://git.acme.com/team/", token: "lent", organizations: ["Acme"] },
      { ...entry, key: "b", prefix: "https://git.acme.com/", token: "for nobody" },
    ];
    const { acme, globex, add, tokenFor } = await openWorld(open, forges);
    expect(await tokenFor(acme, "https://git.acme.com/team/docs.git")).toBe("x-access-token:lent");
    expect(await tokenFor(acme, "https://git.acme.com/docs.git")).toBeUndefined();
    expect(await tokenFor(globex, "https://git.acme.com/team/docs.git")).toBeUndefined();
    await add(acme, "https://git.acme.com/team/", { secret: "own" });
    expect(await tokenFor(acme, "https://git.acme.com/team/docs.git")).toBe("x-access-token:own");
  });

  test("that no organization may use is reported at the start, with the setting to write", async () => {
    const forges: Forges = [
      { key: "forge.acme.com", prefix: "https://forge.acme.com/", kind: "gitea", api: "", token: "of-forge" },
      { key: "hub.com", prefix: "https://hub.com/", kind: "github", api: "", app: { id: "1", privateKey: "key" } },
    ];
    const { state, credentials, acme, globex, add, tokenFor } = await openWorld(open, forges);
    const entryLine =
      'The entry "forge.acme.com" of OFFPRINT_FORGES_FILE lists no organizations, so its token is not used for any repository. Add the organizations that may use it: "organizations": ["Acme","Globex"].';
    const addSite = (host: string) =>
      state.accounts.addProject({
        organizationId: globex,
        domain: `docs.${host}`,
        source: { kind: "git", url: `https://${host}/team/docs.git` },
        deployment: "cloud",
      });
    for (const host of ["forge.acme.com", "api.hub.com"]) await addSite(host);
    for (const organizationId of [acme, globex])
      for (const host of ["forge.acme.com", "hub.com"])
        expect(await tokenFor(organizationId, `https://${host}/team/docs.git`)).toBeUndefined();
    expect(await credentials.unusedSettings()).toEqual([entryLine]);
    await addSite("hub.com");
    expect(await credentials.agentFault(globex, "https://hub.com/team/docs.git")).toContain("has no credential");
    expect(await credentials.unusedSettings()).toEqual([
      entryLine,
      "The app on hub.com works only through installations that are assigned to organizations. For https://hub.com/team/docs.git: offprint credential add https://hub.com/ --github-app-installation <id> --organization Globex",
    ]);
    await add(globex, "https://hub.com/team/");
    expect(await credentials.unusedSettings()).toEqual([entryLine]);
  });
});

test("an SSH key is known by its fingerprint; one with a passphrase or in another format is refused", async () => {
  const folder = temporaryFolder();
  const make = (name: string, ...more: readonly string[]): string => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-C", "", "-f", join(folder, name), ...more]);
    return readFileSync(join(folder, name), "utf8");
  };
  const { credentials, organizationId } = await openSqliteWorld();
  const ssh = { organizationId, kind: "ssh-key", prefix: "ssh://git@git.acme.com/team/" } as const;
  const privateKey = make("plain", "-N", "");
  const added = await credentials.add({ ...ssh, secret: privateKey, knownHosts: "git.acme.com ssh-ed25519 AAAA" }, by);
  const [, fingerprint] = execFileSync("ssh-keygen", ["-l", "-f", join(folder, "plain.pub")])
    .toString()
    .split(" ");
  expect(added.hint).toBe(fingerprint);
  expect(await credentials.forReading(organizationId, "ssh://git@git.acme.com/team/docs.git", signal)).toEqual({
    ...{ kind: "ssh-key", prefix: ssh.prefix, privateKey, knownHosts: "git.acme.com ssh-ed25519 AAAA\n" },
  });
  const next = { secret: make("next", "-N", "") };
  await credentials.rotate(organizationId, added.credentialId, next, by);
  expect(await credentials.forReading(organizationId, "ssh://git@git.acme.com/team/docs.git", signal)).toEqual({
    ...{ kind: "ssh-key", prefix: ssh.prefix, privateKey: next.secret, knownHosts: "git.acme.com ssh-ed25519 AAAA\n" },
  });
  for (const [secret, message] of [
    [make("locked", "-N", "secret"), "The SSH key has a passphrase"],
    [make("pem", "-N", "", "-m", "PKCS8", "-t", "rsa"), "To convert another format"],
    [privateKey.replace(/\n.{20}/, "\nAAAAAAAAAAAAAAAAAAAA"), "The SSH key is damaged"],
  ] as const) {
    const adding = credentials.add({ ...ssh, prefix: "ssh://git@other.acme.com/", secret }, by);
    await expect(adding).rejects.toThrow(message);
    await expect(adding).rejects.not.toThrow(secret.split("\n")[1]);
  }
});

test("the command to copy runs nothing that an address or a name of an organization contains", async () => {
  const { credentials, state } = await openSqliteWorld();
  const { organizationId } = await state.accounts.organization("a'b $(id)");
  const command = await credentials.addCommand(organizationId, "https://git.acme.com/$(id);'`id`/docs.git");
  const words = execFileSync("sh", ["-c", `printf '%s\\n' ${command.replaceAll(/[<>]/g, "")}`], { encoding: "utf8" });
  expect(words.split("\n").slice(3, 6)).toEqual([
    "https://git.acme.com/$(id);'%60id%60/",
    "--organization",
    "a'b $(id)",
  ]);
});

test("a credential that makes no sense is refused, without repeating its secret", async () => {
  const { credentials, organizationId } = await openSqliteWorld();
  const cases = [
    [{ prefix: "git.acme.com" }, "start it with https:// or ssh://"],
    [{ prefix: "http://git.acme.com/" }, "start it with https:// or ssh://"],
    [{ prefix: "https://user:hidden@git.acme.com/" }, "remove the user name and password"],
    [{ prefix: "https://git.acme.com/?x" }, "remove the query and the fragment"],
    [{ prefix: "https://git.acme.com/a%2fb/" }, "write its path without"],
    [{ prefix: "ssh://git@git.acme.com/" }, "The prefix of a token must start with https://"],
    [{ kind: "ssh-key" }, "The prefix of an SSH key must start with ssh://"],
    [{ secret: "hidden\nhost=evil.example" }, "A token must be one line"],
    [{ secret: "" }, "A token must be one line"],
    [{ name: "a\nb" }, "A name must be one line of at most 200 characters"],
  ] as const;
  for (const [wrong, message] of cases) {
    const given = { organizationId, kind: "token", prefix: "https://git.acme.com/", secret: "hidden-token" } as const;
    const adding = credentials.add({ ...given, ...wrong } as NewCredential, by);
    await expect(adding).rejects.toThrow(message);
    await expect(adding).rejects.not.toThrow("hidden");
  }
  expect(await credentials.list(organizationId)).toEqual([]);
});

async function openSqliteWorld() {
  const { openSqliteState } = await import("../../../src/service/jobs/index.js");
  const folder = temporaryFolder();
  const state = await openSqliteState({ file: join(folder, "state.db") });
  onTestFinished(() => state.close());
  const { organizationId } = await state.accounts.organization("Acme");
  return { credentials: openWith(state, join(folder, "credentials.key")), organizationId, state };
}
