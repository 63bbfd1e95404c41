import { expect, test } from "vitest";
import { createApi } from "../../../src/service/http/index.js";
import { jobsPath, openApiWorld, publicUrl } from "../../support/api-world.js";

const noKey = 'The request has no API key. Send the header "Authorization: Bearer svc_…".';
const plain = { error: noKey };
const problem = { type: "about:blank", title: "Unauthorized", status: 401, detail: noKey, error: noKey };

const accepts: readonly [accept: string | undefined, type: string, body: object][] = [
  [undefined, "application/json", plain],
  ["*/*", "application/json", plain],
  ["application/json", "application/json", plain],
  ["text/html", "application/json", plain],
  ["application/problem+json;q=0", "application/json", plain],
  ["application/problem+json", "application/problem+json", problem],
  ["application/json, Application/Problem+JSON;q=0.9", "application/problem+json", problem],
];
for (const [accept, type, body] of accepts)
  test(`an error comes as ${type} to Accept: ${accept}`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("GET", jobsPath, { headers: accept === undefined ? {} : { Accept: accept } });
    expect([answer.status, answer.headers.get("Content-Type"), answer.json]).toEqual([401, type, body]);
    expect(answer.headers.get("Vary")).toBe("Accept");
  });

test("every response has the security headers and an id", async () => {
  const world = await openApiWorld();
  for (const path of [jobsPath, "/healthz", "/openapi.json", "/none"]) {
    const { headers } = await world.call("GET", path, { key: world.key });
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-request-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
});

const ids: readonly [rule: string, sent: string, kept: boolean][] = [
  ["a plain one", "build-2026.06_01", true],
  ["one that would break a line of the log", 'a","level":"error', false],
  ["a short one", "a", false],
  ["a long one", "a".repeat(65), false],
];
for (const [rule, sent, kept] of ids)
  test(`the client's request id is ${kept ? "kept" : "replaced"}: ${rule}`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("GET", "/none", { headers: { "X-Request-Id": sent } });
    const id = answer.headers.get("X-Request-Id")!;
    expect(id === sent).toBe(kept);
    expect(JSON.parse(world.lines.at(-1)!)).toMatchObject({ requestId: id, route: "unmatched", status: 404 });
  });

test("a log line has the client, the request and the result", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key });
  expect(JSON.parse(world.lines.at(-1)!)).toEqual({
    level: "info",
    message: "request",
    requestId: expect.any(String),
    method: "GET",
    route: "/v1/static-export/jobs/:jobId",
    jobId,
    status: 200,
    durationMs: expect.any(Number),
    clientAddress: "198.51.100.7",
    organizationId: world.acme.organizationId,
    keyId: (await world.store.accounts.keys(world.acme.organizationId))[0]?.keyId,
  });
});

test("while the database does not answer, requests get 503 and Retry-After, and the log gets the reason", async () => {
  const world = await openApiWorld();
  const jobId = await world.startJob();
  await world.store.close();
  const answer = await world.call("GET", `${jobsPath}/${jobId}`, { key: world.key });
  expect([answer.status, answer.headers.get("Retry-After"), answer.json.error]).toEqual([
    503,
    "5",
    "The service currently cannot reach its database. Try again in a few seconds.",
  ]);
  const line = JSON.parse(world.lines.at(-1)!);
  expect([line.level, line.status]).toEqual(["error", 503]);
  expect(line.fault).toMatch(/\nCause: Error: /);
});

test("an internal error is a 500 with the request's id; the log has the reason, without secrets", async () => {
  const world = await openApiWorld();
  const lines: string[] = [];
  const api = createApi({
    store: world.store,
    serveObject: async () => {
      throw new Error("no postgres://user:hush@db/x svc_hush https://objects.acme.com/bundle.tar.gz?signature=hush");
    },
    log: (_level, _message, facts) => lines.push(JSON.stringify(facts)),
  });
  const response = await api.fetch(new Request(`${publicUrl}/v1/objects/a?signature=hush`));
  expect(response.status).toBe(500);
  const { error } = (await response.json()) as { error: string };
  expect(error).toBe(
    `Internal server error. Your request did not cause it. Report it with the request ID ${response.headers.get("X-Request-Id")}.`,
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("no postgres://…@db/x svc_… https://objects.acme.com/bundle.tar.gz?…");
  expect(lines[0]).not.toContain("hush");
});

for (const [name, options] of Object.entries({
  linkTtlMs: { linkTtlMs: 0 },
  jobsPerWindow: { jobsPerWindow: Number.NaN },
  metricsToken: { metricsToken: "short" },
  trustedProxies: { trustedProxies: ["10.0.0.0/33"] },
}))
  test(`an invalid option ${name} is refused by name`, async () => {
    const { store } = await openApiWorld();
    expect(() => createApi({ store, options })).toThrow(name);
  });
