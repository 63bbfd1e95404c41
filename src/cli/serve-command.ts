import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { BundleRefused, type ServeOptions, serveBundle } from "../serve/index.js";
import { cacheFolder } from "./cache-folder.js";
import { createLog } from "./log-lines.js";
import type { Surroundings } from "./run.js";
import { parseServeArguments, type ServeArguments } from "./serve-arguments.js";
import { UsageError } from "./usage-error.js";

/** `offprint serve`: until a signal ends it; SIGHUP fetches the bundle anew. */
export async function run(words: readonly string[], process: Surroundings): Promise<number> {
  const args = parseServeArguments(words);
  const log = createLog(process.stderr, Date.now);
  const stop = new AbortController();
  const ended = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()));
  const onSignal = (): void => {
    // A second one ends the process as the system does.
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    stop.abort();
  };
  let reload = (): void => {};
  const onHangup = (): void => reload();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onHangup);
  try {
    const served = await serveBundle({ ...optionsOf(args, process), log, signal: stop.signal });
    reload = () => void served.reload();
    await ended;
    await served.close();
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    if (error instanceof BundleRefused) throw new UsageError(error.message);
    throw error;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal).off("SIGHUP", onHangup);
  }
}

function optionsOf(args: ServeArguments, process: Surroundings): ServeOptions {
  const { source, accessLog, data, ...rest } = args;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const write = createLog(process.stdout, Date.now);
  return {
    ...given,
    source,
    dataFolder: resolve(data ?? join(cacheFolder(process), "serve", nameOf(source))),
    ...(accessLog && {
      onAnswer: ({ method, path, status, ms }) => write("info", "answered", { method, path, status, ms }),
    }),
  };
}

/** What is served from one place finds what was fetched there before. */
const nameOf = (source: string): string =>
  createHash("sha256")
    .update(/^https?:/i.test(source) ? source : resolve(source))
    .digest("hex")
    .slice(0, 16);
