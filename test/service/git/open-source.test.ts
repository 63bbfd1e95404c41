import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { realNetwork } from "../../../src/lib/fetch/index.js";
import {
  checkSource,
  type GitCredential,
  type OpenSourceOptions,
  openSource,
  SourceFault,
} from "../../../src/service/git/checkout/index.js";
import type { SiteSource } from "../../../src/service/jobs/index.js";
import { type GitServer, startGitServer } from "../../support/git-server.js";
import { startLoopTimer } from "../../support/machine-time.js";

const base = mkdtempSync(join(tmpdir(), "offprint-checkout-"));
const workFolder = join(base, "work");
const served = join(base, "served");
/** Written by any code of the repository that runs. */
const trap = join(base, "trap");
const git = (folder: string, ...words: string[]): string =>
  execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always", ...words],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  ).trim();
const write = (folder: string, files: Readonly<Record<string, string | Buffer>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
const commit = (folder: string, files: Readonly<Record<string, string | Buffer>>): string => {
  write(folder, files);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "change");
  return git(folder, "rev-parse", "HEAD");
};
const newRepository = (name: string): string => {
  const folder = join(served, name);
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  return folder;
};
/** Lets the worker read repositories of this test, from its folder and from servers on this machine. */
const settings = { PATH: process.env["PATH"], OFFPRINT_GIT_ALLOW_PRIVATE: `127.0.0.1,file://${base}/` };
const leftovers = (): string[] => readdirSync(workFolder);

let docs: string;
let first: string;
let last: string;
beforeAll(() => {
  mkdirSync(workFolder, { recursive: true });
  docs = newRepository("docs.git");
  first = commit(docs, { "docs.json": "first", "site/docs.json": "first", "other/large.bin": randomBytes(500_000) });
  git(docs, "tag", "v1");
  git(docs, "tag", "--annotate", "--message", "two", "v2");
  last = commit(docs, { "docs.json": "last", "site/docs.json": "last", "site/guides/start.mdx": "# Start" });
  git(docs, "checkout", "--quiet", "-b", "feature/new-start", first);
  commit(docs, { "docs.json": "feature" });
  git(docs, "checkout", "--quiet", "main");
});
afterEach(() => {
  const left = leftovers();
  for (const each of left) rmSync(join(workFolder, each), { recursive: true });
  expect(left).toEqual([]);
  expect(existsSync(trap)).toBe(false);
});

const open = (source: SiteSource, options: Partial<OpenSourceOptions> = {}) =>
  openSource(source, { workFolder, environment: settings, ...options });
const atFile = (more: { ref?: string; subfolder?: string } = {}, folder = docs): SiteSource => ({
  kind: "git",
  url: `file://${folder}`,
  ...more,
});
const faultOf = async (opening: Promise<unknown>): Promise<SourceFault> => {
  const error = await opening.then(
    () => undefined,
    (each: unknown) => each,
  );
  expect(error).toBeInstanceOf(SourceFault);
  const fault = error as SourceFault;
  expect(fault.message).not.toContain(base);
  return fault;
};
const read = async (
  source: SiteSource,
  options: Partial<OpenSourceOptions> = {},
  name = "docs.json",
): Promise<string> => {
  const opened = await open(source, options);
  try {
    return readFileSync(join(opened.folder, name), "utf8");
  } finally {
    await opened.remove();
  }
};

describe("a folder", () => {
  test("is used in place and kept", async () => {
    const opened = await open({ kind: "folder", path: docs });
    expect([opened.folder, opened.revision]).toEqual([docs, undefined]);
    await opened.remove();
    expect(existsSync(join(docs, "docs.json"))).toBe(true);
  });
  const faults: readonly (readonly [rule: string, path: string, version: string | undefined, message: RegExp])[] = [
    ["that is not written whole", "docs", undefined, /must be absolute/],
    ["that is not there", "/no/such/folder", undefined, /cannot read the site's folder/],
    ["that is a file", join(served, "docs.git/docs.json"), undefined, /the site's folder is a file/],
    ["with a branch in the request", served, "refs/heads/main", /has no branches, tags or commits/],
  ];
  for (const [rule, path, version, message] of faults)
    test(`${rule} is refused`, async () => {
      expect((await faultOf(open({ kind: "folder", path }, { ...(version && { version }) }))).message).toMatch(message);
    });
});

describe("a repository", () => {
  test("is fetched at its default branch, without history and git's own files", async () => {
    const opened = await open(atFile());
    expect(opened.revision).toBe(last);
    expect(readFileSync(join(opened.folder, "docs.json"), "utf8")).toBe("last");
    expect(readdirSync(opened.folder).sort()).toEqual(["docs.json", "other", "site"]);
    await opened.remove();
  });
  const refs: readonly (readonly [rule: string, ref: () => string, text: string])[] = [
    ["a branch", () => "main", "last"],
    ["a branch with a slash", () => "feature/new-start", "feature"],
    ["a tag", () => "v1", "first"],
    ["a tag with a message", () => "v2", "first"],
    ["a tag by its whole name", () => "refs/tags/v1", "first"],
    ["a commit", () => first, "first"],
  ];
  for (const [rule, ref, text] of refs) {
    test(`is fetched at ${rule}`, async () => expect(await read(atFile({ ref: ref() }))).toBe(text));
    test(`is fetched at ${rule} as the version that a job names`, async () =>
      expect(await read(atFile({ ref: "main" }), { version: ref() })).toBe(text));
  }
  test("with a label as its version is fetched at the configured branch, tag or commit, but a missing branch or commit is an error", async () => {
    const labels = ["2024-06-01", "20240601", "Release 2 (June)", "--upload-pack=x"];
    for (const version of labels) {
      const opened = await open(atFile({ ref: "v1" }), { version });
      expect([opened.revision, opened.isLabelled]).toEqual([first, true]);
      await opened.remove();
    }
    const named = await open(atFile(), { version: "v1" });
    expect([named.revision, named.isLabelled]).toEqual([first, undefined]);
    await named.remove();
    for (const version of ["refs/heads/nothing", "3fc67a1", "0".repeat(39).padStart(40, "a")])
      expect((await faultOf(open(atFile(), { version }))).message).toMatch(/There is no branch, tag or commit/);
    const folder = await open({ kind: "folder", path: docs }, { version: "2024-06-01" });
    expect(folder.isLabelled).toBe(true);
  });
  test("is fetched in part where the site is in a subfolder", async () => {
    const opened = await open(atFile({ subfolder: "site" }));
    expect(readdirSync(opened.folder).sort()).toEqual(["docs.json", "guides"]);
    expect(existsSync(join(dirname(opened.folder), "other"))).toBe(false);
    await opened.remove();
  });

  const faults: readonly (readonly [rule: string, source: () => SiteSource, message: RegExp, retry: boolean])[] = [
    ["a ref that is not there", () => atFile({ ref: "v9" }), /no branch, tag or commit "v9" in the repository/, false],
    ["a commit in short", () => atFile({ ref: first.slice(0, 8) }), /give all 40 digits/, false],
    [
      "a commit that is not there",
      () => atFile({ ref: "0".repeat(39).concat("1") }),
      /no branch, tag or commit "0+1"/,
      false,
    ],
    ["a subfolder that is not there", () => atFile({ subfolder: "nowhere" }), /no folder "nowhere"/, false],
    ["a subfolder that is a file", () => atFile({ subfolder: "docs.json" }), /no folder "docs\.json"/, false],
    ["no repository", () => atFile({}, workFolder), /is not a git repository/, false],
    [
      "nobody at its host",
      () => ({ kind: "git", url: "https://127.0.0.1:9/docs.git" }),
      /could not reach the repository at 127\.0\.0\.1:9/,
      true,
    ],
  ];
  for (const [rule, source, message, retry] of faults)
    test(`with ${rule} is refused, ${retry ? "for now" : "for good"}`, async () => {
      const fault = await faultOf(open(source()));
      expect(fault.message).toMatch(message);
      expect(fault.retry).toBe(retry);
    });

  test("above the size limit is refused, and the fetch ends", async () => {
    const large = newRepository("large.git");
    commit(large, { "a.bin": randomBytes(3_000_000) });
    const fault = await faultOf(open(atFile({}, large), { maxSourceBytes: 2_000_000 }));
    expect(fault.message).toMatch(/larger than 1 MB, even without its history/);
  });
});

describe("a hostile repository", () => {
  test("runs nothing: no hooks, no filters, no monitors, no submodules, and no configuration of this user", async () => {
    const evil = newRepository("evil.git");
    const run = `sh -c 'touch ${trap}; cat'`;
    const inner = newRepository("inner.git");
    commit(inner, { "inner.txt": "inner" });
    git(evil, "submodule", "add", "--quiet", inner, "inner");
    commit(evil, {
      "docs.json": "{}",
      "a.txt": "text",
      ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n*.bin filter=lfs\n",
      "large.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
      "hooks/post-checkout": `#!/bin/sh\ntouch ${trap}\n`,
      ".lfsconfig": "[lfs]\n\turl = https://127.0.0.1:9/\n",
    });
    const home = join(base, "home");
    const config = [
      `[filter "evil"]\n\tsmudge = ${run}\n\trequired = true`,
      `[filter "lfs"]\n\tsmudge = ${run}\n\tprocess = ${run}`,
      `[core]\n\thooksPath = ${join(home, "hooks")}\n\tfsmonitor = ${run}\n\tsshCommand = ${run}`,
      `[url "https://127.0.0.1:9/"]\n\tinsteadOf = file://`,
      "[submodule]\n\trecurse = true",
      `[init]\n\ttemplateDir = ${join(home, "template")}`,
    ].join("\n");
    write(home, { ".gitconfig": config, "git/config": config });
    for (const name of ["hooks", "template/hooks"])
      for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
        write(home, { [`${name}/${hook}`]: `#!/bin/sh\ntouch ${trap}\n` });
        chmodSync(join(home, name, hook), 0o755);
      }
    const environment = {
      ...settings,
      HOME: home,
      XDG_CONFIG_HOME: home,
      GIT_CONFIG_GLOBAL: join(home, ".gitconfig"),
      GIT_TEMPLATE_DIR: join(home, "template"),
      GIT_SSH_COMMAND: run,
      GIT_ASKPASS: run,
      GIT_EXTERNAL_DIFF: run,
    };
    const opened = await open(atFile({}, evil), { environment });
    expect(readFileSync(join(opened.folder, "a.txt"), "utf8")).toBe("text");
    expect(readFileSync(join(opened.folder, "large.bin"), "utf8")).toContain("git-lfs");
    expect(readdirSync(join(opened.folder, "inner"))).toEqual([]);
    await opened.remove();
  });

  test("cannot link a subfolder out of the checkout", async () => {
    const linked = newRepository("linked.git");
    for (const [name, to] of [
      ["etc", "/etc"],
      ["up", "../../../../.."],
      ["inside", "site"],
      ["git", ".git"],
    ] as const)
      symlinkSync(to, join(linked, name));
    commit(linked, { "site/docs.json": "linked" });
    for (const subfolder of ["etc", "up"])
      expect((await faultOf(open(atFile({ subfolder }, linked)))).message).toMatch(
        /is a symbolic link that points outside/,
      );
    expect((await faultOf(open(atFile({ subfolder: "git" }, linked)))).message).toMatch(/no folder "git"/);
    // In a sparse checkout the target of a link is missing.
    expect((await faultOf(open(atFile({ subfolder: "inside" }, linked)))).message).toMatch(/no folder "inside"/);
    const opened = await open(atFile({}, linked));
    expect(lstatSync(join(opened.folder, "etc")).isSymbolicLink()).toBe(true);
    await opened.remove();
  });
});

describe("a repository over https", () => {
  const token = "secret-token/1";
  let server: GitServer;
  let open_: GitServer;
  beforeAll(async () => {
    git(docs, "config", "uploadpack.allowFilter", "true");
    git(docs, "config", "uploadpack.allowAnySHA1InWant", "true");
    server = await startGitServer(served, { credential: `x-access-token:${token}` });
    open_ = await startGitServer(served);
  });
  afterAll(() => Promise.all([server.close(), open_.close()]));
  const environmentOf = () => ({ ...settings, GIT_SSL_CAINFO: server.certificate });
  const credentialAt = (url: string, user = "x-access-token", secret = token): GitCredential => ({
    kind: "token",
    prefix: `${url}/`,
    user,
    token: secret,
  });
  const withToken = () => ({ environment: environmentOf(), credential: credentialAt(server.url) });
  const at = (url: string, more: { ref?: string; subfolder?: string } = {}): SiteSource => ({
    kind: "git",
    url,
    ...more,
  });

  test("is fetched without a credential if none is needed", async () => {
    const options = { environment: environmentOf(), credential: credentialAt(open_.url) };
    expect(await read(at(`${open_.url}/docs.git`, { ref: "v1" }), options)).toBe("first");
    expect(open_.seen.filter((each) => !each.endsWith(" -"))).toEqual([]);
  });

  for (const path of ["", "docs.git/"])
    test(`is fetched with the token for ${path || "its host"}`, async () => {
      const credential = { ...credentialAt(server.url), prefix: `${server.url}/${path}` };
      expect(await read(at(`${server.url}/docs.git`), { environment: environmentOf(), credential })).toBe("last");
      expect(server.seen.at(-1)).toBe(`POST /docs.git/git-upload-pack x-access-token:${token}`);
    });

  test("sends only the blobs of the subfolder", async () => {
    server.seen.length = 0;
    const before = server.sentBytes();
    const opened = await open(at(`${server.url}/docs.git`, { subfolder: "site/guides", ref: last }), withToken());
    expect(readdirSync(opened.folder)).toEqual(["start.mdx"]);
    await opened.remove();
    expect(server.sentBytes() - before).toBeLessThan(100_000);
    // One fetch for the trees and one for all blobs, each with a request for refs or capabilities.
    expect(server.seen.filter((each) => each.startsWith("POST")).length).toBeLessThanOrEqual(4);
  });

  describe("that was fetched before", () => {
    const cacheFolder = join(base, "cache");
    const kept = (): string[] =>
      existsSync(cacheFolder) ? readdirSync(cacheFolder).filter((each) => !each.startsWith(".")) : [];
    /** The text of `docs.json`, and the bytes sent for it. */
    const fetched = async (ref: string, more: { subfolder?: string } = {}): Promise<readonly [string, number]> => {
      const before = server.sentBytes();
      const source = at(`${server.url}/growing.git`, { ref, ...more });
      const text = await read(source, { ...withToken(), cacheFolder });
      await new Promise((resolve) => setTimeout(resolve, 50));
      return [text, server.sentBytes() - before];
    };
    let growing: string;
    let old: string;
    beforeAll(() => {
      growing = newRepository("growing.git");
      git(growing, "config", "uploadpack.allowFilter", "true");
      old = commit(growing, {
        "docs.json": "one",
        "large.bin": randomBytes(400_000),
        "site/docs.json": "site one",
        "site/image.bin": randomBytes(300_000),
      });
    });

    test("sends only the new commits", async () => {
      const [text, bytes] = await fetched("main");
      expect([text, bytes > 700_000]).toEqual(["one", true]);
      expect((await fetched("main"))[1]).toBeLessThan(10_000);
      for (const next of ["two", "three"]) {
        commit(growing, { "docs.json": next });
        const [now, sent] = await fetched("main");
        expect(now).toBe(next);
        expect(sent).toBeLessThan(10_000);
      }
      const [before, back] = await fetched(old);
      expect(before).toBe("one");
      expect(back).toBeLessThan(10_000);
      expect(kept()).toHaveLength(1);
    });

    test("sends only the new commits of its subfolder", async () => {
      const [text, bytes] = await fetched("main", { subfolder: "site" });
      // Git cannot leave out the files next to the subfolder.
      expect([text, bytes > 300_000]).toEqual(["site one", true]);
      commit(growing, { "site/docs.json": "site two" });
      const [now, sent] = await fetched("main", { subfolder: "site" });
      expect(now).toBe("site two");
      expect(sent).toBeLessThan(15_000);
      expect(kept()).toHaveLength(2);
    });

    test("is fetched again if its cache is damaged or gone, and cached again", async () => {
      rmSync(cacheFolder, { recursive: true });
      await fetched("main");
      for (const harm of [
        (folder: string) => rmSync(join(folder, "packs"), { recursive: true }),
        (folder: string) => writeFileSync(join(folder, "revision"), "0".repeat(40)),
        (folder: string) => writeFileSync(join(folder, "revision"), "--stdin"),
        (folder: string) => {
          const packs = join(folder, "packs");
          for (const each of readdirSync(packs).filter((name) => name.endsWith(".pack"))) {
            rmSync(join(packs, each));
            writeFileSync(join(packs, each), "PACK");
          }
        },
      ]) {
        for (const each of kept()) harm(join(cacheFolder, each));
        expect((await fetched("main"))[0]).toBe("three");
        expect((await fetched("main"))[1]).toBeLessThan(10_000);
      }
    });

    test("stays cached if an unknown version is requested", async () => {
      await expect(fetched("refs/tags/v9")).rejects.toThrow(/no branch, tag or commit "refs\/tags\/v9"/);
      expect((await fetched("main"))[1]).toBeLessThan(10_000);
    });

    test("is cached for 30 days after its last use", async () => {
      const [day, mark] = [24 * 60 * 60_000, join(cacheFolder, ".looked-through")];
      const [repository] = kept().map((each) => join(cacheFolder, each));
      const another = join(cacheFolder, "0".repeat(32));
      cpSync(repository!, another, { recursive: true });
      for (const each of [repository!, another, mark]) utimesSync(each, new Date(), new Date(Date.now() - 31 * day));
      commit(growing, { "docs.json": "three", "more.mdx": "" });
      expect((await fetched("main"))[1]).toBeLessThan(10_000);
      expect([existsSync(repository!), existsSync(another)]).toEqual([true, false]);
    });

    test("can be fetched concurrently", async () => {
      const texts = await Promise.all(Array.from({ length: 6 }, () => fetched("main")));
      expect(texts.map(([text]) => text)).toEqual(Array.from({ length: 6 }, () => "three"));
      expect(kept().filter((each) => each.includes("."))).toEqual([]);
    });
  });

  const refused: readonly (readonly [
    rule: string,
    credential: (() => GitCredential) | undefined,
    message: (at: string) => string,
  ])[] = [
    [
      "no credential",
      undefined,
      (at) => `The worker cannot read ${at}, and has no credential for it. Add one to the service.`,
    ],
    [
      "a wrong token",
      () => credentialAt(server.url, "bot", "wrong-token"),
      (at) => `The worker cannot read ${at}: the host rejected the credential for ${server.url}/.`,
    ],
    [
      "a token of two lines",
      () => credentialAt(server.url, "bot", `${token}\nhost=other.example`),
      () => `The credential for ${server.url}/ contains a line break, so git cannot use it.`,
    ],
    [
      "the token of another host",
      () => credentialAt(open_.url),
      () =>
        `The repository at ${new URL(server.url).host} is not under ${open_.url}/, the prefix of its credential, so the credential was not sent. This is a bug in Offprint: please report it.`,
    ],
  ];
  for (const [rule, credential, message] of refused)
    test(`is refused with ${rule}`, async () => {
      const options = { environment: environmentOf(), credential: credential?.() };
      const fault = await faultOf(open(at(`${server.url}/docs.git`), options));
      expect(fault.message).toBe(message(`the repository at ${new URL(server.url).host}`));
      expect(fault.retry).toBe(false);
      expect(`${fault.stack}${String(fault.cause)}`).not.toMatch(/wrong-token|secret-token/);
    });

  const broken: readonly (readonly [
    rule: string,
    path: string,
    options: Partial<OpenSourceOptions>,
    message: RegExp,
    retry: boolean,
  ])[] = [
    ["that is not there", "/nothing.git", {}, /The site's source is not a git repository/, false],
    ["whose server fails", "/500/docs.git", {}, /could not reach the repository/, true],
    ["that never answers", "/stall/docs.git", { fetchTimeoutMs: 700 }, /could not be fetched within 0.7 seconds/, true],
    [
      "with an unknown certificate",
      "/docs.git",
      { environment: settings },
      /certificate .* is not trusted\. .*GIT_SSL_CAINFO/,
      false,
    ],
  ];
  for (const [rule, path, options, message, retry] of broken)
    test(`${rule} is refused, ${retry ? "for now" : "for good"}`, async () => {
      const fault = await faultOf(open(at(`${open_.url}${path}`), { environment: environmentOf(), ...options }));
      expect(fault.message).toMatch(message);
      expect(fault.retry).toBe(retry);
    });

  test("stops at once with the job, with all child processes of git", async () => {
    const controller = new AbortController();
    const spent = startLoopTimer();
    const opening = open(at(`${open_.url}/stall/docs.git`), {
      environment: environmentOf(),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(new Error("enough")), 300);
    await expect(opening).rejects.toThrow("enough");
    expect(spent()).toBeLessThan(3000);
    const running = readdirSync("/proc")
      .filter((each) => /^\d+$/.test(each))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "utf8");
        } catch {
          return "";
        }
      });
    expect(running.filter((each) => each.includes(`${open_.url}/stall`))).toEqual([]);
  });
});

describe("a repository over ssh", () => {
  /** Replaces ssh: prints its arguments and runs the remote command on this machine. */
  const bin = join(base, "bin");
  const asked = join(base, "asked");
  beforeAll(() => {
    write(bin, { ssh: `#!/bin/sh\nprintf '%s\\n' "$@" > ${asked}\nfor last; do :; done\nexec sh -c "$last"\n` });
    chmodSync(join(bin, "ssh"), 0o755);
  });
  test("is fetched as its user, without prompts and settings", async () => {
    const environment = { PATH: `${bin}:${process.env["PATH"]}`, GIT_SSH: "/no/such/ssh", SSH_AUTH_SOCK: "/agent" };
    const url = `ssh://git@git.example.com:2222${docs}`;
    const network = { ...realNetwork, resolve: async () => ["192.0.32.8"] };
    expect(await read({ kind: "git", url, ref: "v1" }, { environment, network })).toBe("first");
    expect(readFileSync(asked, "utf8").trim().split("\n")).toEqual([
      ...["-F", "/dev/null", "-oBatchMode=yes", "-oStrictHostKeyChecking=yes", "-oUpdateHostKeys=no"],
      ...["-oConnectTimeout=15", "-oHostName=192.0.32.8", "-oHostKeyAlias=[git.example.com]:2222"],
      ...["-oIdentitiesOnly=yes", "-oIdentityAgent=none", "-oIdentityFile=none"],
      ...["-o", "SendEnv=GIT_PROTOCOL", "-p", "2222", "git@git.example.com", `git-upload-pack '${docs}'`],
    ]);
  });
  test("whose host cannot be reached is refused, with a retry", async () => {
    const fault = await faultOf(open({ kind: "git", url: "ssh://127.0.0.1:9/docs.git" }));
    expect(fault.message).toBe("The worker could not reach the repository at 127.0.0.1:9.");
    expect(fault.retry).toBe(true);
  });
});

describe("the definition of a source", () => {
  const good: readonly SiteSource[] = [
    { kind: "folder", path: "/srv/docs" },
    { kind: "git", url: "https://git.example.com/group/docs.git" },
    { kind: "git", url: "https://git.example.com:8443/docs", ref: "release-1.2", subfolder: "apps/docs site" },
    { kind: "git", url: "ssh://git@git.example.com/docs.git", ref: "refs/heads/main" },
    { kind: "git", url: "ssh://git.example.com:2222/~me/docs.git" },
    { kind: "git", url: "https://[2001:db8::1]/docs.git" },
    { kind: "git", url: "file:///srv/git/docs.git", ref: "a/b@c" },
  ];
  for (const source of good)
    test(`${JSON.stringify(source)} can be opened`, () => expect(() => checkSource(source, "operator")).not.toThrow());

  const url = "https://git.example.com/docs.git";
  const bad: readonly (readonly [source: SiteSource, message: RegExp])[] = [
    [{ kind: "folder", path: "./docs" }, /must be absolute/],
    [{ kind: "folder", path: "/a\0b" }, /must be absolute/],
    ...[
      ["http://git.example.com/docs.git", /must start with https:\/\/, ssh:\/\/ or file:\/\/, not http:/],
      ["git://git.example.com/docs.git", /not git:/],
      ["ext::sh -c touch% /tmp/x", /is invalid|not ext:/],
      ["ext::sh", /not ext:/],
      ["git@git.example.com:docs.git", /is invalid|start with/],
      ["/srv/docs.git", /is invalid/],
      ["--upload-pack=touch", /is invalid/],
      ["https://me@git.example.com/docs.git", /contains a user name or password/],
      ["https://me:secret@git.example.com/docs.git", /contains a user name or password/],
      ["ssh://git:secret@git.example.com/docs.git", /contains a user name or password/],
      ["ssh://-oProxyCommand=touch/docs.git", /is invalid|no host/],
      ["ssh://-o@git.example.com/docs.git", /no host/],
      ["ssh://git.example.com/-docs.git", /no host, or no path/],
      ["ssh://git.example.com", /no host, or no path/],
      ["https://git.example.com", /no host, or no path/],
      ["file://other/share/docs.git", /no host, or no path/],
      [`${url}?token=secret`, /has a query or fragment/],
      [`${url}#main`, /has a query or fragment/],
      [`${url}\n--upload-pack=touch`, /is invalid/],
    ].map(([written, message]) => [{ kind: "git", url: written }, message] as [SiteSource, RegExp]),
    ...[
      "",
      "-main",
      "--upload-pack=touch",
      "+main",
      "a..b",
      "a b",
      "a~1",
      "a^",
      "a:b",
      "a?",
      "a*",
      "a[",
      "a\\b",
      "@",
      "a@{1}",
      ".a",
      "a/.b",
      "a.lock",
      "a.lock/b",
      "/a",
      "a/",
      "a//b",
      "a.",
      "a\nb",
      "a\x7f",
      "a".repeat(251),
    ].map((ref) => [{ kind: "git", url, ref }, /is not a valid branch, tag or commit name/] as [SiteSource, RegExp]),
    ...["/etc", "../a", "a/../b", "a/./b", ".", "a//b", "a/", "a\\b", "a\0b", ".git", "a/.GIT/b"].map(
      (subfolder) => [{ kind: "git", url, subfolder }, /is not a path inside the repository/] as [SiteSource, RegExp],
    ),
  ];
  for (const [source, message] of bad)
    test(`${JSON.stringify(source).slice(0, 120)} cannot`, () => {
      expect(() => checkSource(source, "operator")).toThrow(message);
      expect(() => checkSource(source, "operator")).toThrow(SourceFault);
      expect(() => checkSource(source, "operator")).not.toThrow(/secret/);
    });
});
