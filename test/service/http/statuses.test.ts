import { expect, test } from "vitest";
import { type ApiWorld, jobsPath, openApiWorld } from "../../support/api-world.js";

const unknownJob = `se_${"0".repeat(32)}`;
const start = { domain: "docs.acme.com" };

/** The routes, with the status for a key with all scopes and a queued job. */
const routes = [
  // method, path, body, status
  ["POST", jobsPath, start, 202],
  ["GET", jobsPath, undefined, 200],
  ["HEAD", jobsPath, undefined, 200],
  ["GET", `${jobsPath}/{own}`, undefined, 200],
  ["HEAD", `${jobsPath}/{own}`, undefined, 200],
  ["GET", `${jobsPath}/{own}/logs`, undefined, 200],
  ["GET", `${jobsPath}/{own}/diagnostics`, undefined, 409],
  ["DELETE", `${jobsPath}/{own}`, undefined, 200],
  ["POST", `${jobsPath}/{own}/bundle`, undefined, 409],
  ["POST", `${jobsPath}/{own}/rerun`, undefined, 202],
] as const;

type KeyOf = (world: ApiWorld) => Promise<string | undefined>;
const hour = 60 * 60_000;

/** One status for all routes, or one for reading and one for writing. */
const keys: readonly [rule: string, key: KeyOf, refused: { read?: number; write?: number }, says?: RegExp][] = [
  ["no key", async () => undefined, { read: 401, write: 401 }, /Send the header "Authorization: Bearer svc_…"/],
  ["a key in an invalid form", async () => "hunter2", { read: 401, write: 401 }, /This API key does not exist/],
  ["a key with invalid characters", async () => "svc_a b", { read: 401, write: 401 }, /must be "Bearer", a space/],
  ["an empty key", async () => "", { read: 401, write: 401 }],
  ["an unknown key", async () => `svc_${"A".repeat(43)}`, { read: 401, write: 401 }, /This API key does not exist/],
  [
    "a key of a megabyte",
    async () => `svc_${"A".repeat(2 ** 20)}`,
    { read: 401, write: 401 },
    /This API key does not exist/,
  ],
  ["a key in upper case", async (world) => world.key.toUpperCase(), { read: 401, write: 401 }],
  [
    "an expired key",
    async (world) => (await world.newKey({ expiresAt: new Date(world.clock.ms) })).secret,
    { read: 401, write: 401 },
    /expired at 2026-06-01T06:00:00.000Z/,
  ],
  [
    "a key that expires in an hour",
    async (world) => (await world.newKey({ expiresAt: new Date(world.clock.ms + hour) })).secret,
    {},
  ],
  [
    "a revoked key",
    async (world) => {
      const { key, secret } = await world.newKey();
      await world.store.accounts.revokeKey(world.acme.organizationId, key.keyId);
      return secret;
    },
    { read: 401, write: 401 },
    /has been revoked/,
  ],
  [
    "an assistant key",
    async (world) => (await world.newKey({ kind: "assistant", scopes: [] })).secret,
    { read: 403, write: 403 },
    /takes an admin key/,
  ],
  [
    "a key that may only read",
    async (world) => (await world.newKey({ scopes: ["read"] })).secret,
    { write: 403 },
    /does not have the scope "write"/,
  ],
  [
    "a key that may write, which includes reading",
    async (world) => (await world.newKey({ scopes: ["write"] })).secret,
    {},
  ],
  ["a key without scopes", async (world) => (await world.newKey({ scopes: [] })).secret, { read: 403, write: 403 }],
  [
    "a key for other addresses",
    async (world) => (await world.newKey({ allowedAddresses: ["203.0.113.0/24", "2001:db8::/32"] })).secret,
    { read: 403, write: 403 },
    /cannot be used from 198\.51\.100\.7/,
  ],
  [
    "a key for the client's network",
    async (world) => (await world.newKey({ allowedAddresses: ["198.51.100.0/28"] })).secret,
    {},
  ],
  [
    "a key for one address, written as part of IPv6",
    async (world) => (await world.newKey({ allowedAddresses: ["198.51.100.7"] })).secret,
    {},
  ],
  [
    "an expired key for other addresses: the first fault counts",
    async (world) =>
      (await world.newKey({ expiresAt: new Date(world.clock.ms - hour), allowedAddresses: ["203.0.113.1"] })).secret,
    { read: 401, write: 401 },
  ],
];

for (const [rule, keyOf, refused, says] of keys)
  test(`${rule} is answered by ${JSON.stringify(refused)}, and otherwise does what it asks`, async () => {
    const world = await openApiWorld();
    const own = await world.startJob();
    const key = await keyOf(world);
    for (const [method, path, body, status] of routes) {
      const wanted = refused[method === "GET" || method === "HEAD" ? "read" : "write"] ?? status;
      const from = rule.includes("IPv6") ? "::ffff:198.51.100.7" : undefined;
      const answer = await world.call(method, path.replace("{own}", own), { key, body, from });
      expect([method, path, answer.status]).toEqual([method, path, wanted]);
      expect(answer.headers.get("WWW-Authenticate")?.startsWith('Bearer realm="offprint"')).toBe(
        wanted === 401 ? true : undefined,
      );
      if (wanted !== status && method !== "HEAD") expect(answer.json.error).toMatch(says ?? /./);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    }
  });

test("another organization's job gets the same bytes as an unknown one, on every route", async () => {
  // Without the headers that count the requests.
  const world = await openApiWorld({ rateLimitHeaders: "none" });
  const own = await world.startJob();
  const { secret: key } = await world.newKey({ organizationId: world.globex.organizationId });
  for (const [method, path] of routes.filter(([, path]) => path.includes("{own}"))) {
    const asked = async (jobId: string) => {
      const answer = await world.call(method, path.replace("{own}", jobId), {
        key,
        headers: { "X-Request-Id": "same-for-both" },
      });
      return { ...answer, headers: [...answer.headers] };
    };
    const foreign = await asked(own);
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await asked(unknownJob));
  }
  expect((await world.call("GET", `${jobsPath}/${own}`, { key: world.key })).json.status).toBe("queued");
});

for (const jobId of [
  "null",
  "undefined",
  "NaN",
  "se_",
  `${unknownJob}0`,
  unknownJob.toUpperCase(),
  "%00",
  "..%2f",
  "a".repeat(5000),
  "%E0%A4%A",
])
  test(`a jobId ${JSON.stringify(jobId.slice(0, 20))} is a 404 in JSON`, async () => {
    const world = await openApiWorld();
    for (const [method, suffix] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/bundle"],
      ["GET", "/logs"],
      ["GET", "/diagnostics"],
      ["POST", "/rerun"],
    ] as const) {
      const answer = await world.call(method, `${jobsPath}/${jobId}${suffix}`, { key: world.key });
      expect([method, answer.status]).toEqual([method, 404]);
      expect(answer.json.error).toBe("There is no such job. Check the jobId: POST /v1/static-export/jobs gives it.");
    }
  });

const plans = [
  // plan, start, status, list, cancel, bundle
  ["enterprise", 202, 200, 200, 200, 200],
  ["pro", 403, 200, 200, 200, 403],
  ["free", 403, 200, 200, 200, 403],
] as const;
for (const [plan, ...statuses] of plans)
  test(`the plan "${plan}" gives ${statuses.join(", ")} for start, status, list, cancel and bundle`, async () => {
    const world = await openApiWorld();
    const jobId = await world.completedJob("bundle");
    await world.store.accounts.setPlan(world.acme.organizationId, plan);
    const { key } = world;
    const answers = [
      await world.call("POST", jobsPath, { key, body: start }),
      await world.call("GET", `${jobsPath}/${jobId}`, { key }),
      await world.call("GET", jobsPath, { key }),
      await world.call("DELETE", `${jobsPath}/${jobId}`, { key }),
      await world.call("POST", `${jobsPath}/${jobId}/bundle`, { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    if (plan !== "enterprise")
      expect(answers[0]!.json.error).toContain(`needs the enterprise plan, but this organization has "${plan}"`);
  });

const methods = [
  // method, path, Allow
  ["PUT", jobsPath, "GET, HEAD, POST"],
  ["DELETE", jobsPath, "GET, HEAD, POST"],
  ["OPTIONS", jobsPath, "GET, HEAD, POST"],
  ["POST", `${jobsPath}/${unknownJob}`, "DELETE, GET, HEAD"],
  ["PATCH", `${jobsPath}/${unknownJob}`, "DELETE, GET, HEAD"],
  ["GET", `${jobsPath}/${unknownJob}/bundle`, "DELETE, POST"],
  ["HEAD", `${jobsPath}/${unknownJob}/bundle`, "DELETE, POST"],
  ["GET", `${jobsPath}/${unknownJob}/rerun`, "POST"],
  ["DELETE", `${jobsPath}/${unknownJob}/logs`, "GET, HEAD"],
  ["POST", "/healthz", "GET, HEAD"],
  ["DELETE", "/openapi.json", "GET, HEAD"],
] as const;
for (const [method, path, allow] of methods)
  test(`${method} ${path} is a 405 that allows ${allow}`, async () => {
    const world = await openApiWorld();
    const answer = await world.call(method, path, { key: world.key });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, allow]);
  });

for (const path of [
  "/",
  "/v1",
  "/v1/static-export",
  `${jobsPath}/`,
  `${jobsPath}/${unknownJob}/bundle/x`,
  "/v2/static-export/jobs",
  "/metrics",
  "//v1/static-export/jobs",
  "/.env",
])
  test(`${path} is a 404: there is no such route`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("GET", path, { key: world.key });
    expect([answer.status, answer.json.error]).toEqual([
      404,
      "There is no such route. /openapi.json lists the routes.",
    ]);
  });
