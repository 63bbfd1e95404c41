import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../../lib/system-error.js";
import { type Input, stoppableCommand } from "../command.js";
import { type Environment, RefusedError, UsageError } from "../environment.js";
import { parseDomain, serviceUrl } from "../options.js";
import { printable } from "../print/terminal.js";
import type texts from "./texts/job.json";

export const commands = { "job run": stoppableCommand(parse, run) };

async function parse({ argument, values }: Input<typeof texts, "job run">, env: NodeJS.ProcessEnv) {
  const key = values.key ?? (env["OFFPRINT_KEY"]?.trim() || undefined);
  if (key === undefined)
    throw new UsageError(
      "An admin key is missing. Create one with offprint key create, and pass it with --key or OFFPRINT_KEY.",
    );
  return {
    request: {
      domain: await parseDomain(argument),
      version: values.ref,
      paths: values.paths?.split(",").map((path) => path.trim()),
    },
    output: values.output,
    wait: values.wait ?? false,
    service: serviceUrl(values.service, env),
    key,
    json: values.json ?? false,
  };
}
type JobArguments = Awaited<ReturnType<typeof parse>>;

/** The fields of a job, and of the response with its bundle, that the command reads. */
interface Job {
  readonly jobId: string;
  readonly status: "queued" | "running" | "completed" | "failed";
  readonly progress: number;
  readonly pageCount: number;
  readonly error?: string;
  readonly errors?: number;
  readonly warnings?: number;
}
interface Bundle {
  readonly bundleUrl: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Starts the job; with `wait` or `output`, prints its progress to stderr until it has ended. */
async function run(args: JobArguments, { stdout, stderr }: Environment, { signal }: AbortController): Promise<number> {
  let job: Job | undefined;
  const print = (text: string): void => void stdout.write(args.json ? `${JSON.stringify(job)}\n` : `${text}\n`);
  try {
    job = await call<Job>(args, "", { method: "POST", body: JSON.stringify(args.request), signal });
    const { jobId } = job;
    if (!args.wait && args.output === undefined) {
      print(jobId);
      return 0;
    }
    for (let last = ""; ; job = await call<Job>(args, `/${jobId}?wait=30`, { signal })) {
      const { status, progress, pageCount } = job;
      const line = `${jobId}: ${status}, ${Math.round(progress)} %, ${pageCount} pages\n`;
      if (line !== last) stderr.write(line);
      last = line;
      if (status === "completed" || status === "failed") break;
    }
    if (job.status === "failed") throw new RefusedError(`The export failed: ${printable(job.error ?? "", "")}`);
    const counts = `${job.errors ?? 0} errors and ${job.warnings ?? 0} warnings in the site`;
    if (args.output === undefined) print(`${jobId}: ${counts}`);
    else {
      const bundle = await call<Bundle>(args, `/${jobId}/bundle`, { method: "POST", signal });
      await download(bundle, args.output, signal);
      print(`${args.output}: ${bundle.sizeBytes} bytes, ${counts}`);
    }
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    stderr.write(job ? `The service continues to run ${job.jobId}.\n` : "");
    return 130;
  }
}

/** How long the service may ask to wait before it takes a request. */
const maxRetryMs = 5 * 60_000;

/**
 * Sends a request until the service takes it.
 *
 * @throws {RefusedError} if the service refuses the key or the request.
 * @throws {EnvironmentError} if the service does not answer, or is busy for too long.
 */
async function call<Body>({ service, key }: JobArguments, path: string, init: RequestInit): Promise<Body> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  for (let waitedMs = 0; ; ) {
    const response = await fetch(`${service}/v1/static-export/jobs${path}`, { ...init, headers }).catch((cause) => {
      if (init.signal?.aborted) throw cause;
      const start = "Start the service: offprint service, or npm run service in a clone of Offprint.";
      throw new EnvironmentError(`Nothing answers at ${service}. ${start}`, { cause });
    });
    const body = (await response.json().catch(() => ({}))) as Body & { readonly error?: unknown };
    if (response.ok) return body;
    const message = `${response.status}: ${printable(String(body.error ?? response.statusText), "")}`;
    const waitMs = Number(response.headers.get("Retry-After")) * 1000;
    const mayRetry = (response.status === 429 || response.status === 503) && waitMs > 0;
    if (!mayRetry && response.status < 500)
      throw new RefusedError(
        response.status === 401
          ? `${service} rejected the key (${message}). Create a new one: offprint key create`
          : `${service} rejected the request (${message}).`,
      );
    if (!mayRetry || waitedMs + waitMs > maxRetryMs)
      throw new EnvironmentError(`${service} cannot handle the request (${message}).`);
    await sleep(waitMs, undefined, { signal: init.signal ?? undefined });
    waitedMs += waitMs;
  }
}

/** Writes the bundle next to `output` and moves it there once its hash is right. */
async function download({ bundleUrl, sha256 }: Bundle, output: string, signal: AbortSignal): Promise<void> {
  const part = `${output}.part`;
  await mkdir(dirname(output), { recursive: true });
  try {
    const response = await fetch(bundleUrl, { signal });
    if (!response.ok) throw new EnvironmentError(`The bundle could not be downloaded (${response.status}).`);
    const hash = createHash("sha256");
    const hashed = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(Readable.fromWeb(response.body as never), hashed, createWriteStream(part));
    if (hash.digest("hex") !== sha256)
      throw new EnvironmentError("The bundle was damaged during the download. Try again.");
    await rename(part, output);
  } finally {
    await rm(part, { force: true });
  }
}
