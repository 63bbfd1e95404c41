import { createHmac, timingSafeEqual } from "node:crypto";

const maxFormBytes = 64 * 1024;
const maxFields = 200;

export class FormError extends Error {
  override readonly name = "FormError";
  constructor(
    readonly status: 413 | 415 | 422,
    message: string,
  ) {
    super(message);
  }
}

/** The fields of a form. @throws {FormError} if it is no form, or too large. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new FormError(415, "This address takes a form of the console.");
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxFormBytes) throw new FormError(413, `A form may have ${maxFormBytes / 1024} kB.`);
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  if (form.size > maxFields) throw new FormError(422, `A form may have ${maxFields} fields.`);
  return form;
}

/** Ties the forms of a page to the session; it changes with each session. */
export const csrfToken = (sessionSecret: string): string =>
  createHmac("sha256", sessionSecret).update("offprint console form").digest("base64url");

export function isCsrfToken(sent: string | null, sessionSecret: string): boolean {
  const [given, wanted] = [Buffer.from(sent ?? ""), Buffer.from(csrfToken(sessionSecret))];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
