import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { lazy } from "../memo.js";
import { builtFile } from "../package-root.js";

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

/** What the built program reads: its own files, and the packages that it is installed with. */
export const packageFiles = lazy((): readonly string[] => {
  const root = builtFile("..");
  const found = new Set<string>();
  addDependencies(root, found);
  return [builtFile("."), join(root, "package.json"), ...found].map((path) => realpathSync.native(path));
});

/** The `node_modules` folders of these files: a namespace has few mounts. */
export const packageFolders = lazy((): readonly string[] => [
  ...new Set(packageFiles().map((path) => path.replace(/(.*[\\/]node_modules)[\\/].*/, "$1"))),
]);

function addDependencies(folder: string, found: Set<string>): void {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { dependencies?: object; optionalDependencies?: object };
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const path = packageFolder(folder, name);
    // The native parts for other systems are not installed.
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    addDependencies(path, found);
  }
}

function packageFolder(from: string, name: string): string | undefined {
  const path = join(from, "node_modules", name);
  if (existsSync(join(path, "package.json"))) return realpathSync.native(path);
  const parent = dirname(from);
  return parent === from ? undefined : packageFolder(parent, name);
}
