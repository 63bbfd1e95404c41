import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { lazy } from "../memo.js";
import { builtFile } from "../package-root.js";

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
