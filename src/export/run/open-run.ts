import { openStaging } from "../../bundle/archive/index.js";
import { openFolderCache } from "../../lib/cache/index.js";
import { features as deploymentFeatures } from "../../lib/deployments.js";
import { waitForFreeFiles } from "../../lib/wait-for-files.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import {
  type DeploymentFeatures,
  type ExportOptions,
  type ExportPhase,
  type ExportProgress,
  exportDefaults,
} from "../export-options.js";

/** A run that has not read its site yet. */
export type OpenedRun = Awaited<ReturnType<typeof openRun>>;

/** Files that the export of a small site has open at once. */
const fewestFreeFiles = 12;

/**
 * Opens what a run needs to find out whether its site has changed. A run that finds no change loads little more code.
 *
 * @param isForOther another process has asked for the export
 * @throws as `waitForFreeFiles` and `openStaging` do, and the reason of `signal` if it has aborted
 */
export async function openRun(options: ExportOptions, isForOther: boolean) {
  const progress = createProgress(options.onProgress);
  const settings = resolveSettings(options);
  const { output, archive, cacheFolder, signal } = settings;
  signal?.throwIfAborted();
  await waitForFreeFiles(fewestFreeFiles);
  const inMemory = output === "memory";
  const isCheck = output === undefined && archive === undefined;
  const staging = isCheck ? undefined : await openStaging({ output: inMemory ? undefined : output, archive });
  const cache = cacheFolder === undefined ? undefined : openFolderCache(cacheFolder);
  const cleanUps: (() => void | Promise<void>)[] = [() => staging?.discard()];
  return {
    settings,
    progress,
    timings: createTimings(),
    cache,
    /** Where the bundle is written until it is complete; absent if the site is only checked. */
    staging,
    /** The bundle is returned to the caller instead of being put in a folder. */
    inMemory,
    /** Another process moves the bundle to its place. */
    isForOther,
    /** Registers what `close` does; the last one registered comes first. */
    onClose: (cleanUp: () => void | Promise<void>) => void cleanUps.push(cleanUp),
    async close() {
      for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    },
  };
}

/** The options of an export with their defaults. */
export type Settings = ExportOptions &
  Required<Pick<ExportOptions, keyof typeof exportDefaults | "embedRemote">> & {
    readonly features: DeploymentFeatures;
  };

function resolveSettings(options: ExportOptions): Settings {
  const settings = { ...exportDefaults, ...withoutUndefined(options) } as Settings;
  const isClosed = settings.deployment === "air-gapped";
  const features = {
    assistants: deploymentFeatures.assistant.in[settings.deployment].state !== "no",
    remoteSpecs: !isClosed,
    outsideRequests: !isClosed,
  };
  return { ...settings, embedRemote: options.embedRemote ?? isClosed, features };
}

/** Percentage of the whole run that each phase takes, in the order in which they run. */
const shares: readonly (readonly [ExportPhase, number])[] = [
  ["read", 8],
  ["assets", 4],
  ["pages", 74],
  ["embed", 4],
  ["outputs", 4],
  ["archive", 6],
];

/** Turns the steps of the phases into one number from 0 to 100 that never falls. */
function createProgress(onProgress: ((progress: ExportProgress) => void) | undefined) {
  let progress = 0;
  let pageCount = 0;
  return (phase: ExportPhase, done: number, total: number): void => {
    const index = shares.findIndex(([name]) => name === phase);
    const before = shares.slice(0, index).reduce((sum, [, share]) => sum + share, 0);
    const within = (shares[index]?.[1] ?? 0) * (total === 0 ? 1 : done / total);
    progress = Math.max(progress, Math.min(100, before + within));
    if (phase === "pages") pageCount = done;
    onProgress?.({ phase, done, total, progress, pageCount });
  };
}

type Timings = Readonly<Record<string, number>>;

/** Adds up how long the stages take, in milliseconds. */
function createTimings() {
  const sums: Record<string, number> = {};
  const add = (timings: Timings): void => {
    for (const [stage, ms] of Object.entries(timings)) sums[stage] = (sums[stage] ?? 0) + ms;
  };
  const pageMs: number[] = [];
  let pagesMade = 0;
  let threads = 0;
  return {
    /** Threads that make pages at once. */
    setThreads(count: number): void {
      threads = count;
    },
    addPage(timings: Timings, isReused = false): void {
      add(timings);
      if (!isReused) pagesMade++;
      pageMs.push(Math.round(Object.values(timings).reduce((sum, ms) => sum + ms, 0)));
    },
    /** Adds the wall time of `work` to `stage`. */
    async measure<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
      const started = performance.now();
      try {
        return await work();
      } finally {
        add({ [stage]: performance.now() - started });
      }
    },
    all: () => ({ timings: { ...sums }, pageMs: [...pageMs], pagesMade, threads }),
  };
}
