import type { ConsoleRoute } from "../route.js";
import { archiveAgentJob, cancelAgentJob, sendMessage, startAgentJob } from "./actions.js";
import { showAgentJob } from "./agent-job.js";
import { agentJobEvents } from "./events.js";
import { listAgentJobs } from "./list.js";

export const agentRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/agent", role: "reader", handle: (context) => listAgentJobs(context) },
  { method: "POST", path: "/agent", role: "editor", handle: startAgentJob },
  { method: "GET", path: "/agent/{id}", role: "reader", handle: (context) => showAgentJob(context) },
  { method: "GET", path: "/agent/{id}/events", role: "reader", handle: agentJobEvents },
  { method: "POST", path: "/agent/{id}/message", role: "editor", handle: sendMessage },
  { method: "POST", path: "/agent/{id}/cancel", role: "editor", handle: cancelAgentJob },
  { method: "POST", path: "/agent/{id}/archive", role: "editor", handle: archiveAgentJob },
];
