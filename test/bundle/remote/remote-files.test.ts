import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { emptyLock, parseLock, printLock } from "../../../src/bundle/remote/lock.js";
import { createRemoteFiles, type RemoteFilesOptions } from "../../../src/bundle/remote/remote-files.js";
import type { BytesOutcome } from "../../../src/lib/fetch/index.js";
import type { ExternalUse } from "../../../src/page/render/index.js";

const png = (mark = ""): Buffer =>
  Buffer.concat([
    Buffer.from("89504e470d0a1a0a0000000d49484452000000090000000708060000000000000000", "hex"),
    Buffer.from(mark),
  ]);
const woff2 = Buffer.from("wOF2 and so on");
const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const use = (kind: ExternalUse["kind"], url: string, line = 1): ExternalUse => ({
  kind,
  url,
  location: { sourcePath: "index.mdx", line, column: 1 },
});
const unreachable = { ok: false, reason: "it could not be reached (ENOTFOUND)", unreachable: true } as const;

type Web = Readonly<Record<string, string | Uint8Array | BytesOutcome>>;

/** Files of a web in which everything else answers 404. */
async function open(web: Web, options: Partial<RemoteFilesOptions> = {}) {
  const asked: string[] = [];
  const written = new Map<string, string>();
  const remote = await createRemoteFiles({
    lock: emptyLock,
    fetchBytes: async (url) => {
      asked.push(url);
      const found = web[url] ?? { ok: false, reason: "it answered 404", status: 404 };
      if (typeof found !== "string" && !(found instanceof Uint8Array)) return found;
      return { ok: true, bytes: Buffer.from(found), url };
    },
    write: (path, bytes, known) => {
      expect(known).toBe(sha256(bytes));
      written.set(path, Buffer.from(bytes).toString("utf8"));
      return { path, bytes: bytes.length, sha256: sha256(bytes) };
    },
    ...options,
  });
  return {
    remote,
    asked,
    written,
    failures: () =>
      remote.failures().map(({ use: { url, location }, failure }) => [url, location.line, failure.reason]),
  };
}

const memoryCache = () => {
  const entries = new Map<string, Uint8Array>();
  return {
    entries,
    get: (key: string) => entries.get(key),
    put: (key: string, value: Uint8Array) => void entries.set(key, value),
  };
};

describe("a file of another host", () => {
  test("is fetched once, named after its content, and has its size", async () => {
    const { remote, asked, written } = await open({ "https://a.example/x.php?y=1": png() });
    await remote.embed([use("image", "https://a.example/x.php?y=1"), use("image", "https://a.example/x.php?y=1#z", 2)]);
    await remote.embed([use("image", "https://a.example/x.php?y=1", 3)]);
    expect(asked).toEqual(["https://a.example/x.php?y=1"]);
    const outputPath = `_offprint/remote/${sha256(png()).slice(0, 16)}.png`;
    expect([...written.keys()]).toEqual([outputPath]);
    expect(remote.embedded.get("https://a.example/x.php?y=1")).toEqual({
      outputPath,
      group: "image",
      size: { width: 9, height: 7 },
    });
    expect(remote.files().map(({ path }) => path)).toEqual([outputPath]);
  });

  test("is detected from its bytes", async () => {
    const cases = [
      ["image", "<!doctype html><html><svg></svg>", "its content is not an image or a font that browsers show"],
      ["image", "OggS", "its content is not an image or a font that browsers show"],
      ["media", "%PDF", "its content is not a video, an audio file or captions that browsers play"],
      ["style", "<html><style>a{color:red}</style>", "its content is neither a style sheet nor a font"],
      ["style", '{"a":{"color":"red"}}', "its content is neither a style sheet nor a font"],
      ["style", "Not found", "its content is neither a style sheet nor a font"],
    ] as const;
    for (const [kind, bytes, reason] of cases) {
      const { remote, failures, written } = await open({ "https://a.example/x.png": bytes });
      await remote.embed([use(kind, "https://a.example/x.png", 7)]);
      expect(failures()).toEqual([["https://a.example/x.png", 7, reason]]);
      expect(written.size).toBe(0);
    }
  });

  test("is sanitized if it is a drawing, with a warning where the page names it", async () => {
    const { remote, written } = await open({
      "https://a.example/x.svg": "<svg onload='x()'><script>x()</script></svg>",
    });
    await remote.embed([use("image", "https://a.example/x.svg", 4)]);
    expect([...written.values()]).toEqual(["<svg ></svg>"]);
    expect(remote.diagnostics).toMatchObject([{ code: "SVG_CLEANED", location: { sourcePath: "index.mdx", line: 4 } }]);
  });

  test("is neither a script nor a page", async () => {
    const { remote, asked } = await open({});
    await remote.embed([
      use("script", "https://a.example/x.js"),
      use("embed", "https://a.example/"),
      use("image", "ftp://a/x"),
    ]);
    expect(asked).toEqual([]);
    expect(remote.failures()).toEqual([]);
  });
});

describe("a style sheet", () => {
  const base = "https://fonts.example/css/a.css";
  test("comes with its imports, fonts and images, relative to where it is", async () => {
    const { remote, written, asked } = await open({
      [base]:
        '@import "deep/b.css";@font-face{font-family:F;src:url(../f.woff2?#iefix)}a{background:url(data:image/png;base64,AA==)}',
      "https://fonts.example/css/deep/b.css": "b{background:url(i.png)}",
      "https://fonts.example/css/deep/i.png": png(),
      "https://fonts.example/f.woff2?": woff2,
    });
    await remote.embed([use("style", base)]);
    const named = (bytes: string | Uint8Array, extension: string) => `${sha256(bytes).slice(0, 16)}.${extension}`;
    const inner = `b{background:url(${named(png(), "png")})}`;
    const outer = `@import "${named(inner, "css")}";@font-face{font-family:F;src:url(${named(woff2, "woff2")}#iefix)}a{background:url(data:image/png;base64,AA==)}`;
    expect(written.get(`_offprint/remote/${named(inner, "css")}`)).toBe(inner);
    expect(written.get(remote.embedded.get(base)!.outputPath)).toBe(outer);
    expect(asked).toHaveLength(4);
    expect(remote.failures()).toEqual([]);
  });

  test("keeps the conditions of its imports", async () => {
    const conditions = [
      ["", ""],
      [" layer", " layer"],
      ["/* a */LAYER/* b */ screen", " layer screen"],
      [" layer supports(display: grid) print, (width >= 600px)", " layer supports(display:grid) print,(width>=600px)"],
      [" layer(a.b) supports(not (display: grid))", " layer(a.b) supports(not (display:grid))"],
      [" not print", " not print"],
    ] as const;
    const forms = ['"b.css"', "'b.css'", "url(b.css)", "url( 'b.css' )"];
    for (const form of forms) {
      const { remote, written } = await open({
        [base]: `/* é😀 */ @import ${form} layer;\r\n${conditions.map(([as]) => `@import ${form}${as};`).join("\n")}a{color:red}`,
        "https://fonts.example/css/b.css": "b{color:red}",
      });
      await remote.embed([use("style", base)]);
      const inner = remote.embedded.get("https://fonts.example/css/b.css")!.outputPath;
      const name = inner.slice(inner.lastIndexOf("/") + 1);
      const rules = [" layer", ...conditions.map(([, is]) => is)].map((is) => `@import "${name}"${is};`);
      expect(written.get(remote.embedded.get(base)!.outputPath)).toBe(`${rules.join("")}a{color:red}`);
    }
  });

  test("keeps the URL of a missing file, and names the page that uses it", async () => {
    const { remote, written, failures } = await open({ [base]: "a{background:url(/gone.png)}" });
    await remote.embed([use("style", base, 9)]);
    expect([...written.values()]).toEqual(["a{background:url(https://fonts.example/gone.png)}"]);
    expect(failures()).toEqual([["https://fonts.example/gone.png", 9, "it answered 404"]]);
  });

  test("that imports itself ends", async () => {
    const { remote, written } = await open({
      "https://a.example/1.css": '@import "2.css";a{color:red}',
      "https://a.example/2.css": '@import "1.css";b{color:red}',
    });
    await remote.embed([use("style", "https://a.example/1.css")]);
    expect([...written.values()]).toContain("b{color:red}");
    expect(remote.failures()).toEqual([]);
  });

  test("with endless imports is fetched to a limited depth", async () => {
    const { remote, asked, failures } = await open(
      {},
      {
        fetchBytes: async (url) => {
          const number = Number(/\d+/.exec(url)?.[0]);
          return { ok: true, bytes: Buffer.from(`@import "${number + 1}.css";a{color:red}`), url };
        },
      },
    );
    await remote.embed([use("style", "https://a.example/1.css")]);
    expect(asked).toEqual([]);
    expect(failures()).toEqual([["https://a.example/6.css", 1, "it is imported through more than 4 files"]]);
  });
});

describe("the lock", () => {
  const url = "https://a.example/x.png";
  test("has every file by its URL, sorted, and reads back", async () => {
    const { remote } = await open({ "https://b.example/2.css": "a{color:red}", [url]: png() });
    await remote.embed([
      use("style", "https://b.example/2.css"),
      use("image", url),
      use("image", "https://b.example/gone"),
    ]);
    const text = printLock(remote.newLock(false));
    expect(JSON.parse(text)).toEqual({
      version: 1,
      files: {
        [url]: { sha256: sha256(png()), type: "image/png", bytes: png().length },
        "https://b.example/2.css": { sha256: sha256("a{color:red}"), type: "text/css", bytes: 12 },
      },
    });
    expect(Object.keys(JSON.parse(text).files)).toEqual([url, "https://b.example/2.css"]);
    expect(printLock(parseLock(text)!)).toBe(text);
  });

  test("is refused if it is not a lock file", () => {
    for (const text of ["", "[]", '{"version":2,"files":{}}', '{"version":1,"files":{"u":{"sha256":"../x"}}}'])
      expect(parseLock(text)).toBeUndefined();
  });

  test("and the cache give the same bytes without a request, a moved style sheet too", async () => {
    const cache = memoryCache();
    const style = "https://a.example/style";
    const moved = {
      ok: true,
      bytes: Buffer.from("a{background:url(x.png)}"),
      url: "https://b.example/s/a.css",
    } as const;
    const first = await open({ [url]: png(), [style]: moved, "https://b.example/s/x.png": png("b") }, { cache });
    const uses = [use("image", url), use("style", style)];
    await first.remote.embed(uses);
    const lock = first.remote.newLock(false);
    expect(lock.get(style)).toMatchObject({ base: moved.url });
    const second = await open({}, { cache, lock });
    await second.remote.embed(uses);
    expect(second.asked).toEqual([]);
    expect(second.written).toEqual(first.written);
    expect(printLock(second.remote.newLock(false))).toBe(printLock(lock));
  });

  test("accepts no other bytes, from the host or from the cache", async () => {
    const lock = new Map([[url, { sha256: sha256(png()), type: "image/png", bytes: 1 }]]);
    const cache = memoryCache();
    const first = await open({ [url]: png() }, { cache });
    await first.remote.embed([use("image", url)]);
    for (const key of cache.entries.keys()) cache.entries.set(key, png("other"));
    const { remote, written } = await open({ [url]: png("new") }, { lock, cache });
    await remote.embed([use("image", url)]);
    expect(written.size).toBe(0);
    expect(remote.failures().map(({ failure }) => failure)).toEqual([
      {
        code: "REMOTE_FILE_CHANGED",
        reason: "its content has changed since offprint.lock.json recorded it",
        fix: `remove "${url}" from offprint.lock.json to accept the new content, and export again.`,
      },
    ]);
    expect(remote.newLock(false)).toEqual(lock);
  });

  test("without bytes and without a network is reported", async () => {
    const lock = new Map([[url, { sha256: sha256(png()), type: "image/png", bytes: 1 }]]);
    const { remote, failures } = await open({ [url]: unreachable }, { lock, cache: memoryCache() });
    await remote.embed([use("image", url)]);
    expect(failures()).toEqual([[url, 1, "it could not be reached (ENOTFOUND), and the cache has no copy of it"]]);
    expect(remote.newLock(false)).toEqual(lock);
  });

  test("drops entries that no page uses any more, unless only some pages were exported", async () => {
    const lock = new Map([["https://old.example/", { sha256: sha256(png()), type: "image/png", bytes: 1 }]]);
    const { remote } = await open({}, { lock });
    expect(remote.newLock(false).size).toBe(0);
    expect(remote.newLock(true)).toEqual(lock);
  });
});

describe("fetching", () => {
  const dead = async (uses: readonly ExternalUse[], alive: RegExp = /^$/) => {
    const asked: string[] = [];
    const { remote } = await open(
      {},
      {
        fetchBytes: async (url) => {
          asked.push(url);
          return alive.test(url) ? { ok: true, bytes: png(), url } : unreachable;
        },
      },
    );
    await remote.embed(uses);
    return { asked, failures: remote.failures() };
  };

  test("requests only one file of an unreachable host", async () => {
    const uses = Array.from({ length: 1000 }, (_, i) => use("image", `https://dead.example/${i}.png`));
    const { asked, failures } = await dead([...uses, use("image", "https://alive.example/x.png")], /alive/);
    expect(asked.toSorted()).toEqual(["https://alive.example/x.png", "https://dead.example/0.png"]);
    expect(failures).toHaveLength(1000);
  });

  test("sends few requests if no host answers", async () => {
    const uses = Array.from({ length: 100 }, (_, i) => use("image", `https://${i}.example/x.png`));
    const { asked, failures } = await dead(uses);
    expect(asked.length).toBeLessThan(12);
    expect(failures).toHaveLength(100);
    expect(failures.at(-1)?.failure.reason).toBe("no other host can be reached either");
  });

  test("gives a host that has answered before more chances", async () => {
    const uses = Array.from({ length: 20 }, (_, i) => use("image", `https://a.example/${i}.png`));
    const { asked } = await dead(uses, /\/0\.png$/);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThan(10);
  });

  test("ends at its limits, with a reason", async () => {
    const urls = Array.from({ length: 9 }, (_, i) => `https://a.example/${i}.png`);
    const web = Object.fromEntries(urls.map((url) => [url, png(url)]));
    const uses = urls.map((url) => use("image", url));
    const reasonsWith = async (limits: RemoteFilesOptions["limits"]) => {
      const { remote, asked, failures } = await open(web, { limits });
      await remote.embed(uses);
      return { asked: asked.length, reasons: [...new Set(failures().map(([, , reason]) => reason))] };
    };
    expect(await reasonsWith({ fileCount: 4 })).toEqual({ asked: 4, reasons: ["an export embeds at most 4 files"] });
    expect(await reasonsWith({ totalBytes: 0, requestsAtOnce: 1 })).toEqual({
      asked: 1,
      reasons: ["the files before it have more than 0 MB in total"],
    });
    expect(await reasonsWith({ totalMs: -1 })).toEqual({
      asked: 0,
      reasons: [expect.stringMatching(/^fetching took longer/)],
    });
  });

  test("stops while it reads the cache", async () => {
    const stop = new AbortController();
    const url = (n: number): string => `https://a.example/${n}.png`;
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const entry = { sha256: sha256(png()), type: "image/png", bytes: png().length };
    let reads = 0;
    const get = () => {
      reads++;
      for (const from = performance.now(); performance.now() - from < 4; );
      return png();
    };
    const lock = new Map(numbers.map((n) => [url(n), entry]));
    const { remote } = await open({}, { lock, cache: { get, put: () => {} }, signal: stop.signal });
    setTimeout(() => stop.abort("enough"), 0);
    await expect(remote.embed(numbers.map((n) => use("image", url(n))))).rejects.toBe("enough");
    expect(reads).toBeLessThan(50);
  });

  test("reports its progress, and stops with the reason of its signal", async () => {
    const stop = new AbortController();
    const { remote } = await open({ "https://a.example/1.png": png() }, { signal: stop.signal });
    const seen: string[] = [];
    await remote.embed([use("image", "https://a.example/1.png")], (done, total) => seen.push(`${done}/${total}`));
    expect(seen).toEqual(["0/1", "1/1"]);
    stop.abort("enough");
    await expect(remote.embed([use("image", "https://a.example/2.png")])).rejects.toBe("enough");
  });
});
