import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandOutput,
  DeleteObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { S3Bucket } from "./s3-bucket.js";

const mib = 1024 * 1024;
const maxParts = 10_000;
/** For putting things in order after a failure. */
const tidyMs = 20_000;

/**
 * Sends the file at `path` to `key`, in parts where it is large.
 *
 * Fails: throws what the store or the file system throws, after the parts that were sent have been removed.
 * Stops: once `signal` aborts, breaks off what is under way and rejects, after the same.
 */
export async function uploadFile(
  bucket: S3Bucket,
  key: string,
  path: string,
  contentType: string,
  signal: AbortSignal,
): Promise<void> {
  const { size } = await stat(path);
  const body = createReadStream(path, { highWaterMark: mib });
  // Stopped while nobody reads it, it has nobody to tell.
  body.on("error", () => {});
  const sent: Sent = { uploadIds: [], whole: false };
  const stop = (): void => void body.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await new Upload({
      client: stoppable(bucket.client, sent, signal),
      params: { Bucket: bucket.name, Key: key, Body: body, ContentLength: size, ContentType: contentType },
      partSize: Math.max(8 * mib, Math.ceil(size / maxParts)),
      queueSize: 3,
      leavePartsOnError: true,
    }).done();
    signal.throwIfAborted();
  } catch (error) {
    // What failed first is what the caller is to know.
    await tidy(bucket, key, sent).catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
    body.destroy();
  }
}

interface Sent {
  readonly uploadIds: string[];
  /** A whole object may have arrived. */
  whole: boolean;
}

/** The client for one upload: what carries content is broken off with `signal`, what opens and ends it is not. */
function stoppable(client: S3Client, sent: Sent, signal: AbortSignal): S3Client {
  const send = async (command: object): Promise<unknown> => {
    const isContent = command instanceof PutObjectCommand || command instanceof UploadPartCommand;
    if (!(command instanceof UploadPartCommand) && !(command instanceof CreateMultipartUploadCommand))
      sent.whole = true;
    const answer: unknown = await client.send(command as PutObjectCommand, isContent ? { abortSignal: signal } : {});
    if (command instanceof CreateMultipartUploadCommand)
      sent.uploadIds.push((answer as CreateMultipartUploadCommandOutput).UploadId!);
    return answer;
  };
  return Object.create(client, { send: { value: send } }) as S3Client;
}

/** A part that was under way when its upload was ended may arrive after that: then it is ended again. */
async function tidy({ client, name }: S3Bucket, key: string, sent: Sent): Promise<void> {
  const soon = { abortSignal: AbortSignal.timeout(tidyMs) };
  for (const UploadId of sent.uploadIds) {
    const upload = { Bucket: name, Key: key, UploadId };
    for (let attempt = 1; attempt <= 5; attempt++) {
      await client.send(new AbortMultipartUploadCommand(upload), soon);
      const isGone = await client.send(new ListPartsCommand(upload), soon).then(
        () => false,
        () => true,
      );
      if (isGone) break;
    }
  }
  if (sent.whole) await client.send(new DeleteObjectCommand({ Bucket: name, Key: key }), soon);
}
