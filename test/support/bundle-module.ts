import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const project = fileURLToPath(new URL("../..", import.meta.url));

export interface BundleModuleOptions {
  /** Where the module is written; in the project's cache folder if absent. */
  readonly outfile?: string;
  /** Whether the packages go in too, for a folder that has none. */
  readonly withPackages?: boolean;
}

/**
 * Joins a module with the sources that it imports, so that a process or thread can run it: Node itself loads neither
 * JSX nor all of TypeScript.
 *
 * @returns the path of the JavaScript module
 */
export function bundleModule(path: string, { outfile, withPackages = false }: BundleModuleOptions = {}): string {
  const target = outfile ?? join(project, ".cache/bundled", relative(project, path).replace(/\.ts$/, ".mjs"));
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    packages: withPackages ? "bundle" : "external",
    conditions: ["offprint-source"],
    format: "esm",
    platform: "node",
    logLevel: "warning",
    write: false,
  });
  mkdirSync(dirname(target), { recursive: true });
  // Test files run concurrently and may bundle the same module.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, outputFiles[0]!.contents);
  renameSync(draft, target);
  return target;
}
