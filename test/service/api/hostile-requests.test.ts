import { expect, test } from "vitest";
import { jobsPath, openApiWorld } from "../../support/api-world.js";

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
      pick([jobsPath, `${jobsPath}/${id}`, `${jobsPath}/${id}/bundle`, `/v1/objects/${id}`, `/${id}`]) + query;
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
