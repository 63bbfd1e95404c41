import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Registry } from "prom-client";
import type { Log } from "../../../lib/log.js";
import { assistantLimitDefaults, createLimitCounter, createTurnWriter } from "../../assistant/index.js";
import type { AccountStore, ThreadStore } from "../../jobs/index.js";
import { asUnavailable } from "../api-error.js";
import type { ResolvedApiOptions } from "../api-options.js";
import type { OnRefusal } from "../authenticate.js";
import type { ApiEnvironment, NodeListener } from "../request-context.js";
import { loggedFault, type RequestLog } from "../request-log.js";
import { addAssistantRoutes } from "./add-assistant-routes.js";
import type { Assistant } from "./assistant.js";
import { shareReads } from "./assistant-deps.js";
import { createAssistantMetrics } from "./assistant-metrics.js";
import { createMessageListener } from "./message-listener.js";

export interface AddedAssistant {
  readonly assistant: Assistant;
  readonly accounts: AccountStore;
  readonly threads: ThreadStore;
  readonly options: ResolvedApiOptions;
  readonly register?: Registry;
  readonly requests: RequestLog;
  readonly onRefusal: OnRefusal;
  readonly now: () => number;
  readonly log: Log;
}

/** Adds the routes of the assistant with their limits and metrics. The result answers messages to a server of `node:http`. */
export function addAssistant(app: OpenAPIHono<ApiEnvironment>, added: AddedAssistant): NodeListener {
  const { assistant, accounts, options, register, now, log } = added;
  const limits = { ...assistantLimitDefaults, ...options.assistantLimits };
  const counter = createLimitCounter(accounts, limits, now, log);
  const deps = {
    answerer: assistant.answerer,
    indexes: asUnavailable(assistant.indexes, "object store"),
    accounts: shareReads(accounts),
    threads: asUnavailable(added.threads, "database"),
    counter,
    writer: createTurnWriter(added.threads, log),
    metrics: register && createAssistantMetrics(register, () => counter.streamCount),
    keepAliveMs: options.keepAliveMs,
    now,
    onFault: (requestId: string, error: unknown) =>
      log("error", "an answer of the assistant failed", { requestId, fault: loggedFault(error) }),
  };
  addAssistantRoutes(app, deps, added.onRefusal);
  return createMessageListener(deps, added.requests, added.onRefusal);
}
