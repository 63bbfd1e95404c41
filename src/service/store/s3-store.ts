import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from "@aws-sdk/client-s3";
import { checkTtl, isObjectKey, type ObjectStore, type StoredObject } from "./object-store.js";
import { isAfterEnd, isMissing, openBucket, type S3StoreOptions, s3Failure } from "./s3-bucket.js";
import { signedLink } from "./s3-link.js";
import { uploadFile } from "./s3-upload.js";

const uploadTtlMs = 24 * 60 * 60_000;
/** Probes ask every few seconds, but buckets bill by the request: the check is cached this long. */
const checkEveryMs = 60_000;

/**
 * Stores objects in an S3 bucket. Temporary failures (503, no answer) are retried.
 *
 * Fails: throws with the store's reason and advice, without keys, signatures and links.
 */
export function openS3Store(options: S3StoreOptions): ObjectStore {
  const bucket = openBucket(options);
  const { client, name, now } = bucket;
  let checkedAt = Number.NEGATIVE_INFINITY;

  return {
    async put(objectKey, path, contentType, signal) {
      const key = bucket.keyOf(objectKey);
      signal?.throwIfAborted();
      await uploadFile(bucket, key, path, contentType, signal ?? new AbortController().signal).catch((cause) => {
        signal?.throwIfAborted();
        throw s3Failure(bucket, `"${path}" could not be stored as "${key}"`, cause);
      });
    },

    async putBytes(objectKey, bytes, contentType, signal) {
      const key = bucket.keyOf(objectKey);
      const object = { Bucket: name, Key: key, ContentType: contentType, Body: bytes };
      const sent = client.send(new PutObjectCommand(object), { abortSignal: signal });
      await sent.catch((cause: unknown) => {
        throw s3Failure(bucket, `"${key}" could not be stored`, cause);
      });
    },

    async read(objectKey, start, length, signal) {
      const key = bucket.keyOf(objectKey);
      const Range = `bytes=${start}-${start + length - 1}`;
      try {
        const command = new GetObjectCommand({ Bucket: name, Key: key, Range });
        const { Body, ContentRange } = await client.send(command, { abortSignal: signal });
        const bytes = await Body!.transformToByteArray();
        return { bytes, size: Number(ContentRange?.split("/")[1] ?? bytes.length) };
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        if (isAfterEnd(cause)) return { bytes: new Uint8Array(), size: 0 };
        throw s3Failure(bucket, `"${key}" could not be read`, cause);
      }
    },

    async sizeOf(objectKey) {
      const key = bucket.keyOf(objectKey);
      try {
        return (await client.send(new HeadObjectCommand({ Bucket: name, Key: key }))).ContentLength;
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        throw s3Failure(bucket, `"${key}" could not be looked up`, cause);
      }
    },

    async link(objectKey, ttlMs, signal = new AbortController().signal) {
      checkTtl(ttlMs);
      return signedLink(bucket, objectKey, ttlMs, signal);
    },

    async remove(objectKey, signal) {
      const key = bucket.keyOf(objectKey);
      try {
        await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }), { abortSignal: signal });
      } catch (cause) {
        if (!isMissing(cause)) throw s3Failure(bucket, `"${key}" could not be removed`, cause);
      }
    },

    async list(under, signal) {
      const Prefix = `${bucket.prefix}${under}`;
      const storedObjects: StoredObject[] = [];
      const pages = paginateListObjectsV2({ client }, { Bucket: name, Prefix }, { abortSignal: signal });
      try {
        for await (const { Contents = [] } of pages)
          for (const { Key = "", Size = 0, LastModified = new Date(0) } of Contents) {
            const objectKey = Key.slice(bucket.prefix.length);
            if (isObjectKey(objectKey)) storedObjects.push({ objectKey, bytes: Size, changedAt: LastModified });
          }
        return storedObjects;
      } catch (cause) {
        throw s3Failure(bucket, `the objects under "${Prefix}" could not be listed`, cause);
      }
    },

    async check() {
      if (Math.abs(now() - checkedAt) < checkEveryMs) return;
      const probe = { Bucket: name, Key: `${bucket.prefix}.offprint-check` };
      try {
        await client.send(new PutObjectCommand({ ...probe, Body: "", ContentLength: 0 }));
        await client.send(new DeleteObjectCommand(probe));
      } catch (cause) {
        throw s3Failure(bucket, "it cannot be reached and written", cause);
      }
      checkedAt = now();
    },

    async prune(under) {
      const Prefix = `${bucket.prefix}${under}`;
      let count = 0;
      let from = {};
      try {
        for (;;) {
          const page = await client.send(new ListMultipartUploadsCommand({ Bucket: name, Prefix, ...from }));
          for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
            if (Initiated !== undefined && Initiated.getTime() < now() - uploadTtlMs) {
              await client.send(new AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }));
              count++;
            }
          if (!page.IsTruncated) return count;
          from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
        }
      } catch (cause) {
        throw s3Failure(bucket, "unfinished uploads could not be removed", cause);
      }
    },
  };
}
