import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, createServer as createTcp } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Network } from "../../../src/lib/fetch/index.js";
import { startGuardProxy } from "../../../src/service/git/checkout/guard-proxy.js";
import {
  checkSource,
  type GitCredential,
  listRemote,
  type OpenSourceOptions,
  openRepository,
  openSource,
  SourceFault,
} from "../../../src/service/git/checkout/index.js";
import { type GitServer, startGitServer } from "../../support/git-server.js";
import { patience } from "../../support/patience.js";

const base = mkdtempSync(join(tmpdir(), "offprint-guarded-"));
const [served, workFolder, bin] = [join(base, "served"), join(base, "work"), join(base, "bin")];
const token = "secret-token/1";
const credential: GitCredential = { kind: "token", prefix: "https://git.example/acme/", user: "bot", token };
const git = (folder: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

/** `git.example` has private and public repositories, and redirects; `other.example` belongs to somebody else. */
let home: GitServer;
let other: GitServer;
const connections: string[] = [];
const redirects = new Map<string, string>();
const names = new Map<string, readonly string[]>();
/** Of public addresses: the port of this machine where the host is. */
const ports = new Map<string, number>();
const looked: string[] = [];
const network: Network = {
  async resolve(host) {
    looked.push(host);
    const addresses = names.get(host);
    if (!addresses) throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
    return addresses;
  },
  connect(address, port) {
    connections.push(`${address}:${port}`);
    return connect(ports.get(address) ?? port, "127.0.0.1");
  },
};
const portOf = ({ url }: GitServer): number => Number(new URL(url).port);

beforeAll(async () => {
  for (const name of ["acme/docs.git", "acme-evil/docs.git", "evil/docs.git", "acme/a b~+&!'(@:)*é/docs.git"]) {
    const folder = join(served, name);
    mkdirSync(folder, { recursive: true });
    git(folder, "init", "--quiet", "--initial-branch=main");
    writeFileSync(join(folder, "docs.json"), name);
    writeFileSync(join(folder, ".lfsconfig"), "[lfs]\n\turl = https://other.example/lfs\n");
    writeFileSync(join(folder, ".gitattributes"), "*.bin filter=lfs\n");
    writeFileSync(join(folder, "large.bin"), "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    writeFileSync(
      join(folder, ".gitmodules"),
      '[submodule "inner"]\n\tpath = inner\n\turl = https://other.example/inner.git\n',
    );
    git(folder, "add", "--all");
    git(folder, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},inner`);
    git(folder, "commit", "--quiet", "--message", "first");
  }
  mkdirSync(workFolder);
  home = await startGitServer(served, { credential: `bot:${token}`, redirects });
  other = await startGitServer(served);
  ports.set("93.184.215.14", portOf(home)).set("93.184.215.15", portOf(other));
});
beforeEach(() => {
  names.clear();
  names.set("git.example", ["93.184.215.14"]).set("other.example", ["93.184.215.15"]);
  redirects.clear();
  for (const list of [connections, looked, home.seen, other.seen]) list.length = 0;
});
afterAll(async () => {
  await Promise.all([home.close(), other.close()]);
  const leftovers = readdirSync(workFolder);
  rmSync(base, { recursive: true });
  expect(leftovers).toEqual([]);
});

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"],
  GIT_SSL_CAINFO: home.certificate,
  ...more,
});
const read = async (url: string, options: Partial<OpenSourceOptions> = {}): Promise<string> => {
  const opened = await openSource(
    { kind: "git", url },
    { workFolder, environment: environment(), network, ...options },
  );
  try {
    return readFileSync(join(opened.folder, "docs.json"), "utf8");
  } finally {
    await opened.remove();
  }
};
const faultOf = async (reading: Promise<unknown>): Promise<SourceFault> => {
  const error = await reading.then(
    () => undefined,
    (each: unknown) => each,
  );
  expect(error).toBeInstanceOf(SourceFault);
  expect(`${(error as Error).stack}${String((error as Error).cause)}`).not.toContain(token);
  return error as SourceFault;
};
const withoutToken = (server: GitServer): void =>
  expect(server.seen.filter((each) => !each.endsWith(" -"))).toEqual([]);

describe("a credential", () => {
  for (const path of [
    "docs.git/",
    "a%20b~+&!'(@%3A)*é/docs.git",
    "%61%20b%7E%2B%26%21%27%28%40%3A%29%2A%C3%A9/docs.git",
  ])
    test(`reaches its repository if the address is written as ${path}`, async () => {
      const url = `https://git.example/acme/${path}`;
      expect(await read(url, { credential })).toBe(decodeURIComponent(`acme/${path}`).replace(/\/$/, ""));
    });

  test("reaches its repository, through addresses that were checked", async () => {
    expect(await read("https://git.example/acme/docs.git", { credential })).toBe("acme/docs.git");
    expect(home.seen.filter((each) => each.endsWith(`bot:${token}`)).length).toBeGreaterThan(0);
    expect(new Set(connections)).toEqual(new Set(["93.184.215.14:443"]));
  });

  for (const url of [
    "https://other.example/acme/docs.git",
    "https://git.example/acme-evil/docs.git",
    "ssh://git.example/acme/docs.git",
  ])
    test(`for another address fails the checkout of ${url} before any connection`, async () => {
      const { message, ofWorker } = await faultOf(read(url, { credential }));
      expect(message).toMatch(/is not under https:\/\/git\.example\/acme\/.* bug in Offprint/);
      expect([ofWorker, connections, looked]).toEqual([true, [], []]);
    });

  for (const [rule, to] of [
    ["another path of its host", "https://git.example/evil"],
    ["another host", "https://other.example/evil"],
    ["this machine", "https://127.0.0.1/evil"],
  ] as const)
    test(`is not sent after a redirect to ${rule}, which ends the checkout`, async () => {
      redirects.set("/acme/moved", to);
      for (const [at, options] of [
        ["before the token is asked for", { credential }],
        ["after it was sent", { credential: { ...credential, prefix: "https://git.example/acme/moved/" } }],
      ] as const) {
        redirects.set("authorized", at.startsWith("after") ? "1" : "");
        const { message, retry } = await faultOf(read("https://git.example/acme/moved/docs.git", options));
        expect([at, message, retry]).toEqual([
          at,
          "the repository at git.example redirects to another URL, and credentials are sent only to the host they are for. Use the URL that it redirects to.",
          false,
        ]);
      }
      expect(home.seen.filter((each) => each.includes("/evil"))).toEqual([]);
      expect([other.seen, new Set(connections)]).toEqual([[], new Set(["93.184.215.14:443"])]);
    });

  test("opens a repository whose host redirects from its name to its name with .git", async () => {
    redirects.set("/acme/docs/", "https://git.example/acme/docs.git/");
    expect(await read("https://git.example/acme/docs", { credential })).toBe("acme/docs.git");
    expect(home.seen.filter((line) => line.endsWith(`bot:${token}`) && !line.includes("/acme/docs.git/"))).toEqual([]);
  });

  test("is not in the settings of the repository, and pushes to its own address alone", async () => {
    const options = {
      workFolder,
      environment: environment(),
      network,
      credential,
      signal: patience(),
    };
    const source = { kind: "git", url: "https://git.example/acme/docs.git" } as const;
    const remote = await listRemote(source, ["main"], options);
    expect([remote.defaultBranch, remote.tips.size]).toEqual(["main", 1]);
    const repository = await openRepository(source, "main", options);
    onTestFinished(() => repository.remove());
    const config = readFileSync(join(repository.workTree, "..", "git", "config"), "utf8");
    expect(config).not.toMatch(/secret-token|credential|proxy/);
    await repository.git("fetch", "--quiet", "origin", "main");
    home.seen.length = 0;
    await faultOf(repository.git("ls-remote", "https://127.0.0.1/acme/docs.git"));
    await expect(repository.git("ls-remote", "https://git.example/evil/docs.git")).rejects.toThrow(
      /could not read Username/,
    );
    await expect(repository.git("ls-remote", "ssh://git.example/acme/docs.git")).rejects.toThrow(
      /transport 'ssh' not allowed/,
    );
    withoutToken(home);
  });

  test("reaches neither submodules nor servers of large files, and they are not fetched", async () => {
    const opened = await openSource(
      { kind: "git", url: "https://git.example/acme/docs.git" },
      { workFolder, environment: environment(), network, credential },
    );
    expect(readdirSync(join(opened.folder, "inner"))).toEqual([]);
    expect(readFileSync(join(opened.folder, "large.bin"), "utf8")).toContain("git-lfs");
    await opened.remove();
    expect([other.seen, looked]).toEqual([[], ["git.example"]]);
  });
});

describe("git connects only to public addresses:", () => {
  const refused: readonly (readonly [rule: string, url: string, addresses?: readonly string[]])[] = [
    ["a private network", "https://10.0.0.5/docs.git"],
    ["this machine", "https://127.0.0.1:8443/docs.git"],
    ["this machine in another form", "https://0x7f.1/docs.git"],
    ["this machine by IPv6", "https://[::1]/docs.git"],
    ["this machine as an IPv4 address in IPv6", "https://[::ffff:127.0.0.1]/docs.git"],
    ["the metadata of a cloud", "https://169.254.169.254/docs.git"],
    ["a name in a private network", "https://inner.example/docs.git", ["192.168.1.1"]],
    ["a name with one private address", "https://inner.example/docs.git", ["93.184.215.14", "10.0.0.1"]],
    ["a private network over ssh", "ssh://git@10.0.0.5/docs.git"],
    ["a name in a private network over ssh", "ssh://git@inner.example:2222/docs.git", ["10.0.0.1"]],
  ];
  for (const [rule, url, addresses] of refused)
    test(rule, async () => {
      if (addresses) names.set("inner.example", addresses);
      const { message, retry } = await faultOf(
        read(url, { environment: environment({ NO_PROXY: "*", no_proxy: "*" }) }),
      );
      expect(message).toMatch(
        /^The worker is not allowed to fetch a repository from [^ ]+, because "[^ ]+" is not on the public internet\. The operator .* OFFPRINT_GIT_ALLOW_PRIVATE\.$/,
      );
      expect([retry, connections]).toEqual([false, []]);
    });

  for (const url of [
    "https://169.254.169.254/docs.git",
    "https://168.63.129.16/docs.git",
    "https://[fd00:ec2::254]/docs.git",
    "https://100.100.100.200/x.git",
  ])
    test(`${url}, whatever the operator allows`, async () => {
      const allowed = environment({ OFFPRINT_GIT_ALLOW_PRIVATE: "0.0.0.0/0, ::/0, 169.254.169.254, metadata" });
      expect((await faultOf(read(url, { environment: allowed }))).message).toMatch(
        /neither on the public internet nor/,
      );
      expect(connections).toEqual([]);
    });

  for (const [rule, to] of [
    ["this machine", "https://127.0.0.1:8443"],
    ["the metadata of a cloud", "https://169.254.169.254"],
    ["a name in a private network", "https://inner.example"],
  ] as const)
    test(`a redirect to ${rule}`, async () => {
      names.set("inner.example", ["10.0.0.1"]);
      redirects.set("/acme/moved", to);
      const { message } = await faultOf(read("https://git.example/acme/moved/docs.git"));
      expect(message).toContain(`not allowed to fetch a repository from ${new URL(to).host}, because`);
      expect(connections).toEqual(["93.184.215.14:443"]);
    });

  test("a redirect to another protocol", async () => {
    for (const to of ["http://other.example/acme", "ssh://other.example/acme", "file:///etc"]) {
      redirects.clear();
      redirects.set("/acme/moved", to);
      await faultOf(read("https://git.example/acme/moved/docs.git"));
    }
    expect([other.seen, new Set(connections)]).toEqual([[], new Set(["93.184.215.14:443"])]);
  });

  test("a redirect to another public host is followed", async () => {
    redirects.set("/acme/moved", "https://other.example/acme");
    expect(await read("https://git.example/acme/moved/docs.git")).toBe("acme/docs.git");
    withoutToken(other);
  });

  test("a name that is public at first and private later is asked for once", async () => {
    const rebinding: Network = {
      ...network,
      async resolve(host) {
        const addresses = await network.resolve(host);
        names.set(host, ["127.0.0.1"]);
        return addresses;
      },
    };
    const source = { kind: "git", url: "https://other.example/acme/docs.git" } as const;
    const signal = patience();
    const repository = await openRepository(source, "main", {
      workFolder,
      environment: environment(),
      network: rebinding,
      signal,
    });
    await repository.git("fetch", "--quiet", "origin", "main");
    await repository.remove();
    expect([looked, connections.length, new Set(connections)]).toEqual([
      ...[["other.example"], 2, new Set(["93.184.215.15:443"])],
    ]);
  });

  test("a host or a range that the operator allows", async () => {
    names.set("inner.example", ["10.0.0.1"]);
    ports.set("10.0.0.1", portOf(other));
    for (const allowed of ["inner.example", "10.0.0.0/8", "git.internal,10.0.0.1"]) {
      connections.length = 0;
      // The server's certificate is not of that name: git speaks with it.
      const options = { environment: environment({ OFFPRINT_GIT_ALLOW_PRIVATE: allowed }) };
      expect((await faultOf(read("https://inner.example/acme/docs.git", options))).message).toMatch(/certificate/);
      expect(connections.length).toBeGreaterThan(0);
    }
    for (const allowed of ["example", "other.example", "10.0.0.2", "11.0.0.0/8"]) {
      const options = { environment: environment({ OFFPRINT_GIT_ALLOW_PRIVATE: allowed }) };
      expect((await faultOf(read("https://inner.example/acme/docs.git", options))).message).toMatch(
        /not allowed to fetch/,
      );
    }
  });

  test("a setting that cannot be read refuses everything", async () => {
    for (const allowed of ["10.0.0.0/33", "https://git.internal", "10.0.0.0/8/8", "a b/c"]) {
      const options = { environment: environment({ OFFPRINT_GIT_ALLOW_PRIVATE: allowed }) };
      const { message, ofWorker } = await faultOf(read("https://other.example/acme/docs.git", options));
      expect([message, ofWorker]).toEqual([
        expect.stringMatching(/The worker's OFFPRINT_GIT_ALLOW_PRIVATE contains .*, which is not a host/),
        true,
      ]);
    }
  });
});

describe("a repository of the worker's machine", () => {
  const url = `file://${join(served, "acme/docs.git")}`;
  test("is read only from the folders that the operator lists", async () => {
    const options = (folder: string) => ({ environment: environment({ OFFPRINT_GIT_ALLOW_PRIVATE: folder }) });
    expect(await read(url, options(`file://${served}`))).toBe("acme/docs.git");
    for (const folder of ["", `file://${served}/acme-evil/`, `file://${served}/ac`, "127.0.0.1"])
      expect((await faultOf(read(url, options(folder)))).message).toMatch(/not allowed to read a local repository/);
  });
  test("can be registered only by the operator, like a folder", () => {
    for (const source of [{ kind: "git", url } as const, { kind: "folder", path: served } as const]) {
      expect(() => checkSource(source, "operator")).not.toThrow();
      expect(() => checkSource(source, "tenant")).toThrow(/can only be added on the service's own machine/);
    }
  });
});

describe("the operator's proxy", () => {
  const asked: string[] = [];
  const startProxy = async (status = 200): Promise<string> => {
    const proxy = createServer();
    proxy.on("connect", ({ url, headers }, client) => {
      asked.push(`${url} ${headers["proxy-authorization"] ?? "-"}`);
      if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const remote = connect(portOf(url!.startsWith("git.") ? home : other), "127.0.0.1");
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      remote.on("error", () => client.destroy());
      client.on("error", () => remote.destroy());
      remote.pipe(client).pipe(remote);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  };
  beforeEach(() => {
    asked.length = 0;
  });

  test("makes the connections by name, including names that only the proxy can resolve", async () => {
    names.clear();
    const options = {
      credential,
      environment: environment({ HTTPS_PROXY: `http://me:pass%2Fword@${await startProxy()}` }),
    };
    expect(await read("https://git.example/acme/docs.git", options)).toBe("acme/docs.git");
    expect(new Set(asked)).toEqual(
      new Set([`git.example:443 Basic ${Buffer.from("me:pass/word").toString("base64")}`]),
    );
    expect(connections).toEqual([]);
  });
  test("is not asked for addresses that are refused", async () => {
    names.set("inner.example", ["10.0.0.1"]);
    const options = { environment: environment({ https_proxy: await startProxy() }) };
    for (const host of ["inner.example", "127.0.0.1", "169.254.169.254"])
      expect((await faultOf(read(`https://${host}/docs.git`, options))).message).toMatch(/not allowed to fetch/);
    expect(asked).toEqual([]);
  });
  test("is left out for the hosts of NO_PROXY, which are checked as without it", async () => {
    const proxied = (hosts: string, url: string) =>
      read(url, { environment: environment({ HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: hosts }) });
    for (const hosts of ["*", "other.example", "x.example, .example", "*.example"])
      expect(await proxied(hosts, "https://other.example/acme/docs.git")).toBe("acme/docs.git");
    expect((await faultOf(proxied("ther.example", "https://other.example/acme/docs.git"))).message).toMatch(
      /could not reach/,
    );
    expect((await faultOf(proxied("*", "https://127.0.0.1/docs.git"))).message).toMatch(/not allowed to fetch/);
  });
  test("that refuses a host is reported as a host that cannot be reached", async () => {
    const options = { environment: environment({ HTTPS_PROXY: await startProxy(403) }) };
    const { message, retry, cause } = await faultOf(read("https://other.example/acme/docs.git", options));
    expect([message, retry]).toEqual(["The worker could not reach the repository at other.example.", true]);
    expect(String(cause)).toContain("the worker's proxy answered 403");
  });
  test("of another kind is reported to the operator", async () => {
    const options = { environment: environment({ ALL_PROXY: "socks5h://127.0.0.1:9" }) };
    const { message, ofWorker } = await faultOf(read("https://other.example/acme/docs.git", options));
    expect([message, ofWorker]).toEqual([expect.stringMatching(/^The worker's HTTPS_PROXY or ALL_PROXY is not/), true]);
  });
});

describe("an SSH key", () => {
  const key = "-----BEGIN OPENSSH PRIVATE KEY-----\r\nprivate-text\r\n-----END OPENSSH PRIVATE KEY-----";
  const asked = join(base, "asked");
  /** Replaces ssh: records its arguments, and runs the remote command on this machine. */
  const script = `#!/bin/sh
{ printf '%s\\n' "$@"; env; } > ${asked}
for each; do case "$each" in -oIdentityFile=*) file=$(echo "$each" | cut -d'"' -f2);; -oUserKnownHostsFile=*) hosts=$(echo "$each" | cut -d'"' -f2);; esac; done
cp "$file" ${asked}.key; stat -c %a "$file" > ${asked}.mode; cp "$hosts" ${asked}.hosts
for last; do :; done
exec sh -c "$last"
`;
  const url = `ssh://git@git.example:2222${join(served, "acme/docs.git")}`;
  const prefix = `ssh://git@git.example:2222${join(served, "acme")}/`;
  beforeAll(() => {
    mkdirSync(bin);
    writeFileSync(join(bin, "ssh"), script, { mode: 0o755 });
  });
  const options = (knownHosts?: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ workFolder, network, signal: patience() },
    environment: { PATH: `${bin}:${process.env["PATH"]}`, SSH_AUTH_SOCK: "/agent", ...more },
    credential: { kind: "ssh-key", prefix, privateKey: key, ...(knownHosts && { knownHosts }) } as const,
  });
  /** Of all files below a folder. */
  const textsIn = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
      .join();

  test("is in a file of this user while git runs, and in no argument or variable", async () => {
    const repository = await openRepository(
      { kind: "git", url },
      "main",
      options("[git.example]:2222 ssh-ed25519 AAAA"),
    );
    expect(readFileSync(`${asked}.key`, "utf8")).toBe(`${key.replaceAll("\r\n", "\n")}\n`);
    expect(readFileSync(`${asked}.mode`, "utf8")).toBe("600\n");
    expect(readFileSync(`${asked}.hosts`, "utf8")).toBe("[git.example]:2222 ssh-ed25519 AAAA\n");
    const given = readFileSync(asked, "utf8");
    expect(given).not.toMatch(/private-text|SSH_AUTH_SOCK/);
    expect(given.split("\n")).toEqual(
      expect.arrayContaining([
        ...["-oHostName=93.184.215.14", "-oHostKeyAlias=[git.example]:2222", "-oStrictHostKeyChecking=yes"],
        ...["-oIdentitiesOnly=yes", "-oIdentityAgent=none", "-oGlobalKnownHostsFile=/dev/null"],
      ]),
    );
    // The process of an export can read these folders.
    expect(textsIn(workFolder)).not.toContain("private-text");
    rmSync(`${asked}.key`);
    await repository.git("fetch", "--quiet", "origin", "main");
    expect(existsSync(`${asked}.key`)).toBe(true);
    expect(textsIn(workFolder)).not.toContain("private-text");
    await repository.remove();
    expect(looked).toEqual(["git.example"]);
  });
  test("is used with the known hosts of the operator, if it has none", async () => {
    const hosts = join(base, "known hosts");
    writeFileSync(hosts, "git.example ssh-ed25519 BBBB\n");
    const remote = await listRemote(
      { kind: "git", url },
      ["main"],
      options(undefined, { OFFPRINT_SSH_KNOWN_HOSTS: hosts }),
    );
    expect(remote.tips.size).toBe(1);
    expect(readFileSync(`${asked}.hosts`, "utf8")).toBe("git.example ssh-ed25519 BBBB\n");
    expect(readFileSync(asked, "utf8")).not.toContain("GlobalKnownHostsFile");
  });
});

const sshd = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path));
describe.skipIf(sshd === undefined)("an SSH server (skipped where sshd is not installed)", () => {
  const keys = join(base, "keys");
  let port: number;
  const keyOf = (name: string, end = ""): string => readFileSync(join(keys, `${name}${end}`), "utf8").trim();
  beforeAll(async () => {
    mkdirSync(keys, { mode: 0o700 });
    for (const name of ["host", "mine", "theirs"])
      execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(keys, name)]);
    writeFileSync(join(keys, "authorized"), keyOf("mine", ".pub"), { mode: 0o600 });
    const lines = ["StrictModes no", "UsePAM no", `HostKey ${keys}/host`, `AuthorizedKeysFile ${keys}/authorized`];
    writeFileSync(join(keys, "config"), [...lines, "PasswordAuthentication no", "PermitRootLogin yes", ""].join("\n"));
    const server = createTcp({ pauseOnConnect: true }, (socket) => {
      spawn(sshd!, ["-i", "-f", join(keys, "config")], { stdio: [socket, socket, "ignore"] });
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    return () => server.close();
  });
  const reading = (privateKey: string, hostKey: string): Promise<string> => {
    names.set("git.example", ["127.0.0.1"]);
    const authority = `${userInfo().username}@git.example:${port}`;
    const knownHosts = `[git.example]:${port} ${hostKey}`;
    return read(`ssh://${authority}${join(served, "acme/docs.git")}`, {
      environment: environment({ OFFPRINT_GIT_ALLOW_PRIVATE: "git.example" }),
      credential: { kind: "ssh-key", prefix: `ssh://${authority}${served}/acme/`, privateKey, knownHosts },
    });
  };
  test("opens a repository with the key, at the checked address", async () =>
    expect(await reading(keyOf("mine"), keyOf("host", ".pub"))).toBe("acme/docs.git"));
  test("refuses another key", async () =>
    expect((await faultOf(reading(keyOf("theirs"), keyOf("host", ".pub")))).message).toMatch(
      /rejected the credential/,
    ));
  test("with a changed host key is not trusted", async () =>
    expect((await faultOf(reading(keyOf("mine"), keyOf("theirs", ".pub")))).message).toMatch(
      /does not know the key of the host/,
    ));
});

test("two checkouts at once have proxies of their own, and neither takes the password of the other", async () => {
  const dialed: string[] = [];
  const dial = async (authority: string) => {
    dialed.push(authority);
    return connect(portOf(other), "127.0.0.1");
  };
  const [one, two] = await Promise.all([startGuardProxy(dial), startGuardProxy(dial)]);
  const statusOf = (at: string, password: string | undefined, method = "CONNECT"): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(at);
      const authorization = `Basic ${Buffer.from(`git:${password}`).toString("base64")}`;
      const asking = request({
        ...{
          hostname,
          port,
          method,
          agent: false,
          path: method === "CONNECT" ? "other.example:443" : "http://other.example/",
        },
        headers: password === undefined ? {} : { "proxy-authorization": authorization },
      });
      asking.on("connect", ({ statusCode }, socket) => {
        socket.destroy();
        resolve(statusCode);
      });
      asking.on("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asking.on("error", reject).end();
    });
  expect(one.password).not.toBe(two.password);
  expect(await Promise.all([one.password, two.password, undefined, ""].map((each) => statusOf(one.url, each)))).toEqual(
    [...[200, 407, 407, 407]],
  );
  expect(await statusOf(two.url, one.password)).toBe(407);
  expect(await statusOf(one.url, one.password, "GET")).toBe(405);
  expect(dialed).toEqual(["other.example:443"]);
  expect(new URL(one.url).hostname).toBe("127.0.0.1");
  await Promise.all([one.close(), two.close()]);
  await expect(statusOf(one.url, one.password)).rejects.toThrow(/ECONNREFUSED/);
});
