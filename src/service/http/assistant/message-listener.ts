import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiKey } from "../../jobs/index.js";
import { ApiError, errorResponse, shownError } from "../api-error.js";
import { createKeyCheck, type OnRefusal } from "../authenticate.js";
import { checkBodyHeaders, readJsonBody } from "../request-body.js";
import type { NodeListener } from "../request-context.js";
import { securityHeaders } from "../request-context.js";
import type { RequestLog } from "../request-log.js";
import { sendText } from "../send-text.js";
import { maxBodyBytes } from "./add-assistant-routes.js";
import { answerMessage } from "./answer-message.js";
import type { AssistantDeps } from "./assistant-deps.js";
import { tooMany } from "./assistant-metrics.js";
import { pageHeaders } from "./site-lookup.js";

const target = /^\/discovery\/(v1|v2)\/assistant\/([A-Za-z\d][\w.-]*)\/message$/;
const commonHeaders = { ...securityHeaders, ...pageHeaders };

/**
 * Answers messages without the objects of a web request and response around them, which take longer than the search does.
 * The answers are the same. The result is false for other requests, and for unusual ones: without a length, with a query,
 * with a header that is sent twice.
 */
export function createMessageListener(deps: AssistantDeps, requests: RequestLog, onRefusal: OnRefusal): NodeListener {
  const checkKey = createKeyCheck(deps.accounts, deps.now, onRefusal, "assistant");

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse, version: "v1" | "v2", domain: string) => {
    const { headers } = incoming;
    const header = (name: string): string | undefined => headers[name] as string | undefined;
    const received = requests.receive(header, incoming.socket.remoteAddress);
    const { requestId, clientAddress } = received;
    const ownHeaders = { "X-Request-Id": requestId };
    let key: ApiKey | undefined;
    let status = 200;
    let fault: unknown;
    try {
      const caller = { authorization: headers.authorization, method: "POST", address: clientAddress };
      const valid = await checkKey(caller, (known) => {
        key = known;
      });
      const refusal = await deps.counter.request("assistant", valid.organizationId, clientAddress);
      if (refusal) throw tooMany(refusal, deps.metrics);
      checkBodyHeaders(header("content-type") ?? null, header("content-encoding") ?? null);
      const body = readJsonBody(await readBody(incoming));
      const call = { version, domain, body, key: valid, requestId, clientAddress, header };
      const { headers: ofAnswer, text } = await answerMessage(deps, call);
      sendText(outgoing, { ...commonHeaders, ...ofAnswer, ...ownHeaders }, text);
    } catch (error) {
      const shown = shownError(error, requestId);
      if (shown !== error || shown.cause !== undefined) fault = error;
      status = shown.status;
      await sendError(outgoing, shown, header("accept"), ownHeaders);
    }
    // After the first words of all requests that have arrived.
    const route = `/discovery/${version}/assistant/:domain/message`;
    setImmediate(requests.answer(received, { method: "POST", path: incoming.url!, route, status, key, fault }));
  };

  return (incoming, outgoing) => {
    const { method, url = "", headers, rawHeaders } = incoming;
    const [, version, domain] = (method === "POST" && target.exec(url)) || [];
    if (version === undefined || domain === undefined) return false;
    const isOnce = rawHeaders.length === 2 * Object.keys(headers).length;
    const length = headers["content-length"];
    if (!isOnce || length === undefined || Number(length) > maxBodyBytes) return false;
    answer(incoming, outgoing, version as "v1" | "v2", domain).catch(() => outgoing.destroy());
    return true;
  };
}

async function sendError(
  outgoing: ServerResponse,
  error: ApiError,
  accept: string | undefined,
  ownHeaders: Readonly<Record<string, string>>,
): Promise<void> {
  const response = errorResponse(error, accept);
  const { status, headers } = response;
  const text = Buffer.from(await response.arrayBuffer());
  if (outgoing.destroyed) return;
  const all = { ...commonHeaders, ...Object.fromEntries(headers), "Content-Length": text.length, ...ownHeaders };
  outgoing.writeHead(status, all).end(text);
}

/** The parser of HTTP holds it to its length. */
async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parts: Buffer[] = [];
  incoming.on("data", (part: Buffer) => parts.push(part));
  incoming.once("end", resolve);
  incoming.once("close", () => incoming.complete || reject(new ApiError(400, "The body ended before it was whole.")));
  await promise;
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
