import { z } from "@hono/zod-openapi";
import { deployments } from "../../../lib/deployments.js";
import { refFault, textWithout } from "../jobs/job-request.js";
import { dateTime, named, namedStrict } from "../schemas.js";
import texts from "./texts.json" with { type: "json" };

const { fields } = texts;
const text = (description: string, example?: string) =>
  z.string().openapi({ description, ...(example !== undefined && { example }) });
const statusId = text(fields.statusId, "se_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06");

export const projectSchema = named("Project", {
  projectId: text(fields.projectId, "prj_3f9a2c1b8e7d4a063f9a2c1b8e7d4a06"),
  domain: text(fields.domain, "docs.example.com"),
  identifier: text(fields.identifier, "docs"),
  deployment: z.enum(deployments),
});
export const projectsSchema = named("Projects", { projects: z.array(projectSchema) });

export const updateSchema = named("ProjectUpdate", { statusId });
export const previewSchema = named("ProjectPreview", { statusId, previewUrl: text(fields.previewUrl) });

export const previewRequestSchema = namedStrict("ProjectPreviewRequest", {
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
