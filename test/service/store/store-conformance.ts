import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ObjectMissingError, type ObjectStore } from "../../../src/service/store/index.js";
import { waitUntil } from "../../support/wait-until.js";

/** A kind of store with its backend. */
export interface StorePlace {
  readonly store: ObjectStore;
  /** The same objects in a store that signs with another secret. */
  readonly stranger: ObjectStore;
  /** The same objects, two days later. */
  readonly later: ObjectStore;
  /** A store whose folder or bucket cannot be written. */
  readonly broken: ObjectStore;
  /** Everything stored: objects, parts and drafts. */
  everything(): Promise<readonly string[]>;
  /** A writer of `objectKey` that is killed. */
  breakOff(objectKey: string): Promise<void>;
  close(): Promise<void>;
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const download = async (
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; bytes: Buffer; headers: Headers }> => {
  const answer = await fetch(url, init);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
};

/** Tests for every object store; links are followed over real HTTP. */
export function testObjectStore(kind: string, open: () => Promise<StorePlace>): void {
  describe(`an object store in ${kind}`, () => {
    let place: StorePlace;
    let store: ObjectStore;
    let folder: string;
    const content = randomBytes(100_000);
    const hour = 60 * 60_000;
    let fileCount = 0;
    const fileOf = (bytes: Uint8Array): string => {
      const path = join(folder, `file-${++fileCount}`);
      writeFileSync(path, bytes);
      return path;
    };
    const keep = async (objectKey: string, bytes: Uint8Array = content): Promise<string> => {
      await store.put(objectKey, fileOf(bytes), "application/gzip");
      return objectKey;
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "offprint-objects-"));
      place = await open();
      store = place.store;
    });
    afterAll(() => place.close());

    for (const [size, bytes] of [
      ["nothing", 0],
      ["one byte", 1],
      ["100 kB", 100_000],
      ["17 MB and an odd byte", 17_000_001],
    ] as const)
      test(`keeps ${size}, and a link returns it`, async () => {
        const sent = randomBytes(bytes);
        const key = await keep(`sizes/${bytes}/bundle.tar.gz`, sent);
        expect(await store.sizeOf(key)).toBe(bytes);
        const { url } = await store.link(key, hour);
        const got = await download(url);
        expect(got.status).toBe(200);
        expect([got.bytes.length, sha256(got.bytes)]).toEqual([bytes, sha256(sent)]);
        expect(got.headers.get("content-length")).toBe(String(bytes));
        expect(got.headers.get("content-type")).toBe("application/gzip");
        expect(got.headers.get("content-disposition")).toBe('attachment; filename="bundle.tar.gz"');
      });

    test("lists the objects under a prefix, and nothing else", async () => {
      const bytes = randomBytes(10);
      for (const key of ["listed/a/1", "listed/a/2.gz", "listed/b", "listed-not/1"])
        await store.putBytes(key, bytes, "application/octet-stream");
      const found = (await store.list("listed/")).toSorted((a, b) => (a.objectKey < b.objectKey ? -1 : 1));
      expect(found.map(({ objectKey, bytes }) => [objectKey, bytes])).toEqual([
        ["listed/a/1", 10],
        ["listed/a/2.gz", 10],
        ["listed/b", 10],
      ]);
      // The clock of the server is its own.
      for (const { changedAt } of found) expect(Math.abs(changedAt.getTime() - Date.now())).toBeLessThan(hour);
      expect(await store.list("nothing/")).toEqual([]);
      for (const { objectKey } of found) await store.remove(objectKey);
      await store.remove("listed-not/1");
    });

    test("has no information about an object that was never put", async () => {
      expect(await store.sizeOf("never/bundle.tar.gz")).toBeUndefined();
      await expect(store.link("never/bundle.tar.gz", hour)).rejects.toThrow(ObjectMissingError);
      await store.remove("never/bundle.tar.gz");
    });

    test("removes one object and keeps its siblings", async () => {
      const [one, other] = [await keep("pair/1/bundle.tar.gz"), await keep("pair/2/bundle.tar.gz")];
      const { url } = await store.link(one, hour);
      await store.remove(one);
      expect([await store.sizeOf(one), await store.sizeOf(other)]).toEqual([undefined, content.length]);
      await expect(store.link(one, hour)).rejects.toThrow(`The object "${one}" is no longer in the object store`);
      expect((await download(url)).status).toBe(404);
      expect((await download((await store.link(other, hour)).url)).status).toBe(200);
    });

    test("keeps bytes, of which any part can be read", async () => {
      const key = "parts/1/lines.jsonl";
      await store.putBytes(key, content, "application/jsonl");
      expect(await store.sizeOf(key)).toBe(content.length);
      for (const [start, length] of [
        [0, 10],
        [0, 200_000],
        [99_990, 10],
        [99_990, 1000],
        [12_345, 1],
      ] as const) {
        const part = (await store.read(key, start, length))!;
        expect([start, part.size, content.subarray(start, start + length).equals(part.bytes)]).toEqual([
          start,
          content.length,
          true,
        ]);
      }
      expect((await store.read(key, 100_000, 10))!.bytes).toHaveLength(0);
      expect((await store.read(key, 500_000, 10))!.bytes).toHaveLength(0);
      expect((await download((await store.link(key, hour)).url)).headers.get("content-type")).toBe("application/jsonl");
      await store.remove(key);
      expect(await store.read(key, 0, 10)).toBeUndefined();
      await expect(place.broken.putBytes(key, content, "application/jsonl")).rejects.toThrow(/could not be stored/);
    });

    test("stores many at once, also while others are removed", async () => {
      const keys = Array.from({ length: 12 }, (_, i) => `many/${i % 4}/${i}/bundle.tar.gz`);
      await Promise.all(keys.map((key) => keep(key)));
      await Promise.all(keys.map((key, i) => (i % 2 ? store.remove(key) : keep(`many/${i % 4}/${i}/again.tar.gz`))));
      for (const [i, key] of keys.entries()) expect(await store.sizeOf(key)).toBe(i % 2 ? undefined : content.length);
    });

    describe("links", () => {
      let key: string;
      let url: string;
      beforeAll(async () => {
        key = await keep("links/1/bundle.tar.gz");
        await keep("links/2/bundle.tar.gz");
        url = (await store.link(key, hour)).url;
      });

      const ranges: readonly (readonly [range: string, status: number, first: number, last: number])[] = [
        ["bytes=0-0", 206, 0, 0],
        ["bytes=10-19", 206, 10, 19],
        ["bytes=99990-", 206, 99_990, 99_999],
        ["bytes=-10", 206, 99_990, 99_999],
        ["bytes=99990-200000", 206, 99_990, 99_999],
        ["bytes=-200000", 206, 0, 99_999],
      ];
      for (const [range, status, first, last] of ranges)
        test(`answer ${range} with bytes ${first} to ${last}`, async () => {
          const got = await download(url, { headers: { range } });
          expect(got.status).toBe(status);
          expect(got.headers.get("content-range")).toBe(`bytes ${first}-${last}/${content.length}`);
          expect(got.bytes.equals(content.subarray(first, last + 1))).toBe(true);
        });
      test("answer a range after the end with 416", async () => {
        expect((await download(url, { headers: { range: "bytes=100000-" } })).status).toBe(416);
      });
      test("resume an interrupted download", async () => {
        const start = await download(url, { headers: { range: "bytes=0-49999" } });
        const rest = await download(url, {
          headers: { range: "bytes=50000-", "if-range": start.headers.get("etag")! },
        });
        expect([start.status, rest.status]).toEqual([206, 206]);
        expect(Buffer.concat([start.bytes, rest.bytes]).equals(content)).toBe(true);
      });

      const altered: readonly (readonly [rule: string, alter: (url: URL) => void, init?: RequestInit])[] = [
        ["another key", (at) => (at.pathname = at.pathname.replace("/1/", "/2/"))],
        ["a key that leads elsewhere", (at) => (at.pathname = at.pathname.replace("/1/", "/1/..%2f2/"))],
        ["a later end", (at) => change(at, /expires$/i, (value) => String(Number(value) + 3600))],
        ["no end", (at) => remove(at, /expires$/i)],
        [
          "a changed signature",
          (at) => change(at, /signature$/i, (value) => `${value.startsWith("a") ? "b" : "a"}${value.slice(1)}`),
        ],
        ["a shorter signature", (at) => change(at, /signature$/i, (value) => value.slice(0, -1))],
        ["no signature", (at) => remove(at, /signature$/i)],
        ["nothing but the path", (at) => (at.search = "")],
        ["PUT", () => {}, { method: "PUT", body: "other" }],
        ["POST", () => {}, { method: "POST", body: "other" }],
        ["DELETE", () => {}, { method: "DELETE" }],
      ];
      for (const [rule, alter, init] of altered)
        test(`are refused with ${rule}`, async () => {
          const at = new URL(url);
          alter(at);
          const { status, bytes } = await download(at.href, init);
          // S3 answers 400 without a signature, and does not support POST here.
          expect(rule.startsWith("no") ? [400, 403] : rule === "POST" ? [403, 501] : [403]).toContain(status);
          expect(bytes.length).toBeLessThan(5000);
          expect((await download(url)).bytes.equals(content)).toBe(true);
        });

      test("are refused if another secret has signed them", async () => {
        // A store that tests its links notices this by itself.
        const given = await place.stranger.link(key, hour).catch((error: Error) => error);
        if (given instanceof Error) expect(given.message).toContain("SignatureDoesNotMatch, status 403");
        else expect((await download(given.url)).status).toBe(403);
      });

      test("expire at their time, and a new one returns the same bytes", async () => {
        const { url: short, expiresAt } = await waitUntil("a download before the link expires", async () => {
          const link = await store.link(key, 2000);
          expect(link.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 2000);
          const { status } = await download(link.url);
          if (Date.now() >= link.expiresAt.getTime()) return false;
          expect(status).toBe(200);
          return link;
        });
        await sleep(expiresAt.getTime() - Date.now() + 1100);
        const late = await download(short);
        expect(late.status).toBe(403);
        const again = await download((await store.link(key, hour)).url);
        expect([again.status, sha256(again.bytes)]).toEqual([200, sha256(content)]);
      });

      for (const ttlMs of [0, -1, 999, Number.NaN])
        test(`cannot live for ${ttlMs} milliseconds`, () => expect(store.link(key, ttlMs)).rejects.toThrow(RangeError));
    });

    test("leaves nothing if the file is missing", async () => {
      const before = await place.everything();
      await expect(store.put("gone/bundle.tar.gz", join(folder, "gone"), "application/gzip")).rejects.toThrow(/gone/);
      expect(await place.everything()).toEqual(before);
    });

    let large: string | undefined;
    for (const afterMs of [0, 10])
      test(`leaves nothing of an upload that is aborted after ${afterMs} ms`, async () => {
        const before = await place.everything();
        const controller = new AbortController();
        large ??= fileOf(Buffer.alloc(60_000_000));
        const key = `stopped/${afterMs}/bundle.tar.gz`;
        const putting = store.put(key, large, "application/gzip", controller.signal);
        if (afterMs === 0) controller.abort(new Error("enough"));
        else setTimeout(() => controller.abort(new Error("enough")), afterMs);
        await expect(putting).rejects.toThrow("enough");
        expect(await store.sizeOf(key)).toBeUndefined();
        expect(await place.everything()).toEqual(before);
      });

    test("removes the drafts of a killed process after a day", async () => {
      const before = await place.everything();
      await place.breakOff("static-exports/killed/bundle.tar.gz");
      expect(await place.everything()).not.toEqual(before);
      expect(await store.prune("static-exports/")).toBe(0);
      expect(await place.later.prune("static-exports/")).toBe(1);
      expect(await place.everything()).toEqual(before);
    });

    const noKeys: readonly (readonly [rule: string, key: string])[] = [
      ["is empty", ""],
      ["begins with a slash", "/etc/passwd"],
      ["ends with one", "a/"],
      ["has two of them", "a//b"],
      ["goes up", "../a"],
      ["goes up inside", "a/../../b"],
      ["goes up in code", "a/%2e%2e/b"],
      ["has a segment of one dot", "a/./b"],
      ["begins with a dot", ".drafts/a"],
      ["has a hidden segment", "a/.b"],
      ["has a backslash", "a\\b"],
      ["has a space", "a b"],
      ["has a zero", "a\0b"],
      ["has a line break", "a\nb"],
      ["has a question mark", "a?b"],
      ["has other letters", "ä"],
      ["has a long segment", "a".repeat(201)],
      ["is long", "a/".repeat(500).slice(0, -1)],
    ];
    for (const [rule, key] of noKeys)
      test(`refuses a key that ${rule}`, async () => {
        const path = fileOf(content);
        await expect(store.put(key, path, "application/gzip")).rejects.toThrow(RangeError);
        await expect(store.putBytes(key, content, "application/gzip")).rejects.toThrow(RangeError);
        await expect(store.read(key, 0, 1)).rejects.toThrow(RangeError);
        await expect(store.sizeOf(key)).rejects.toThrow(RangeError);
        await expect(store.link(key, hour)).rejects.toThrow(RangeError);
        await expect(store.remove(key)).rejects.toThrow(RangeError);
      });

    test("reports that it is writable", () => expect(store.check()).resolves.toBeUndefined());
    test("reports why it is not", async () => {
      await expect(place.broken.check()).rejects.toThrow(/cannot be|is not writable/);
      await expect(place.broken.put("a/bundle.tar.gz", fileOf(content), "application/gzip")).rejects.toThrow(
        /could not be stored/,
      );
    });
  });
}

function change(url: URL, name: RegExp, to: (value: string) => string): void {
  for (const [key, value] of [...url.searchParams]) if (name.test(key)) url.searchParams.set(key, to(value));
}

function remove(url: URL, name: RegExp): void {
  for (const key of [...url.searchParams.keys()]) if (name.test(key)) url.searchParams.delete(key);
}
