import { createHash } from "node:crypto";
import type { z } from "@hono/zod-openapi";
import type { AgentJob, Erasure, Job, Project } from "../jobs/index.js";
import type { agentJobSchema } from "./agent/routes.js";
import type { jobSchema } from "./jobs/routes.js";
import type { projectSchema } from "./projects/routes.js";
import type { erasureSchema } from "./schemas.js";

type JobView = z.infer<typeof jobSchema>;

/** A job as the API shows it: without the webhook's URL, which may contain secrets. */
export const jobView = (job: Job): JobView => ({
  jobId: job.jobId,
  status: job.status,
  progress: Math.floor(job.progress),
  pageCount: job.pageCount,
  createdAt: job.createdAt.toISOString(),
  updatedAt: job.updatedAt.toISOString(),
  error: job.status === "failed" ? (job.error ?? "The job failed without giving a reason.") : undefined,
  domain: job.domain,
  version: job.version,
  paths: job.paths && [...job.paths],
  audience: job.audience && [...job.audience],
  finishedAt: job.finishedAt?.toISOString(),
  errors: job.report?.errors,
  warnings: job.report?.warnings,
});

/** The job as it was when it was created, so that all responses to one Idempotency-Key have the same bytes. */
export const newJobView = (job: Job): JobView =>
  jobView({
    ...job,
    status: "queued",
    progress: 0,
    pageCount: 0,
    updatedAt: job.createdAt,
    finishedAt: undefined,
    error: undefined,
    report: undefined,
  });

export const entityTag = (view: JobView): string =>
  `"${createHash("sha256").update(JSON.stringify(view)).digest("base64url").slice(0, 22)}"`;

/** The receipt of an erasure as the API shows it. */
export const erasureView = (erasure: Erasure): z.infer<typeof erasureSchema> => ({
  erasureId: erasure.erasureId,
  kind: erasure.kind,
  subject: erasure.subject,
  requestedBy: erasure.requestedBy,
  requestedAt: erasure.requestedAt.toISOString(),
  completedAt: erasure.completedAt?.toISOString() ?? null,
  database: { ...erasure.database },
  ...(erasure.auditLog && { auditLog: erasure.auditLog }),
  objects: erasure.objects ?? null,
  workers: erasure.workers.map(({ workerId, confirmedAt, files = 0 }) => ({
    workerId,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    files,
  })),
  pendingWebhooks: erasure.pendingWebhooks,
});

/** A site as the API shows it to the keys of its organization. */
export const projectView = ({ projectId, domain, identifier, deployment }: Project): z.infer<typeof projectSchema> => ({
  projectId,
  domain,
  identifier,
  deployment,
});

/** An agent job as the API shows it. No key is ever left out. */
export const agentView = (job: AgentJob): z.infer<typeof agentJobSchema> => ({
  id: job.agentJobId,
  status: job.status,
  source: { repository: job.repository, ref: job.ref ?? null },
  model: job.model,
  prLink: job.pullRequest ?? null,
  createdAt: job.createdAt.toISOString(),
  archivedAt: job.archivedAt?.toISOString() ?? null,
});
