import { createHmac } from "node:crypto";

/**
 * Signature headers of the Standard Webhooks specification, version 1: a receiver can verify origin, content and age.
 *
 * In: `secret` is `whsec_` and base64 of the key. `id` is the same in every attempt, so that a receiver can skip
 *     duplicates.
 */
export function signWebhook(secret: string, id: string, at: Date, body: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
