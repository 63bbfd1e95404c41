import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startCli, temporaryFolder } from "./cli.js";
import { waitUntil } from "./wait-until.js";

/** `offprint service` in its own process. */
export interface TestService {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly dataFolder: string;
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the service with `site` as docs.example.com, until the test ends. */
export async function startService(site: string, env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const dataFolder = join(temporaryFolder(), "data");
  const args = [
    "service",
    "--data",
    dataFolder,
    "--port",
    "0",
    "--site",
    `docs.example.com=${site}`,
    "--export-priority",
    "normal",
  ];
  const child = startCli(args, { env: { PATH: process.env["PATH"], ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const stop = (): Promise<number | null> => {
    child.kill("SIGTERM");
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await waitUntil("the instructions of the service", () => stdout.includes("offprint job run"));
  const url = /listens on (\S+)/.exec(stdout)![1]!;
  const key = /^export OFFPRINT_KEY=(svc_\w+)$/m.exec(stdout)![1]!;
  return { url, key, dataFolder, child, stdout: () => stdout, stderr: () => stderr, stop };
}

/** One request with the service's key. */
export async function ask(service: Pick<TestService, "url" | "key">, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${service.url}/v1/static-export/jobs${path}`, {
    method,
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string & number> };
}

/** Waits for the job's end by long polls. */
export async function untilEnded(
  service: Pick<TestService, "url" | "key">,
  jobId: string,
): Promise<Record<string, string & number>> {
  for (;;) {
    const { body } = await ask(service, "GET", `/${jobId}?wait=30`);
    if (body["status"] === "completed" || body["status"] === "failed") return body;
  }
}
