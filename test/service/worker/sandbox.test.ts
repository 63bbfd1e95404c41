/** What code that broke into an export can reach, wall by wall. */

import { createSocket } from "node:dgram";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { createRequire } from "node:module";
import { type AddressInfo, connect, createServer } from "node:net";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runExport } from "../../../src/export/index.js";
import { guardedBytes, guardedFetch, type Network } from "../../../src/lib/fetch/index.js";
import { permissionsCoverNetwork } from "../../../src/lib/sandbox/access.js";
import { findBackground, type Sandbox } from "../../../src/lib/sandbox/fork-sandboxed.js";
import { findNamespace, type Namespace } from "../../../src/lib/sandbox/namespace.js";
import { openSource } from "../../../src/service/git/checkout/index.js";
import { ExportProcessDied, startExportProcess } from "../../../src/service/worker/export-process.js";
import { siteCache } from "../../../src/service/worker/job-cache.js";
import { exportJob } from "../../../src/service/worker/run-job.js";
import { runLeased } from "../../../src/service/worker/run-leased.js";
import { keepSpareProcess } from "../../../src/service/worker/spare-process.js";
import { openSandbox } from "../../../src/service/worker/worker-machine.js";
import { sampleOf } from "../../quality/bundle.js";
import { page, temporaryFolder, writeSite } from "../../support/cli.js";
import { largePages } from "../../support/large-pages.js";
import { patience } from "../../support/patience.js";
import { openTestStore } from "../../support/test-store.js";
import { waitUntil } from "../../support/wait-until.js";
import { isAlive, nodeInside } from "../../support/worker-processes.js";

const attackScript = new URL("../../support/attack.js", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "sandbox-"));
const found = await findNamespace(subfolder("root"));
const namespace: Namespace | undefined = "missing" in found ? undefined : found;
const missing = "missing" in found ? `: ${found.missing}` : "";

function subfolder(name: string): string {
  mkdirSync(join(folder, name), { recursive: true });
  return join(folder, name);
}

/** A folder with a script that an export's process can read and run. */
function siteWith(script: string | URL): { site: string; script: string } {
  const site = mkdtempSync(join(folder, "site-"));
  const path = join(site, "script.mjs");
  if (typeof script === "string") writeFileSync(path, script);
  else copyFileSync(script, path);
  return { site, script: path };
}

const startWith = (script: string | URL, sandbox: Sandbox) =>
  startExportProcess({ heapMb: 256, folder: subfolder("work"), sandbox, ...siteWith(script) });

describe("code that broke into an export", () => {
  const requests: string[] = [];
  const server = createServer((socket) => {
    requests.push("port");
    socket.end();
  });
  const local = createServer((socket) => {
    requests.push("socket");
    socket.end();
  });
  const names = createSocket("udp4", () => requests.push("name"));
  let target: object;
  const other = startWith("process.on('message', () => {});", { permissions: true });

  beforeAll(async () => {
    const socket = join(folder, "socket");
    await Promise.all([
      new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)),
      new Promise<void>((resolve) => local.listen(socket, resolve)),
      new Promise<void>((resolve) => names.bind(0, "127.0.0.1", resolve)),
    ]);
    const workerFile = join(subfolder("data"), "offprint.db");
    writeFileSync(workerFile, "the keys of all organizations");
    writeFileSync(join(other.folders.source, "secret.mdx"), "not published yet");
    target = {
      workerFile,
      otherCheckout: other.folders.source,
      workerPid: process.pid,
      port: (server.address() as AddressInfo).port,
      dnsPort: names.address().port,
      socket,
      addon: createRequire(createRequire(import.meta.url).resolve("lightningcss")).resolve(addonName()),
    };
  });
  afterAll(async () => {
    await other.remove();
    server.close();
    local.close();
    names.close();
  });

  async function attack(sandbox: Sandbox): Promise<Record<string, unknown>> {
    requests.length = 0;
    const child = startWith(attackScript, sandbox);
    const { source, archive, cache } = child.folders;
    const task = { source, archive, cacheFolder: cache, deployment: "cloud", fallbackBaseUrl: "https://a.example" };
    const paths = [JSON.stringify(target)];
    const outcome = await child.run({ ...task, paths } as never, () => {}, patience());
    await child.remove();
    expect(existsSync(child.folders.root)).toBe(false);
    expect(outcome.kind).toBe("refused");
    return JSON.parse((outcome as { faults: string }).faults) as Record<string, unknown>;
  }
  const files = [
    "a file of the system",
    "a file of the worker",
    "the checkout of another export",
    "a file by a thread",
    "a file by a link",
    "a file by a second name",
    "the environment of the worker",
    "a file in its site",
    "a file next to its folder",
    "a file of another folder",
  ];
  const network = ["a port", "a socket of the system", "a name server"];
  const own = { "its own site": "reached", "its own folder": "reached" };
  const reached = (outcomes: Record<string, unknown>): string[] =>
    Object.keys(outcomes).filter((name) => outcomes[name] === "reached");

  test("reaches everything without walls, so the attempts are real", async () => {
    const outcomes = await attack({ permissions: false });
    // The name server of the test gives no answer.
    expect(outcomes).toMatchObject({ ...own, "a name server": "ETIMEOUT" });
    const all = [
      ...files,
      "the worker by a signal",
      "a program",
      "a native program",
      "a port",
      "a socket of the system",
    ];
    expect(reached(outcomes)).toEqual(expect.arrayContaining(all));
    expect(new Set(requests)).toEqual(new Set(["port", "socket", "name"]));
  });

  test("reaches no file, environment or program past the permission model", async () => {
    const outcomes = await attack({ permissions: true });
    expect(outcomes).toMatchObject({ ...own, root: "ERR_ACCESS_DENIED" });
    for (const name of [...files, "a program"]) expect(outcomes[name], name).toBe("ERR_ACCESS_DENIED");
    if (permissionsCoverNetwork) expect(requests).toEqual([]);
  });

  test.skipIf(!namespace)(`reaches nothing past the namespaces alone${missing}`, async () => {
    const outcomes = await attack({ permissions: false, namespace });
    const programs = namespace!.program === "unshare" ? ["a native program"] : [];
    for (const name of [...files, ...network, ...programs, "the worker by a signal"])
      expect(outcomes[name], name).not.toBe("reached");
    expect(outcomes).toMatchObject(own);
    expect(outcomes["root"]).not.toContain("etc/passwd");
    expect(requests).toEqual([]);
  });

  test.skipIf(!namespace)(`reaches nothing past both${missing}`, async () => {
    const outcomes = await attack({ permissions: true, namespace });
    const variables = [
      ...(namespace!.program === "bwrap" ? ["PWD"] : []),
      "NODE_CHANNEL_FD",
      "NODE_CHANNEL_SERIALIZATION_MODE",
      "TEMP",
      "TMPDIR",
      "TZ",
    ];
    const programs = namespace!.program === "unshare" ? [] : ["a native program"];
    expect(reached(outcomes)).toEqual([...Object.keys(own), ...programs]);
    // Node takes the variables of its channel away.
    expect(variables).toEqual(expect.arrayContaining(outcomes["environment"] as string[]));
    expect(requests).toEqual([]);
  });

  test.skipIf(!namespace)(`ends with the program that makes its namespaces${missing}`, async () => {
    const child = startWith("setInterval(() => {}, 1000);", { permissions: true, namespace });
    const inside = await waitUntil("the process", () => nodeInside(child.pid!));
    process.kill(child.pid!, "SIGKILL");
    await waitUntil("its end", () => !isAlive(inside));
    await child.remove();
  });
});

test.skipIf(process.platform !== "linux")(
  "an export gets only the processor time that no other process wants",
  async () => {
    const background = await findBackground();
    for (const sandbox of [
      { permissions: true, background },
      { permissions: true, background: { prefix: [] } },
      ...(namespace ? [{ permissions: true, namespace, background }] : []),
    ]) {
      const child = startWith("setInterval(() => {}, 1000);", sandbox);
      const inside = await waitUntil("the process", () => nodeInside(child.pid!));
      for (const thread of readdirSync(`/proc/${inside}/task`)) {
        expect(getPriority(Number(thread))).toBe(constants.priority.PRIORITY_LOW);
        const policy = readFileSync(`/proc/${inside}/task/${thread}/stat`, "latin1").split(") ")[1]!.split(" ")[38];
        expect(policy).toBe(sandbox.background.prefix.length > 0 ? schedIdle : "0");
      }
      await child.remove();
    }
  },
);
const schedIdle = "5";

function addonName(): string {
  const { platform, arch } = process;
  return `lightningcss-${platform}-${arch}${platform === "linux" ? "-gnu" : ""}`;
}

describe("the log of a worker", () => {
  const open = (mode: "auto" | "required" | "off", path = process.env["PATH"]) => {
    const before = process.env["PATH"];
    onTestFinished(() => {
      process.env["PATH"] = before;
    });
    process.env["PATH"] = path;
    const lines: string[] = [];
    return {
      lines,
      opening: openSandbox(
        { sandbox: mode, exportPriority: mode === "off" ? "normal" : "idle" },
        mkdtempSync(join(folder, "worker-")),
        (level, line) => lines.push(`${level} ${line}`),
      ),
    };
  };

  test.skipIf(!namespace)(`says which walls there are${missing}`, async () => {
    const { lines, opening } = open("required");
    expect(await opening).toMatchObject({ permissions: true, namespace: { program: namespace!.program } });
    expect(lines).toEqual([
      `info sandbox: permission model, empty environment, no network and private file system (namespaces by ${namespace!.program})`,
    ]);
  });

  test("says which walls are missing, and why", async () => {
    const { lines, opening } = open("auto", "");
    expect(await opening).toEqual({ permissions: true, background: { prefix: [] } });
    const network = permissionsCoverNetwork ? "JavaScript has no network" : "the network is open";
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`info sandbox: permission model, empty environment, ${network}; no namespaces (`);
    expect(lines[0]).toContain("bwrap is not installed");
  });

  test("says that they are off", async () => {
    const { lines, opening } = open("off");
    expect(await opening).toEqual({ permissions: false });
    expect(lines).toEqual([expect.stringMatching(/^warn sandbox: off/)]);
  });

  test("is not reached if namespaces are required and impossible", async () => {
    await expect(open("required", "").opening).rejects.toThrow(
      /cannot run in namespaces here: .*bwrap is not installed.* start it with --sandbox auto/,
    );
  });
});

describe("an export behind all walls", () => {
  const keyFile = (name: string): string => readFileSync(new URL(`../../lib/fetch/${name}`, import.meta.url), "utf8");
  const spec = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/plants": { get: { responses: {} } } },
  };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>';
  const asked: string[] = [];
  const server = createTlsServer(
    { key: keyFile("test-only-key.pem"), cert: keyFile("test-only-certificate.pem") },
    ({ url = "" }, response) => {
      asked.push(url);
      response.end(url.endsWith(".svg") ? svg : JSON.stringify(spec));
    },
  );
  let network: Network;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    network = {
      resolve: async (host) => [host === "private.specs.example" ? "10.0.0.1" : "93.184.215.14"],
      connect: () => connect(port, "127.0.0.1"),
      ca: keyFile("test-only-certificate.pem"),
    };
  });
  afterAll(() => server.close());

  const group = (name: string, host: string): object => ({
    group: name,
    openapi: `https://${host}.specs.example/api.json`,
  });
  const siteFor = (deployment: string): string => {
    const picture = "![Picture](https://cdn.specs.example/picture.svg)";
    const diagram = deployment === "air-gapped" ? "```mermaid\ngraph TD\n  A --> B\n```" : "No diagram.";
    const component =
      "export const Count = () => { const [n, setN] = useState(3); return <b onClick={() => setN(n + 1)}>{n}</b>; };\n\n<Count />";
    const groups = [{ group: "Start", pages: ["index"] }, group("API", "cdn"), group("Private", "private")];
    const site = writeSite(mkdtempSync(join(folder, "site-")), {
      "docs.json": JSON.stringify({
        theme: "mint",
        name: "Acme",
        colors: { primary: "#0a6c5b" },
        navigation: { groups },
      }),
      "index.mdx": page("Start", `${component}\n\n${picture}\n\n${diagram}\n\n\`\`\`js\nlet a = 1;\n\`\`\``),
    });
    symlinkSync("/etc/passwd", join(site, "passwd.txt"));
    return site;
  };

  for (const deployment of sampleOf(["cloud", "air-gapped"] as const, 1))
    test(`fetches, draws and renders components by the worker: ${deployment}`, async () => {
      asked.length = 0;
      const source = siteFor(deployment);
      const child = startExportProcess({
        heapMb: 1024,
        folder: subfolder("work"),
        site: source,
        sandbox: { permissions: true, namespace },
        network,
      });
      const { archive, cache } = child.folders;
      const options = { source, deployment, maxMemoryMb: 1024, fallbackBaseUrl: "https://docs.acme.com" };
      const task = { ...options, archive, cacheFolder: cache };
      const outcome = await child.run(task, () => {}, patience());
      expect(asked).toEqual([deployment === "cloud" ? "/api.json" : "/picture.svg"]);
      const direct = await runExport(
        { ...options, archive: join(subfolder(deployment), "bundle.tar.gz") },
        {
          fetchText: (url) => guardedFetch(url, { network }),
          fetchBytes: (url, limits) => guardedBytes(url, { ...limits, network }),
        },
      );
      const { bytes, sha256 } = direct.archive!;
      expect(outcome).toMatchObject({ kind: "exported", bytes, sha256, pageCount: direct.pageCount });
      expect(direct.diagnostics.map(({ code }) => code)).not.toContain("ISLAND_CLIENT_ONLY");
      if (deployment === "cloud") expect(direct.pageCount).toBeGreaterThan(1);
      // Only its own folder has been written, the cache for the next export among it.
      expect(readdirSync(cache).length).toBeGreaterThan(0);
      await child.remove();
    });
});

describe("a page that takes too much to parse", () => {
  /** Just large enough to be parsed in its own process. */
  const costly = '<Card title="a">b</Card>\n\n'.repeat(1400);
  const hostile = `${"x\n\n".repeat(3)}${largePages.entities(150_000)}`;
  const site = (): string =>
    writeSite(mkdtempSync(join(folder, "site-")), {
      "index.mdx": page("Start", "Hello."),
      "costly.mdx": page("Costly", costly),
      "faulty.mdx": page("Faulty", `${costly}<b>`),
      "hostile.mdx": page("Hostile", hostile),
    });
  const walls: readonly (readonly [string, Sandbox])[] = [
    ...(namespace ? [["all walls", { permissions: true, namespace }] as const] : []),
    ["the permission model", { permissions: true }],
    ["no wall", { permissions: false }],
  ];
  let direct: ReturnType<typeof runExport> | undefined;
  test.each(sampleOf(walls, 1))(
    "is an error page with its line behind %s; the others are whole",
    async (_, sandbox) => {
      const source = site();
      const options = { deployment: "cloud", fallbackBaseUrl: "https://docs.acme.com" } as const;
      direct ??= runExport({ ...options, source, archive: join(subfolder("direct"), "bundle.tar.gz") });
      const child = startExportProcess({ heapMb: 1024, folder: subfolder("work"), site: source, sandbox });
      const { archive, cache, fetched } = child.folders;
      const task = { ...options, source, archive, cacheFolder: cache, maxMemoryMb: 700 };
      const outcome = await child.run(task, () => {}, patience());
      const { diagnostics, archive: expected } = await direct;
      expect(diagnostics.map(({ code, location }) => [code, location?.sourcePath, location?.line])).toEqual([
        ["MDX_SYNTAX", "faulty.mdx", 2805],
        ["PAGE_TOO_COMPLEX", "hostile.mdx", 11],
      ]);
      expect(outcome).toMatchObject({ kind: "exported", sha256: expected!.sha256, findings: { diagnostics } });
      // The trees of earlier pages are removed.
      expect(readdirSync(fetched).length).toBeLessThanOrEqual(1);
      await child.remove();
    },
  );
});

describe("a worker does not trust an export's process", () => {
  test("that sends what it never should", async () => {
    const send = (message: string): string => `process.send(${message})`;
    const ready = "{ type: 'ready', more: ";
    for (const action of [
      send("{ type: 'ended', outcome: { kind: 'exported', bytes: -1 } }"),
      send("'x'"),
      send("{ type: 'call' }"),
      // These are valid, but for their size.
      send(`${ready} "x".repeat(40 * 2 ** 20) }`),
      send(`${ready} Array(2_000_000).fill(0) }`),
      send(`${ready} JSON.parse("[".repeat(100) + "]".repeat(100)) }`),
      `writeSync(3, "{\\n")`,
    ]) {
      const script = `import { writeSync } from "node:fs"; process.on("message", () => ${action});`;
      const child = startWith(script, { permissions: true });
      const running = child.run({} as never, () => {}, patience());
      await expect(running).rejects.toThrow(new ExportProcessDied("The export process sent an invalid message."));
      await child.remove();
    }
  });

  test("that puts a link in the place of its archive", async () => {
    const each = await openTestStore(writeSite(temporaryFolder(), { "index.mdx": page("Start", "Hello.") }), {
      maxAttempts: 1,
    });
    const secret = join(each.folder, "secret");
    writeFileSync(secret, "0123456789");
    const script = `import { symlinkSync } from "node:fs";
      process.on("message", ({ task }) => {
        symlinkSync(${JSON.stringify(secret)}, task.archive);
        const findings = { errors: 0, warnings: 0, diagnostics: [] };
        const outcome = { kind: "exported", bytes: 10, sha256: "0".repeat(64), pageCount: 1, pagesMade: 1, pageMs: [], findings };
        process.send({ type: "ended", outcome }, () => process.exit());
      });`;
    const processes = keepSpareProcess(() => startWith(script, { permissions: false }));
    const jobId = await each.startJob();
    const lease = await each.store.jobs.take("worker");
    const log: string[] = [];
    const deps = {
      store: each.store,
      openSource,
      processes,
      cacheFolder: join(each.folder, "cache"),
      shareCache: false,
      splitAbove: 0,
      observer: {},
      maxMemoryMb: 1024,
      log: (...[, line, facts]: readonly unknown[]) => void log.push(`${line} ${JSON.stringify(facts)}`),
      now: Date.now,
    };
    await runLeased(lease!, deps, new AbortController().signal, exportJob);
    await processes.close();
    expect((await each.store.jobs.get(jobId))!.status).toBe("failed");
    expect(log.join("\n")).toContain("something other than the archive that it reported");
  });
});

describe("the cache of a site", () => {
  const filesOf = (cache: string): string => join(cache, "aa", "entry");
  const fill = (cache: string, text: string): void => {
    mkdirSync(join(cache, "aa"), { recursive: true });
    writeFileSync(filesOf(cache), text);
  };

  test("moves to an export and back, and never to another site's", async () => {
    const all = mkdtempSync(join(folder, "cache-"));
    const first = join(all, "first");
    fill(first, "of a");
    await siteCache(all, "prj_a").takeBack(first);
    const [a, b, second] = [join(all, "a"), join(all, "b"), join(all, "second")];
    await siteCache(all, "prj_b").lend(b);
    expect(existsSync(b)).toBe(false);
    await siteCache(all, "prj_a").lend(a);
    expect(readFileSync(filesOf(a), "utf8")).toBe("of a");
    // An export that runs meanwhile has an empty one, and the first one that ends keeps its own.
    await siteCache(all, "prj_a").lend(second);
    expect(existsSync(second)).toBe(false);
    fill(second, "of the second");
    await siteCache(all, "prj_a").takeBack(second);
    await siteCache(all, "prj_a").takeBack(a);
    await siteCache(all, "prj_a").lend(join(all, "last"));
    expect(readFileSync(filesOf(join(all, "last")), "utf8")).toBe("of the second");
  });

  test("is not taken back if it is a link", async () => {
    const all = mkdtempSync(join(folder, "cache-"));
    symlinkSync(folder, join(all, "link"));
    await siteCache(all, "prj_a").takeBack(join(all, "link"));
    await siteCache(all, "prj_a").lend(join(all, "lent"));
    expect(existsSync(join(all, "lent"))).toBe(false);
  });
});
