import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deliverWebhooks } from "../../src/service/deliver-webhooks.js";
import { openSqliteState } from "../../src/service/jobs/index.js";
import { temporaryFolder } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";

interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver that answers with the statuses in order, then with 200. */
async function startReceiver(...statuses: number[]) {
  const messages: Message[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      messages.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=t0p`, messages };
}

/** A service with a test clock and one failed job that has a webhook. */
async function startService(webhookUrl: string, allowPrivate: boolean, isDone = false) {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  const state = await openSqliteState({ file: join(temporaryFolder(), "offprint.db"), now });
  const { organizationId } = await state.accounts.organization("acme");
  const project = await state.accounts.addProject({
    organizationId,
    domain: "docs.acme.com",
    source: { kind: "folder", path: "/docs" },
    deployment: "cloud",
  });
  const log: string[] = [];
  const stop = new AbortController();
  const delivering = deliverWebhooks({
    store: state,
    allowPrivate,
    log: (level, message, facts) => log.push(JSON.stringify({ level, message, ...facts })),
    now,
    signal: stop.signal,
  });
  onTestFinished(async () => {
    stop.abort();
    await delivering;
    await state.close();
  });
  const { projectId, domain } = project;
  const created = await state.jobs.create({ organizationId, projectId, domain, webhookUrl });
  const { jobId } = (created as Extract<typeof created, { job: unknown }>).job;
  if (isDone) {
    const lease = (await state.jobs.take("worker-1"))!;
    await state.jobs.complete(lease, { objectKey: "a", bytes: 5, sha256: "b" }, 1);
  } else await state.jobs.cancel(jobId, "The job was cancelled.");
  return {
    replay: () => state.jobs.replayDeliveries(jobId),
    project,
    rotate: (overlapMs: number) => state.accounts.rotateWebhookSecret(organizationId, domain, overlapMs),
    jobId,
    log,
    goOn: (ms: number): void => {
      ahead += ms;
    },
  };
}

test("a webhook is sent when its job ends, with a valid signature", async () => {
  const receiver = await startReceiver();
  const startedAt = Date.now();
  const { project, jobId } = await startService(receiver.url, true);
  const { headers, body } = await waitUntil("the message", () => receiver.messages[0]);
  const { type, timestamp, data } = JSON.parse(body);
  expect(type).toBe("static_export.failed");
  expect(Date.parse(timestamp)).toBeGreaterThan(0);
  expect(data).toMatchObject({ jobId, domain: "docs.acme.com", status: "failed", error: "The job was cancelled." });
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["webhook-id"]).toMatch(/^evt_[0-9a-f]{32}$/);
  const sentAt = Number(headers["webhook-timestamp"]);
  expect(sentAt).toBeGreaterThanOrEqual(Math.floor(startedAt / 1000));
  expect(sentAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000));
  expect(headers["webhook-signature"]).toBe(signatureOf(receiver.messages[0]!, project.webhookSecret));
});

test("after a rotation it is signed with both secrets, until the old one ends", async () => {
  const receiver = await startReceiver(500, 500);
  const { project, rotate, goOn, log } = await startService(receiver.url, true);
  await waitUntil("the end of the first attempt", () => log.length === 1);
  const { webhookSecret } = (await rotate(10_000))!;
  goOn(6_000);
  await waitUntil("the end of the second attempt", () => log.length === 2);
  goOn(70_000);
  await waitUntil("the third message", () => receiver.messages.length === 3);
  const [, second, third] = receiver.messages;
  const both = [webhookSecret, project.webhookSecret].map((secret) => signatureOf(second!, secret));
  expect(second!.headers["webhook-signature"]).toBe(both.join(" "));
  expect(third!.headers["webhook-signature"]).toBe(signatureOf(third!, webhookSecret));
});

function signatureOf({ headers, body }: Message, secret: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

test("it is repeated until the receiver answers 2xx, with the same id and a new signature", async () => {
  const receiver = await startReceiver(500, 302);
  const { goOn, log } = await startService(receiver.url, true);
  await waitUntil("the first message", () => receiver.messages.length === 1);
  await waitUntil("the end of the first attempt", () => log.length === 1);
  goOn(6_000);
  await waitUntil("the second message", () => receiver.messages.length === 2);
  await waitUntil("the end of the second attempt", () => log.length === 2);
  goOn(70_000);
  await waitUntil("the third message", () => receiver.messages.length === 3);
  // By then the answer is stored.
  await waitUntil("the end of the third attempt", () => log.length === 3);
  goOn(24 * 60 * 60_000);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(receiver.messages).toHaveLength(3);
  const [ids, signatures] = ["webhook-id", "webhook-signature"].map(
    (name) => new Set(receiver.messages.map(({ headers }) => headers[name])),
  );
  expect(ids!.size).toBe(1);
  expect(signatures!.size).toBe(3);
  expect(log.join()).toContain("it answered 500");
  expect(log.join()).not.toContain("t0p");
});

test("it is not sent to a private network, unless the operator allows that", async () => {
  const receiver = await startReceiver();
  const { log } = await startService(receiver.url, false);
  await waitUntil("the refusal", () => log.length === 1);
  expect(log[0]).toContain("webhook not delivered");
  expect(receiver.messages).toEqual([]);
});

test("a completed job reports that it is completed and that its bundle is ready, and again on request", async () => {
  const receiver = await startReceiver();
  const { replay, jobId } = await startService(receiver.url, true, true);
  const types = () => receiver.messages.map(({ body }) => JSON.parse(body).type).toSorted();
  await waitUntil("two messages", () => receiver.messages.length === 2);
  expect(types()).toEqual(["static_export.bundle_ready", "static_export.completed"]);
  const ready = receiver.messages.map(({ body }) => JSON.parse(body)).find(({ type }) => type.endsWith("ready"));
  expect(ready.data).toMatchObject({ jobId, sizeBytes: 5, sha256: "b" });
  expect(JSON.stringify(ready)).not.toContain("bundleUrl");
  expect(await replay()).toBe(true);
  await waitUntil("four messages", () => receiver.messages.length === 4);
  expect(types().filter((type: string) => type.endsWith("ready"))).toHaveLength(2);
  expect(new Set(receiver.messages.map(({ headers }) => headers["webhook-id"])).size).toBe(4);
});
