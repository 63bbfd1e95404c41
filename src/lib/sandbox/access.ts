import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { lazy } from "../memo.js";
import { builtFile } from "../package-root.js";

/** The folders and files that a process may use: absolute real paths that exist. */
export interface Access {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/**
 * Flags of Node's permission model, which denies JavaScript all other files, child processes and the inspector; since Node
 * 25 the network, too.
 *
 * @param native allows threads and native addons. The permission model does not restrict addons.
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

/** The file system inside a namespace, where each path is the same as outside. Later paths may be inside earlier ones. */
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

/** The files that the built program reads: its own, and the packages that it is installed with. */
export const packageFiles = lazy((): readonly string[] => {
  const root = builtFile("..");
  const packages = new Set<string>();
  addDependencies(root, packages);
  return [builtFile("."), join(root, "package.json"), ...packages].map((path) => realpathSync.native(path));
});

/** The `node_modules` folders of these files, since a namespace should have few mounts. */
export const packageFolders = lazy((): readonly string[] => [
  ...new Set(packageFiles().map((path) => path.replace(/(.*[\\/]node_modules)[\\/].*/, "$1"))),
]);

function addDependencies(folder: string, packages: Set<string>): void {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { dependencies?: object; optionalDependencies?: object };
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const path = packageFolder(folder, name);
    // Packages with native code for other systems are not installed.
    if (path === undefined || packages.has(path)) continue;
    packages.add(path);
    addDependencies(path, packages);
  }
}

function packageFolder(from: string, name: string): string | undefined {
  const path = join(from, "node_modules", name);
  if (existsSync(join(path, "package.json"))) return realpathSync.native(path);
  const parent = dirname(from);
  return parent === from ? undefined : packageFolder(parent, name);
}
