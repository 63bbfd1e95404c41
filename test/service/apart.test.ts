import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli, startCli, temporaryFolder, writeManyPages } from "../support/cli.js";
import { emptyDatabase } from "../support/postgres.js";
import { ask, untilEnded } from "../support/service.js";
import { waitUntil } from "../support/wait-until.js";

test("an API and a worker run separately and share a PostgreSQL database", async () => {
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: await emptyDatabase(),
    OFFPRINT_DATA: join(temporaryFolder(), "data"),
  };
  const offprint = (...words: string[]) => runCli(words, { env });
  const log = new Map<ChildProcess, string>();
  const start = (...words: string[]): ChildProcess => {
    const child = startCli(words, { env });
    const add = (text: string): void => void log.set(child, (log.get(child) ?? "") + text);
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding("utf8").on("data", add);
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  const ended = (child: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => {
      child.on("exit", resolve);
      child.kill("SIGTERM");
    });

  const site = writeManyPages(temporaryFolder(), 40);
  expect(await offprint("site", "add", "docs.example.com", "--folder", site)).toMatchObject({ code: 0 });
  const key = (await offprint("key", "create")).stdout.trim();
  const api = start("api", "--port", "0");
  const url = await waitUntil("the API", () => /"url":"([^"]+)"/.exec(log.get(api) ?? "")?.[1]);
  const service = { url, key };
  const { body } = await ask(service, "POST", "", { domain: "docs.example.com" });
  const { problems } = (await (await fetch(`${url}/healthz`)).json()) as { problems: string[] };
  expect(problems).toEqual([expect.stringContaining("No worker is alive")]);

  const workers = [1, 2].map(() => start("worker", "--export-priority", "normal"));
  expect(await untilEnded(service, body["jobId"]!)).toMatchObject({ status: "completed", pageCount: 40 });
  await waitUntil("both workers", () => workers.every((worker) => log.get(worker)?.includes("worker started")));
  const more = await Promise.all([1, 2, 3].map(() => ask(service, "POST", "", { domain: "docs.example.com" })));
  for (const job of more)
    expect(await untilEnded(service, job.body["jobId"]!)).toMatchObject({ status: "completed", pageCount: 40 });
  const bundle = await ask(service, "POST", `/${body["jobId"]}/bundle`);
  expect((await fetch(bundle.body["bundleUrl"]!)).status).toBe(200);
  expect(await Promise.all([...workers, api].map(ended))).toEqual([0, 0, 0]);
  expect([...log.values()].join()).not.toContain(key);
});
