import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageFolders } from "./package-files.js";

/** What a process may reach of the file system: absolute real paths of folders and files that exist. */
export interface Access {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

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

/** The file system inside a namespace: every path has its usual name. Later ones may be inside earlier ones. */
export interface View {
  readonly read: readonly string[];
  /** Node's program, the libraries of the system, and our packages: the only files that may be executed. */
  readonly program: readonly string[];
  readonly write: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

export function viewOf({ read, write }: Access): View {
  const program = outermost([
    ...systemPaths.filter((path) => existsSync(path) && !isLink(path)),
    ...[realpathSync(process.execPath), ...packageFolders()],
  ]);
  return {
    read: outermost(read).filter((path) => !program.some((other) => isInside(path, other))),
    program,
    write,
    links: systemPaths.filter(isLink).map((path) => ({ path, target: readlinkSync(path) })),
  };
}

const systemPaths = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store", "/etc/ld.so.cache"];

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const outermost = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path) => !paths.some((other) => path !== other && isInside(path, other)));
