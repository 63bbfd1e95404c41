import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy } from "./memo.js";

/** The nearest folder above this file with a package.json: the package, built or not. */
const packageRoot = nearestPackage(dirname(fileURLToPath(import.meta.url)));

/** Absolute path of a built file, by its path in `dist/`. */
export const builtFile = (path: string): string => join(packageRoot, "dist", path);

/** Absolute path of the site that `offprint init` copies. */
export const templateFolder = join(packageRoot, "template");

/** Absolute path of the JSON schemas for editors. */
export const schemasFolder = join(packageRoot, "schemas");

/** Version of this package: `0.1.0`. Part of every cache key and of the manifest. */
export const engineVersion = lazy(
  () => (JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string }).version,
);

/** Hash of the built files, which differs after each change of the program. */
export const buildId = lazy(() => readFileSync(builtFile("build-id.txt"), "utf8"));

function nearestPackage(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : nearestPackage(dirname(folder));
}
