import type { HonoRequest, MiddlewareHandler } from "hono";
import { nearestName, quoted } from "../../lib/diagnostic/index.js";
import { readBody } from "../../lib/http/index.js";
import { exceededBound } from "../../lib/json/index.js";
import { ApiError } from "./api-error.js";
import type { ApiEnvironment } from "./request-context.js";

/**
 * Reads the body and checks it, before it is validated against its schema. Valid requests have some 10,000 values.
 *
 * Fails: 415 if the headers do not say JSON in UTF-8, 413 as soon as it is above `maxBytes` or if it has too many
 *        values, 400 if it is not JSON or nested too deeply.
 */
export function readJson(maxBytes: number, maxValues = 20_000): MiddlewareHandler<ApiEnvironment> {
  return async (c, next) => {
    const { method, url, headers, signal } = c.req.raw;
    checkBodyHeaders(headers.get("Content-Type"), headers.get("Content-Encoding"));
    const isCounted = /^\d+$/.test(headers.get("Content-Length") ?? "");
    const body = await readText(c.req, { maxBytes, maxValues }, isCounted);
    try {
      c.set("json", JSON.parse(body));
    } catch (error) {
      throw new ApiError(
        400,
        `The body is not valid JSON: ${(error as Error).message}. Send an object as described in /openapi.json.`,
      );
    }
    if (!isCounted) c.req.raw = new Request(url, { method, headers, signal, body });
    await next();
  };
}

function checkBodyHeaders(type: string | null, encoding: string | null): void {
  if (type === null || !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    const instead = type === null ? "" : ` instead of "${type}"`;
    throw new ApiError(
      415,
      `The body must be JSON in UTF-8. Send the header "Content-Type: application/json"${instead}.`,
    );
  }
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    throw new ApiError(415, `The body must not be compressed. Send it without "Content-Encoding: ${encoding}".`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @param isCounted whether the headers have its size. HTTP ensures that size, so the body is read at once and hono keeps it. */
async function readText(
  request: HonoRequest,
  { maxBytes, maxValues }: { readonly maxBytes: number; readonly maxValues: number },
  isCounted: boolean,
): Promise<string> {
  const tooLarge = () => new ApiError(413, `The body exceeds the limit of ${maxBytes} bytes.`);
  if (isCounted && Number(request.header("Content-Length")) > maxBytes) throw tooLarge();
  try {
    const body = isCounted ? new Uint8Array(await request.arrayBuffer()) : await readBody(request.raw.body, maxBytes);
    if (body === undefined || body.length > maxBytes) throw tooLarge();
    checkJsonBounds(body, maxValues);
    return utf8.decode(body);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, "The body is not UTF-8, or is incomplete.");
  }
}

/** Valid requests have two levels. */
const maxDepth = 16;

/** @throws {ApiError} 400 for too deep nesting, 413 for too many values. */
function checkJsonBounds(body: Uint8Array, maxValues: number): void {
  const exceeded = exceededBound(body, { maxDepth, maxValues });
  if (exceeded === "maxDepth")
    throw new ApiError(400, `The body nests arrays and objects more than ${maxDepth} levels deep. Send a flat object.`);
  if (exceeded === "maxValues") throw new ApiError(413, `The body exceeds the limit of ${maxValues} values.`);
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly keys?: readonly string[];
}

const maxShown = 5;

/** A 400 that names the first faults of `input`, each with its location. @param names the valid fields, if they are known. */
export function invalidRequest(issues: readonly Issue[], input: unknown, names: readonly string[]): ApiError {
  const sentences = issues.slice(0, maxShown).map((issue) => sentence(issue, input, names));
  const more = issues.length - sentences.length;
  return new ApiError(400, [...sentences, ...(more > 0 ? [`There are ${more} more faults.`] : [])].join(" "));
}

function sentence(issue: Issue, input: unknown, names: readonly string[]): string {
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? [])
      .slice(0, maxShown)
      .map((key) => unknownField(key, names))
      .join(" ");
  if (issue.code !== "invalid_type") return issue.message;
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], input);
  if (issue.path.length === 0)
    return `The body is ${kindOf(value)}, but must be a JSON object${names.length > 0 ? ': {"domain": "docs.example.com"}' : ""}.`;
  const location = `"${issue.path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .slice(1)}"`;
  if (value === undefined) return `${location} is missing.`;
  return `${location} is ${kindOf(value)}, but must be ${article(issue.expected ?? "other value")}.`;
}

function unknownField(key: string, names: readonly string[]): string {
  if (names.length === 0) return `There is no field ${quoted(key)}.`;
  const near = nearestName(key, names);
  return `There is no field ${quoted(key)}. ${near ? `Did you mean "${near}"?` : `The fields are ${names.join(", ")}.`}`;
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? "null" : Array.isArray(value) ? "an array" : article(typeof value);

const article = (kind: string): string => `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
