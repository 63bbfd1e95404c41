import type { MiddlewareHandler } from "hono";
import { ApiError } from "./api-error.js";
import type { ApiEnvironment } from "./request-context.js";

/**
 * Reads the body, so that the validation after it finds JSON.
 *
 * Fails: 415 if the headers do not say JSON in UTF-8, 413 as soon as it is above `maxBytes`, 400 if it is no JSON.
 */
export function readJson(maxBytes: number): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    checkHeaders(c.req.raw.headers);
    const text = await readText(c.req.raw, maxBytes);
    try {
      JSON.parse(text);
    } catch (error) {
      throw new ApiError(
        400,
        `The body is not JSON: ${(error as Error).message}. Send an object such as {"domain": "docs.example.com"}.`,
      );
    }
    // Where hono keeps a body that has been read; its type says the text, its code wants a promise of it.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    await next();
  };
}

function checkHeaders(headers: Headers): void {
  const type = headers.get("Content-Type");
  if (type === null || !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    const instead = type === null ? "" : ` instead of "${type}"`;
    throw new ApiError(415, `The body is JSON in UTF-8. Send the header "Content-Type: application/json"${instead}.`);
  }
  const encoding = headers.get("Content-Encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    throw new ApiError(415, `The body is sent as it is, not with "Content-Encoding: ${encoding}".`);
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () => new ApiError(413, `The body is above ${maxBytes} bytes, which is the most that is taken.`);
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of request.body ?? []) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge();
      pieces.push(piece);
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, "The body is not UTF-8, or ended before it was whole.");
  }
}
