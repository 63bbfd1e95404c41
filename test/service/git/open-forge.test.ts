import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type ForgeSettings,
  forgeHost,
  openForge,
  readForges,
  repositoryOf,
  repositoryToken,
} from "../../../src/service/git/forge/index.js";
import { forgeToken, startFakeForge } from "../../support/fake-forge.js";
import { patience } from "../../support/patience.js";

const branch = "offprint/agent-00000001";
const request = { branch, base: "main", title: "Mend", body: "- one", isDraft: false };
const repository = repositoryOf("https://git.acme.com/acme/docs.git");
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
  const settings: ForgeSettings = { kind, token, api: fake.url, isOperators: true };
  const signal = patience();
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
      [400, "could not be created", false],
      [401, "rejected the credential's token", false],
      [403, "lacks a permission. The token needs", false],
      [404, 'has no repository "acme/docs"', false],
      [409, "could not be created", false],
      [422, "could not be created", false],
      [429, "could not be created", true],
      [500, "could not be created", true],
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
      await expect(other.forge.open(request)).rejects.toThrow("rejected the credential's token");
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
    expect(repositoryOf(url)).toMatchObject({ webUrl, path });
  });

const noKey = (): string => "no key";

test("the operator's file names hosts and prefixes; kind and address of known hosts may be left out", () => {
  const forges = readForges(
    '{"github.com":{"token":"a","organizations":["acme"]},"https://git.acme.com/docs/":{"token":"b","kind":"github"},"GIT.example.com:8443":{"kind":"gitea","api":"http://10.0.0.1:3000/api/v1/"}}',
    noKey,
  );
  expect(forges).toEqual([
    {
      ...{ key: "github.com", prefix: "https://github.com/", kind: "github", api: "https://api.github.com" },
      ...{ token: "a", organizations: ["acme"] },
    },
    {
      ...{ key: "https://git.acme.com/docs/", prefix: "https://git.acme.com/docs/", kind: "github", token: "b" },
      api: "https://git.acme.com/api/v3",
    },
    {
      ...{ key: "GIT.example.com:8443", prefix: "https://git.example.com:8443/", kind: "gitea" },
      api: "http://10.0.0.1:3000/api/v1",
    },
  ]);
});

test("only the operator gives the API of a host another address, and lets it be in a private network", () => {
  const forges = readForges('{"git.acme.com":{"kind":"gitea","api":"http://10.0.0.1/api"}}', noKey);
  expect(forgeHost("git.acme.com", forges, "gitlab")).toEqual({
    ...{ kind: "gitea", api: "http://10.0.0.1/api", isOperators: true },
  });
  const ofTenant = { kind: "gitea", api: "https://10.0.0.2/api/v1", isOperators: false };
  expect(forgeHost("10.0.0.2", forges, "gitea")).toEqual(ofTenant);
  expect(forgeHost("10.0.0.2", forges)).toBeUndefined();
  expect(forgeHost("github.com", forges, "gitea")).toMatchObject({ kind: "github", isOperators: false });
});

test("a request to a host that the operator has not named does not reach a private network", async () => {
  const fake = await startFakeForge("gitea", bare);
  onTestFinished(() => fake.close());
  const settings = { kind: "gitea", token: forgeToken, api: fake.url, isOperators: false } as const;
  const forge = openForge(repository, settings, { signal: patience(), retryMs: 1 });
  await expect(forge.find(branch)).rejects.toThrow("could not be created on git.acme.com");
  expect(fake.seen).toEqual([]);
});

for (const [text, message] of [
  ["{", "it is not JSON"],
  ["[]", "an entry for each host"],
  ['{"http://github.com/a/":{"token":"a"}}', "is neither a host"],
  ['{"github.com":{"token":"a","organizations":"acme"}}', "the organizations of github.com must be a list"],
  ['{"github.com":{"token":"secret\\nline"}}', "the token of github.com is not one line"],
  ['{"git.acme.com":{"token":"secret"}}', "the kind of git.acme.com must be one of github, gitlab, gitea, none"],
  ['{"github.com":{"token":"secret","api":"file:///x"}}', "the api of github.com must be a URL"],
  ['{"github.com":{"token":"secret","url":"x"}}', '"url" of github.com is unknown'],
  ['{"github.com":{"app":{"id":7}}}', "the app of github.com must have an id and a privateKeyFile"],
  ['{"gitlab.com":{"app":{"id":7,"privateKeyFile":"x"}}}', "the app of gitlab.com must have an id"],
  ['{"github.com":{"token":"secret","app":{"id":7,"privateKeyFile":"x"}}}', "the app of github.com must have an id"],
  [
    '{"github.com":{"app":{"id":7,"privateKeyFile":"x"},"organizations":["acme"]}}',
    "the app of github.com is used by its installations: leave organizations out",
  ],
  [
    '{"github.com":{"app":{"id":7,"privateKeyFile":"x"}}}',
    "the privateKeyFile of github.com does not contain an RSA key",
  ],
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
    const [entry] = readForges(file, () => key);
    const at = { ...entry!, app: entry!.app!, host: "git.acme.com", isOperators: true };
    const options = { signal: patience(), retryMs: 1 };
    return {
      fake,
      at,
      options,
      token: (now: number, installationId?: number) =>
        repositoryToken(at, repository, installationId, true, { ...options, now: () => now }),
    };
  };

  test("gets a token for this repository only, and opens a pull request with it", async () => {
    const { fake, at, options, token } = await open();
    const forge = openForge(repository, { ...at, token: await token(Date.now()) }, options);
    expect(await forge.open(request)).toBe(fake.pulls[0]!.url);
  });

  test("uses no other installation than the given one", async () => {
    const { fake, token } = await open();
    expect(await token(Date.now(), 7)).toBe(forgeToken);
    await expect(token(Date.now(), 8)).rejects.toThrow("it is not installed there");
    expect(fake.seen).toEqual(["POST /app/installations/7/access_tokens", "POST /app/installations/8/access_tokens"]);
  });

  test("keeps the token until half an hour before its end", async () => {
    const { fake, token } = await open();
    const now = Date.now();
    for (const minutes of [0, 1, 29, 31]) await token(now + minutes * 60_000);
    expect(fake.seen.filter((line) => line.startsWith("POST"))).toEqual(
      Array(2).fill("POST /app/installations/7/access_tokens"),
    );
  });

  test("with another key or id fails with the reason, without the key", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const wrong = await open("12345", other.export({ type: "pkcs8", format: "pem" }).toString());
    await expect(wrong.token(Date.now())).rejects.toThrow(
      "git.acme.com rejected the app 12345, because its ID or its private key is wrong.",
    );
    await expect((await open("999")).token(Date.now())).rejects.toMatchObject({ name: "ForgeFault", retry: false });
  });
});
