import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createManifest, type Manifest, printManifest } from "../../src/bundle/archive/index.js";
import { type AnswerRecord, type BundleServer, serveBundle } from "../../src/serve/serve-bundle.js";
import { strictPolicy } from "../../src/serve/served-bundle.js";
import { waitUntil } from "../support/wait-until.js";
import { ask } from "./ask.js";
import { bytesOf, copyOf, exportSmallSite, type SmallBundle } from "./small-site.js";

let bundle: SmallBundle;
let served: BundleServer;
const answers: AnswerRecord[] = [];

beforeAll(async () => {
  bundle = await exportSmallSite("Welcome.");
  served = await serveBundle({ source: bundle.folder, port: 0, onAnswer: (answer) => answers.push(answer) });
});
afterAll(() => served.close());

const get = (target: string, headers: Readonly<Record<string, string>> = {}) => ask(served.url, target, headers);
const content = (path: string): Buffer => bytesOf(join(bundle.folder, path));
const manifest = (): Manifest => JSON.parse(content("offprint.json").toString()) as Manifest;
const hashedScript = (): string => manifest().files.find(({ path }) => /_offprint\/app\..*\.js/.test(path))!.path;

describe("a content type", () => {
  const cases: readonly (readonly [target: string, type: string])[] = [
    ["/", "text/html; charset=utf-8"],
    ["/guides/install", "text/html; charset=utf-8"],
    ["/guides/install.md", "text/markdown; charset=utf-8"],
    ["/llms.txt", "text/plain; charset=utf-8"],
    ["/sitemap.xml", "application/xml"],
    ["/images/icon.svg", "image/svg+xml"],
    ["/files/numbers.csv", "text/csv; charset=utf-8"],
  ];
  for (const [target, type] of cases)
    test(`of ${target} is ${type}`, async () => {
      const { headers } = await get(target);
      expect([headers["content-type"], headers["x-content-type-options"]]).toEqual([type, "nosniff"]);
    });
});

describe("compression", () => {
  const cases: readonly (readonly [accepted: string | undefined, encoding: string | undefined])[] = [
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["*", "br"],
    ["*;q=0.1, br;q=0", "gzip"],
    ["BR", "br"],
    ["gzip;q=x", undefined],
    ["deflate", undefined],
  ];
  for (const [accepted, encoding] of cases)
    test(`for Accept-Encoding ${accepted ?? "that is absent"} is ${encoding ?? "none"}`, async () => {
      const { headers, body } = await get(
        "/files/numbers.csv",
        accepted === undefined ? {} : { "accept-encoding": accepted },
      );
      expect([headers["content-encoding"], headers.vary]).toEqual([encoding, "Accept-Encoding"]);
      expect(headers["content-length"]).toBe(String(body.length));
      const plain = encoding === "br" ? brotliDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body;
      expect(plain.equals(content("files/numbers.csv"))).toBe(true);
    });

  test("skips files that are small or compressed already", async () => {
    const font = manifest().files.find(({ path }) => path.endsWith(".woff2"))!.path;
    for (const target of ["/images/icon.svg", `/${font}`]) {
      const { headers } = await get(target, { "accept-encoding": "br" });
      expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
    }
  });

  test("gives each form a tag of its own", async () => {
    const tags = await Promise.all(
      ["", "br", "gzip"].map(
        async (each) => (await get("/files/numbers.csv", { "accept-encoding": each })).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });
});

describe("caching", () => {
  test("lets browsers keep hashed files for ever and revalidates all others", async () => {
    const cacheControl = async (target: string) => (await get(target)).headers["cache-control"];
    expect(await cacheControl(`/${hashedScript()}`)).toBe("public, max-age=31536000, immutable");
    for (const target of [
      "/",
      "/guides/install",
      "/images/icon.svg",
      "/offprint-search.js",
      "/nothing",
      "/_offprint/app.00.js",
    ])
      expect([target, await cacheControl(target)]).toEqual([target, "no-cache"]);
  });

  const cases: readonly (readonly [rule: string, header: (tag: string) => string, status: number])[] = [
    ["answers 304 to the tag", (tag) => tag, 304],
    ["answers 304 to one among others", (tag) => `"a", ${tag}`, 304],
    ["answers 304 to one that was made weak on the way", (tag) => `W/${tag}`, 304],
    ["answers 304 to any", () => "*", 304],
    ["sends the file to another tag", () => '"a"', 200],
    ["sends the file to a part of the tag", (tag) => tag.slice(0, 8), 200],
  ];
  for (const [rule, header, status] of cases)
    test(rule, async () => {
      const encoding = { "accept-encoding": "br" };
      const first = await get("/guides/install", encoding);
      const again = await get("/guides/install", { ...encoding, "if-none-match": header(first.headers.etag!) });
      expect(again.status).toBe(status);
      if (status !== 304) return;
      expect(again.body.length).toBe(0);
      expect([again.headers.etag, again.headers.vary]).toEqual([first.headers.etag, first.headers.vary]);
    });

  test("never answers that a missing file is unchanged", async () => {
    const { status, headers } = await get("/nothing", { "if-none-match": "*", range: "bytes=0-1" });
    expect([status, headers.etag]).toEqual([404, undefined]);
  });
});

describe("speculation rules", () => {
  test("are named with each page, relative to it, and have their own type", async () => {
    const { headers } = await get("/guides/install");
    expect(headers["server-timing"]).toBe("speculation-rules");
    const path = /^"\.\.(\/_offprint\/.*)"$/.exec(String(headers["speculation-rules"]))![1]!;
    const rules = await get(path);
    expect([rules.status, rules.headers["content-type"]]).toEqual([200, "application/speculationrules+json"]);
    expect((await get("/")).headers["speculation-rules"]).toBe(`"${path.slice(1)}"`);
  });

  test("are not named with other files and missing pages", async () => {
    for (const target of ["/files/numbers.csv", "/no/page"]) {
      const { headers } = await get(target);
      expect([target, headers["speculation-rules"], headers["server-timing"]]).toEqual([target, undefined, undefined]);
    }
  });
});

describe("the font of the text", () => {
  const linkOf = async (target: string) => String((await get(target)).headers["link"]);

  test("is announced with each page, relative to it, and with nothing else", async () => {
    const path = /<\.\.(\/_offprint\/fonts\/[^>]+)>; rel=preload; as=font/.exec(await linkOf("/guides/install"))![1]!;
    expect((await get(path)).status).toBe(200);
    expect(await linkOf("/")).toContain(`<${path.slice(1)}>; rel=preload`);
    expect(await linkOf("/files/numbers.csv")).toMatch(/^(?!.*preload).*llms\.txt/);
    expect(await linkOf("/no/page")).not.toContain("preload");
  });
});

describe("a part of a file", () => {
  const whole = 12_000;
  const cases: readonly (readonly [range: string, status: number, from: number, to: number])[] = [
    ["bytes=0-0", 206, 0, 0],
    ["bytes=5-9", 206, 5, 9],
    ["bytes=11990-", 206, 11_990, 11_999],
    ["bytes=11990-99999", 206, 11_990, 11_999],
    ["bytes=-10", 206, 11_990, 11_999],
    ["bytes=-99999", 206, 0, 11_999],
    ["bytes=12000-", 416, 0, 0],
    ["bytes=-0", 416, 0, 0],
    ["bytes=9-5", 200, 0, 11_999],
    ["bytes=0-1,4-5", 200, 0, 11_999],
    ["bytes=-", 200, 0, 11_999],
    ["lines=0-1", 200, 0, 11_999],
    ["bytes=0x1-0x2", 200, 0, 11_999],
    ["bytes=99999999999999999999-", 200, 0, 11_999],
  ];
  for (const [range, status, from, to] of cases)
    test(`asked for as ${range} gives ${status}`, async () => {
      const answer = await get("/files/numbers.csv", { range, "accept-encoding": "br" });
      expect(answer.status).toBe(status);
      if (status === 416) expect(answer.headers["content-range"]).toBe(`bytes */${whole}`);
      else expect(answer.body.equals(content("files/numbers.csv").subarray(from, to + 1))).toBe(true);
      if (status === 206) expect(answer.headers["content-range"]).toBe(`bytes ${from}-${to}/${whole}`);
    });

  test("is sent only if the client has the same version of the file", async () => {
    const { headers } = await get("/files/numbers.csv");
    const range = "bytes=5-9";
    expect((await get("/files/numbers.csv", { range, "if-range": headers.etag! })).status).toBe(206);
    expect((await get("/files/numbers.csv", { range, "if-range": '"a"' })).status).toBe(200);
    expect((await get("/files/numbers.csv", { range, "if-range": "Sat, 01 Jan 2000 00:00:00 GMT" })).status).toBe(200);
  });
});

describe("Markdown", () => {
  const cases: readonly (readonly [accept: string | undefined, type: "html" | "markdown"])[] = [
    [undefined, "html"],
    ["*/*", "html"],
    ["text/*", "html"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "html"],
    ["text/markdown", "markdown"],
    ["Text/Markdown", "markdown"],
    ["text/markdown, text/html, */*", "markdown"],
    ["text/html, text/markdown", "html"],
    ["text/markdown;q=0.9, text/html;q=0.5", "markdown"],
    ["text/markdown;q=0.5, text/html", "html"],
    ["text/markdown;q=0.9, */*;q=0.1", "markdown"],
    ["text/markdown;q=0", "html"],
    ["text/markdown; charset=utf-8", "markdown"],
    ["text/markdownish", "html"],
    [`text/markdown, ${"a/b, ".repeat(1000)}`, "html"],
  ];
  for (const [accept, type] of cases)
    test(`for Accept ${(accept ?? "that is absent").slice(0, 60)} is ${type === "html" ? "not " : ""}given`, async () => {
      const { headers, body } = await get("/guides/install", accept === undefined ? {} : { accept });
      expect(headers["content-type"]).toBe(`text/${type}; charset=utf-8`);
      expect(headers.vary).toBe("Accept, Accept-Encoding");
      expect(body.equals(content(`guides/install.${type === "html" ? "html" : "md"}`))).toBe(true);
    });

  test("is ignored for a URL with an extension", async () => {
    for (const target of ["/guides/install.html", "/guides/install.md", "/files/numbers.csv"]) {
      const { headers } = await get(target, { accept: "text/markdown" });
      expect([target, headers.vary]).toEqual([target, "Accept-Encoding"]);
    }
    expect((await get("/", { accept: "text/markdown" })).headers["content-type"]).toMatch("markdown");
  });
});

describe("security headers", () => {
  const policy = async (target: string) => (await get(target)).headers["content-security-policy"];

  test("put the strictest policy on pages that work with it", async () => {
    for (const target of ["/", "/guides/install", "/nothing"]) expect(await policy(target)).toContain(strictPolicy);
  });
  test("leave pages with styles or scripts of their own to the bundle's policy", async () => {
    for (const target of ["/inline", "/files/demo/"])
      expect([target, await policy(target)]).toEqual([target, "frame-ancestors 'self'; base-uri 'self'"]);
  });
  test("keep drawings from running anything", async () => {
    for (const target of ["/images/icon.svg", "/sitemap.xml"])
      expect(await policy(target)).toMatch(/default-src 'none'.*; sandbox$/);
  });
  test("are part of every response", async () => {
    const etag = String((await get("/")).headers["etag"]);
    const responses = [
      ...["/", "/nothing", "/files/numbers.csv", "/old", "/healthz"].map((target) => get(target)),
      get("/", { "if-none-match": etag }),
      get("/files/numbers.csv", { range: "bytes=0-1" }),
      get("/files/numbers.csv", { range: "bytes=999999-" }),
    ];
    const answers = await Promise.all(responses);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 301, 200, 304, 206, 416]);
    expect(answers.map(({ headers }) => headers["x-content-type-options"])).toEqual(answers.map(() => "nosniff"));
    expect((await get("/")).headers).toMatchObject({
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-frame-options": "SAMEORIGIN",
    });
  });
});

test("a file too large for memory is sent as a stream, whole or in part", async () => {
  const folder = copyOf(bundle.folder);
  const large = Buffer.alloc(9_000_000, "0123456789");
  writeFileSync(join(folder, "large.txt"), large);
  const sha256 = createHash("sha256").update(large).digest("hex");
  const files = [...manifest().files, { path: "large.txt", bytes: large.length, sha256 }];
  writeFileSync(join(folder, "offprint.json"), printManifest(createManifest(manifest(), files)));
  const server = await serveBundle({ source: folder, port: 0 });
  try {
    const whole = await ask(server.url, "/large.txt", { "accept-encoding": "br" });
    expect([whole.status, whole.headers["content-encoding"], whole.body.equals(large)]).toEqual([200, undefined, true]);
    const part = await ask(server.url, "/large.txt", { range: "bytes=5000000-5000009" });
    expect([part.status, part.body.toString()]).toEqual([206, "0123456789"]);
    const head = await ask(server.url, "/large.txt", {}, "HEAD");
    expect([head.body.length, head.headers["content-length"]]).toEqual([0, "9000000"]);
    // A client that disconnects leaves nothing open and does not affect others.
    await new Promise<void>((resolve) => {
      const { port } = new URL(server.url);
      const gone = request({ port, path: "/large.txt", agent: false }, (response) =>
        response.once("data", () => gone.destroy()),
      );
      gone.once("error", () => {}).once("close", () => resolve());
      gone.end();
    });
    // A file that has disappeared is a fault of the server; the client learns nothing about it.
    rmSync(join(folder, "large.txt"));
    const missing = await ask(server.url, "/large.txt");
    expect([missing.status, missing.body.toString()]).toEqual([500, "Internal server error.\n"]);
    expect((await ask(server.url, "/")).status).toBe(200);
  } finally {
    await server.close();
  }
});

test("each response is logged, without the query of its URL", async () => {
  answers.length = 0;
  await get("/guides/install?token=secret");
  await get("/nothing?token=secret");
  await waitUntil("both lines", () => answers.length === 2);
  expect(answers.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["GET", "/guides/install", 200],
    ["GET", "/nothing", 404],
  ]);
});
