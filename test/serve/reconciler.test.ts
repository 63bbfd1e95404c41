/** A server that reads from its values which bundle to serve, with links that fail in many ways. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BundleServer, type ServeOptions, serveBundle } from "../../src/serve/serve-bundle.js";
import { freePort } from "../support/postgres.js";
import { waitUntil } from "../support/wait-until.js";
import { ask } from "./ask.js";
import { type BundleHost, openBundleHost, secret } from "./bundle-host.js";
import { bytesOf, exportSmallSite, newFolder, type SmallBundle } from "./small-site.js";

let first: SmallBundle;
let second: SmallBundle;
let host: BundleHost;
let place: string;
let running: BundleServer[] = [];
const lines: string[] = [];

beforeAll(async () => {
  first = await exportSmallSite("The first one.");
  second = await exportSmallSite("The second one.", { "site.css": "main { color: teal; }" });
});
beforeEach(async () => {
  host = await openBundleHost();
  place = newFolder();
  lines.length = 0;
  host.content.set("/se_1/bundle.tar.gz", bytesOf(first.archive));
  host.content.set("/se_2/bundle.tar.gz", bytesOf(second.archive));
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.close()));
  running = [];
  await host.close();
  rmSync(place, { recursive: true, force: true });
  expect(lines.join("\n")).not.toContain(secret);
});
afterAll(() => {
  for (const { folder } of [first, second]) rmSync(join(folder, ".."), { recursive: true, force: true });
});

const values = (): string => join(place, "values.yaml");
/** In one step, so that no server reads half of it. */
function writeValues(text: string): void {
  writeFileSync(`${values()}.new`, text);
  renameSync(`${values()}.new`, values());
}
const write = (staticExport: Readonly<Record<string, unknown>>): void =>
  writeValues(JSON.stringify({ replicaCount: 2, staticExport: { enabled: true, ...staticExport } }));
const wants = (path: string, version?: string): void => write({ bundleUrl: host.link(path), version });

async function start(options: Partial<ServeOptions> = {}): Promise<BundleServer> {
  const served = await serveBundle({
    source: values(),
    port: 0,
    dataFolder: join(place, "data"),
    checkIntervalMs: 20,
    retryMs: 30,
    log: (_level, line) => lines.push(line),
    ...options,
  });
  running.push(served);
  return served;
}

/** What readers see: which bundle, or the status of an answer without one. */
async function seen({ url }: { readonly url: string }): Promise<"first" | "second" | number> {
  const { status, body } = await ask(url, "/");
  const text = body.toString();
  return text.includes("The first one.") ? "first" : text.includes("The second one.") ? "second" : status;
}
const until = (what: () => Promise<boolean> | boolean): Promise<true> => waitUntil(what.toString(), what);

describe("a link", () => {
  test("is fetched at the start, and its bundle is served", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    expect(await seen(served)).toBe("first");
    expect(await ask(served.url, "/readyz")).toMatchObject({ status: 200 });
    expect(served.status()).toMatchObject({ state: "serving", siteName: "Acme", fault: undefined });
  });

  test("may be given instead of values", async () => {
    const served = await start({ source: host.link("/se_1/bundle.tar.gz") });
    expect(await seen(served)).toBe("first");
  });

  test("may be one to a file of this machine, where there is no network", async () => {
    write({ bundleUrl: `file://${second.archive}` });
    expect(await seen(await start())).toBe("second");
  });

  test("takes over when the values change", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    wants("/se_2/bundle.tar.gz");
    await until(async () => (await seen(served)) === "second");
    await sleep(100);
    expect(host.asked).toEqual(["/se_1/bundle.tar.gz", "/se_2/bundle.tar.gz"]);
  });

  test("answers at every moment, and serves each page with its styles, while it takes over", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    let stop = false;
    const problems: string[] = [];
    const bundles = new Set<unknown>();
    const read = async (): Promise<void> => {
      while (!stop) {
        const { status, body } = await ask(served.url, "/");
        const text = body.toString();
        bundles.add(text.includes("The first one.") ? 1 : 2);
        if (status !== 200) problems.push(`page: ${status}`);
        await sleep(Math.random() * 20);
        for (const [, path] of text.matchAll(/(?:href|src)="(_offprint\/[^"]+\.(?:css|js))"/g)) {
          const asset = await ask(served.url, `/${path}`);
          if (asset.status !== 200) problems.push(`${path}: ${asset.status}`);
        }
      }
    };
    const readers = Array.from({ length: 8 }, read);
    await until(() => bundles.has(1));
    wants("/se_2/bundle.tar.gz");
    await until(() => bundles.has(2));
    stop = true;
    await Promise.all(readers);
    expect(problems).toEqual([]);
    expect(bundles).toEqual(new Set([1, 2]));
  });

  test("takes over when Kubernetes replaces the files of a mounted Secret", async () => {
    // The kubelet writes a new folder and points the link `..data` at it.
    const mount = join(place, "mount");
    mkdirSync(mount);
    const publish = (name: string, path: string): void => {
      mkdirSync(join(mount, name));
      writeFileSync(
        join(mount, name, "values.yaml"),
        JSON.stringify({ staticExport: { enabled: true, bundleUrl: host.link(path) } }),
      );
      symlinkSync(name, join(mount, "..data_tmp"));
      renameSync(join(mount, "..data_tmp"), join(mount, "..data"));
    };
    publish("..1", "/se_1/bundle.tar.gz");
    symlinkSync("..data/values.yaml", join(mount, "values.yaml"));
    const served = await start({ source: join(mount, "values.yaml") });
    expect(await seen(served)).toBe("first");
    publish("..2", "/se_2/bundle.tar.gz");
    await until(async () => (await seen(served)) === "second");
  });

  test("is fetched again on demand, and the same bundle changes nothing", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    host.content.set("/se_1/bundle.tar.gz", bytesOf(second.archive));
    await served.reload();
    expect(await seen(served)).toBe("second");
    await served.reload();
    expect(lines.filter((line) => line.startsWith("Serving"))).toHaveLength(2);
  });

  test("that failed is tried again after the clock was set back", async () => {
    wants("/se_3/bundle.tar.gz");
    let offsetMs = 0;
    const served = await start({ now: () => Date.now() + offsetMs, retryMs: 60_000 });
    expect(served.status().fault).toMatch(/answered 404/);
    host.content.set("/se_3/bundle.tar.gz", bytesOf(second.archive));
    offsetMs = -3_600_000;
    await until(async () => (await seen(served)) === "second");
  });

  test("is awaited with 503, while the server says that it is alive", async () => {
    host.content.set("/se_1/bundle.tar.gz", "never");
    wants("/se_1/bundle.tar.gz");
    const port = await freePort();
    const starting = start({ port });
    const url = `http://127.0.0.1:${port}/`;
    await until(() => host.asked.length > 0);
    expect(await seen({ url })).toBe(503);
    expect((await ask(url, "/")).headers["retry-after"]).toBe("5");
    expect((await ask(url, "/readyz")).status).toBe(503);
    expect((await ask(url, "/healthz")).status).toBe(200);
    await host.close();
    await starting;
    host = await openBundleHost();
  });

  test("that is awaited is dropped when the server closes", async () => {
    host.content.set("/se_1/bundle.tar.gz", "never");
    wants("/se_1/bundle.tar.gz");
    const stop = new AbortController();
    const starting = start({ signal: stop.signal });
    await until(() => host.asked.length > 0);
    stop.abort(new Error("enough"));
    await expect(starting).rejects.toThrow("enough");
    expect(readdirSync(join(place, "data"))).toEqual(["bundles"]);
  });
});

describe("the last good bundle stays in use", () => {
  const failures: readonly (readonly [
    rule: string,
    content: Buffer | number | "cut" | "never" | undefined,
    reason: RegExp,
  ])[] = [
    ["has expired", 403, /answered 403.*Links expire/],
    ["leads nowhere", undefined, /answered 404/],
    ["leads to a store that fails", 500, /answered 500/],
    ["breaks off", "cut", /could not be reached/],
    ["never answers", "never", /it sent nothing/],
    ["leads to a page", Buffer.from("<html>Sign in</html>"), /not a complete .tar.gz/],
    ["leads to a packed page", gzipSync("<html>Sign in</html>"), /refused/],
  ];
  for (const [rule, content, reason] of failures)
    test(`when the new link ${rule}`, async () => {
      wants("/se_1/bundle.tar.gz");
      const served = await start(content === "never" ? { download: { idleMs: 500 } } : {});
      if (content !== undefined) host.content.set("/se_3/bundle.tar.gz", content);
      wants("/se_3/bundle.tar.gz");
      await until(() => served.status().fault !== undefined);
      expect(served.status().fault).toMatch(reason);
      expect(lines.at(-1)).toMatch("The last good bundle stays in use.");
      expect(await seen(served)).toBe("first");
      expect((await ask(served.url, "/readyz")).status).toBe(200);
      // It is retried, and served once it is good.
      host.content.set("/se_3/bundle.tar.gz", bytesOf(second.archive));
      await until(async () => (await seen(served)) === "second");
      expect(served.status().fault).toBeUndefined();
      expect(readdirSync(join(place, "data")).sort()).toEqual(["bundles", "current"]);
    });

  test("when a file of the archive differs from its manifest", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    const bytes = bytesOf(second.archive);
    for (const at of [0.2, 0.5, 0.8]) {
      const damaged = Buffer.from(bytes);
      damaged[Math.floor(damaged.length * at)]! ^= 0xff;
      host.content.set("/se_2/bundle.tar.gz", damaged);
      wants("/se_2/bundle.tar.gz", `try ${at}`);
      await until(() => served.status().fault !== undefined && host.asked.includes("/se_2/bundle.tar.gz"));
      expect(await seen(served)).toBe("first");
    }
  });

  const faults: readonly (readonly [rule: string, text: string, reason: RegExp])[] = [
    ["are no YAML", "staticExport: [", /not valid YAML.*line/],
    ["lack the section", "replicaCount: 1", /staticExport is missing/],
    [
      "hold a text for enabled",
      'staticExport: { enabled: "yes", bundleUrl: "https://x.example/b.tar.gz" }',
      /enabled is "yes"; write true/,
    ],
    ["lack enabled", "staticExport: {}", /enabled is missing/],
    ["lack the link", "staticExport: { enabled: true }", /bundleUrl is missing/],
    ["contain no link", "staticExport: { enabled: true, bundleUrl: bundle.tar.gz }", /bundleUrl is not a link/],
    [
      "hold a date for a version",
      'staticExport: { enabled: true, bundleUrl: "https://x/b", version: 2024 }',
      /version is 2024; write it as a string/,
    ],
    [
      "misspell a value",
      'staticExport: { enabled: true, bundleURL: "https://x/b" }',
      /staticExport\.bundleURL does not exist; did you mean "bundleUrl"/,
    ],
    ["say a value twice", "staticExport: { enabled: true, enabled: false }", /DUPLICATE_KEY/],
    ["are empty", "", /staticExport is missing/],
    [
      "grow without end",
      `a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]`,
      /alias/i,
    ],
    [
      "contain a link of another scheme",
      'staticExport: { enabled: true, bundleUrl: "ftp://x/b.tar.gz" }',
      /bundleUrl is not a link/,
    ],
    ["lead to another file", 'staticExport: { enabled: true, bundleUrl: "file:///x/bundle.rar" }', /is not a bundle/],
    [
      "lead to this machine's metadata",
      'staticExport: { enabled: true, bundleUrl: "http://169.254.169.254/b.tar.gz" }',
      /neither on the public internet nor/,
    ],
  ];
  test("when the values are invalid, and the log gives the reason once", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    for (const [rule, text, reason] of faults) {
      lines.length = 0;
      writeValues(text);
      await until(() => lines.length > 0);
      await sleep(50);
      expect([rule, lines]).toEqual([rule, [expect.stringMatching(reason)]]);
    }
    expect(await seen(served)).toBe("first");
    rmSync(values());
    await until(() => lines.some((line) => line.includes("ENOENT")));
    expect(await seen(served)).toBe("first");
    wants("/se_2/bundle.tar.gz");
    await until(async () => (await seen(served)) === "second");
  });
});

describe("the next start", () => {
  test("serves the last bundle if the link has expired, and does not retry it endlessly", async () => {
    wants("/se_1/bundle.tar.gz");
    await (await start()).close();
    host.content.set("/se_1/bundle.tar.gz", 403);
    const served = await start();
    expect(await seen(served)).toBe("first");
    expect(served.status().fault).toMatch("answered 403");
    await sleep(200);
    expect(host.asked).toHaveLength(2);
  });

  test("fetches a bundle again that was damaged on disk", async () => {
    wants("/se_1/bundle.tar.gz");
    const before = await start();
    const { bundleId } = before.status();
    await before.close();
    writeFileSync(join(place, "data", "bundles", bundleId!, "index.html"), "The second one.");
    const served = await start();
    expect(await seen(served)).toBe("first");
    expect(lines.join()).toContain('"index.html" is not the file that the manifest lists');
  });

  test("serves nothing that is damaged, even if there is nothing else", async () => {
    wants("/se_1/bundle.tar.gz");
    const before = await start();
    const { bundleId } = before.status();
    await before.close();
    rmSync(join(place, "data", "bundles", bundleId!, "guides/install.html"));
    host.content.set("/se_1/bundle.tar.gz", 403);
    const served = await start();
    expect(await seen(served)).toBe(503);
  });

  test("survives damaged records in its data folder", async () => {
    for (const text of [
      "",
      "{",
      "null",
      '{"bundleId":"../../etc"}',
      '{"bundleId":5}',
      JSON.stringify({ bundleId: "0".repeat(64), linkId: "", fetchedAt: "" }),
    ]) {
      wants("/se_1/bundle.tar.gz");
      await (await start()).close();
      writeFileSync(join(place, "data", "current"), text);
      expect(await seen(await start())).toBe("first");
    }
  });

  test("finds only the three latest bundles", async () => {
    wants("/se_1/bundle.tar.gz");
    const served = await start();
    for (const text of ["a", "b", "c", "d"]) {
      const next = await exportSmallSite(text);
      host.content.set(`/${text}`, bytesOf(next.archive));
      wants(`/${text}`);
      await until(async () => (await ask(served.url, "/")).body.equals(readFileSync(join(next.folder, "index.html"))));
    }
    await until(() => readdirSync(join(place, "data", "bundles")).length === 6);
  });
});

describe("a pinned version", () => {
  test("is fetched once: not at the next start, and not when its link changes", async () => {
    wants("/se_1/bundle.tar.gz", "2024-06-01");
    const before = await start();
    expect(before.status().version).toBe("2024-06-01");
    wants("/se_2/bundle.tar.gz", "2024-06-01");
    await sleep(100);
    await before.reload();
    expect(await seen(before)).toBe("first");
    await before.close();
    expect(await seen(await start())).toBe("first");
    expect(host.asked).toEqual(["/se_1/bundle.tar.gz"]);
  });

  test("is replaced by another one, and comes back without a new download", async () => {
    wants("/se_1/bundle.tar.gz", "one");
    const served = await start();
    wants("/se_2/bundle.tar.gz", "two");
    await until(async () => (await seen(served)) === "second");
    wants("/gone", "one");
    await until(async () => (await seen(served)) === "first");
    expect(host.asked).toEqual(["/se_1/bundle.tar.gz", "/se_2/bundle.tar.gz"]);
  });

  test("that is a job accepts only a link of that job", async () => {
    wants("/se_1/bundle.tar.gz", "se_1");
    const served = await start();
    wants("/se_1/bundle.tar.gz", "se_2");
    await until(() => served.status().fault !== undefined);
    expect(served.status().fault).toBe(
      "staticExport.version pins the job se_2, but bundleUrl belongs to the job se_1. Use the link and the version of the same job.",
    );
    expect([await seen(served), host.asked.length]).toEqual(["first", 1]);
    wants("/elsewhere.tar.gz", "se_2");
    await until(() => served.status().fault!.includes("belongs to no job"));
    wants("/se_2/bundle.tar.gz", "se_2");
    await until(async () => (await seen(served)) === "second");
  });

  test("that is a hash accepts only an archive with that hash", async () => {
    wants("/se_1/bundle.tar.gz", `sha256:${first.sha256}`);
    const served = await start();
    wants("/se_1/bundle.tar.gz", `sha256:${second.sha256}`);
    await until(() => served.status().fault !== undefined);
    expect(served.status().fault).toMatch(`but the link returned sha256:${first.sha256}`);
    expect(await seen(served)).toBe("first");
  });
});

describe("turned off", () => {
  test("a deployment serves nothing, until it is turned on", async () => {
    write({ enabled: false });
    const served = await start();
    expect([await seen(served), served.status().state]).toEqual([404, "disabled"]);
    expect((await ask(served.url, "/readyz")).status).toBe(503);
    wants("/se_1/bundle.tar.gz");
    await until(async () => (await seen(served)) === "first");
    write({ enabled: false });
    await until(async () => (await seen(served)) === 404);
    await served.close();
    expect(await seen(await start())).toBe(404);
  });
});

describe("a folder", () => {
  test("that is exported again is served again; a damaged one changes nothing", async () => {
    const copy = join(place, "out");
    const { cpSync } = await import("node:fs");
    cpSync(first.folder, copy, { recursive: true });
    const served = await start({ source: copy });
    expect(await seen(served)).toBe("first");
    renameSync(copy, `${copy}.old`);
    cpSync(second.folder, `${copy}.new`, { recursive: true });
    renameSync(`${copy}.new`, copy);
    await until(async () => (await seen(served)) === "second");
    writeFileSync(join(copy, "offprint.json"), "{}");
    await until(() => served.status().fault !== undefined);
    expect(await seen(served)).toBe("second");
  });

  const refused: readonly (readonly [rule: string, source: () => string, reason: RegExp])[] = [
    ["is not there", () => join(place, "nothing"), /There is no/],
    ["is not a bundle", () => place, /is not a bundle: it has no offprint.json/],
    [
      "is another file",
      () => {
        writeFileSync(join(place, "x.txt"), "");
        return join(place, "x.txt");
      },
      /is not a bundle: give its folder/,
    ],
    [
      "is no .zip",
      () => {
        writeFileSync(join(place, "x.zip"), "");
        return join(place, "x.zip");
      },
      /not a complete .tar.gz or .zip/,
    ],
    [
      "is not an archive",
      () => {
        writeFileSync(join(place, "x.tar.gz"), "");
        return join(place, "x.tar.gz");
      },
      /not a complete .tar.gz/,
    ],
  ];
  for (const [rule, source, reason] of refused)
    test(`is refused at the start if it ${rule}`, () => expect(start({ source: source() })).rejects.toThrow(reason));

  test("needs a base path that is one", async () => {
    for (const basePath of ["docs", "/a b", "/..%2f", "https://x/y", "/a?b"])
      await expect(start({ source: first.folder, basePath })).rejects.toThrow("base path");
  });
});

test("two servers may share a data folder", async () => {
  wants("/se_1/bundle.tar.gz");
  const both = await Promise.all([start(), start()]);
  expect(await Promise.all(both.map(seen))).toEqual(["first", "first"]);
  wants("/se_2/bundle.tar.gz");
  for (const each of both) await until(async () => (await seen(each)) === "second");
  expect(lines.filter((line) => !line.startsWith("Serving") && line !== "Listening.")).toEqual([]);
});
