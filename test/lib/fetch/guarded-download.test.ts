import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DownloadOutcome, type GuardedDownloadOptions, guardedDownload } from "../../../src/lib/fetch/index.js";

const archive = gzipSync(Buffer.alloc(3_000_000, "page"));
const sha256 = createHash("sha256").update(archive).digest("hex");

describe("guardedDownload", () => {
  const folder = mkdtempSync(join(tmpdir(), "offprint-download-"));
  const path = join(folder, "bundle.tar.gz");
  let server: Server;
  let base = "";

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, "http://store");
      if (pathname === "/bundle") response.writeHead(200, { "content-length": archive.length }).end(archive);
      else if (pathname === "/encoded") response.writeHead(200, { "content-encoding": "gzip" }).end(archive);
      else if (pathname === "/moved") response.writeHead(302, { location: "/bundle" }).end();
      else if (pathname === "/inside") response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
      else if (pathname === "/large") response.writeHead(200, { "content-length": 50_000_000 }).write("a");
      else if (pathname === "/endless") {
        const pour = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
          if (!response.destroyed) response.once("drain", pour);
        };
        pour();
      } else if (pathname === "/cut") {
        response.writeHead(200, { "content-length": "100" });
        response.write("a", () => response.destroy());
      } else if (pathname === "/stuck") response.writeHead(200, { "content-length": "100" }).write("a");
      else response.writeHead(403).end("expired");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const download = (from: string, options: GuardedDownloadOptions = {}): Promise<DownloadOutcome> =>
    guardedDownload(`${base}${from}`, path, { allowPrivate: true, maxBytes: 10_000_000, ...options });

  for (const [rule, from] of [
    ["the bytes", "/bundle?signature=secret"],
    ["what it is redirected to", "/moved"],
    ["the bytes as they are where they are called encoded", "/encoded"],
  ] as const)
    test(`saves ${rule}, and replaces the old file`, async () => {
      writeFileSync(path, "older");
      expect(await download(from)).toEqual({ ok: true, bytes: archive.length, sha256 });
      expect(readFileSync(path).equals(archive)).toBe(true);
    });

  const refused: readonly (readonly [rule: string, from: string, reason: RegExp, options?: GuardedDownloadOptions])[] =
    [
      ["private addresses without permission", "/bundle", /only https/, { allowPrivate: false }],
      ["the credentials of a cloud", "/inside", /neither on the public internet nor in a private network/],
      ["files that the server refuses", "/expired?signature=secret", /^it answered 403$/],
      ["files that are announced as too large", "/large", /larger than 10000000 bytes/],
      ["what has no end", "/endless", /larger than 10000000 bytes/],
      ["what stops in the middle", "/cut?signature=secret", /^it could not be reached \(ECONNRESET\)$/],
      ["what comes no further", "/stuck", /sent nothing for 0.2 seconds/, { idleMs: 200 }],
      ["what takes too long", "/stuck", /within 0.3 seconds/, { timeoutMs: 300 }],
    ];
  for (const [rule, from, reason, options] of refused)
    test(`refuses ${rule}, and keeps the old file`, async () => {
      writeFileSync(path, "older");
      const outcome = await download(from, options);
      expect(outcome).toEqual(expect.objectContaining({ ok: false, reason: expect.stringMatching(reason) as string }));
      expect(readFileSync(path, "utf8")).toBe("older");
      expect(readdirSync(folder)).toEqual(["bundle.tar.gz"]);
    });

  test("reports the response", async () => {
    expect(await download("/expired")).toMatchObject({ status: 403 });
  });

  test("leaves no file when it is aborted", async () => {
    const controller = new AbortController();
    const downloading = guardedDownload(`${base}/stuck`, path, { allowPrivate: true }, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(downloading).rejects.toThrow("enough");
    expect(readdirSync(folder)).toEqual(["bundle.tar.gz"]);
  });

  test("throws if the file cannot be written", async () => {
    const nowhere = join(folder, "missing", "bundle.tar.gz");
    await expect(guardedDownload(`${base}/bundle`, nowhere, { allowPrivate: true })).rejects.toThrow(
      `"${nowhere}" could not be written`,
    );
  });
});
