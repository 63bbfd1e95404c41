import { createHash } from "node:crypto";
import { once } from "node:events";
import { join, resolve } from "node:path";
import type { Manifest } from "../../bundle/archive/index.js";
import type { Log } from "../../lib/log.js";
import { BundleRefused, type BundleServer, type ServeOptions, serveBundle } from "../../serve/index.js";
import type { AnswerCounter } from "../count-answers.js";
import type { Environment } from "../environment.js";
import { stopOnSignal, UsageError } from "../environment.js";
import { createLog } from "../print/log.js";
import { listenerOptions, warnOfUnnamedProxy } from "../settings/api.js";
import { cacheFolder } from "../settings/cache.js";
import type { ServeArguments } from "./serve-options.js";

/** `offprint serve`: runs until a signal ends it; SIGHUP fetches the bundle again. */
export async function run(args: ServeArguments, environment: Environment): Promise<number> {
  const log = createLog(environment.stderr, Date.now);
  const { controller, release } = stopOnSignal(environment);
  const { signal } = controller;
  const stopped = once(signal, "abort");
  let reload = (): void => {};
  const onHangup = (): void => reload();
  environment.on("SIGHUP", onHangup);
  let counter: AnswerCounter | undefined;
  let served: BundleServer | undefined;
  try {
    counter = await openCounter(args, environment, () => served?.manifest(), log);
    warnOfUnnamedProxy(environment.env, undefined, log);
    const { trustedProxies, limits } = listenerOptions(environment.env);
    served = await serveBundle({
      ...optionsOf(args, environment, counter),
      trustedProxies,
      connectionLimits: limits,
      log,
      signal,
    });
    const { reload: fetchAgain, close } = served;
    reload = () => void fetchAgain();
    await stopped;
    await close();
    return 0;
  } catch (error) {
    if (signal.aborted) return 0;
    if (error instanceof BundleRefused) throw new UsageError(error.message);
    throw error;
  } finally {
    await counter?.close();
    release();
    environment.off("SIGHUP", onHangup);
  }
}

async function openCounter(
  args: ServeArguments,
  environment: Environment,
  manifest: () => Manifest | undefined,
  log: Log,
): Promise<AnswerCounter | undefined> {
  if (args.countFor === undefined) return undefined;
  const { openAnswerCounter } = await import("../count-answers.js");
  return openAnswerCounter(args, environment, manifest, log);
}

function optionsOf(args: ServeArguments, environment: Environment, counter: AnswerCounter | undefined): ServeOptions {
  const { source, accessLog, data, countFor: _, serviceData: _data, agentRanges: _ranges, ...rest } = args;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const write = createLog(environment.stdout, Date.now);
  return {
    ...given,
    source,
    dataFolder: resolve(data ?? join(cacheFolder(environment), "serve", folderNameOf(source))),
    ...((accessLog || counter) && {
      onAnswer: (answer) => {
        counter?.count(answer);
        const { method, path, status, ms } = answer;
        if (accessLog) write("info", "answered", { method, path, status, ms });
      },
    }),
  };
}

/** The same source gets the same folder at every start, so that bundles are not fetched twice. */
const folderNameOf = (source: string): string =>
  createHash("sha256")
    .update(/^https?:/i.test(source) ? source : resolve(source))
    .digest("hex")
    .slice(0, 16);
