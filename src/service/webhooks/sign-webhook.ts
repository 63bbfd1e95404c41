import { createHmac } from "node:crypto";

/**
 * Signature headers of the Standard Webhooks specification, version 1: a receiver can verify origin, content and age.
 *
 * In: a secret is `whsec_` and base64 of the key; a receiver accepts the message if it has one of `secrets`. `id` is the
 *     same in every attempt, so that a receiver can skip duplicates.
 */
export function signWebhook(
  secrets: readonly string[],
  id: string,
  at: Date,
  body: string,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${signature}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64");
