import { z } from "@hono/zod-openapi";
import { dateTime, nextCursor, pageQuerySchema, wholeNumber } from "../schemas.js";

export const jobIdSchema = z.string().openapi({
  param: { name: "jobId", in: "path" },
  description: "The id from the response that started the job.",
  example: "se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06",
});

export const jobSchema = z
  .object({
    jobId: z.string().openapi({ example: "se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06" }),
    status: z.enum(["queued", "running", "completed", "failed"]).openapi({
      description: "`completed` and `failed` are final. A cancelled job is `failed`, and its `error` says so.",
    }),
    progress: z.int().min(0).max(100).openapi({
      description: "Percent, 0 to 100; never decreases, and is 100 only when the job is completed.",
      example: 40,
    }),
    pageCount: z.int().min(0).openapi({ description: "Pages exported so far; never decreases.", example: 120 }),
    createdAt: dateTime("When the job was started."),
    updatedAt: dateTime("When the job last changed."),
    error: z.string().optional().openapi({ description: "Why the job failed; only if it failed." }),
    domain: z.string().openapi({ example: "docs.example.com" }),
    version: z.string().optional().openapi({ description: "As requested.", example: "2026-06-01" }),
    paths: z.array(z.string()).optional().openapi({ description: "As requested." }),
    audience: z.array(z.string()).optional().openapi({ description: "The groups of readers that the bundle is for." }),
    finishedAt: dateTime("When the job was completed or failed.").optional(),
    errors: z.int().min(0).optional().openapi({ description: "Errors that the export found in the site.", example: 0 }),
    warnings: z.int().min(0).optional().openapi({ description: "Warnings of the export.", example: 2 }),
  })
  .openapi("StaticExportJob");

export const jobEndedSchema = z
  .object({
    type: z.enum(["static_export.completed", "static_export.failed", "static_export.bundle_ready"]),
    timestamp: dateTime("When the job ended."),
    data: jobSchema.extend({
      sizeBytes: z.int().min(0).optional().openapi({ description: "Of the bundle; only of `bundle_ready`." }),
      sha256: z.string().optional().openapi({ description: "Of the bundle; only of `bundle_ready`." }),
    }),
  })
  .openapi("StaticExportEnded");

export const replaySchema = z
  .object({ jobId: z.string(), status: z.literal("queued").openapi({ description: "The messages are sent soon." }) })
  .openapi("WebhookReplay");

export const jobListSchema = z
  .object({
    jobs: z.array(jobSchema).openapi({ description: "Newest first." }),
    nextCursor,
  })
  .openapi("StaticExportJobList");

const sourceLocation = z.object({
  sourcePath: z.string().openapi({ example: "docs.json" }),
  line: z.int().min(0).optional(),
  column: z.int().min(0).optional(),
  length: z.int().min(0).optional(),
});

export const diagnosticsSchema = z
  .object({
    diagnostics: z
      .array(
        z
          .object({
            code: z.string().openapi({ description: "Stable and searchable.", example: "PAGE_NOT_FOUND" }),
            severity: z.enum(["error", "warning"]),
            what: z.string().openapi({ description: "What is wrong, with the actual and the expected value." }),
            location: sourceLocation.optional(),
            related: z.object({ location: sourceLocation, what: z.string() }).optional().openapi({
              description: "A second place that explains the fault, such as the tag that is closed wrongly.",
            }),
            fix: z.string().openapi({ description: "What to do." }),
          })
          .openapi("Diagnostic"),
      )
      .openapi({ description: "Errors first, then by file and line; at most the first 10,000." }),
    nextCursor,
  })
  .openapi("DiagnosticList");

export const logSchema = z
  .object({
    lines: z
      .array(
        z
          .object({
            time: dateTime("When it happened."),
            level: z.enum(["info", "warning", "error"]),
            message: z.string().openapi({ example: "Attempt 1 started." }),
          })
          .openapi("LogLine"),
      )
      .openapi({ description: "Oldest first; at most the first 500 of the job." }),
    nextCursor,
  })
  .openapi("JobLog");

export const bundleSchema = z
  .object({
    jobId: z.string().openapi({ example: "se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06" }),
    bundleUrl: z.string().openapi({
      format: "uri",
      description: "Anyone with this link can download the bundle (.tar.gz) until `expiresAt`. Keep it secret.",
      example:
        "https://objects.example.com/static-exports/se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06/1/bundle.tar.gz?signature=3f9a2c1b",
    }),
    sizeBytes: z.int().min(0).openapi({ example: 1_482_313 }),
    expiresAt: dateTime("When the link expires. The bundle stays: ask again for a new link to the same bytes."),
    sha256: z.string().openapi({
      description: "Hash of the bundle in lower-case hexadecimal digits, to verify the download.",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
  })
  .openapi("BundleResponse");

export const statusQuerySchema = z.object({
  wait: wholeNumber(
    "wait",
    0,
    60,
    "Seconds to wait for the job to change. With If-None-Match: to differ from that state.",
  ),
});

export const listQuerySchema = pageQuerySchema.extend({
  status: z
    .enum(["queued", "running", "completed", "failed"], {
      error: '"status" must be queued, running, completed or failed.',
    })
    .optional(),
  domain: z.string().toLowerCase().optional().openapi({ description: "Only jobs of this site." }),
});

export const healthSchema = z
  .object({
    status: z.enum(["ok", "degraded"]),
    problems: z.array(z.string()).openapi({ description: "Why it is degraded." }),
  })
  .openapi("Health");

export const readySchema = z.object({ status: z.literal("ready"), problems: z.array(z.string()) }).openapi("Ready");

export const unreadySchema = z
  .object({
    status: z.literal("unready"),
    problems: z.array(z.string()).openapi({ description: "Dependencies that cannot be reached." }),
    error: z.string().openapi({ description: "The problems as one string." }),
  })
  .openapi("Unready");
