import { idempotencyHeader, json, jsonBody, keyFailures, responseHeaders, routesOf } from "../route-parts.js";
import * as schemas from "./schemas.js";
import texts from "./texts.json" with { type: "json" };

const { operations, problems, fields } = texts;
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
  200: json("The sites.", schemas.projectsSchema),
});

export const triggerUpdate = route("triggerUpdate", "post", "/v1/project/update/{projectId}", {
  headers: idempotencyHeader,
  202: json("The update is queued.", schemas.updateSchema, undefined, startHeaders),
  failures: [400, 422],
});

export const updateStatus = route("updateStatus", "get", "/v1/project/update-status/{statusId}", {
  200: json("The update.", schemas.updateStatusSchema, undefined, retryAfter),
});

export const triggerPreview = route("triggerPreview", "post", "/v1/project/preview/{projectId}", {
  headers: idempotencyHeader,
  body: jsonBody(schemas.previewRequestSchema),
  202: json("The export of the branch is queued.", schemas.previewSchema, undefined, startHeaders),
  failures: [422],
});

export const triggerWorkflow = route("triggerWorkflow", "post", "/v1/workflow/{projectId}/{workflowSchemaId}/trigger", {
  202: { description: "Reserved. This release has no automations and answers 501." },
  failures: [501],
});
