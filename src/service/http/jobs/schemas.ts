import { z } from "@hono/zod-openapi";
import { dateTime, named, nextCursor, pageQuerySchema, wholeNumber } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields } = texts;

const statusSchema = z.enum(["queued", "running", "completed", "failed"], {
  error: '"status" must be queued, running, completed or failed.',
});

export const jobSchema = named("StaticExportJob", {
  jobId: z.string().openapi(fields.ownJobId),
  status: statusSchema.openapi(fields.status),
  progress: z.int().min(0).max(100).openapi(fields.progress),
  pageCount: z.int().min(0).openapi(fields.pageCount),
  createdAt: dateTime("When the job was started."),
  updatedAt: dateTime("When the job last changed."),
  error: z.string().optional().openapi(fields.error),
  domain: z.string().openapi(fields.domain),
  version: z.string().optional().openapi(fields.version),
  paths: z.array(z.string()).optional().openapi(fields.paths),
  audience: z.array(z.string()).optional().openapi(fields.audience),
  finishedAt: dateTime("When the job was completed or failed.").optional(),
  errors: z.int().min(0).optional().openapi(fields.errors),
  warnings: z.int().min(0).optional().openapi(fields.warnings),
});

export const jobEndedSchema = named("StaticExportEnded", {
  type: z.enum(["static_export.completed", "static_export.failed", "static_export.bundle_ready"]),
  timestamp: dateTime("When the job ended."),
  data: jobSchema.extend({
    sizeBytes: z.int().min(0).optional().openapi(fields.ofBundle),
    sha256: z.string().optional().openapi(fields.ofBundle),
  }),
});

export const replaySchema = named("WebhookReplay", {
  jobId: z.string(),
  status: z.literal("queued").openapi(fields.replayed),
});

export const jobListSchema = named("StaticExportJobList", {
  jobs: z.array(jobSchema).openapi(fields.jobs),
  nextCursor,
});

const sourceLocation = z.object({
  sourcePath: z.string().openapi(fields.sourcePath),
  line: z.int().min(0).optional(),
  column: z.int().min(0).optional(),
  length: z.int().min(0).optional(),
});

const diagnosticSchema = named("Diagnostic", {
  code: z.string().openapi(fields.code),
  severity: z.enum(["error", "warning"]),
  what: z.string().openapi(fields.what),
  location: sourceLocation.optional(),
  related: z.object({ location: sourceLocation, what: z.string() }).optional().openapi(fields.related),
  fix: z.string().openapi(fields.fix),
});

export const diagnosticsSchema = named("DiagnosticList", {
  diagnostics: z.array(diagnosticSchema).openapi(fields.diagnostics),
  nextCursor,
});

const logLineSchema = named("LogLine", {
  time: dateTime("When it happened."),
  level: z.enum(["info", "warning", "error"]),
  message: z.string().openapi(fields.message),
});

export const logSchema = named("JobLog", { lines: z.array(logLineSchema).openapi(fields.lines), nextCursor });

export const bundleSchema = named("BundleResponse", {
  jobId: z.string().openapi(fields.ownJobId),
  bundleUrl: z.string().openapi(fields.bundleUrl),
  sizeBytes: z.int().min(0).openapi(fields.sizeBytes),
  expiresAt: dateTime("When the link expires. The bundle stays: ask again for a new link to the same bytes."),
  sha256: z.string().openapi(fields.sha256),
});

const waitText = "Seconds to wait for the job to change. With If-None-Match: to differ from that state.";
export const statusQuerySchema = z.object({ wait: wholeNumber("wait", 0, 60, waitText) });

export const listQuerySchema = pageQuerySchema.extend({
  status: statusSchema.optional(),
  domain: z.string().toLowerCase().optional().openapi(fields.ofSite),
});

const problems = z.array(z.string());
export const healthSchema = named("Health", {
  status: z.enum(["ok", "degraded"]),
  problems: problems.openapi(fields.whyDegraded),
});
export const readySchema = named("Ready", { status: z.literal("ready"), problems });
export const unreadySchema = named("Unready", {
  status: z.literal("unready"),
  problems: problems.openapi(fields.unreached),
  error: z.string().openapi(fields.allUnreached),
});
