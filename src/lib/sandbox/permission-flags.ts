import { statSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "./access.js";

/**
 * Flags of Node's permission model. It refuses JavaScript all other files, child processes and the inspector; since
 * Node 25 the network, too.
 *
 * @param native allows threads and native addons. Addons are outside of the permission model.
 */
export const permissionFlags = ({ read, write }: Access, native: boolean): string[] => [
  "--permission",
  ...[...read, ...write].map((path) => `--allow-fs-read=${withContent(path)}`),
  ...write.map((path) => `--allow-fs-write=${withContent(path)}`),
  ...(native ? ["--allow-worker", "--allow-addons", "--disable-warning=SecurityWarning"] : []),
];

/** Whether the permission model of this Node covers the network. */
export const permissionsCoverNetwork = process.allowedNodeEnvironmentFlags.has("--allow-net");

const withContent = (path: string): string => (statSync(path).isDirectory() ? join(path, "*") : path);
