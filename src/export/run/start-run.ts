import { openStaging } from "../../bundle/archive/index.js";
import { openFolderCache } from "../../lib/cache/index.js";
import { engineVersion } from "../../lib/package-root.js";
import { waitForFreeFiles } from "../../lib/wait-for-files.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { createDiagramRenderer } from "../../page/diagrams/index.js";
import { type ExportOptions, type ExportPhase, type ExportProgress, exportDefaults } from "../export-options.js";
import { type OutsideWorld, openRealWorld } from "./outside-world.js";
import { deploymentFeatures, resolveAudience } from "./resolve-options.js";

/** What every step of one export uses. */
export type ExportRun = Awaited<ReturnType<typeof startRun>>;

type Settings = ExportOptions & Required<Pick<ExportOptions, keyof typeof exportDefaults>>;

/** Of a small site, whose pages are made by one thread. */
const leastFreeFiles = 12;

/**
 * @throws as `resolveAudience`, `waitForFreeFiles` and `openStaging` do, and the reason of `signal` if it has aborted.
 */
export async function startRun(options: ExportOptions, given?: Partial<OutsideWorld>) {
  const real = openRealWorld();
  const { fetchText, fetchBytes, pagePool, diagramWorker, islandWorker, parseMarkdown } = { ...real, ...given };
  let hasAskedNetwork = false;
  const noted =
    <Args extends unknown[], Answer>(fetch: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      hasAskedNetwork = true;
      return fetch(...args);
    };
  const audience = resolveAudience(options.audience);
  const settings = { ...exportDefaults, ...withoutUndefined({ ...options, audience }) } as Settings;
  const { output, archive, cacheFolder } = settings;
  settings.signal?.throwIfAborted();
  const features = deploymentFeatures(settings.deployment);
  const inMemory = output === "memory";
  await waitForFreeFiles(leastFreeFiles);
  const isCheck = output === undefined && archive === undefined;
  const staging = isCheck ? undefined : await openStaging({ output: inMemory ? undefined : output, archive });
  const cache = cacheFolder === undefined ? undefined : openFolderCache(cacheFolder);
  const diagrams = createDiagramRenderer({
    cache,
    version: engineVersion(),
    worker: diagramWorker(),
  });
  const cleanUps: (() => void | Promise<void>)[] = [
    () => staging?.discard(),
    () => diagrams.close(),
    () => real.close(),
  ];
  return {
    settings,
    features,
    /** Whether the bundle gets copies of what its pages load from other hosts. */
    embedsRemote: settings.embedRemote ?? features.embedRemote,
    fetchText: noted(fetchText),
    fetchBytes: noted(fetchBytes),
    hasAskedNetwork: () => hasAskedNetwork,
    /** Another process has asked for the export and moves the bundle to its place. */
    isForOther: given !== undefined,
    pagePool,
    parseMarkdown,
    splitPages: given?.splitPages,
    progress: createProgress(settings.onProgress),
    timings: createTimings(),
    diagrams,
    cache,
    islandWorker,
    /** Where the bundle is written until it is complete; absent if the site is only checked. */
    staging,
    /** The bundle is returned to the caller instead of being put in a folder. */
    inMemory,
    /** Registers what `close` does; the last one registered comes first. */
    onClose: (cleanUp: () => void | Promise<void>) => void cleanUps.push(cleanUp),
    async close() {
      for (const cleanUp of cleanUps.toReversed()) await cleanUp();
    },
  };
}

type UpdateProgress = (phase: ExportPhase, done: number, total: number) => void;

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
function createProgress(onProgress: ((progress: ExportProgress) => void) | undefined): UpdateProgress {
  let progress = 0;
  let pageCount = 0;
  return (phase, done, total) => {
    const index = shares.findIndex(([name]) => name === phase);
    const before = shares.slice(0, index).reduce((sum, [, share]) => sum + share, 0);
    const own = (shares[index]?.[1] ?? 0) * (total === 0 ? 1 : done / total);
    progress = Math.max(progress, Math.min(100, before + own));
    if (phase === "pages") pageCount = done;
    onProgress?.({ phase, done, total, progress, pageCount });
  };
}

/** Adds up how long the stages take, in milliseconds. */
function createTimings() {
  const sums: Record<string, number> = {};
  const add = (laps: Readonly<Record<string, number>>): void => {
    for (const [stage, ms] of Object.entries(laps)) sums[stage] = (sums[stage] ?? 0) + ms;
  };
  const pageMs: number[] = [];
  let pagesMade = 0;
  return {
    add,
    addPage(laps: Readonly<Record<string, number>>, isStored = false): void {
      add(laps);
      if (!isStored) pagesMade++;
      pageMs.push(Math.round(Object.values(laps).reduce((sum, ms) => sum + ms, 0)));
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
    all: () => ({ timings: { ...sums }, pageMs: [...pageMs], pagesMade }),
  };
}
