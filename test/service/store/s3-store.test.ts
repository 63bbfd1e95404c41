import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ObjectMissingError, type S3StoreOptions, s3OptionsFromEnvironment } from "../../../src/service/store/index.js";
import { openS3Store } from "../../../src/service/store/s3-store.js";
import { sampleOf } from "../../quality/bundle.js";
import { type FaultyProxy, startFaultyProxy } from "../../support/faulty-proxy.js";
import { type Swift, startSwift } from "../../support/swift.js";
import { testObjectStore } from "./store-conformance.js";

const bucket = "bundles";
const inTwoDays = (): number => Date.now() + 2 * 24 * 60 * 60_000;
let swift: Swift;
let client: S3Client;
const optionsOf = ({ endpoint, region, credentials }: Swift): S3StoreOptions => ({
  bucket,
  prefix: "tenant/",
  endpoint,
  region,
  credentials,
});

beforeAll(async () => {
  swift = await startSwift();
  const { endpoint, region, credentials } = swift;
  client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
});
afterAll(() => swift.stop());

/** All objects, including the parts of unfinished uploads, which the server stores separately. */
async function everything(): Promise<readonly string[]> {
  const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  const keys = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
  const parts = await client.send(new ListObjectsV2Command({ Bucket: `${bucket}+segments` })).catch(() => undefined);
  return [
    ...(uploads.Uploads ?? []).map(({ Key }) => `upload of ${Key}`),
    ...(keys.Contents ?? []).map(({ Key }) => `object ${Key}`),
    ...(parts?.Contents ?? []).map(({ Key }) => `part ${Key}`),
  ];
}

testObjectStore("an S3 bucket", async () => {
  const options = optionsOf(swift);
  const credentials = { ...swift.credentials, secretAccessKey: "other" };
  return {
    store: openS3Store(options),
    stranger: openS3Store({ ...options, credentials }),
    later: openS3Store({ ...options, now: inTwoDays }),
    broken: openS3Store({ ...options, bucket: "no-such-bucket" }),
    everything,
    breakOff: async (objectKey) => {
      const upload = { Bucket: bucket, Key: `tenant/${objectKey}` };
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(upload));
      await client.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: Buffer.alloc(6_000_000) }));
    },
    close: async () => {},
  };
});

describe("an S3 store", () => {
  const minute = 60_000;
  const content = randomBytes(50_000);
  let proxy: FaultyProxy;
  let path: string;
  let options: S3StoreOptions;
  const key = "static-exports/se_1/1/bundle.tar.gz";
  beforeAll(async () => {
    path = join(await mkdtemp(join(tmpdir(), "offprint-s3-")), "bundle.tar.gz");
    writeFileSync(path, content);
    proxy = await startFaultyProxy(swift.endpoint);
    options = { ...optionsOf(swift), endpoint: proxy.url };
    await openS3Store(options).put(key, path, "application/gzip");
  });
  beforeEach(() => {
    proxy.faults = [];
    proxy.seen.length = 0;
    proxy.signed.length = 0;
  });
  afterAll(() => proxy.close());

  describe("with temporary credentials", () => {
    const endingIn = (ms: number) => ({ ...swift.credentials, expiration: new Date(Date.now() + ms) });
    const lifeOf = (expiresAt: Date): number => expiresAt.getTime() - Date.now();

    test("returns links that expire a minute before them, with that time", async () => {
      const store = openS3Store({ ...options, credentials: endingIn(10 * minute) });
      const { url, expiresAt } = await store.link(key, 60 * minute);
      expect(lifeOf(expiresAt)).toBeLessThanOrEqual(9 * minute);
      expect(lifeOf(expiresAt)).toBeGreaterThan(9 * minute - 5000);
      const { searchParams } = new URL(url);
      const signedAt = Date.parse(
        searchParams.get("X-Amz-Date")!.replace(/(....)(..)(..)T(..)(..)(..)Z/, "$1-$2-$3T$4:$5:$6Z"),
      );
      expect(signedAt + Number(searchParams.get("X-Amz-Expires")) * 1000).toBe(expiresAt.getTime());
    });

    test("returns links with the session token", async () => {
      const store = openS3Store({ ...options, credentials: { ...endingIn(60 * minute), sessionToken: "session" } });
      const { url } = await store.link(key, minute);
      expect(new URL(url).searchParams.get("X-Amz-Security-Token")).toBe("session");
      expect((await fetch(url)).status).toBe(200);
    });

    test("signs the session token of requests and links", async () => {
      const store = openS3Store({ ...options, credentials: { ...endingIn(60 * minute), sessionToken: "session" } });
      await store.put("session/bundle.tar.gz", path, "application/gzip");
      expect(proxy.signed.at(-1)).toContain("x-amz-security-token");
      const { url } = await store.link("session/bundle.tar.gz", minute);
      const tampered = new URL(url);
      tampered.searchParams.set("X-Amz-Security-Token", "other");
      const removed = new URL(url);
      removed.searchParams.delete("X-Amz-Security-Token");
      const statuses = [url, tampered, removed].map(async (each) => (await fetch(each)).status);
      expect(await Promise.all(statuses)).toEqual([200, 403, 403]);
    });

    test("returns links for the remaining time if there are no newer ones", async () => {
      let asked = 0;
      const credentials = async () => {
        if (asked++ > 0) throw new Error("there are none");
        return endingIn(10 * minute);
      };
      const { expiresAt } = await openS3Store({ ...options, credentials }).link(key, 60 * minute);
      expect(lifeOf(expiresAt)).toBeLessThanOrEqual(9 * minute);
      expect(asked).toBe(2);
    });

    test("gets newer ones if the time is too short, and signs with them", async () => {
      let asked = 0;
      const credentials = async () => endingIn(asked++ === 0 ? 10 * minute : 6 * 60 * minute);
      const store = openS3Store({ ...options, credentials });
      expect(lifeOf((await store.link(key, 60 * minute)).expiresAt)).toBeGreaterThan(59 * minute);
      expect(lifeOf((await store.link(key, 60 * minute)).expiresAt)).toBeGreaterThan(59 * minute);
      expect(asked).toBe(2);
    });

    test("returns no link that would expire at once", async () => {
      const store = openS3Store({ ...options, credentials: endingIn(50_000) });
      await expect(store.link(key, 60 * minute)).rejects.toThrow(
        /links cannot be signed, because the credentials expire at/,
      );
    });

    test("returns a link for a week at most", async () => {
      const { expiresAt } = await openS3Store(options).link(key, 30 * 24 * 60 * minute);
      expect(lifeOf(expiresAt)).toBeLessThanOrEqual(7 * 24 * 60 * minute);
    });
  });

  describe("that fails for a while", () => {
    for (const faults of [["503", "503"], ["stall"]] as const) {
      test(`is written after ${faults.join(", ")}`, async () => {
        const store = openS3Store({ ...options, idleMs: 3000 });
        proxy.faults = [...faults];
        await store.put("faults/bundle.tar.gz", path, "application/gzip");
        expect(proxy.seen).toHaveLength(faults.length + 1);
        expect(await store.sizeOf("faults/bundle.tar.gz")).toBe(content.length);
      });
      test(`returns a link after ${faults.join(", ")}`, async () => {
        const store = openS3Store(options);
        proxy.faults = faults.map((each) => (each === "stall" ? "cut" : each));
        await store.link(key, minute);
        expect(proxy.seen).toHaveLength(faults.length + 1);
      });
    }
    test("for a long time is reported with its response, and nothing is left", async () => {
      const store = openS3Store(options);
      proxy.faults = Array.from({ length: 5 }, () => "503" as const);
      await expect(store.put("faults/long.tar.gz", path, "application/gzip")).rejects.toThrow(
        `The bucket "bundles": "${path}" could not be stored as "tenant/faults/long.tar.gz" (ServiceUnavailable, status 503).`,
      );
      expect(await store.sizeOf("faults/long.tar.gz")).toBeUndefined();
      proxy.faults = Array.from({ length: 4 }, () => "503" as const);
      await expect(store.link(key, minute)).rejects.toThrow(/not answer a link .* \(ServiceUnavailable, status 503\)/);
    });
    test("in the middle of a large upload gets the rest", async () => {
      const store = openS3Store(options);
      const large = `${path}.large`;
      writeFileSync(large, Buffer.alloc(20_000_000, "x"));
      proxy.faults = ["none", "503", "none", "cut", "503"];
      await store.put("faults/large.tar.gz", large, "application/gzip");
      expect(await store.sizeOf("faults/large.tar.gz")).toBe(20_000_000);
    });
  });

  const progress = [
    ["some parts are there", 5],
    ["the first part is on its way", 2],
  ] as const;
  for (const [rule, wanted] of sampleOf(progress, 1))
    test(`that is aborted when ${rule} keeps no parts`, async () => {
      const store = openS3Store(options);
      const before = await everything();
      const large = `${path}.stopped`;
      writeFileSync(large, Buffer.alloc(60_000_000, "x"));
      const controller = new AbortController();
      const putting = store.put("stopped/parts.tar.gz", large, "application/gzip", controller.signal);
      const watching = setInterval(() => {
        // The first request creates the upload, each further one sends a part.
        if (proxy.seen.length >= wanted) controller.abort(new Error("enough"));
      }, 1);
      await expect(putting).rejects.toThrow("enough");
      clearInterval(watching);
      expect(await everything()).toEqual(before);
    });

  const large = (): string => {
    writeFileSync(`${path}.large`, Buffer.alloc(20_000_000, "x"));
    return `${path}.large`;
  };
  const endings = [
    ["is refused at its start", ["403"], /\(AccessDenied, status 403\)\. The credentials must allow/],
    ["is refused at the second part", ["none", "none", "403"], /\(AccessDenied, status 403\)/],
    ["is refused at its end", ["none", "none", "none", "none", "403"], /\(AccessDenied, status 403\)/],
    [
      "fails at its end, again and again",
      ["none", "none", "none", "none", "503", "503", "503", "503", "503"],
      /\(ServiceUnavailable, status 503\)/,
    ],
  ] as const;
  for (const [rule, faults, message] of sampleOf(endings, 2))
    test(`keeps no parts of an upload that ${rule}`, async () => {
      const store = openS3Store(options);
      const before = await everything();
      proxy.faults = [...faults];
      await expect(store.put("failed/parts.tar.gz", large(), "application/gzip")).rejects.toThrow(message);
      expect(await everything()).toEqual(before);
    });

  test("keeps no parts of an upload that someone else removes", async () => {
    const store = openS3Store(options);
    const before = await everything();
    const Key = "tenant/removed/parts.tar.gz";
    let isDone = false;
    const remove = async (): Promise<void> => {
      while (!isDone) {
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: Key }));
        for (const { UploadId } of Uploads)
          return void (await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })));
      }
    };
    const removing = remove();
    const putting = store.put("removed/parts.tar.gz", large(), "application/gzip").finally(() => {
      isDone = true;
    });
    await expect(putting).rejects.toThrow(/could not be stored .*NoSuchUpload, status 404/);
    await removing;
    expect(await everything()).toEqual(before);
  });

  test("in another region than configured says which one", async () => {
    const store = openS3Store({ ...options, region: "eu-west-1" });
    const advice = /Correct AWS_REGION: the bucket is in "us-east-1"\.$/;
    await expect(store.check()).rejects.toThrow(advice);
    await expect(store.put("region/bundle.tar.gz", path, "application/gzip")).rejects.toThrow(advice);
    await expect(store.putBytes("region/bundle.tar.gz", content, "application/gzip")).rejects.toThrow(advice);
    await expect(store.read(key, 0, 1)).rejects.toThrow(advice);
    await expect(store.link(key, minute)).rejects.toThrow(advice);
    await expect(openS3Store(options).read("region/bundle.tar.gz", 0, 1)).resolves.toBeUndefined();
  });

  test("whose bucket was deleted does not call its objects deleted", async () => {
    const store = openS3Store({ ...options, bucket: "deleted-bucket" });
    await expect(store.link(key, minute)).rejects.toThrow(/does not answer a link .*\(NoSuchBucket, status 404\)/);
    await expect(store.read(key, 0, 1)).rejects.toThrow(/NoSuchBucket, status 404\)\. Create the bucket/);
  });

  const faults: readonly (readonly [rule: string, options: Partial<S3StoreOptions>, message: RegExp])[] = [
    ["a bucket that is not there", { bucket: "no-such-bucket" }, /NoSuchBucket, status 404\)\. Create the bucket/],
    [
      "an unknown access key",
      { credentials: { accessKeyId: "test:nobody", secretAccessKey: "hidden-1" } },
      /status 403\)\. .*AWS_ACCESS_KEY_ID|status 403\)\. The credentials must allow/,
    ],
    [
      "a wrong secret",
      { credentials: { accessKeyId: "test:tester", secretAccessKey: "hidden-2" } },
      /SignatureDoesNotMatch, status 403\)\. Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
    ],
    ["nobody at the address", { endpoint: "http://127.0.0.1:9" }, /ECONNREFUSED/],
  ];
  for (const [rule, changed, message] of faults)
    test(`with ${rule} is reported, without the secret`, async () => {
      const store = openS3Store({ ...options, ...changed });
      const error = await store.check().catch((each: Error) => each);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message).not.toContain("hidden");
    });

  test("whose object was deleted by someone else reports that", async () => {
    const store = openS3Store(options);
    await store.put("deleted/bundle.tar.gz", path, "application/gzip");
    await openS3Store({ ...options, prefix: "" }).remove("tenant/deleted/bundle.tar.gz");
    await expect(store.link("deleted/bundle.tar.gz", minute)).rejects.toThrow(ObjectMissingError);
    await expect(store.link("deleted/bundle.tar.gz", minute)).rejects.toThrow(
      /something other than this service deleted it. Export again/,
    );
  });

  test("with a public URL returns links to that URL, which it tries first", async () => {
    const store = openS3Store({ ...options, publicEndpoint: swift.endpoint });
    const { url } = await store.link(key, minute);
    expect(url.startsWith(`${swift.endpoint}/bundles/tenant/`)).toBe(true);
    expect(proxy.seen).toEqual([`GET /bundles/tenant/${key}`]);
    expect((await fetch(url)).status).toBe(200);
    const closed = openS3Store({ ...options, publicEndpoint: "https://files.example" });
    expect((await closed.link(key, minute)).url).toMatch(/^https:\/\/files\.example\/bundles\/tenant\//);
  });

  test("on a machine with a wrong clock reports the difference", async () => {
    const store = openS3Store({ ...options, now: () => Date.now() - 120 * minute });
    await expect(store.link(key, 60 * minute)).rejects.toThrow(
      /The clock of this machine is 120 minutes behind the store's: set it\./,
    );
  });

  for (const [direction, byMs] of [
    ["behind", -120 * minute],
    ["ahead of", 120 * minute],
  ] as const)
    describe(`on a machine whose clock is ${direction} the store's`, () => {
      afterEach(() => void vi.useRealTimers());
      const setClock = (): void => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });

      test("works, since requests are repeated with the store's time", async () => {
        setClock();
        const store = openS3Store(options);
        await store.check();
        await store.put("clock/bundle.tar.gz", large(), "application/gzip");
        expect((await store.read("clock/bundle.tar.gz", 0, 1))!.size).toBe(20_000_000);
      });

      test("reports the difference if the store does not tell its time", async () => {
        setClock();
        proxy.faults = Array.from({ length: 5 }, () => "undated" as const);
        await expect(openS3Store(options).check()).rejects.toThrow(
          /RequestTimeTooSkewed, status 403\)\. This machine's clock differs from the store's by more than 15 minutes\. Correct it\.$/,
        );
      });
    });

  test("is checked once a minute for being writable, until it is not", async () => {
    let now = 0;
    const store = openS3Store({ ...options, now: () => now });
    await store.check();
    await store.check();
    expect(proxy.seen).toEqual(["PUT /bundles/tenant/.offprint-check", "DELETE /bundles/tenant/.offprint-check"]);
    now = minute;
    await store.check();
    expect(proxy.seen).toHaveLength(4);
  });
});

describe("the environment", () => {
  const names = [
    "OFFPRINT_S3_BUCKET",
    "OFFPRINT_S3_PREFIX",
    "OFFPRINT_S3_ENDPOINT",
    "AWS_REGION",
    "OFFPRINT_S3_PUBLIC_ENDPOINT",
  ];
  const read = (...values: readonly (string | undefined)[]) =>
    s3OptionsFromEnvironment(Object.fromEntries(names.map((name, i) => [name, values[i]])));
  test("without a bucket has no store", () => {
    expect(read(undefined, "p", "https://s3.example", "eu-west-1")).toBeUndefined();
    expect(read("", "p")).toBeUndefined();
  });
  test("may have only a bucket and its region", () =>
    expect(read("b", "", undefined, "eu-west-1")).toEqual({ bucket: "b", region: "eu-west-1" }));
  test("may have a store of another kind", () =>
    expect(read("b", "p", "http://store:9000", "us-east-1", "https://files.example")).toEqual({
      bucket: "b",
      prefix: "p",
      endpoint: "http://store:9000",
      publicEndpoint: "https://files.example",
      region: "us-east-1",
    }));
  test("without a region is an error that names the variable to set", () =>
    expect(() => read("b")).toThrow(/AWS_REGION is not/));
  test("with an incomplete public URL is an error that says how it starts", () =>
    expect(() => read("b", "", "", "us-east-1", "https://")).toThrow(/OFFPRINT_S3_PUBLIC_ENDPOINT must start with/));
  test("with an endpoint without a scheme is an error that says how it starts", () =>
    expect(() => read("b", "", "store:9000", "us-east-1")).toThrow(/must start with https:\/\/ or http:\/\//));
});
