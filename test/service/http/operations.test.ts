import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createApi } from "../../../src/service/http/index.js";
import { jobsPath, openApiWorld, publicUrl } from "../../support/api-world.js";

test("the service is healthy while a worker is alive", async () => {
  const world = await openApiWorld();
  await world.store.jobs.workerHeartbeat("worker-1");
  expect((await world.call("GET", "/healthz")).json).toEqual({ status: "ok", problems: [] });
});

test("the service is degraded without a worker, with 200, so that the API is not restarted", async () => {
  const world = await openApiWorld();
  await world.startJob();
  const { status, json } = await world.call("GET", "/healthz");
  expect([status, json]).toEqual([
    200,
    {
      status: "degraded",
      problems: ["No worker is alive, and 1 jobs are waiting for one. Start a worker: offprint worker."],
    },
  ]);
  await world.store.jobs.workerHeartbeat("worker-1");
  world.clock.ms += 1000;
  expect((await world.call("GET", "/healthz")).json.status).toBe("ok");
  world.clock.ms += 31_000;
  expect((await world.call("GET", "/healthz")).json.status).toBe("degraded");
});

test("the service is ready while the database and the object store answer", async () => {
  const world = await openApiWorld();
  const ready = await world.call("GET", "/readyz");
  expect([ready.status, ready.json]).toEqual([200, { status: "ready", problems: [] }]);
  world.clock.ms += 1000;
  await world.store.close();
  const unready = await world.call("GET", "/readyz");
  expect([unready.status, unready.json]).toEqual([
    503,
    { status: "unready", problems: ["The database is not reachable."], error: "The database is not reachable." },
  ]);
  const health = await world.call("GET", "/healthz");
  expect([health.status, health.json]).toEqual([
    200,
    { status: "degraded", problems: ["The database is not reachable."] },
  ]);
});

test("the service is not ready while the object store refuses or does not answer", async () => {
  const world = await openApiWorld();
  const refusal = "The object store is not reachable, or denies access.";
  for (const check of [() => Promise.reject(new Error("hush")), () => new Promise<never>(() => {})]) {
    const objects = { ...world.store.objects, check };
    const api = createApi({ store: { ...world.store, objects } });
    const response = await api.fetch(new Request(`${publicUrl}/readyz`));
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "unready", problems: [refusal], error: refusal },
    ]);
  }
});

const token = "a-token-for-the-metrics";
test("metrics need their own token; an admin key does not work", async () => {
  const world = await openApiWorld({ metricsToken: token });
  expect((await world.call("GET", "/metrics")).status).toBe(401);
  expect((await world.call("GET", "/metrics", { key: world.key })).status).toBe(401);
  expect((await world.call("GET", "/metrics", { key: `${token}x` })).status).toBe(401);
  const answer = await world.call("GET", "/metrics", { key: token });
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
});

test("metrics count requests by route, and jobs by status, without ids, keys and addresses", async () => {
  const world = await openApiWorld({ metricsToken: token });
  const jobId = await world.startJob();
  for (let index = 0; index < 20; index += 1) await world.call("GET", `/none-${index}`);
  await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key });
  await world.call("PROPFIND", jobsPath, { key: world.key });
  world.clock.ms += 5000;
  const { text } = await world.call("GET", "/metrics", { key: token });
  for (const line of [
    'offprint_http_requests_total{method="POST",route="/v1/static-export/jobs",status="202"} 1',
    'offprint_http_requests_total{method="GET",route="/v1/static-export/jobs/:jobId",status="200"} 1',
    'offprint_http_requests_total{method="GET",route="unmatched",status="404"} 20',
    'offprint_http_requests_total{method="other",route="/v1/static-export/*",status="405"} 1',
    'offprint_jobs{status="queued"} 1',
    "offprint_workers 0",
    "offprint_oldest_queued_job_seconds 5",
    "offprint_http_waiting_requests 0",
  ])
    expect(text.split("\n")).toContain(line);
  expect(text).toContain("process_resident_memory_bytes");
  for (const secret of [jobId, world.key, world.acme.organizationId, "198.51.100.7", "none-"])
    expect(text).not.toContain(secret);
});

test("the specification passes the usual rules: contact, success of each operation, items of lists, valid examples", async () => {
  const { specification } = await openApiWorld({ adminToken: "operator-".repeat(5) });
  expect((specification as unknown as { info: object }).info).toMatchObject({ version: "2.0.0", contact: {} });
  const ajv = new Ajv2020({
    strict: false,
    formats: { uri: URL.canParse, "date-time": true, date: true, binary: true },
  });
  ajv.addSchema({ $id: "spec", components: specification.components });
  const faults: string[] = [];
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, items, schema, example, $ref } = value as Readonly<Record<string, unknown>>;
    if (type === "array" && items === undefined) faults.push(`${place} has no items.`);
    const checked = schema ?? (type !== undefined && $ref === undefined ? { ...value, example: undefined } : undefined);
    if (example !== undefined && checked !== undefined) {
      const local = JSON.parse(JSON.stringify(checked).replaceAll('"#/', '"spec#/'));
      if (!ajv.validate(local, example)) faults.push(`${place} has a wrong example: ${ajv.errorsText()}`);
    }
    for (const [key, part] of Object.entries(value)) if (key !== "example") walk(part, `${place}.${key}`);
  };
  walk(specification, "");
  for (const [path, methods] of Object.entries(specification.paths))
    for (const { operationId, responses } of Object.values(methods))
      if (!Object.keys(responses).some((status) => /^[23]/.test(status))) faults.push(`${path} ${operationId}`);
  expect(faults).toEqual([]);
});

test("the specification is OpenAPI 3.1, its schemas are JSON Schema, and every operation lists its errors", async () => {
  const { specification, call } = await openApiWorld({ publicUrl: "https://api.acme.com" });
  expect(specification.openapi).toBe("3.1.0");
  expect((await call("GET", "/openapi.json")).json.servers).toEqual([{ url: "https://api.acme.com" }]);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "spec", components: specification.components });
  for (const name of Object.keys(specification.components.schemas))
    expect(() => ajv.compile({ $ref: `spec#/components/schemas/${name}` })).not.toThrow();
  const ofAll = ["405", "500"];
  const operations = Object.entries(specification.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => [
      method,
      path,
      operationId,
      Object.keys(responses)
        .filter((status) => !ofAll.includes(status))
        .join(" "),
    ]),
  );
  for (const methods of Object.values(specification.paths))
    for (const { responses } of Object.values(methods))
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(ofAll));
  const refused = "400 401 403 404 413 415 429 503";
  expect(operations).toEqual([
    ["post", "/v1/static-export/jobs", "startStaticExportJob", "202 400 401 403 413 415 422 429 503"],
    ["get", "/v1/static-export/jobs", "listStaticExportJobs", "200 400 401 403 429 503"],
    ["get", "/v1/static-export/jobs/{jobId}", "getStaticExportJob", "200 304 400 401 403 404 429 503"],
    ["delete", "/v1/static-export/jobs/{jobId}", "cancelStaticExportJob", "200 401 403 404 429 503"],
    ["post", "/v1/static-export/jobs/{jobId}/rerun", "rerunStaticExportJob", "202 400 401 403 404 409 422 429 503"],
    [
      "get",
      "/v1/static-export/jobs/{jobId}/diagnostics",
      "listStaticExportDiagnostics",
      "200 400 401 403 404 409 429 503",
    ],
    ["get", "/v1/static-export/jobs/{jobId}/logs", "listStaticExportLog", "200 400 401 403 404 429 503"],
    ["post", "/v1/static-export/jobs/{jobId}/bundle", "generateStaticExportBundle", "200 400 401 403 404 409 429 503"],
    ["delete", "/v1/static-export/jobs/{jobId}/bundle", "withdrawStaticExportBundle", "200 401 403 404 409 429 503"],
    ["post", "/v1/static-export/jobs/{jobId}/webhooks/replay", "replayWebhooks", "202 401 403 404 409 429 503"],
    ["post", "/discovery/v1/assistant/{domain}/message", "createAssistantMessage", `200 ${refused}`],
    ["post", "/discovery/v2/assistant/{domain}/message", "createAssistantMessageV2", `200 ${refused}`],
    ["post", "/discovery/v1/search/{domain}", "searchDocumentation", `200 ${refused}`],
    ["post", "/discovery/v1/page/{domain}", "getPageContent", `200 ${refused}`],
    ["post", "/mcp/{domain}", "sendMcpMessage", `200 202 ${refused}`],
    ["post", "/discovery/v1/assistant/{domain}/feedback", "rateAssistantMessage", `204 ${refused}`],
    ["post", "/discovery/v2/assistant/{domain}/feedback", "rateAssistantMessageV2", `204 ${refused}`],
    [
      "delete",
      "/discovery/v1/assistant/{domain}/threads/{threadId}",
      "deleteAssistantThread",
      "204 401 403 404 429 503",
    ],
    ...[
      ["search", "searchKnowledge"],
      ["contents", "getKnowledgeContents"],
      ["context", "buildKnowledgeContext"],
    ].map(([path, id]) => ["post", `/api/universal-search/v1/${path}`, id, "200 400 401 403 413 415 429 503"]),
    ...[
      ["views", "getPageViews"],
      ["visitors", "getVisitors"],
      ["missing", "getMissingPages"],
      ["assistant", "listAssistantConversations"],
      ["assistant/caller-stats", "getAssistantCallerStats"],
      ["assistant/threads/{threadId}", "getAssistantThread"],
      ["feedback", "listFeedback"],
      ["feedback/by-page", "getFeedbackByPage"],
      ["searches", "listSearches"],
    ].map(([path, id]) => ["get", `/v1/analytics/{projectId}/${path}`, id, "200 400 401 403 404 429 503"]),
    ["post", "/v2/agent/{projectId}/job", "createAgentJob", "201 400 401 403 404 409 413 415 422 429 503"],
    [
      "post",
      "/v2/agent/{projectId}/job/{id}/message",
      "addAgentMessage",
      "200 400 401 403 404 409 413 415 422 429 503",
    ],
    ["get", "/v2/agent/{projectId}/job/{id}", "getAgentJob", "200 401 403 404 429 503"],
    ["get", "/v2/agent/{projectId}/jobs", "listAgentJobs", "200 400 401 403 404 429 503"],
    ["post", "/v2/agent/{projectId}/job/{id}/cancel", "cancelAgentJob", "200 401 403 404 429 503"],
    ["post", "/v2/agent/{projectId}/job/{id}/archive", "archiveAgentJob", "200 401 403 404 429 503"],
    ["get", "/v2/agent/{projectId}/job/{id}/events", "streamAgentEvents", "200 401 403 404 429 503"],
    ["post", "/v1/agent/{projectId}/job", "createAgentJobV1", "200 400 401 403 404 409 413 415 422 429 503"],
    ["get", "/v1/agent/{projectId}/job/{id}", "getAgentJobV1", "200 401 403 404 429 503"],
    ["get", "/v1/agent/{projectId}/jobs", "listAgentJobsV1", "200 400 401 403 404 429 503"],
    ["get", "/v1/projects", "listProjects", "200 401 403 429 503"],
    ["post", "/v1/project/update/{projectId}", "triggerUpdate", "202 400 401 403 404 422 429 503"],
    ["post", "/v1/project/preview/{projectId}", "triggerPreview", "202 400 401 403 404 413 415 422 429 503"],
    ["get", "/v1/project/update-status/{statusId}", "getUpdateStatus", "200 401 403 404 429 503"],
    ["post", "/v1/workflow/{projectId}/{workflowSchemaId}/trigger", "triggerWorkflow", "202 401 403 404 429 501 503"],
    ["post", "/v1/collect/{domain}", "collect", "204"],
    ["get", "/healthz", "getHealth", "200"],
    ["get", "/readyz", "getReadiness", "200 503"],
    ["get", "/v1/objects/{objectKey}", "getObject", "200 206 304 400 403 404 416 503"],
  ]);
});
