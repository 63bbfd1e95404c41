import { expect, test } from "vitest";
import { jobsPath, openApiWorld } from "../../support/api-world.js";
import { smallBundle } from "../../support/small-bundle.js";

const accepted: readonly [rule: string, body: object, job: object][] = [
  ["a domain alone", { domain: "docs.acme.com" }, { domain: "docs.acme.com" }],
  ["a domain in capitals", { domain: "Docs.ACME.com" }, { domain: "docs.acme.com" }],
  ["a version", { domain: "docs.acme.com", version: "release/2.x" }, { version: "release/2.x" }],
  ["a label", { domain: "docs.acme.com", version: "June (final)" }, { version: "June (final)" }],
  ["a commit", { domain: "docs.acme.com", version: "3fc67a1" }, { version: "3fc67a1" }],
  ["pages", { domain: "docs.acme.com", paths: ["index", "a/b c", "v1.2/é"] }, { paths: ["index", "a/b c", "v1.2/é"] }],
  ["a webhook, which is not shown", { domain: "docs.acme.com", webhookUrl: "https://ci.acme.com/?t=1" }, {}],
];
for (const [rule, body, job] of accepted)
  test(`starting a job takes ${rule}`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("POST", jobsPath, { key: world.key, body });
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({
      domain: "docs.acme.com",
      ...job,
      jobId: expect.stringMatching(/^se_[0-9a-f]{32}$/),
      status: "queued",
      progress: 0,
      pageCount: 0,
      createdAt: "2026-06-01T06:00:00.000Z",
      updatedAt: "2026-06-01T06:00:00.000Z",
    });
    expect(answer.headers.get("Location")).toBe(`${jobsPath}/${answer.json.jobId}`);
    expect(answer.headers.get("Retry-After")).toBe("1");
    const kept = await world.store.jobs.get(answer.json.jobId);
    expect(kept?.webhookUrl).toBe((body as { webhookUrl?: string }).webhookUrl);
  });

const start = { domain: "docs.acme.com" };
const refused: readonly [rule: string, body: unknown, error: string][] = [
  ["an empty object", {}, '"domain" is missing.'],
  ["null", null, 'The body is null, but must be a JSON object: {"domain": "docs.example.com"}.'],
  ["an array", [start], 'The body is an array, but must be a JSON object: {"domain": "docs.example.com"}.'],
  ["a string", '"docs.acme.com"', 'The body is a string, but must be a JSON object: {"domain": "docs.example.com"}.'],
  ["a number as domain", { domain: 7 }, '"domain" is a number, but must be a string.'],
  ["null as domain", { domain: null }, '"domain" is null, but must be a string.'],
  [
    "an address as domain",
    { domain: "https://docs.acme.com/guides" },
    '"domain" must be a host name without scheme, port or path, not "https://docs.acme.com/guides". Write "docs.acme.com".',
  ],
  [
    "a domain with a path",
    { domain: "docs.acme.com/" },
    '"domain" must be a host name without scheme, port or path, not "docs.acme.com/". Write "docs.acme.com".',
  ],
  [
    "a domain with a port",
    { domain: "docs.acme.com:443" },
    '"domain" must be a host name without scheme, port or path, not "docs.acme.com:443". Write "docs.acme.com".',
  ],
  [
    "an empty domain",
    { domain: "" },
    '"domain" must be a host name without scheme, port or path, not "". Write it like "docs.example.com".',
  ],
  [
    "an unknown domain",
    { domain: "x.acme.com" },
    'The organization has no site "x.acme.com". Check the spelling, or add it: offprint site add x.acme.com.',
  ],
  [
    "another organization's domain, like an unknown one",
    { domain: "docs.globex.com" },
    'The organization has no site "docs.globex.com". Check the spelling, or add it: offprint site add docs.globex.com.',
  ],
  ["an unknown field", { ...start, path: ["a"] }, 'There is no field "path". Did you mean "paths"?'],
  [
    "a field of no kind",
    { ...start, zzzzzzzz: 1 },
    'There is no field "zzzzzzzz". The fields are domain, version, paths, audience, webhookUrl.',
  ],
  ["no pages", { ...start, paths: [] }, '"paths" is empty. To export every page, leave it out.'],
  ["a page that is not text", { ...start, paths: ["a", 7] }, '"paths[1]" is a number, but must be a string.'],
  ["pages as text", { ...start, paths: "a" }, '"paths" is a string, but must be an array.'],
  [
    "10,001 pages",
    { ...start, paths: Array(10_001).fill("a") },
    '"paths" has more than 10,000 entries. To export every page, leave it out.',
  ],
  [
    "a page with a slash and an extension",
    { ...start, paths: ["/guides/install.mdx"] },
    '"/guides/install.mdx" in "paths" must not start or end with a slash or have an extension. Write "guides/install".',
  ],
  [
    "a page that climbs",
    { ...start, paths: ["../secret"] },
    '"../secret" in "paths" must not start or end with a slash or have an extension. Write it like "guides/install".',
  ],
  [
    "a page with a backslash",
    { ...start, paths: ["a\\b"] },
    '"a\\b" in "paths" must not start or end with a slash or have an extension. Write it like "guides/install".',
  ],
  [
    "a full name that git refuses",
    { ...start, version: "refs/heads/--x..y" },
    '"version" is a tag or branch of the site\'s repository, not "refs/heads/--x..y".',
  ],
  [
    "a version of blanks",
    { ...start, version: "  " },
    '"version" must be a tag, branch, commit or label: one line of 1 to 255 characters, not "". To use the site\'s default, leave it out.',
  ],
  [
    "a webhook of another protocol",
    { ...start, webhookUrl: "file:///etc/passwd" },
    '"webhookUrl" must be an https:// or http:// URL of at most 2,048 characters, without a user name or password.',
  ],
  [
    "a webhook with a password",
    { ...start, webhookUrl: "https://u:p@ci.acme.com/" },
    '"webhookUrl" must be an https:// or http:// URL of at most 2,048 characters, without a user name or password.',
  ],
  [
    "several errors, and reports all",
    { domain: 1, paths: [] },
    '"domain" is a number, but must be a string. "paths" is empty. To export every page, leave it out.',
  ],
  ["a body that is not JSON", "{domain: docs.acme.com}", "The body is not valid JSON: "],
  ["an empty body", "", "The body is not valid JSON: "],
  [
    "a hundred thousand brackets",
    "[".repeat(100_000),
    "The body nests arrays and objects more than 16 levels deep. Send a flat object.",
  ],
  [
    "a page of a thousand characters and more",
    { ...start, paths: [`a${"/".repeat(1023)}b`] },
    `A page in "paths" can have at most 1024 characters; "a${"/".repeat(118)}…" has more.`,
  ],
  ["__proto__", '{"domain": "docs.acme.com", "__proto__": {"a": 1}}', 'There is no field "__proto__".'],
];
for (const [rule, body, error] of refused)
  test(`starting a job refuses ${rule}`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("POST", jobsPath, { key: world.key, body });
    expect(answer.status).toBe(400);
    if (/ $|__$/.test(error) || rule === "__proto__") expect(answer.json.error).toContain(error);
    else expect(answer.json).toEqual({ error });
    expect((await world.store.jobs.counts()).queued).toBe(0);
  });

const carriers: readonly [
  rule: string,
  headers: Record<string, string>,
  body: string,
  status: number,
  error: RegExp | undefined,
][] = [
  ["JSON", { "Content-Type": "application/json" }, JSON.stringify(start), 202, undefined],
  [
    "JSON that says UTF-8",
    { "Content-Type": 'Application/JSON; charset="UTF-8"' },
    JSON.stringify(start),
    202,
    undefined,
  ],
  [
    "JSON in another encoding",
    { "Content-Type": "application/json; charset=utf-16" },
    JSON.stringify(start),
    415,
    /UTF-8/,
  ],
  [
    "a form, as curl -d sends it",
    { "Content-Type": "application/x-www-form-urlencoded" },
    JSON.stringify(start),
    415,
    /Send the header "Content-Type: application\/json" instead of/,
  ],
  ["text", { "Content-Type": "text/plain" }, JSON.stringify(start), 415, /instead of "text\/plain"/],
  [
    "a packed body",
    { "Content-Type": "application/json", "Content-Encoding": "gzip" },
    JSON.stringify(start),
    415,
    /without "Content-Encoding: gzip"/,
  ],
  [
    "a body that is too large",
    { "Content-Type": "application/json" },
    JSON.stringify({ domain: "a".repeat(2000) }),
    413,
    /exceeds the limit of 1000 bytes/,
  ],
  [
    "a body with too many values",
    { "Content-Type": "application/json" },
    JSON.stringify({ ...start, paths: Array(20_000).fill("a") }),
    413,
    /limit of 20000 values/,
  ],
  [
    "a body that says it is too large",
    { "Content-Type": "application/json", "Content-Length": "1001" },
    "{}",
    413,
    /exceeds the limit of 1000 bytes/,
  ],
];
for (const [rule, headers, body, status, error] of carriers)
  test(`${rule} gets ${status}`, async () => {
    const world = await openApiWorld({ maxBodyBytes: rule.includes("values") ? undefined : 1000 });
    const answer = await world.call("POST", jobsPath, { key: world.key, body, headers });
    expect(answer.status).toBe(status);
    if (error) expect(answer.json.error).toMatch(error);
  });

test("a repeated Idempotency-Key gives the same bytes, even after the job has changed", async () => {
  const world = await openApiWorld();
  const ask = {
    key: world.key,
    body: { domain: "docs.acme.com", paths: ["a"] },
    headers: { "Idempotency-Key": "k-1" },
  };
  const first = await world.call("POST", jobsPath, ask);
  await world.store.jobs.complete(await world.takeJob(), { objectKey: "x", bytes: 1, sha256: "0" }, 4);
  world.clock.ms += 60 * 60_000;
  const second = await world.call("POST", jobsPath, ask);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  const marks = [first, second].map(({ headers }) => headers.get("Idempotent-Replayed"));
  expect(marks).toEqual([null, "true"]);
  const reordered = { ...ask, body: '{"paths": ["a"],  "domain": "DOCS.acme.com"}' };
  expect((await world.call("POST", jobsPath, reordered)).text).toBe(first.text);
});

const keyRules: readonly [rule: string, idempotencyKey: string, paths: string[], status: number][] = [
  ["used for another request", "k-1", ["b"], 422],
  ["that is new", "k-2", ["b"], 202],
  ["of 255 characters", "k".repeat(255), ["b"], 202],
  ["of 256 characters", "k".repeat(256), ["b"], 400],
  ["that is empty", "", ["b"], 400],
  ["with a blank", "a b", ["b"], 400],
];
for (const [rule, idempotencyKey, paths, status] of keyRules)
  test(`an Idempotency-Key ${rule} gets ${status}`, async () => {
    const world = await openApiWorld();
    const ask = (key: string, wanted: string[]) =>
      world.call("POST", jobsPath, {
        key: world.key,
        body: { domain: "docs.acme.com", paths: wanted },
        headers: { "Idempotency-Key": key },
      });
    expect((await ask("k-1", ["a"])).status).toBe(202);
    expect((await ask(idempotencyKey, paths)).status).toBe(status);
  });

test("another organization may use the same Idempotency-Key", async () => {
  const world = await openApiWorld();
  const { secret: other } = await world.newKey({ organizationId: world.globex.organizationId });
  const headers = { "Idempotency-Key": "k-1" };
  const first = await world.call("POST", jobsPath, { key: world.key, body: start, headers });
  const second = await world.call("POST", jobsPath, { key: other, body: { domain: "docs.globex.com" }, headers });
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(second.json.jobId).not.toBe(first.json.jobId);
});

test("without Idempotency-Key, every request creates a job", async () => {
  const world = await openApiWorld();
  expect(await world.startJob()).not.toBe(await world.startJob());
});

const headerForms = [
  // form, headers of the first answer
  ["structured", { "RateLimit-Policy": '"jobs";q=2;w=60', RateLimit: '"jobs";r=1;t=60', "RateLimit-Limit": null }],
  ["separate", { "RateLimit-Limit": "2", "RateLimit-Remaining": "1", "RateLimit-Reset": "60", RateLimit: null }],
  ["none", { "RateLimit-Limit": null, "RateLimit-Policy": null, RateLimit: null }],
] as const;
for (const [form, headers] of headerForms)
  test(`an organization's jobs per window are limited, with headers in the format "${form}"`, async () => {
    const world = await openApiWorld({ jobsPerWindow: 2, windowMs: 60_000, rateLimitHeaders: form });
    const ask = () => world.call("POST", jobsPath, { key: world.key, body: start });
    const first = await ask();
    expect(first.status).toBe(202);
    for (const [name, value] of Object.entries(headers)) expect([name, first.headers.get(name)]).toEqual([name, value]);
    world.clock.ms += 20_000;
    expect((await ask()).status).toBe(202);
    const third = await ask();
    expect([third.status, third.headers.get("Retry-After")]).toEqual([429, "40"]);
    expect(third.json.error).toBe("This organization can start 2 jobs within 60 seconds. Try again in 40 seconds.");
    if (form === "structured") expect(third.headers.get("RateLimit")).toBe('"jobs";r=0;t=40');

    const { secret: other } = await world.newKey({ organizationId: world.globex.organizationId });
    expect((await world.call("POST", jobsPath, { key: other, body: { domain: "docs.globex.com" } })).status).toBe(202);
    expect((await world.call("GET", jobsPath, { key: world.key })).status).toBe(200);
    world.clock.ms += 40_000;
    expect((await ask()).status).toBe(202);
  });

test("refused requests count against the limit", async () => {
  const world = await openApiWorld({ jobsPerWindow: 8 });
  const send = (body: unknown, headers = {}) => world.call("POST", jobsPath, { key: world.key, body, headers });
  const refusals = [
    await send({}),
    await send("{"),
    await send("[".repeat(100)),
    await send({ domain: "x.acme.com" }),
    await send("{}", { "Content-Type": "text/plain" }),
    await send("a".repeat(2 ** 20 + 1)),
    await send(start, { "Idempotency-Key": "a b" }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([400, 400, 400, 400, 415, 413, 400]);
  expect(refusals.map(({ headers }) => headers.get("RateLimit"))).toEqual(
    [7, 6, 5, 4, 3, 2, 1].map((left) => `"jobs";r=${left};t=60`),
  );
  expect((await send(start)).status).toBe(202);
  expect((await send({})).status).toBe(429);
  expect((await send(start)).status).toBe(429);
  world.clock.ms += 60_000;
  expect((await send(start)).status).toBe(202);
});

test("a repeated Idempotency-Key is free, and answered above the limit", async () => {
  const world = await openApiWorld({ jobsPerWindow: 2 });
  const send = (key: string, body: object = start) =>
    world.call("POST", jobsPath, { key: world.key, body, headers: { "Idempotency-Key": key } });
  const first = await send("k-1");
  for (let repeat = 0; repeat < 5; repeat++) expect((await send("k-1")).text).toBe(first.text);
  const second = await send("k-2");
  expect([second.status, second.headers.get("RateLimit")]).toEqual([202, '"jobs";r=0;t=60']);
  const replayed = await send("k-1");
  expect([replayed.status, replayed.text, replayed.headers.get("Idempotent-Replayed")]).toEqual([
    202,
    first.text,
    "true",
  ]);
  expect((await send("k-3")).status).toBe(429);
  expect((await send("k-1", { ...start, version: "v2" })).status).toBe(422);
  expect((await world.store.jobs.counts()).queued).toBe(2);
});

test("the limit slides: no window has more starts than allowed", async () => {
  const world = await openApiWorld({ jobsPerWindow: 3, windowMs: 60_000 });
  const send = async () => (await world.call("POST", jobsPath, { key: world.key, body: start })).status;
  world.clock.ms += 59_000;
  expect([await send(), await send(), await send()]).toEqual([202, 202, 202]);
  world.clock.ms += 2000;
  expect(await send()).toBe(429);
  world.clock.ms += 58_000;
  expect(await send()).toBe(202);
});

test("an address with many invalid keys gets 429, but a valid key works from it", async () => {
  const world = await openApiWorld({ jobsPerWindow: 3 });
  const ask = async (key: string | undefined, from?: string) => world.call("GET", jobsPath, { key, from });
  for (const key of [undefined, "hunter2", `svc_${"A".repeat(43)}`]) expect((await ask(key)).status).toBe(401);
  world.clock.ms += 20_000;
  const refused = await ask("hunter2");
  expect([refused.status, refused.headers.get("Retry-After"), refused.json.error]).toEqual([
    429,
    "40",
    "Too many requests without a valid key came from 198.51.100.7. Correct the key, and try again in 40 seconds.",
  ]);
  expect((await ask(world.key)).status).toBe(200);
  expect((await ask("hunter2", "198.51.100.8")).status).toBe(401);
  world.clock.ms += 40_000;
  expect((await ask("hunter2")).status).toBe(401);
});

test("an organization's queued jobs are limited; a replay is answered, and another organization starts jobs", async () => {
  const world = await openApiWorld({}, { maxQueued: 2 });
  const ask = (headers = {}) => world.call("POST", jobsPath, { key: world.key, body: start, headers });
  const first = await ask({ "Idempotency-Key": "once" });
  await ask();
  const refused = await ask();
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "30"]);
  expect(refused.json).toEqual({
    error:
      "This organization has reached its limit of 2 queued jobs. Try again when some of them have started, or cancel some.",
  });
  expect((await ask({ "Idempotency-Key": "once" })).json).toEqual(first.json);
  const { secret: other } = await world.newKey({ organizationId: world.globex.organizationId });
  expect((await world.call("POST", jobsPath, { key: other, body: { domain: "docs.globex.com" } })).status).toBe(202);
  await world.call("DELETE", `${jobsPath}/${first.json.jobId}`, { key: world.key });
  expect((await ask()).status).toBe(202);
});

test("starting a job refuses pages that the last export does not have; a version may have others", async () => {
  const world = await openApiWorld();
  const ask = async (body: object) => {
    const { status, json } = await world.call("POST", jobsPath, { key: world.key, body: { ...start, ...body } });
    return [status, json.error];
  };
  // Without an export, the worker is the first to know the pages.
  expect(await ask({ paths: ["nothing"] })).toEqual([202, undefined]);
  await world.store.jobs.fail(await world.takeJob(), "Not needed.", false);
  const files = ["index.html", "index.md", "guides/a.html", "guides/a.md"];
  await world.completedJob(await smallBundle(files, "https://docs.acme.com"));
  world.clock.ms += 60_000;
  expect(await ask({ paths: ["guides/a", "nothing", "guides/b"] })).toEqual([
    400,
    'The last export of docs.acme.com has no page "nothing", "guides/b". Correct "paths". If a page is new, export the whole site first, or name the "version" that has it.',
  ]);
  expect(await ask({ paths: ["index", "guides/a"] })).toEqual([202, undefined]);
  expect(await ask({ paths: ["nothing"], version: "next" })).toEqual([202, undefined]);
});
