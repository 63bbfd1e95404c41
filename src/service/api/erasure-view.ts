import type { z } from "@hono/zod-openapi";
import type { Erasure } from "../jobs/index.js";
import type { erasureSchema } from "./schemas.js";

/** The receipt as clients get it. */
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
