import { Hono } from "hono";
import type { Log } from "../../lib/log.js";
import type { Answerer } from "./answerer.js";
import { ApiError, errorResponse } from "./api-error.js";
import type { ApiEnvironment } from "./request-context.js";
import { observeRequests } from "./request-log.js";

/** The console alone, for a port of its own, with the log and the client's address as the API has them. */
export function consoleApi(console: Answerer, trustedProxies: readonly string[], log: Log): Answerer {
  const app = new Hono<ApiEnvironment>();
  app.use(observeRequests(trustedProxies, undefined, log));
  app.use(async (c, next) => {
    if (c.env.refusal) throw c.env.refusal;
    await next();
  });
  addConsole(app, console);
  app.get("/", (c) => c.redirect("/console", 302));
  app.notFound(() => errorResponse(new ApiError(404, "Not found. The console is at /console."), undefined));
  app.onError((error) =>
    errorResponse(error instanceof ApiError ? error : new ApiError(500, "Internal server error."), undefined),
  );
  return { fetch: async (request, info = {}) => app.fetch(request, info) };
}

/** Passes requests below /console on. */
export function addConsole(app: Pick<Hono<ApiEnvironment>, "all">, console: Answerer): void {
  for (const path of ["/console", "/console/*"])
    app.all(path, (c) => console.fetch(c.req.raw, { remoteAddress: c.get("clientAddress"), closing: c.env.closing }));
}
