import { z } from "@hono/zod-openapi";
import { deployments } from "../../../lib/deployments.js";
import { refFault, textWithout } from "../jobs/job-request.js";
import { idempotencyHeader, json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import { dateTime, named, namedStrict } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, problems, fields } = texts;

const text = (description: string, example?: string) =>
  z.string().openapi({ description, ...(example !== undefined && { example }) });
const statusId = text(fields.statusId, "se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06");

export const projectSchema = named("Project", {
  projectId: text(fields.projectId, "prj_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06"),
  domain: text(fields.domain, "docs.example.com"),
  identifier: text(fields.identifier, "docs"),
  deployment: z.enum(deployments),
});
const projectsSchema = named("Projects", { projects: z.array(projectSchema) });

const updateSchema = named("ProjectUpdate", { statusId });
const previewSchema = named("ProjectPreview", { statusId, previewUrl: text(fields.previewUrl) });

const previewRequestSchema = namedStrict("ProjectPreviewRequest", {
  branch: textWithout((branch) => refFault('"branch"', "a branch", branch)).openapi({
    description: fields.branch,
    minLength: 1,
    example: "quickstart",
  }),
});

export const updateStatusSchema = named("ProjectUpdateStatus", {
  _id: statusId,
  projectId: text(fields.projectId),
  createdAt: dateTime(fields.createdAt),
  endedAt: dateTime(fields.endedAt).optional(),
  status: z.enum(["queued", "in_progress", "success", "failure"]),
  summary: text(fields.summary),
  logs: z.array(z.string()).openapi({ description: fields.logs }),
  subdomain: text(fields.identifier),
  author: z.object({ name: z.string() }).nullable().openapi({ description: fields.author }),
  commit: z
    .object({ ref: z.string().openapi({ description: fields.ref }) })
    .optional()
    .openapi({ description: fields.commit }),
  source: z.literal("api").openapi({ description: fields.source }),
});

const { retryAfter, rateLimit, replayed } = responseHeaders;
const route = routesOf({
  tag: "Projects",
  scheme: "adminKey",
  operations,
  problems,
  parameters: fields,
  failures: keyFailures,
});
const startHeaders = { ...retryAfter, ...rateLimit, ...replayed };

export const listProjects = route("listProjects", "get", "/v1/projects", {
  200: json("The sites.", projectsSchema),
});

export const triggerUpdate = route("triggerUpdate", "post", "/v1/project/update/{projectId}", {
  headers: idempotencyHeader,
  202: json("The update is queued.", updateSchema, undefined, startHeaders),
  failures: [400, 422],
});

export const updateStatus = route("updateStatus", "get", "/v1/project/update-status/{statusId}", {
  200: json("The update.", updateStatusSchema, undefined, retryAfter),
});

export const triggerPreview = route("triggerPreview", "post", "/v1/project/preview/{projectId}", {
  headers: idempotencyHeader,
  body: jsonBody(previewRequestSchema),
  202: json("The export of the branch is queued.", previewSchema, undefined, startHeaders),
  failures: [422],
});

export const triggerWorkflow = route("triggerWorkflow", "post", "/v1/workflow/{projectId}/{workflowSchemaId}/trigger", {
  202: { description: "Reserved. This release has no automations and answers 501." },
  failures: [501],
});
