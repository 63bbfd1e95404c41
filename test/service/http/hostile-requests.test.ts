import { expect, test } from "vitest";
import { jobsPath, openApiWorld } from "../../support/api-world.js";
import { withinCpu } from "../../support/machine-time.js";
import { exchange, serve } from "../../support/raw-http.js";

/** The same random numbers on every machine. */
function seeded(seed: number): <T>(choices: readonly T[]) => T {
  let state = seed;
  return (choices) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return choices[Math.floor((state / 2 ** 32) * choices.length)]!;
  };
}

const odd = [
  "",
  "null",
  "%00",
  "%ff",
  "..",
  "%2e%2e%2f",
  "\\",
  "'",
  '"',
  "{{7*7}}",
  "${x}",
  "😀",
  "a".repeat(3000),
  "__proto__",
];
const oddHeaders = [
  "",
  ",",
  ";q=",
  '"',
  "W/",
  "*",
  "application/problem+json;q=x",
  "a=b;c",
  "é",
  "0",
  "-1",
  "9".repeat(400),
];
const headerNames = [
  "Accept",
  "Content-Type",
  "If-None-Match",
  "Idempotency-Key",
  "X-Forwarded-For",
  "X-Request-Id",
  "Range",
  "Content-Length",
  "Content-Encoding",
  "Authorization",
];
const oddValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "\u0000",
  "\ud800",
  "a".repeat(9000),
  [],
  [[]],
  {},
  { domain: {} },
  ["a", null],
  { toString: "x", constructor: 1 },
];

test("every request gets a response without 5xx, and errors are JSON", async () => {
  const world = await openApiWorld({ trustedProxies: ["198.51.100.0/24"], jobsPerWindow: Number.POSITIVE_INFINITY });
  const jobId = await world.startJob();
  const pick = seeded(20260601);
  const statuses = new Map<number, number>();
  for (let round = 0; round < 1500; round += 1) {
    const method = pick(["GET", "GET", "POST", "POST", "DELETE", "PUT", "HEAD", "PATCH", "OPTIONS"]);
    const id = encodeURI(pick([jobId, jobId, ...odd])).replace(/%25/g, "%");
    const query = pick([
      "",
      "",
      `?wait=${encodeURIComponent(pick(odd))}`,
      `?limit=${encodeURIComponent(pick(odd))}&cursor=${encodeURIComponent(pick(odd))}`,
    ]);
    const path =
      pick([
        jobsPath,
        `${jobsPath}/${id}`,
        `${jobsPath}/${id}/${["bundle", "diagnostics", "logs", "rerun"][round % 4]}`,
        `/v1/objects/${id}`,
        `/${id}`,
      ]) + query;
    const fields = {
      domain: pick(["docs.acme.com", "docs.acme.com", ...oddValues]),
      [pick(["paths", "version", "webhookUrl", ...odd])]: pick(oddValues),
    };
    const body =
      method === "GET" || method === "HEAD"
        ? undefined
        : pick<unknown>([fields, fields, { domain: fields.domain }, pick(oddValues), pick(odd)]);
    const headers = { [pick(headerNames)]: pick(oddHeaders) };
    // Skip what no client can send.
    if (!isSendable(headers)) continue;
    const answer = await world.call(method, path, { key: world.key, body: body === null ? "null" : body, headers });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    expect([answer.status < 500, { method, path, body, headers, text: answer.text }]).toEqual([
      true,
      expect.anything(),
    ]);
    if (answer.status >= 400 && method !== "HEAD") expect(typeof answer.json?.error).toBe("string");
  }
  expect([...statuses.keys()].toSorted()).toEqual(expect.arrayContaining([200, 202, 400, 401, 403, 404, 405, 409]));
});

function isSendable(headers: Record<string, string>): boolean {
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

const mib = 2 ** 20;
const largeBodies: readonly [rule: string, body: string, status: number][] = [
  ["opening brackets", "[".repeat(mib), 400],
  ["nested arrays", "[".repeat(mib / 2) + "]".repeat(mib / 2), 400],
  ["nested objects", '{"a":'.repeat(mib / 5), 400],
  ["empty arrays", `{"paths":[${"[],".repeat(mib / 3 - 10)}[]]}`, 413],
  ["fields", `{${"1:1,".repeat(mib / 4 - 1)}}`, 413],
  ["slashes in a page", `{"domain":"docs.acme.com","paths":["a${"/".repeat(mib - 50)}a"]}`, 400],
  ["labels in a domain", `{"domain":"${"a.".repeat(mib / 2 - 10)}"}`, 400],
  ["one field's name", `{"${"paths".repeat(mib / 5 - 3)}":1}`, 400],
  ["one string that does not end", `"${'\\"'.repeat(mib / 2 - 10)}`, 400],
];
for (const [rule, body, status] of largeBodies)
  test(`a mebibyte of ${rule} is refused within 150 ms of CPU`, async () => {
    const world = await openApiWorld({ jobsPerWindow: Number.POSITIVE_INFINITY });
    expect(body.length).toBeLessThanOrEqual(mib);
    const answer = await withinCpu(150, () => world.call("POST", jobsPath, { key: world.key, body }));
    expect([answer.status, answer.json.error.length < 1000]).toEqual([status, true]);
  });

const unknownJob = `se_${"0".repeat(32)}`;
const targets: readonly [target: string, status: number, says: RegExp][] = [
  [`${jobsPath}/../../../healthz`, 400, /has a segment/],
  [`${jobsPath}/%2e%2e/%2E%2e/../healthz`, 400, /plain or encoded/],
  [`${jobsPath}/.%2e/jobs`, 400, /plain or encoded/],
  [`${jobsPath}/.`, 400, /plain or encoded/],
  [`${jobsPath}/${unknownJob}/%2e/bundle`, 400, /plain or encoded/],
  [`${jobsPath}/..`, 400, /plain or encoded/],
  [`/v1/objects/a/..%2f..%2f..%2fhealthz`, 403, /This link is invalid/],
  [`http://a/x/../healthz`, 400, /plain or encoded/],
  [`${jobsPath}\\..\\..\\..\\healthz`, 400, /not valid HTTP|plain or encoded/],
  [`${jobsPath}/..%2f..%2f..%2fhealthz`, 404, /no such job/],
  [`${jobsPath}/%252e%252e/x`, 404, /no such route/],
  [`${jobsPath}/..;/x`, 404, /no such route/],
  [`${jobsPath}?cursor=../..`, 400, /must be the nextCursor of the previous page\./],
  ["/healthz?a=/../..", 200, /"degraded"/],
];
test("plain or encoded .. in a path does not change which route answers", async () => {
  const world = await openApiWorld();
  const { url } = await serve(world);
  for (const [target, status, says] of targets) {
    const answer = await exchange(
      url,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${world.key}\r\n\r\n`,
    );
    expect([target, answer.slice(0, 12)]).toEqual([target, `HTTP/1.1 ${status}`]);
    expect(answer).toMatch(says);
  }
});

for (const hosts of ["Host: a\r\nHost: b", "Host: a\r\nhost: a", "Host: a\r\nX: 1\r\nHOST:"])
  test(`two Host headers are a 400: ${JSON.stringify(hosts)}`, async () => {
    const { url } = await serve(await openApiWorld());
    const answer = await exchange(url, `GET /healthz HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\{"error":"The request has several Host headers\. Send one\."\}/s);
    expect(answer).toMatch(/^x-request-id: /im);
  });

for (const cursor of ["", "p", "cA", "cDE=", "cDE%20", "cDAx", "-1", "a".repeat(5000), "%00", "' or 1=1 --"])
  test(`the cursor ${JSON.stringify(cursor.slice(0, 20))} is a 400 with an explanation`, async () => {
    const world = await openApiWorld();
    const answer = await world.call("GET", `${jobsPath}?cursor=${cursor}`, { key: world.key });
    expect([answer.status, answer.json.error]).toEqual([400, '"cursor" must be the nextCursor of the previous page.']);
  });
