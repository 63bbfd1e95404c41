import type { Hono } from "hono";
import type { Answerer } from "./answerer.js";
import type { ApiEnvironment } from "./request-context.js";

/** Passes requests below /console on. */
export function addConsole(app: Pick<Hono<ApiEnvironment>, "all">, console: Answerer): void {
  for (const path of ["/console", "/console/*"])
    app.all(path, (c) => console.fetch(c.req.raw, { remoteAddress: c.get("clientAddress"), closing: c.env.closing }));
}
