import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** The published interface of the static-export API, as JSON Schema by path and status. */
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

/** Other statuses have an `error`. */
const published: Readonly<Record<string, Readonly<Record<number, object>>>> = {
  "POST /v1/static-export/jobs": { 202: staticExportJob },
  "GET /v1/static-export/jobs/{jobId}": { 200: staticExportJob },
  "POST /v1/static-export/jobs/{jobId}/bundle": { 200: bundleResponse },
};

const ajv = new Ajv2020({ allErrors: true });
const validators = new Map<object, ValidateFunction>();

/** How an answer violates the published interface; empty for routes that are not part of it. */
export function contractViolations(method: string, path: string, status: number, body: unknown): string[] {
  const route = `${method} ${path.replace(/\?.*/, "").replace(/(\/jobs\/)[^/]+/, "$1{jobId}")}`;
  const schema = status >= 400 ? error : published[route]?.[status];
  if (!schema) return [];
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(body) ? [] : [`${route} ${status}: ${ajv.errorsText(validate.errors)}`];
}
