import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../lib/log.js";
import { findBackground, findNamespace, permissionsCoverNetwork, type Sandbox } from "../../lib/sandbox/index.js";

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
    log("warn", "sandbox: off, exports have an empty environment and all rights of the worker's user");
    return { permissions: false, background };
  }
  const mountPoint = join(workerFolder, "root");
  await mkdir(mountPoint);
  const found = await findNamespace(mountPoint);
  const walls = "sandbox: permission model, empty environment";
  if (!("missing" in found)) {
    log("info", `${walls}, no network and private file system (namespaces by ${found.program})`);
    return { permissions: true, namespace: found, background };
  }
  const { missing } = found;
  if (mode === "required")
    throw new Error(
      `Exports cannot be put into namespaces here: ${missing}. Allow the worker unprivileged user namespaces, or start it with --sandbox auto.`,
    );
  const network = permissionsCoverNetwork ? "no network for JavaScript" : "network open";
  log("info", `${walls}, ${network}; no namespaces (${missing})`);
  return { permissions: true, background };
}
