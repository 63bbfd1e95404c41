import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { beforeAll, describe, expect, test } from "vitest";
import { openFolderStore } from "../../../src/service/store/index.js";
import { bundleModule } from "../../support/bundle-module.js";
import { waitUntil } from "../../support/wait-until.js";
import { testObjectStore } from "./store-conformance.js";

const secret = Buffer.alloc(32, 1);
const inTwoDays = (): number => Date.now() + 2 * 24 * 60 * 60_000;

testObjectStore("a folder", async () => {
  const base = await mkdtemp(join(tmpdir(), "offprint-folder-store-"));
  const folder = join(base, "objects");
  let store: ReturnType<typeof openFolderStore>;
  const server = createServer(
    getRequestListener((request) => store.serveObject(request), { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  store = openFolderStore({ folder, publicUrl, secret });
  writeFileSync(join(base, "file"), "");
  return {
    store,
    stranger: openFolderStore({ folder, publicUrl, secret: Buffer.alloc(32, 2) }),
    later: openFolderStore({ folder, publicUrl, secret, now: inTwoDays }),
    broken: openFolderStore({ folder: join(base, "file", "objects"), publicUrl, secret }),
    everything: async () =>
      existsSync(folder)
        ? readdirSync(folder, { recursive: true, withFileTypes: true })
            .filter((each) => each.isFile())
            .map((each) => join(each.parentPath, each.name))
            .sort()
        : [],
    breakOff: async () => {
      mkdirSync(join(folder, ".drafts"), { recursive: true });
      writeFileSync(join(folder, ".drafts", "0123456789abcdef"), "half");
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
});

test("a folder store on a full disk fails and leaves no files", async () => {
  const base = await mkdtemp(join(tmpdir(), "offprint-full-"));
  writeFileSync(join(base, "large"), Buffer.alloc(5_000_000));
  const store = bundleModule(fileURLToPath(new URL("../../../src/service/store/index.ts", import.meta.url)));
  const script = `
    import { openFolderStore } from ${JSON.stringify(pathToFileURL(store).href)};
    const store = openFolderStore({ folder: "objects", publicUrl: "http://x", secret: Buffer.alloc(32) });
    await store.put("a/bundle.tar.gz", "large", "application/gzip").catch(({ message, cause }) => console.log(message, cause.code));`;
  // The largest file that the process may write, in blocks of 512 bytes.
  const run = `ulimit -f 2000; exec "$0" --input-type=module -e "$1"`;
  const said = execFileSync("sh", ["-c", run, process.execPath, script], { cwd: base, encoding: "utf8" });
  expect(said).toBe(`"large" could not be stored as "${join(base, "objects/a/bundle.tar.gz")}". EFBIG\n`);
  expect(readdirSync(base, { recursive: true }).sort()).toEqual(["large", "objects", "objects/.drafts"]);
});

describe("a link of a folder store", () => {
  const start = Date.UTC(2026, 0, 1, 12);
  let now = start;
  let store: ReturnType<typeof openFolderStore>;
  let folder: string;
  let url: string;
  const key = "static-exports/se_1/1/bundle.tar.gz";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "offprint-folder-links-"));
    store = openFolderStore({ folder, publicUrl: "https://docs.example/exports", secret, now: () => now });
    const path = join(folder, ".source");
    writeFileSync(path, "0123456789");
    await store.put(key, path, "application/gzip");
    url = (await store.link(key, 90_500)).url;
  });
  const ask = (init: RequestInit = {}, at = url): Promise<Response> => store.serveObject(new Request(at, init));

  test("starts with the public URL and expires at a whole second", async () => {
    const { expiresAt } = await store.link(key, 90_500);
    expect(expiresAt).toEqual(new Date(start + 90_000));
    expect(url).toMatch(
      /^https:\/\/docs\.example\/exports\/v1\/objects\/static-exports\/se_1\/1\/bundle\.tar\.gz\?expires=1767268890&signature=[\w-]{43}$/,
    );
  });

  test("returns the file with all headers", async () => {
    const answer = await ask();
    expect(await answer.text()).toBe("0123456789");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "content-disposition": 'attachment; filename="bundle.tar.gz"',
      "content-length": "10",
      "content-type": "application/gzip",
      "x-content-type-options": "nosniff",
    });
  });

  test("answers HEAD without the body", async () => {
    const [get, head] = [await ask(), await ask({ method: "HEAD" })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    await get.body?.cancel();
  });

  test("works if a proxy removes or adds a path prefix", async () => {
    for (const place of ["http://10.0.0.1:8080", "http://10.0.0.1/other/place"]) {
      const answer = await ask({}, url.replace("https://docs.example/exports", place));
      expect(await answer.text()).toBe("0123456789");
    }
  });

  test("answers 304 to a client that has the file", async () => {
    const etag = (await ask({ method: "HEAD" })).headers.get("etag")!;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
      expect((await ask({ headers: { "if-none-match": header } })).status).toBe(304);
    expect((await ask({ headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("sends the whole file if it has changed", async () => {
    const range = "bytes=5-";
    const head = (await ask({ method: "HEAD" })).headers;
    for (const [condition, status] of [
      [head.get("etag")!, 206],
      [head.get("last-modified")!, 206],
      ['"other"', 200],
      [`W/${head.get("etag")}`, 200],
      ["Thu, 01 Jan 1970 00:00:00 GMT", 200],
    ] as const)
      expect([condition, (await ask({ headers: { range, "if-range": condition } })).status]).toEqual([
        condition,
        status,
      ]);
  });

  const whole = ["bytes=0-1,4-5", "bytes=", "bytes=-", "bytes=5-2", "bytes=a-b", "lines=0-1", "bytes=0-1 2"];
  for (const range of whole)
    test(`returns the whole file for "${range}"`, async () => {
      const answer = await ask({ headers: { range } });
      expect([answer.status, await answer.text()]).toEqual([200, "0123456789"]);
    });
  test("reports the size if a range is beyond the end", async () => {
    const answer = await ask({ headers: { range: "bytes=10-" } });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "bytes */10"]);
  });

  test("serves the opened file, even if it is removed in the meantime", async () => {
    const other = "static-exports/se_2/1/bundle.tar.gz";
    const path = join(folder, ".large");
    writeFileSync(path, Buffer.alloc(5_000_000, "a"));
    await store.put(other, path, "application/gzip");
    const answer = await ask({}, (await store.link(other, 60_000)).url);
    await store.remove(other);
    expect((await answer.arrayBuffer()).byteLength).toBe(5_000_000);
  });

  test("leaves no file open if the client disconnects", async () => {
    const other = "static-exports/se_3/1/bundle.tar.gz";
    const path = join(folder, ".larger");
    writeFileSync(path, Buffer.alloc(20_000_000, "a"));
    await store.put(other, path, "application/gzip");
    const server = createServer(
      getRequestListener((request) => store.serveObject(request), { overrideGlobalObjects: false }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { pathname, search } = new URL((await store.link(other, 60_000)).url);
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}${search}`;
    const openFiles = (): string[] =>
      readdirSync("/proc/self/fd")
        .map((each) => {
          try {
            return readlinkSync(`/proc/self/fd/${each}`);
          } catch {
            return "";
          }
        })
        .filter((each) => each.startsWith(join(folder, "static-exports/se_3")));
    let maxOpen = 0;
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const controller = new AbortController();
        const answer = await fetch(at, { signal: controller.signal });
        await answer.body!.getReader().read();
        maxOpen = Math.max(maxOpen, openFiles().length);
        controller.abort();
      }),
    );
    expect(maxOpen).toBeGreaterThan(0);
    await waitUntil("closed files", () => openFiles().length === 0);
    server.closeAllConnections();
    server.close();
  });

  test("explains a refusal in HTML to browsers and in JSON to programs", async () => {
    const [page, json] = [await ask({ headers: { accept: "text/html,*/*" } }, `${url}x`), await ask({}, `${url}x`)];
    expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(await page.text()).toContain("<p>This link is invalid: this service did not sign it.");
    expect([json.status, json.headers.get("content-type")]).toEqual([403, "application/json"]);
    expect(await json.json()).toEqual({
      error: "This link is invalid: this service did not sign it. Request a new one.",
    });
    expect((await ask({ method: "HEAD" }, `${url}x`)).status).toBe(403);
  });

  const altered: readonly (readonly [rule: string, alter: (url: string) => string])[] = [
    ["an expiry in another notation", (at) => at.replace("expires=", "expires=0")],
    ["an expiry that is not a number", (at) => at.replace(/expires=\d+/, "expires=NaN")],
    ["two expiries, the later first", (at) => at.replace("?", "?expires=99999999999&")],
    ["a signature padded", (at) => `${at}=`],
    ["a signature with invalid characters", (at) => at.replace(/.$/, "!")],
    ["a coded path", (at) => at.replace("se_1", "%73e_1")],
    ["another file of the same folder", (at) => at.replace("bundle.tar.gz", ".bundle.tar.gz.type")],
    ["a folder", (at) => at.replace("/bundle.tar.gz", "")],
    ["a path outside the folder", (at) => at.replace("static-exports", "../../etc")],
    ["another place", (at) => at.replace("/v1/objects/", "/v2/objects/")],
  ];
  for (const [rule, alter] of altered)
    test(`is refused with ${rule}`, async () => expect((await ask({}, alter(url))).status).toBe(403));

  test("is refused with any one character changed", async () => {
    const from = url.indexOf("/v1/objects/");
    const given: string[] = [];
    for (let at = from; at < url.length; at++)
      for (const other of ["0", "A", "z", "-", "/", ".", "&"])
        if (other !== url[at]) {
          const changed = `${url.slice(0, at)}${other}${url.slice(at + 1)}`;
          if ((await ask({ method: "HEAD" }, changed)).status !== 403) given.push(changed);
        }
    expect(given).toEqual([]);
  });

  test("expires at its second", async () => {
    now = start + 89_999;
    expect((await ask({ method: "HEAD" })).status).toBe(200);
    now = start + 90_000;
    const answer = await ask();
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({
      error:
        "This link expired at 2026-01-01T12:01:30.000Z. Request a new one: POST /v1/static-export/jobs/{jobId}/bundle.",
    });
    now = start;
  });
});
