import type { OpenAPIHono } from "@hono/zod-openapi";
import { lazy } from "../../../lib/memo.js";
import { ApiError } from "../api-error.js";
import { authenticate } from "../authenticate.js";
import { rateLimitHeaders } from "../rate-limit.js";
import { readJson } from "../request-body.js";
import type { ApiEnvironment, RouteDeps } from "../request-context.js";
import { type AssistantDeps, maxBodyBytes } from "./assistant-deps.js";
import { tooMany } from "./assistant-metrics.js";
import * as routes from "./routes.js";
import { allowPages, indexOf, projectOf } from "./site-lookup.js";

/** Earlier versions of the protocol allow several messages in a request. */
const maxMessages = 20;

/**
 * Adds the MCP server of each site. Keys, origins, limits and groups of readers are as for the assistant; each message
 * counts as a request. A key may also be in the address, since many clients know no headers. There are no sessions, so
 * POST is the only method.
 */
export function addMcp(app: OpenAPIHono<ApiEnvironment>, routeDeps: RouteDeps, deps: AssistantDeps): void {
  const { counter, metrics } = deps;
  // Loaded at the first request, since it takes longer to load than the rest of the API.
  const endpoint = lazy(async () => {
    const { createEndpoint } = await import("../../../mcp/endpoint.js");
    return createEndpoint((error) => deps.onFault("mcp", error));
  });
  const path = routes.mcp.getRoutingPath();
  app.openAPIRegistry.registerPath(routes.mcp);
  app.use(path, allowPages);
  const asAssistant = authenticate({ ...routeDeps, store: deps }, "assistant", undefined, (c) => c.req.query("key"));
  app.post(path, asAssistant, readJson(maxBodyBytes), async (c) => {
    const key = c.get("key")!;
    const body = c.get("json");
    const messages = Array.isArray(body) ? Math.max(1, body.length) : 1;
    if (messages > maxMessages) throw new ApiError(400, `A request can have at most ${maxMessages} messages.`);
    let headers: Readonly<Record<string, string>> = {};
    for (let message = 0; message < messages; message++) {
      const { refusal, states } = await counter.request("mcp", key.organizationId, c.get("clientAddress"));
      headers = rateLimitHeaders(routeDeps.options.rateLimitHeaders, states);
      if (refusal) throw tooMany(refusal, metrics, headers);
    }
    const project = await projectOf(deps, key, c.req.param("domain")!, c.req.header("Origin"));
    const index = await indexOf(deps, project, key, undefined);
    const response = await (await endpoint()).fetch(c.req.raw, index, body);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  });
}
