import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { fileNameOf, ObjectMissingError, type SignedLink } from "./object-store.js";
import { regionAdvice, regionErrors, type S3Bucket } from "./s3-bucket.js";

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
export async function signedLink(
  bucket: S3Bucket,
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
  const command = new GetObjectCommand({
    Bucket: name,
    Key: key,
    ResponseContentDisposition: `attachment; filename="${fileNameOf(objectKey)}"`,
    ...(key.endsWith(".tar.gz") && { ResponseContentType: "application/gzip" }),
  });
  const signing = { expiresIn, signingDate: new Date(signedAt) };
  const { forClients, forUs } = bucket.signers(identity);
  const url = await getSignedUrl(forClients, command, signing);
  await tryLink(bucket, objectKey, forClients === forUs ? url : await getSignedUrl(forUs, command, signing), signal);
  return { url, expiresAt: new Date(signedAt + expiresIn * 1000) };
}

/** The link is signed for GET, not HEAD, so this requests the first byte. */
async function tryLink(bucket: S3Bucket, objectKey: string, url: string, signal: AbortSignal): Promise<void> {
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

function refusal({ name, now }: S3Bucket, answer: Response, text: string): string {
  const code = codeOf(text);
  const skewMs = now() - Date.parse(answer.headers.get("date") ?? "");
  const clock =
    Math.abs(skewMs) > 60_000
      ? ` The clock of this machine is ${Math.round(Math.abs(skewMs) / 60_000)} minutes ${skewMs > 0 ? "ahead of" : "behind"} the store's: set it.`
      : "";
  const isElsewhere = code !== undefined && regionErrors.includes(code);
  const region = isElsewhere ? ` ${regionAdvice(/<Region>([\w-]{1,64})<\/Region>/.exec(text)?.[1])}` : "";
  return `The bucket "${name}" does not answer a link that was just signed for it (${code ?? "no reason given"}, status ${answer.status}).${clock}${region}`;
}
