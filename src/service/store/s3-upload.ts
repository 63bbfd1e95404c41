import { type FileHandle, open } from "node:fs/promises";
import * as s3 from "@aws-sdk/client-s3";
import type { S3Bucket } from "./s3-bucket.js";

const mib = 1024 * 1024;
const maxParts = 10_000;
const partsAtOnce = 3;
const cleanUpMs = 20_000;

interface MultipartUpload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

/**
 * Sends the file at `path` to `key`, in parts if it is large.
 *
 * Fails: throws the error of the store or the file system, after removing the parts that were sent.
 * Stops: once `signal` aborts, cancels the requests with content and rejects after the same clean-up.
 */
export async function uploadFile(
  { client, name }: S3Bucket,
  key: string,
  path: string,
  contentType: string,
  signal: AbortSignal,
): Promise<void> {
  const object = { Bucket: name, Key: key };
  let upload: MultipartUpload | undefined;
  let mayExist = false;
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const partBytes = Math.max(8 * mib, Math.ceil(size / maxParts));
    if (size <= partBytes) {
      const Body = await read(file, 0, size);
      mayExist = true;
      await client.send(new s3.PutObjectCommand({ ...object, ContentType: contentType, Body }), {
        abortSignal: signal,
      });
    } else {
      // Not cancelled by the signal: without the response, the upload could not be removed.
      const created = await client.send(new s3.CreateMultipartUploadCommand({ ...object, ContentType: contentType }));
      upload = { ...object, UploadId: created.UploadId! };
      const Parts = await sendParts(client, upload, file, size, partBytes, signal);
      mayExist = true;
      await client.send(new s3.CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    }
    signal.throwIfAborted();
  } catch (error) {
    const soon = { abortSignal: AbortSignal.timeout(cleanUpMs) };
    if (mayExist) await client.send(new s3.DeleteObjectCommand(object), soon).catch(() => {});
    if (upload) await removeParts(client, upload, soon).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Settles only when all requests have ended. */
async function sendParts(
  client: s3.S3Client,
  upload: MultipartUpload,
  file: FileHandle,
  size: number,
  partBytes: number,
  signal: AbortSignal,
): Promise<s3.CompletedPart[]> {
  const parts: s3.CompletedPart[] = [];
  const failed = new AbortController();
  const abortSignal = AbortSignal.any([signal, failed.signal]);
  let next = 0;
  const sendInTurn = async (): Promise<void> => {
    while (next * partBytes < size && !abortSignal.aborted) {
      const index = next++;
      const part = { ...upload, PartNumber: index + 1 };
      const Body = await read(file, index * partBytes, Math.min(partBytes, size - index * partBytes));
      const { ETag } = await client.send(new s3.UploadPartCommand({ ...part, Body }), { abortSignal });
      parts[index] = { ETag, PartNumber: part.PartNumber };
    }
  };
  await Promise.all(Array.from({ length: partsAtOnce }, () => sendInTurn().catch((error) => failed.abort(error))));
  abortSignal.throwIfAborted();
  return parts;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  if (bytesRead < length) throw new Error("The file was truncated during the upload.");
  return buffer;
}

/** Repeats the removal, since a part that was still being sent may arrive after it. */
async function removeParts(
  client: s3.S3Client,
  upload: MultipartUpload,
  soon: { abortSignal: AbortSignal },
): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    await client.send(new s3.AbortMultipartUploadCommand(upload), soon);
    const isGone = await client.send(new s3.ListPartsCommand(upload), soon).then(
      () => false,
      () => true,
    );
    if (isGone) return;
  }
}
