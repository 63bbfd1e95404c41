import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** The published interface of the API for exports and agent jobs, as JSON Schema by path and status. */
const dateTime = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$",
};

const staticExportJob = {
  type: "object",
  required: ["jobId", "status", "progress", "pageCount", "createdAt", "updatedAt"],
  properties: {
    jobId: { type: "string", pattern: "^se_[0-9a-f]{16,}$" },
    status: { enum: ["queued", "running", "completed", "failed"] },
    progress: { type: "number", minimum: 0, maximum: 100 },
    pageCount: { type: "integer", minimum: 0 },
    createdAt: dateTime,
    updatedAt: dateTime,
    error: { type: ["string", "null"] },
  },
  // Only failed jobs have an error.
  if: { properties: { status: { enum: ["queued", "running", "completed"] } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { error: { type: "null" } } },
};

const bundleResponse = {
  type: "object",
  required: ["jobId", "bundleUrl", "sizeBytes", "expiresAt"],
  properties: {
    jobId: { type: "string" },
    bundleUrl: { type: "string", pattern: "^https?://.+/bundle\\.tar\\.gz(\\?.*)?$" },
    sizeBytes: { type: "integer", minimum: 1 },
    expiresAt: dateTime,
  },
};

const error = { type: "object", required: ["error"], properties: { error: { type: "string", minLength: 1 } } };

const agentJob = {
  type: "object",
  required: ["id", "status", "source", "model", "prLink", "createdAt", "archivedAt"],
  additionalProperties: false,
  properties: {
    id: { type: "string" },
    status: { enum: ["active", "completed", "archived", "failed"] },
    source: {
      type: "object",
      required: ["repository", "ref"],
      additionalProperties: false,
      properties: { repository: { type: "string", pattern: "^https://[^@]+$" }, ref: { type: ["string", "null"] } },
    },
    model: { type: "string", minLength: 1 },
    prLink: { type: ["string", "null"], pattern: "^https?://" },
    createdAt: dateTime,
    archivedAt: { anyOf: [dateTime, { type: "null" }] },
  },
  // A job without a pull request, or one that is still to come.
  if: {
    properties: { status: { const: "active" }, source: { type: "object", properties: { ref: { type: "null" } } } },
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { prLink: { type: "null" } } },
};

/** Other statuses have an `error`. */
const published: Readonly<Record<string, Readonly<Record<number, object>>>> = {
  "POST /v1/static-export/jobs": { 202: staticExportJob },
  "GET /v1/static-export/jobs/{jobId}": { 200: staticExportJob },
  "GET /v2/agent/{projectId}/job/{id}": { 200: agentJob },
  "POST /v2/agent/{projectId}/job": { 201: agentJob },
  "POST /v2/agent/{projectId}/job/{id}/message": { 200: agentJob },
  "POST /v1/static-export/jobs/{jobId}/bundle": { 200: bundleResponse },
};

const ajv = new Ajv2020({ allErrors: true });
const validators = new Map<object, ValidateFunction>();

/** How an answer violates the published interface; empty for routes that are not part of it. */
export function contractViolations(method: string, path: string, status: number, body: unknown): string[] {
  const route = `${method} ${path
    .replace(/\?.*/, "")
    .replace(/(\/jobs\/)[^/]+/, "$1{jobId}")
    .replace(/^(\/v2\/agent\/)[^/]+/, "$1{projectId}")
    .replace(/(\/job\/)[^/]+/, "$1{id}")}`;
  const schema = status >= 400 ? error : published[route]?.[status];
  if (!schema) return [];
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(body) ? [] : [`${route} ${status}: ${ajv.errorsText(validate.errors)}`];
}
