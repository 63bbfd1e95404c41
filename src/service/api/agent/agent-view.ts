import type { z } from "@hono/zod-openapi";
import type { AgentJob } from "../../jobs/index.js";
import type { agentJobSchema } from "./schemas.js";

/** An agent job as shown by the API: always all keys. */
export const agentView = (job: AgentJob): z.infer<typeof agentJobSchema> => ({
  id: job.agentJobId,
  status: job.status,
  source: { repository: job.repository, ref: job.ref ?? null },
  model: job.model,
  prLink: job.pullRequest ?? null,
  createdAt: job.createdAt.toISOString(),
  archivedAt: job.archivedAt?.toISOString() ?? null,
});
