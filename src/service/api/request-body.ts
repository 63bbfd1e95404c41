import type { MiddlewareHandler } from "hono";
import { ApiError } from "./api-error.js";
import { checkJsonBounds } from "./json-bounds.js";
import type { ApiEnvironment } from "./request-context.js";

/**
 * Reads and checks the body before the validation of its schema.
 *
 * Fails: 415 if the headers do not say JSON in UTF-8, 413 as soon as it is above `maxBytes` or if it has too many
 *        values, 400 if it is not JSON or nested too deeply.
 */
export function readJson(maxBytes: number): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    const { method, url, headers, signal } = c.req.raw;
    checkHeaders(headers);
    const body = await readText(c.req.raw, maxBytes);
    try {
      JSON.parse(body);
    } catch (error) {
      throw new ApiError(
        400,
        `The body is not JSON: ${(error as Error).message}. Send an object, as /openapi.json describes it.`,
      );
    }
    c.req.raw = new Request(url, { method, headers, signal, body });
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
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    checkJsonBounds(body);
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, "The body is not UTF-8, or ended before it was whole.");
  }
}
