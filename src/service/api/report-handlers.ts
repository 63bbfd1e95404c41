import type { Context } from "hono";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { cursorOf, isFinished, positionOf } from "../jobs/index.js";
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
/** Longer than any line. */
const chunkBytes = 256 * 1024;
const lineFeed = 0x0a;

export async function listLog(deps: HandlerDeps, c: Context<ApiEnvironment>, jobId: string, page: Page) {
  await ownJob(deps.jobs, c, jobId);
  const { lines, next } = await deps.jobs.log(jobId, { ...page, limit: page.limit ?? defaultLimit });
  return { lines: lines.map((line) => ({ ...line, time: line.time.toISOString() })), nextCursor: next ?? null };
}

/** A cursor is the position of a line in the object. */
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
  const first = cursor === undefined ? 0 : positionOf(cursor);
  // Also read the line feed before the first line, to check the cursor.
  const start = Math.max(0, first - 1);
  const part =
    diagnosticsKey && (await inTime(deps, (signal) => deps.objects.read(diagnosticsKey, start, chunkBytes, signal)));
  if (!part) throw new ApiError(404, "The diagnostics of this job are no longer kept. Start a new job.");
  const bytes = Buffer.from(part.bytes);
  if (first > 0 && bytes[0] !== lineFeed) throw new ApiError(400, cursorFault);
  const diagnostics: Diagnostic[] = [];
  let at = first - start;
  for (
    let end = bytes.indexOf(lineFeed, at);
    end >= 0 && diagnostics.length < limit;
    end = bytes.indexOf(lineFeed, at)
  ) {
    diagnostics.push(JSON.parse(bytes.toString("utf8", at, end)) as Diagnostic);
    at = end + 1;
  }
  return { diagnostics, nextCursor: start + at < part.size ? cursorOf(start + at) : null };
}
