// Joins our modules that the library and its page threads load at once into a file each, dist/index.js and
// dist/page-thread.js; what others made stays outside. The time to start goes by the number of files: 145 ms of CPU for the 340 modules of the library, 78 for one and the packages; and each
// thread of each export starts with the other.
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const loadedWhenNeeded = {
  name: "loaded-when-needed",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import"
        ? { path: `./${relative(dist, resolve(resolveDir, path))}`, external: true }
        : undefined,
    );
  },
};

for (const [entry, name] of [
  ["index.js", "index.js"],
  ["export/page-thread.js", "page-thread.js"],
])
  await build({
    entryPoints: [resolve(dist, entry)],
    outfile: resolve(dist, name),
    allowOverwrite: true,
    bundle: true,
    packages: "external",
    plugins: [loadedWhenNeeded],
    platform: "node",
    format: "esm",
    target: "node22",
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "warning",
  });
