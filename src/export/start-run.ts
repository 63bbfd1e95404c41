import { openStaging } from "../bundle/archive/index.js";
import { openFolderCache } from "../lib/cache/index.js";
import { engineVersion } from "../lib/package-root.js";
import { waitForFreeFiles } from "../lib/wait-for-files.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { createDiagramRenderer } from "../page/diagrams/index.js";
import { deploymentFeatures } from "./deployment-features.js";
import { type ExportOptions, exportDefaults } from "./export-options.js";
import { type OutsideWorld, openRealWorld } from "./outside-world.js";
import { createProgress } from "./progress.js";
import { resolveAudience } from "./resolve-audience.js";
import { createTimings } from "./timings.js";

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
