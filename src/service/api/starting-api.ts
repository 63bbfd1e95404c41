import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, errorResponse } from "./api-error.js";
import type { Api } from "./create-api.js";

/** Requests wait this long for the service to start, in milliseconds. */
const patienceMs = 5_000;

const notStarted = "The service is starting: its database does not answer yet.";

/** Answers for an API that is not ready yet: requests wait for a while, then they get 503. */
export function startingApi(ready: Promise<Api>): Api {
  let started: Api | undefined;
  void ready.then((api) => {
    started = api;
  });
  return {
    onNode: (incoming, outgoing) => started?.onNode?.(incoming, outgoing) ?? false,
    async fetch(request, info) {
      const api = await Promise.race([ready, sleep(patienceMs, undefined, { ref: false })]);
      if (api) return api.fetch(request, info);
      // Not alive would mean: start the process again, which does not help.
      if (new URL(request.url).pathname === "/healthz")
        return Response.json({ status: "degraded", problems: [notStarted] });
      return errorResponse(
        new ApiError(503, `${notStarted} Try again in a few seconds.`, { "Retry-After": "5" }),
        request.headers.get("Accept") ?? undefined,
      );
    },
  };
}
