import { z } from "@hono/zod-openapi";
import { isCursor } from "../jobs/index.js";

/** An object that the specification describes under `name`. */
export const named = <S extends z.ZodRawShape>(name: string, shape: S) => z.object(shape).openapi(name);

/** The same for requests that may have no further members. */
export const namedStrict = <S extends z.ZodRawShape>(name: string, shape: S) => z.strictObject(shape).openapi(name);

/** The same for requests whose further members are ignored. */
export const namedLoose = <S extends z.ZodRawShape>(name: string, shape: S) => z.looseObject(shape).openapi(name);

export const dateTime = (description: string) =>
  z.string().openapi({ format: "date-time", description, example: "2026-06-01T06:00:00.000Z" });

export const nextCursor = z
  .string()
  .nullable()
  .openapi({ description: "`cursor` of the next page; null on the last one." });

export const errorSchema = named("Error", {
  error: z.string().openapi({
    description: "What happened, where, and how to fix it.",
    example: 'The request has no API key. Send the header "Authorization: Bearer svc_…".',
  }),
});

export const problemSchema = named("Problem", {
  type: z.string().openapi({ example: "about:blank" }),
  title: z.string().openapi({ example: "Unauthorized" }),
  status: z.int().openapi({ example: 401 }),
  detail: z.string(),
  error: z.string().openapi({ description: "The same as `detail`." }),
});

export const wholeNumber = (name: string, from: number, to: number, description: string) =>
  z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= from && Number(text) <= to, {
      error: `"${name}" must be a whole number from ${from} to ${to}.`,
    })
    .transform(Number)
    .optional()
    .openapi({ type: "integer", minimum: from, maximum: to, description });

export const cursorFault = '"cursor" must be the nextCursor of the previous page.';

export const pageQuerySchema = z.object({
  limit: wholeNumber("limit", 1, 100, "Entries on one page; 20 if left out."),
  cursor: z
    .string()
    .refine(isCursor, { error: cursorFault })
    .optional()
    .openapi({ description: "`nextCursor` of the previous page." }),
});

const count = (description: string) => z.number().int().openapi({ description });

export const erasureSchema = named("Erasure", {
  erasureId: z.string().openapi({ example: "ers_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06" }),
  kind: z.enum(["organization", "site", "bundle", "thread", "person"]),
  subject: z.string().openapi({ description: "Id or domain of what was erased; of a person the pseudonym." }),
  requestedBy: z.string(),
  requestedAt: dateTime("When the database was changed."),
  completedAt: dateTime("When the objects were gone and all live workers had confirmed.").nullable(),
  database: z.record(z.string(), z.number().int()).openapi({ description: "Deleted or changed rows by table." }),
  auditLog: z
    .object({ lines: count("Lines of the chain."), head: z.string().openapi({ description: "Its last hash." }) })
    .optional()
    .openapi({ description: "The audit log that was deleted with its organization." }),
  objects: z
    .object({
      bundles: count("Bundles, indexes and diagnostics."),
      caches: count("Cached pages that workers share."),
    })
    .nullable()
    .openapi({ description: "What was removed from the object store; null before the first attempt." }),
  workers: z
    .array(
      z.object({
        workerId: z.string(),
        confirmedAt: dateTime("When it had removed its copies.").nullable(),
        files: count("Files that it has removed from its disk."),
      }),
    )
    .openapi({ description: "Live workers, and those that have confirmed." }),
  pendingWebhooks: count("Webhooks about ended jobs that are still to be sent."),
});
