import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import type { Log } from "../../lib/log.js";
import { permissionsCoverNetwork } from "../../lib/sandbox/access.js";
import { findBackground, type Sandbox } from "../../lib/sandbox/fork-sandboxed.js";
import { findNamespace } from "../../lib/sandbox/namespace.js";

/** Of the machine, or of the control group that the process runs in. */
interface Capacity {
  readonly cores: number;
  readonly memoryMb: number;
}

export const capacityOfProcess = (): Capacity => ({
  cores: availableParallelism(),
  // Without a limit, the constrained memory is 0 or more than the machine has.
  memoryMb: Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20),
});

/** An export uses two cores: one reads and packs while the other renders. */
const coresOfExport = 2;

/** Resident memory of the worker's own process, and of an export of a site with 16,000 pages, with some room. */
const workerMb = 256;
const exportMb = 768;

/** A larger heap helped no site that was measured. */
const maxHeapMb = 2048;

/** Exports at once that neither wait for each other's cores nor run out of memory; at least one. */
export const exportsAtOnce = ({ cores, memoryMb }: Capacity): number =>
  Math.max(1, Math.min(Math.floor(cores / coresOfExport), Math.floor((memoryMb - workerMb) / exportMb)));

/** Resident memory of one export, in MiB. */
export const memoryOfExport = ({ memoryMb }: Capacity, concurrency: number): number =>
  Math.max(exportMb, Math.floor((memoryMb - workerMb) / concurrency));

/** Heap limit of an export in MiB: three quarters of its share, so it ends with a message before it is killed. */
export const heapOfExport = ({ memoryMb }: Capacity, concurrency: number): number =>
  Math.max(256, Math.min(maxHeapMb, Math.floor(((memoryMb - workerMb) / concurrency) * 0.75)));

/** A folder that has not been refreshed for this long is abandoned, in milliseconds. */
const abandonedMs = 10 * 60_000;

/** This process must also have seen no refresh for this long, so that a step of the clock abandons no folder. */
const watchedMs = 30_000;

/** Creates the worker's folder for files of running jobs in `root`, which all workers of this machine share. */
export async function openWorkerFolder(
  root: string,
  workerId: string,
  now: () => number,
  steadyNow = () => performance.now(),
) {
  const path = join(root, workerId);
  await mkdir(path, { recursive: true });
  let seen = new Map<string, { readonly mtimeMs: number; readonly since: number }>();
  return {
    path,
    /** Marks the folder as used, and removes the folders of dead workers. */
    async refresh() {
      const seconds = now() / 1000;
      await utimes(path, seconds, seconds);
      const before = seen;
      seen = new Map();
      for (const name of await readdir(root)) {
        const otherFolder = join(root, name);
        const mtimeMs = (await stat(otherFolder).catch(() => undefined))?.mtimeMs;
        if (mtimeMs === undefined || Math.abs(now() - mtimeMs) <= abandonedMs) continue;
        const last = before.get(name);
        const since = last?.mtimeMs === mtimeMs ? last.since : steadyNow();
        seen.set(name, { mtimeMs, since });
        if (steadyNow() - since >= watchedMs) await rm(otherFolder, { recursive: true, force: true });
      }
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/**
 * The walls around exports. `auto`: those that this system allows; `required`: the worker does not start without
 * namespaces; `off`: only the empty environment, to find faults.
 */
export type SandboxMode = "auto" | "required" | "off";

/**
 * `idle`: exports get the processor time that nothing else on the machine wants, so that heartbeats and the API always
 * take precedence; `normal`: they compete.
 */
export type ExportPriority = "idle" | "normal";

/**
 * Finds out which walls this system allows, and logs them.
 *
 * @param workerFolder a folder of this worker alone.
 * @throws {Error} if `mode` is `required` and the system allows no namespaces.
 */
export async function openSandbox(
  { sandbox: mode, exportPriority }: { readonly sandbox: SandboxMode; readonly exportPriority: ExportPriority },
  workerFolder: string,
  log: Log,
): Promise<Sandbox> {
  const background = exportPriority === "idle" ? await findBackground() : undefined;
  if (mode === "off") {
    log("warn", "sandbox: off; exports have an empty environment, but all permissions of the worker's user");
    return { permissions: false, background };
  }
  const mountPoint = join(workerFolder, "root");
  await mkdir(mountPoint);
  const namespace = await findNamespace(mountPoint);
  const walls = "sandbox: permission model, empty environment";
  if (!("missing" in namespace)) {
    log("info", `${walls}, no network and private file system (namespaces by ${namespace.program})`);
    return { permissions: true, namespace, background };
  }
  const { missing } = namespace;
  if (mode === "required")
    throw new Error(
      `Exports cannot run in namespaces here: ${missing}. Allow unprivileged user namespaces for the worker, or start it with --sandbox auto.`,
    );
  const network = permissionsCoverNetwork ? "JavaScript has no network" : "the network is open";
  log("info", `${walls}, ${network}; no namespaces (${missing})`);
  return { permissions: true, background };
}
