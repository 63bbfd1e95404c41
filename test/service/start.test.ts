import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openStore, pendingMigrations } from "../../src/service/open-store.js";
import { callCli, startCli, temporaryFolder } from "../support/cli.js";
import { startHalfOpenProxy } from "../support/half-open-proxy.js";
import { emptyDatabase, freePort } from "../support/postgres.js";
import { waitUntil } from "../support/wait-until.js";

test("a service that starts before its database reports it once, and works when the database is reachable", async () => {
  const database = new URL(await emptyDatabase());
  const closed = await freePort();
  const child = startCli(["api", "--port", "0", "--data", temporaryFolder()], {
    env: { PATH: process.env["PATH"], DATABASE_URL: `postgres://offprint@127.0.0.1:${closed}${database.pathname}` },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
  await waitUntil("the warning", () => log.includes("Retrying until it answers."));

  // Long enough for a second attempt, which logs nothing.
  await sleep(600);
  const proxy = await startHalfOpenProxy(Number(database.port), closed);
  onTestFinished(() => proxy.close());
  await waitUntil("the API", () => log.includes("the API listens"));
  const url = /"url":"([^"]+)"/.exec(log)![1]!;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(log.match(/cannot be reached/g)).toHaveLength(1);
  expect(log).toContain('"message":"the database is reachable"');
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("offprint migrate --check changes nothing, and offprint migrate brings the database up to date", async () => {
  const folder = join(temporaryFolder(), "data");
  const migrate = (...words: string[]) => callCli(["migrate", ...words, "--data", folder]);
  expect(await migrate("--check")).toMatchObject({ code: 1, stderr: expect.stringMatching(/needs 1 migration\./) });
  expect(existsSync(folder)).toBe(false);
  expect(await migrate()).toMatchObject({ code: 0, stdout: expect.stringMatching(/is migrated: 1 migration /) });
  expect(await migrate("--check")).toMatchObject({ code: 0, stdout: "The database is up to date.\n" });

  const databaseUrl = await emptyDatabase();
  const options = { dataFolder: folder, databaseUrl, publicUrl: "http://localhost" };
  expect(await pendingMigrations(options)).toBe(1);
  await (await openStore(options)).close();
  expect(await pendingMigrations(options)).toBe(0);
});

test.each([
  ["that does not answer", "postgres://offprint@127.0.0.1:1/docs", /at 127\.0\.0\.1:1 cannot be reached/],
  ["that does not exist", "", /refused the connection.*cause: database "nothing" does not exist/s],
])("a command with a database %s ends with the reason", async (_, given, says) => {
  const url = given || (await emptyDatabase()).replace(/[^/]+$/, "nothing");
  const ran = await callCli(["key", "list"], { env: { PATH: process.env["PATH"], DATABASE_URL: url } });
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(says) });
  expect(ran.stderr).not.toContain("bug");
});

test("a worker answers probes, and shows its metrics only with the token", async () => {
  const token = "a token for metrics";
  const child = startCli(["worker", "--health-port", "0", "--data", temporaryFolder()], {
    env: { PATH: process.env["PATH"], OFFPRINT_METRICS_TOKEN: token },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
  await waitUntil("the worker", () => log.includes("worker started") && log.includes("answers probes"));
  const url = /"url":"([^"]+)"/.exec(log)![1]!;
  const status = async (path: string) => (await fetch(url + path)).status;
  expect(await status("/healthz")).toBe(200);
  await waitUntil("a heartbeat", async () => (await status("/readyz")) === 200);
  expect([await status("/metrics"), await status("/other")]).toEqual([401, 404]);
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();
  expect(metrics).toContain("offprint_job_queue_seconds_count 0");
  expect(metrics).toContain("process_cpu_seconds_total");
});
