import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type ForgeSettings,
  forgeOf,
  openForge,
  readForges,
  secretsOfForge,
  settingsFor,
} from "../../../src/service/forge/index.js";
import { forgeToken, startFakeForge } from "../../support/fake-forge.js";

const branch = "offprint/agent-00000001";
const request = { branch, base: "main", title: "Mend", body: "- one", isDraft: false };
const { repository } = forgeOf("https://git.acme.com/acme/docs.git", new Map());
let bare = "";

beforeAll(() => {
  bare = mkdtempSync(join(tmpdir(), "forge-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@acme.com", ...args], { cwd: bare });
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "-m", "One");
  git("branch", branch);
});

async function openFake(kind: "github" | "gitlab" | "gitea", token = forgeToken) {
  const fake = await startFakeForge(kind, bare);
  onTestFinished(() => fake.close());
  const settings: ForgeSettings = { kind, token, api: fake.url };
  const signal = AbortSignal.timeout(20_000);
  return { fake, forge: openForge(repository, settings, { signal, retryMs: 1 }) };
}

for (const kind of ["github", "gitlab", "gitea"] as const)
  describe(kind, () => {
    test("gets a pull request once, with every field, and finds it by its branch", async () => {
      const { fake, forge } = await openFake(kind);
      expect(await forge.find(branch)).toBeUndefined();
      const url = await forge.open(request);
      expect(fake.pulls).toEqual([{ ...request, url, isOpen: true }]);
      expect([await forge.find(branch), await forge.open(request)]).toEqual([url, url]);
      fake.pulls[0]!.isOpen = false;
      expect(await forge.find(branch)).toBeUndefined();
      await forge.open({ ...request, isDraft: true });
      expect(fake.pulls[1]).toMatchObject({ isDraft: true, title: "Mend" });
    });

    for (const [status, message, retry] of [
      [400, "could not be made", false],
      [401, "refuses the token", false],
      [403, "lacks a right. It needs", false],
      [404, 'has no repository "acme/docs"', false],
      [409, "could not be made", false],
      [422, "could not be made", false],
      [429, "could not be made", true],
      [500, "could not be made", true],
    ] as const)
      test(`answers ${status}: the run fails and its message says what to do`, async () => {
        const { fake, forge } = await openFake(kind);
        fake.next.push("work", ...Array<number>(retry ? 5 : 1).fill(status));
        const failed = forge.open(request);
        await expect(failed).rejects.toMatchObject({ name: "ForgeFault", retry });
        await expect(failed).rejects.toThrow(message);
        expect(fake.pulls).toEqual([]);
      });

    test("is asked up to five times while it is busy or broken", async () => {
      const { fake, forge } = await openFake(kind);
      fake.next.push("work", 429, 500, 503, "drop");
      expect(await forge.open(request)).toBe(fake.pulls[0]!.url);
      expect(fake.pulls).toHaveLength(1);
    });

    test("makes no pull request of a branch that is not pushed, or with another token", async () => {
      const { fake, forge } = await openFake(kind);
      await expect(forge.open({ ...request, branch: "offprint/agent-ffffffff" })).rejects.toThrow("422");
      const other = await openFake(kind, "another-token");
      await expect(other.forge.open(request)).rejects.toThrow("refuses the token");
      expect([...fake.pulls, ...other.fake.pulls]).toEqual([]);
    });
  });

test("a list of many open pull requests is read to its end", async () => {
  const { fake, forge } = await openFake("gitea");
  const others = Array.from({ length: 50 }, (_, at) => ({
    ...request,
    branch: `b${at}`,
    url: `https://x.example/${at}`,
    isOpen: true,
  }));
  fake.pulls.push(...others);
  fake.next.push("work");
  await forge.find(branch);
  expect(fake.seen).toEqual(
    ["/acme/docs/pulls?state=open&limit=50", "/acme/docs/pulls?state=open&limit=50&page=2"].map(
      (path) => `GET /repos${path}`,
    ),
  );
});

const rows: readonly (readonly [name: string, url: string, web: string, path: string])[] = [
  ["https", "https://git.acme.com/team/docs.git", "https://git.acme.com/team/docs", "team/docs"],
  ["a port", "https://git.acme.com:8443/docs", "https://git.acme.com:8443/docs", "docs"],
  ["ssh", "ssh://git@git.acme.com:2222/team/sub/docs.git", "https://git.acme.com/team/sub/docs", "team/sub/docs"],
];
for (const [name, url, webUrl, path] of rows)
  test(`the address of a repository on the web has no credentials and no port of ssh: ${name}`, () => {
    expect(forgeOf(url, new Map()).repository).toMatchObject({ webUrl, path });
  });

const noKey = (): string => "no key";

test("the operator's file names a token for each host; kind and address of known hosts may be left out", () => {
  const forges = readForges(
    '{"github.com":{"token":"a"},"git.acme.com":{"token":"b","kind":"github"},"GIT.example.com:8443":{"token":"c","kind":"gitea","api":"http://10.0.0.1:3000/api/v1/"}}',
    noKey,
  );
  expect([...forges]).toEqual([
    ["github.com", { kind: "github", token: "a", api: "https://api.github.com" }],
    ["git.acme.com", { kind: "github", token: "b", api: "https://git.acme.com/api/v3" }],
    ["git.example.com:8443", { kind: "gitea", token: "c", api: "http://10.0.0.1:3000/api/v1" }],
  ]);
  expect(forgeOf("https://git.acme.com/docs.git", forges).settings?.token).toBe("b");
  expect(forgeOf("https://elsewhere.com/docs.git", forges).settings).toBeUndefined();
});

for (const [text, message] of [
  ["{", "it is not JSON"],
  ["[]", "an entry for each host"],
  ['{"https://github.com":{"token":"a"}}', "is not a host"],
  ['{"github.com":{}}', "the token of github.com is missing"],
  ['{"github.com":{"token":"secret\\nline"}}', "the token of github.com is missing"],
  ['{"git.acme.com":{"token":"secret"}}', "the kind of git.acme.com is one of github, gitlab, gitea, none"],
  ['{"github.com":{"token":"secret","api":"file:///x"}}', "the api of github.com is an address"],
  ['{"github.com":{"token":"secret","url":"x"}}', '"url" of github.com is unknown'],
  ['{"github.com":{"app":{"id":7}}}', "the app of github.com has an id and a privateKeyFile"],
  ['{"gitlab.com":{"app":{"id":7,"privateKeyFile":"x"}}}', "the app of gitlab.com has an id"],
  ['{"github.com":{"token":"secret","app":{"id":7,"privateKeyFile":"x"}}}', "the app of github.com has an id"],
  ['{"github.com":{"app":{"id":7,"privateKeyFile":"x"}}}', "the privateKeyFile of github.com holds no RSA key"],
] as const)
  test(`the operator's file is refused without its tokens: ${message}`, () => {
    expect(() => readForges(text, noKey)).toThrow(message);
    expect(() => readForges(text, noKey)).not.toThrow("secret");
  });

describe("an app of GitHub", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const open = async (id = "12345", key = pem) => {
    const fake = await startFakeForge("github", bare, { id: "12345", publicKey });
    onTestFinished(() => fake.close());
    const file = JSON.stringify({
      "git.acme.com": { kind: "github", app: { id, privateKeyFile: "key.pem" }, api: fake.url },
    });
    const entry = readForges(file, () => key).get("git.acme.com")!;
    const options = { signal: AbortSignal.timeout(20_000), retryMs: 1 };
    return {
      fake,
      entry,
      options,
      settings: (now: number) => settingsFor(repository, entry, { ...options, now: () => now }),
    };
  };

  test("gets a token for the repository alone, and opens a pull request with it", async () => {
    const { fake, options, settings } = await open();
    const found = await settings(Date.now());
    expect(found).toEqual({ kind: "github", api: fake.url, token: forgeToken });
    expect(await openForge(repository, found, options).open(request)).toBe(fake.pulls[0]!.url);
  });

  test("keeps the token until half an hour before its end", async () => {
    const { fake, settings } = await open();
    const now = Date.now();
    for (const minutes of [0, 1, 29, 31]) await settings(now + minutes * 60_000);
    expect(fake.seen.filter((line) => line.startsWith("POST"))).toEqual(
      Array(2).fill("POST /app/installations/7/access_tokens"),
    );
  });

  test("with another key or id says what is wrong, without the key", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const wrong = await open("12345", other.export({ type: "pkcs8", format: "pem" }).toString());
    await expect(wrong.settings(Date.now())).rejects.toThrow(
      "The app 12345 got no token of git.acme.com, because its id or its private key is wrong.",
    );
    await expect((await open("999")).settings(Date.now())).rejects.toMatchObject({ name: "ForgeFault", retry: false });
  });

  test("keeps its key from being pushed", async () => {
    const { entry } = await open();
    expect(pem.replaceAll("\n", "")).toContain(secretsOfForge(entry));
    expect(secretsOfForge(entry).length).toBeGreaterThan(1000);
  });
});
