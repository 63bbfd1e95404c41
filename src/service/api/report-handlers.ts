import type { Context } from "hono";
import { isFinished } from "../jobs/index.js";
import { readDiagnostics } from "../read-diagnostics.js";
import { ApiError } from "./api-error.js";
import { type HandlerDeps, inTime, ownJob } from "./job-handlers.js";
import { pollSeconds } from "./job-view.js";
import type { ApiEnvironment } from "./request-context.js";
import { cursorFault } from "./schemas.js";

interface Page {
  readonly limit?: number;
  readonly cursor?: string;
}
const defaultLimit = 20;

export async function listLog(deps: HandlerDeps, c: Context<ApiEnvironment>, jobId: string, page: Page) {
  await ownJob(deps.jobs, c, jobId);
  const { lines, next } = await deps.jobs.log(jobId, { ...page, limit: page.limit ?? defaultLimit });
  return { lines: lines.map((line) => ({ ...line, time: line.time.toISOString() })), nextCursor: next ?? null };
}

export async function listDiagnostics(deps: HandlerDeps, c: Context<ApiEnvironment>, jobId: string, page: Page) {
  const { limit = defaultLimit, cursor } = page;
  const job = await ownJob(deps.jobs, c, jobId);
  const retryAfter = pollSeconds(job, deps.now());
  if (!isFinished(job))
    throw new ApiError(
      409,
      `The job is ${job.status}, so its diagnostics are not known yet. Ask again once it has ended.`,
      retryAfter ? { "Retry-After": retryAfter } : {},
    );
  const { errors, warnings, diagnosticsKey } = job.report ?? { errors: 0, warnings: 0 };
  if (errors + warnings === 0) return { diagnostics: [], nextCursor: null };
  const found =
    diagnosticsKey &&
    (await inTime(deps, (signal) => readDiagnostics(deps.objects, diagnosticsKey, { limit, cursor, signal })));
  if (!found) throw new ApiError(404, "The diagnostics of this job are no longer kept. Start a new job.");
  if (found === "bad cursor") throw new ApiError(400, cursorFault);
  return { diagnostics: [...found.diagnostics], nextCursor: found.next ?? null };
}
