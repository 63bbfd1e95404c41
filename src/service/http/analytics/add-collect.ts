import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createUseLimit, networkOf, readBody } from "../../../lib/http/index.js";
import type { Log } from "../../../lib/log.js";
import { type CollectOutcome, type Collector, type Visit, visitHeaders } from "../../analytics/index.js";
import type { ApiEnvironment } from "../request-context.js";
import { loggedFault } from "../request-log.js";
import { sharedResponses } from "../route-parts.js";
import texts from "./collect-texts.json" with { type: "json" };

const maxBodyBytes = 1024;
const perMinute = 600;

/** These headers describe the message and not the page, so they are not used. */
const ofMessage: readonly string[] = ["accept", "sec-fetch-mode"];
const senderHeaders = visitHeaders.filter((name) => !ofMessage.includes(name));

const { operation, responses, body, domain } = texts;
const route = createRoute({
  method: "post",
  path: "/v1/collect/{domain}",
  tags: ["Analytics"],
  security: [],
  ...operation,
  request: {
    params: z.object({
      domain: z
        .string()
        .openapi({ param: { name: "domain", in: "path" }, description: domain, example: "docs.example.com" }),
    }),
    body: { required: true, content: { "text/plain": { schema: z.string().openapi(body) } } },
  },
  responses: {
    ...sharedResponses,
    204: { description: responses.done, headers: { "X-Counted": responses.counted as never } },
  },
});

/** Adds the route for views of pages, without a key and always 204. X-Counted says why a view is not counted. */
export function addCollect(
  app: OpenAPIHono<ApiEnvironment>,
  { collector, now, log }: { readonly collector: Collector; readonly now: () => number; readonly log: Log },
): void {
  const secondsToWait = createUseLimit(perMinute, 60_000, now);
  const outcomeOf = async (c: Context<ApiEnvironment>): Promise<CollectOutcome | "limit"> => {
    const address = c.get("clientAddress");
    if (secondsToWait(networkOf(address ?? ""), 1) > 0) return "limit";
    const message = await readMessage(c.req.raw);
    if (message === undefined) return "invalid";
    const headers = Object.fromEntries(senderHeaders.map((name) => [name, c.req.header(name)])) as Visit["headers"];
    const sender = { address, headers, origin: c.req.header("Origin") };
    return collector.collect(c.req.param("domain")!.toLowerCase(), message, sender).catch((error: unknown) => {
      log("error", "a view could not be counted", { fault: loggedFault(error) });
      return "unavailable";
    });
  };
  app.openapi(route, async (c) => {
    c.header("X-Counted", await outcomeOf(c));
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Expose-Headers", "X-Counted");
    c.header("Cross-Origin-Resource-Policy", "cross-origin");
    return c.body(null, 204);
  });
}

/** Undefined if the body is too large or not JSON. */
async function readMessage(request: Request): Promise<unknown> {
  try {
    const body = await readBody(request.body, maxBodyBytes);
    return body && JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
