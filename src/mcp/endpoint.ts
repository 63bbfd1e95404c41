import { createMcpHandler, readRequestBody } from "@modelcontextprotocol/server";
import { rememberedFor } from "../lib/memo.js";
import { createServer } from "./create-server.js";
import type { Documentation } from "./documentation.js";

/** Longest body of a request; a call of a tool has some 2 kB at most. */
export const maxBodyBytes = 256 * 1024;

/**
 * Answers requests to the address of a server: POST with messages; GET and DELETE get 405, since there are no sessions.
 * Answers are JSON, never streams: nothing is sent before they are complete.
 *
 * @param onError called with each internal error; the client gets no details.
 */
export function createEndpoint(onError: (error: Error) => void) {
  const handlerOf = rememberedFor((docs: Documentation) => createMcpHandler(() => reporting(docs, onError), options));
  return {
    /** @param body of the request, parsed; undefined if it has none. */
    async fetch(request: Request, docs: Documentation, body: unknown): Promise<Response> {
      const response = await handlerOf(docs)
        .fetch(acceptingBoth(request), body === undefined ? {} : { parsedBody: body })
        .then((answer) => withoutStream(answer, Array.isArray(body)));
      if (response.status === 405) response.headers.set("Allow", "POST");
      // Answers may be for one group of readers only.
      response.headers.set("Cache-Control", "no-store");
      return response;
    },
  };
}

/** The documentation of a server does not change, so there is nothing to subscribe to. */
const options = { maxRequestBodySize: maxBodyBytes, maxSubscriptions: 0 } as const;

/** The SDK refuses requests that do not accept both forms, as simple programs send them. They get JSON in any case. */
function acceptingBoth({ url, method, headers, signal }: Request): Request {
  const all = new Headers(headers);
  if (method === "POST") all.set("Accept", "application/json, text/event-stream");
  return new Request(url, { method, headers: all, signal });
}

/** Earlier versions of the protocol are answered by the SDK with a stream of events, each with one message. */
async function withoutStream(response: Response, isList: boolean): Promise<Response> {
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return response;
  const messages = (await response.text()).match(/(?<=^data: ).+$/gm) ?? [];
  const body = isList ? `[${messages.join()}]` : messages[0];
  return new Response(body, { status: response.status, headers: { "Content-Type": "application/json" } });
}

function reporting(docs: Documentation, onError: (error: Error) => void) {
  const server = createServer(docs);
  server.onerror = onError;
  return server;
}

/** An error in the format of the protocol. */
export const errorResponse = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: status === 400 ? parseError : -32_000, message } },
    { status, headers: { ...headers, "Cache-Control": "no-store" } },
  );

const parseError = -32_700;

/** The messages of a request, or the response that refuses it. */
export async function readMessages(request: Request): Promise<{ readonly body: unknown } | Response> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type))
    return errorResponse(415, 'Send the header "Content-Type: application/json".');
  const read = await readRequestBody(request, maxBodyBytes);
  if (read.tooLarge) return errorResponse(413, `The body exceeds the limit of ${maxBodyBytes} bytes.`);
  try {
    return { body: JSON.parse(read.text) as unknown };
  } catch (error) {
    return errorResponse(400, `The body is not valid JSON: ${(error as Error).message}.`);
  }
}

/** How many messages a body has; each counts against the limits. */
export const messageCount = (body: unknown): number => (Array.isArray(body) ? Math.max(1, body.length) : 1);
