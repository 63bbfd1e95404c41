import { setTimeout as sleep } from "node:timers/promises";
import * as s3 from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { nameOf } from "../../lib/url/index.js";
import {
  checkTtl,
  isObjectKey,
  ObjectMissingError,
  type ObjectStore,
  type SignedLink,
  type StoredObject,
} from "./object-store.js";
import * as buckets from "./s3-bucket.js";
import { uploadFile } from "./s3-upload.js";

const uploadTtlMs = 24 * 60 * 60_000;
/** Probes ask every few seconds, but buckets bill by the request: the check is cached this long. */
const checkEveryMs = 60_000;

/**
 * Stores objects in an S3 bucket. Temporary failures (503, no answer) are retried.
 *
 * Fails: throws with the store's reason and advice, without keys, signatures and links.
 */
export function openS3Store(options: buckets.S3StoreOptions): ObjectStore {
  const bucket = buckets.openBucket(options);
  const { client, name, now } = bucket;
  let checkedAt = Number.NEGATIVE_INFINITY;

  return {
    async put(objectKey, path, contentType, signal) {
      const key = bucket.keyOf(objectKey);
      signal?.throwIfAborted();
      await uploadFile(bucket, key, path, contentType, signal ?? new AbortController().signal).catch((cause) => {
        signal?.throwIfAborted();
        throw buckets.s3Failure(bucket, `"${path}" could not be stored as "${key}"`, cause);
      });
    },

    async putBytes(objectKey, bytes, contentType, signal) {
      const key = bucket.keyOf(objectKey);
      const object = { Bucket: name, Key: key, ContentType: contentType, Body: bytes };
      const sent = client.send(new s3.PutObjectCommand(object), { abortSignal: signal });
      await sent.catch((cause: unknown) => {
        throw buckets.s3Failure(bucket, `"${key}" could not be stored`, cause);
      });
    },

    async read(objectKey, start, length, signal) {
      const key = bucket.keyOf(objectKey);
      const Range = `bytes=${start}-${start + length - 1}`;
      try {
        const command = new s3.GetObjectCommand({ Bucket: name, Key: key, Range });
        const { Body, ContentRange } = await client.send(command, { abortSignal: signal });
        const bytes = await Body!.transformToByteArray();
        return { bytes, size: Number(ContentRange?.split("/")[1] ?? bytes.length) };
      } catch (cause) {
        if (buckets.isMissing(cause)) return undefined;
        if (buckets.isAfterEnd(cause)) return { bytes: new Uint8Array(), size: 0 };
        throw buckets.s3Failure(bucket, `"${key}" could not be read`, cause);
      }
    },

    async sizeOf(objectKey) {
      const key = bucket.keyOf(objectKey);
      try {
        return (await client.send(new s3.HeadObjectCommand({ Bucket: name, Key: key }))).ContentLength;
      } catch (cause) {
        if (buckets.isMissing(cause)) return undefined;
        throw buckets.s3Failure(bucket, `"${key}" could not be looked up`, cause);
      }
    },

    async link(objectKey, ttlMs, signal = new AbortController().signal) {
      checkTtl(ttlMs);
      return signedLink(bucket, objectKey, ttlMs, signal);
    },

    async remove(objectKey, signal) {
      const key = bucket.keyOf(objectKey);
      try {
        await client.send(new s3.DeleteObjectCommand({ Bucket: name, Key: key }), { abortSignal: signal });
      } catch (cause) {
        if (!buckets.isMissing(cause)) throw buckets.s3Failure(bucket, `"${key}" could not be removed`, cause);
      }
    },

    async list(under, signal) {
      const Prefix = `${bucket.prefix}${under}`;
      const storedObjects: StoredObject[] = [];
      const pages = s3.paginateListObjectsV2({ client }, { Bucket: name, Prefix }, { abortSignal: signal });
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key = "", Size = 0, LastModified = new Date(0) } of Contents) {
            const objectKey = Key.slice(bucket.prefix.length);
            if (isObjectKey(objectKey)) storedObjects.push({ objectKey, bytes: Size, changedAt: LastModified });
          }
        return storedObjects;
      } catch (cause) {
        throw buckets.s3Failure(bucket, `the objects under "${Prefix}" could not be listed`, cause);
      }
    },

    async check() {
      if (Math.abs(now() - checkedAt) < checkEveryMs) return;
      const probe = { Bucket: name, Key: `${bucket.prefix}.offprint-check` };
      try {
        await client.send(new s3.PutObjectCommand({ ...probe, Body: "", ContentLength: 0 }));
        await client.send(new s3.DeleteObjectCommand(probe));
      } catch (cause) {
        throw buckets.s3Failure(bucket, "it cannot be reached and written", cause);
      }
      checkedAt = now();
    },

    async prune(under) {
      const Prefix = `${bucket.prefix}${under}`;
      let count = 0;
      let from = {};
      try {
        for (;;) {
          const page = await client.send(new s3.ListMultipartUploadsCommand({ Bucket: name, Prefix, ...from }));
          for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
            if (Initiated !== undefined && Initiated.getTime() < now() - uploadTtlMs) {
              await client.send(new s3.AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }));
              count++;
            }
          if (!page.IsTruncated) return count;
          from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
        }
      } catch (cause) {
        throw buckets.s3Failure(bucket, "unfinished uploads could not be removed", cause);
      }
    },
  };
}

/** Longest lifetime that S3 allows. */
const maxTtlMs = 7 * 24 * 60 * 60_000;
/** A link expires this long before its signing credentials. */
const marginMs = 60_000;
const checkMs = 5_000;

/**
 * A link to an object, tested before it is returned.
 *
 * @throws {ObjectMissingError}
 * @throws {Error} if the store does not answer the link, or the credentials are about to expire.
 */
async function signedLink(
  bucket: buckets.S3Bucket,
  objectKey: string,
  ttlMs: number,
  signal: AbortSignal,
): Promise<SignedLink> {
  const { name, now } = bucket;
  const key = bucket.keyOf(objectKey);
  const signedAt = Math.floor(now() / 1000) * 1000;
  const requestedUntil = now() + Math.min(ttlMs, maxTtlMs);
  // Read the credentials once: `expiresAt` must belong to the ones that sign.
  const { credentials } = bucket.client.config;
  let identity = await credentials();
  const until = (): number =>
    Math.min(
      requestedUntil,
      identity.expiration === undefined ? Number.POSITIVE_INFINITY : identity.expiration.getTime() - marginMs,
    );
  // Refresh only if it matters: credentials that always expire earlier than links would be refreshed for every link.
  if (until() - now() < (requestedUntil - now()) / 2)
    identity = await credentials({ forceRefresh: true }).catch(() => identity);
  const expiresIn = Math.floor((until() - signedAt) / 1000);
  if (expiresIn < 1)
    throw new Error(
      `The bucket "${name}": links cannot be signed, because the credentials expire at ${identity.expiration?.toISOString()}. Use credentials with a longer lifetime.`,
    );
  const command = new s3.GetObjectCommand({
    Bucket: name,
    Key: key,
    ResponseContentDisposition: `attachment; filename="${nameOf(objectKey)}"`,
    ...(key.endsWith(".tar.gz") && { ResponseContentType: "application/gzip" }),
  });
  const signing = { expiresIn, signingDate: new Date(signedAt) };
  const { forClients, forUs } = bucket.signers(identity);
  const url = await getSignedUrl(forClients, command, signing);
  await tryLink(bucket, objectKey, forClients === forUs ? url : await getSignedUrl(forUs, command, signing), signal);
  return { url, expiresAt: new Date(signedAt + expiresIn * 1000) };
}

/** The link is signed for GET, not HEAD, so this requests the first byte. */
async function tryLink(bucket: buckets.S3Bucket, objectKey: string, url: string, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === 4;
    try {
      const answer = await fetch(url, {
        headers: { range: "bytes=0-0" },
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(checkMs)]),
      });
      // 416: the object is empty.
      if ([200, 206, 416].includes(answer.status)) return await answer.body?.cancel();
      const text = await answer.text();
      if (answer.status === 404 && codeOf(text) !== "NoSuchBucket") throw new ObjectMissingError(objectKey);
      if (answer.status < 500 || isLast) throw new Refused(refusal(bucket, answer, text));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ObjectMissingError || error instanceof Refused) throw error;
      // The reason is in the cause. Neither contains the link.
      if (isLast)
        throw new Error(`The bucket "${bucket.name}" cannot be reached through its own links.`, {
          cause: (error as Error).cause ?? error,
        });
    }
    await sleep(100 * 2 ** attempt);
  }
}

class Refused extends Error {}

const codeOf = (text: string): string | undefined => /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1];

function refusal({ name, now }: buckets.S3Bucket, answer: Response, text: string): string {
  const code = codeOf(text);
  const skewMs = now() - Date.parse(answer.headers.get("date") ?? "");
  const clock =
    Math.abs(skewMs) > 60_000
      ? ` The clock of this machine is ${Math.round(Math.abs(skewMs) / 60_000)} minutes ${skewMs > 0 ? "ahead of" : "behind"} the store's: set it.`
      : "";
  const isElsewhere = code !== undefined && buckets.regionErrors.includes(code);
  const region = isElsewhere ? ` ${buckets.regionAdvice(/<Region>([\w-]{1,64})<\/Region>/.exec(text)?.[1])}` : "";
  return `The bucket "${name}" does not answer a link that was just signed for it (${code ?? "no reason given"}, status ${answer.status}).${clock}${region}`;
}
