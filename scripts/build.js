// Builds dist: our modules and the packages that they need, joined into a few files by esbuild; what the diagrams and the
// exported sites are made with; and the declarations of the public modules. Only what package.json lists as a dependency
// stays outside. With --no-types, the declarations are left as they are; with --no-check, the types that they are made
// from are not checked, which `npm run typecheck` does. With --if-stale, nothing is done where dist is what a build of
// these sources wrote.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parse } from "acorn";
import { build } from "esbuild";
import { nameToEmoji } from "gemoji";
import { billOfMaterials } from "./bill-of-materials.ts";
import { isFresh, startStamp, writeBuildId } from "./build-stamp.ts";
import { crawlerPatterns } from "./crawler-patterns.js";
import { declarationsOf } from "./declarations.ts";
import { directImports } from "./direct-imports.ts";
import { fontWidths } from "./font-widths.js";
import { withJoinedChunks } from "./joined-chunks.ts";
import { licensesOf, packagesOf } from "./licenses.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const publicEntries = ["index", "service", "serve"];

/** A program of its own, and the classes of errors that it shares with the others. */
const exportCommand = { "cli/export": "src/cli/commands/export.ts" };
const sharedFiles = { "cli/environment": "src/cli/environment.ts", "lib/system-error": "src/lib/system-error.ts" };

/** The first file, which an old Node must be able to read, and what it loads next. */
const main = "src/cli/main.ts";
const runCommand = "src/cli/run.ts";
const compiledCode = "src/cli/compiled-code.ts";

/** The rest of that program, loaded if something has changed. */
const makeBundle = "src/export/run/make-bundle.ts";
const pageThread = "src/export/pages/page-thread.ts";
const markdownProcess = "src/page/content/parse/markdown-process.ts";

const common = {
  absWorkingDir: root,
  outdir: dist,
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.13",
  conditions: ["offprint-source"],
  mainFields: ["module", "main"],
  external: [...Object.keys(dependencies), "pg-native"],
  charset: "utf8",
  legalComments: "none",
  // A tenth of an installation would be blanks and long forms. Names stay: stack
  // traces have them, and what Mermaid and jsdom are made of looks at some.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
  metafile: true,
  write: false,
};

export async function buildAll({ types = true, check = true, ifStale = false } = {}) {
  if (ifStale && isFresh(root, { types })) return;
  console.error("Building Offprint into dist; this takes up to a minute …");
  const writeStamp = startStamp(root, { types });
  const shikiModules = {};
  const grammars = separateGrammars(shikiModules);
  const [modules, exporter, pages, diagrams, graphql, islandWorker, islandGuest, client] = await Promise.all([
    build({
      ...common,
      entryPoints: {
        ...Object.fromEntries(publicEntries.map((name) => [name, `src/${name}.ts`])),
        "cli/main": main,
        "export-child": "src/service/worker/export-child.ts",
        "count-thread": "src/cli/count-thread.ts",
        ...sharedFiles,
      },
      plugins: [separateFiles({ ...sharedFiles, ...exportCommand }), directImports, requiredBuiltins, grammars],
    }),
    // By itself, since esbuild cuts what several entries need into a file for each set of entries: so the command loads a
    // fifth of the files.
    build({
      ...common,
      entryPoints: exportCommand,
      plugins: [separateFiles(sharedFiles), directImports, requiredBuiltins, grammars],
    }),
    // By itself, since esbuild would load a file that both need with all that either needs of it: so the library starts
    // with half as much code.
    build({
      ...common,
      entryPoints: {
        "page-thread": pageThread,
        "markdown-process": markdownProcess,
      },
      external: common.external.filter((name) => name !== "satteri"),
      plugins: [directImports, requiredBuiltins, grammars, satteriBinding],
    }),
    build({
      ...common,
      entryPoints: { "diagram-worker": "src/page/diagrams/worker/main.ts" },
      // The module of that name reads its data from files; this one holds them.
      alias: { "css-tree": "css-tree/dist/csstree.esm" },
      plugins: [requiredBuiltins, jsdomWithoutFiles],
    }),
    build({ ...common, entryPoints: { graphql: "src/site/specs/graphql/library.ts" }, minify: true }),
    build({ ...common, entryPoints: { "island-worker": "src/page/islands/sandbox/child.ts" }, minify: true }),
    // Runs in an interpreter without modules.
    build({
      ...common,
      entryPoints: { "island-guest": "src/page/islands/sandbox/guest.ts" },
      splitting: false,
      format: "iife",
      platform: "neutral",
      target: "es2023",
      minify: true,
    }),
    promisify(execFile)(process.execPath, [join(root, "scripts/build-client.js")]),
  ]);
  // In the order of their names, on which esbuild's cuts depend: they are found in another one each time.
  const shiki = await build({ ...common, entryPoints: Object.fromEntries(Object.entries(shikiModules).toSorted()) });
  const results = [modules, exporter, pages, diagrams, graphql, islandWorker, islandGuest, shiki];
  const scripts = new Map(results.flatMap(reachedOutputs));
  for (const [path] of [modules, exporter, pages].flatMap(reachedOutputs)) scripts.delete(path);
  const texts = (result) =>
    new Map(reachedOutputs(result).map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
  const loaded = [
    ...(await withJoinedChunks(texts(modules), modules.metafile, root, [runCommand, compiledCode], [main])),
    ...(await withJoinedChunks(texts(exporter), exporter.metafile, root, [exportCommand["cli/export"], makeBundle])),
    ...(await withJoinedChunks(texts(pages), pages.metafile, root, [pageThread], [markdownProcess])),
  ];
  for (const [path, script] of loaded) scripts.set(path, withoutBuiltinImports(script));
  removeFrom(
    dist,
    (path) => /\.(?:js|map)$/.test(path) && !path.startsWith(join(dist, "client")) && !scripts.has(path),
  );
  for (const [path, contents] of scripts) write(path, contents);
  write(join(dist, "quickjs.wasm"), readFileSync(join(root, "node_modules/quickjs-wasi/quickjs.wasm")));
  write(join(dist, "font-widths.json"), JSON.stringify(fontWidths(root)));
  write(join(dist, "crawlers.json"), JSON.stringify(crawlerPatterns()));
  write(join(dist, "emoji.json"), JSON.stringify(nameToEmoji));
  if (types) {
    removeFrom(dist, (path) => path.endsWith(".d.ts"));
    const isInstalled = (name, entry) => name in dependencies || (entry !== "index" && isBuiltin(name));
    for (const [path, text] of declarationsOf(root, publicEntries, isInstalled, check)) write(join(dist, path), text);
  }
  const inputs = results.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap((each) => Object.keys(each.inputs)),
  );
  inputs.push("node_modules/crawler-user-agents/crawler-user-agents.json", "node_modules/gemoji/index.js");
  const intro = "Offprint holds these packages of others, each under its own license.";
  write(join(dist, "licenses.txt"), `${intro}\n\n${licensesOf(root, packagesOf(root, inputs))}`);
  const others = ["node_modules/quickjs-wasi/quickjs.wasm", ...JSON.parse(client.stdout)];
  write(join(dist, "sbom.cdx.json"), billOfMaterials(root, packagesOf(root, [...inputs, ...others])));
  writeBuildId(root);
  writeStamp();
}

/** The outputs that an entry needs. esbuild also writes chunks for imports in code that it has dropped. */
function reachedOutputs({ outputFiles, metafile: { outputs } }) {
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path) || !outputs[path]) return;
    reached.add(path);
    for (const each of outputs[path].imports) visit(each.path);
  };
  // Chunks of dynamic imports are entries, too.
  for (const [path, { entryPoint }] of Object.entries(outputs))
    if (entryPoint && !path.includes("/chunks/")) visit(path);
  return outputFiles.flatMap(({ path, contents }) => (reached.has(relative(root, path)) ? [[path, contents]] : []));
}

/** In modules of packages that are not ECMAScript's, `require` of what Node brings itself. */
const requiredBuiltins = {
  name: "required-builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w:/]+$/ }, ({ kind, path }) =>
      kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** Modules of Node that are slow to load and that few runs call: their functions load them when they are called. */
const seldomCalled = new Set(["node:child_process", "node:fs/promises", "node:timers/promises", "node:zlib"]);

function isSeldomCalled(module, name) {
  const value = seldomCalled.has(module) && process.getBuiltinModule(module)[name];
  return typeof value === "function" && /^[a-z]/.test(name) && value[promisify.custom] === undefined;
}

/**
 * A script that does not import what Node brings itself: for an import, Node asks every property of the module, and some
 * load a lot when they are asked, such as all streams with `node:fs`.
 */
function withoutBuiltinImports(script) {
  let result = "";
  let end = 0;
  for (const node of parse(script, { ecmaVersion: "latest", sourceType: "module" }).body) {
    if (node.type !== "ImportDeclaration" || !isBuiltin(node.source.value) || node.specifiers.length === 0) continue;
    // A script may call what it imports `process`.
    const module = `globalThis.process.getBuiltinModule(${JSON.stringify(node.source.value)})`;
    const constants = node.specifiers.map(({ type, imported, local }) =>
      type === "ImportSpecifier" && imported.name !== "default"
        ? isSeldomCalled(node.source.value, imported.name)
          ? `${local.name} = (...all) => ${module}.${imported.name}(...all)`
          : `${local.name} = ${module}.${imported.name}`
        : `${local.name} = ${module}`,
    );
    result += `${script.slice(end, node.start)}const ${constants.join(", ")};`;
    end = node.end;
  }
  return result + script.slice(end);
}

/** Files of src that the others load from dist: `#built/cli/export`. @param files by path in dist */
function separateFiles(files) {
  const names = new Map(Object.entries(files).map(([name, path]) => [join(root, path), name]));
  return {
    name: "separate-files",
    setup({ onResolve }) {
      onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => {
        const name = names.get(join(resolveDir, path.replace(/\.js$/, ".ts")));
        return name === undefined ? undefined : { path: `#built/${name}`, external: true };
      });
    },
  };
}

/** Grammars and themes are modules that several parts of the build load by name: `#shiki/langs/json`. */
function separateGrammars(entryPoints) {
  return {
    name: "separate-grammars",
    setup({ onResolve }) {
      onResolve({ filter: /^@shikijs\/(?:langs|themes)\/./ }, ({ path }) => {
        const name = path.replace("@shikijs/", "");
        entryPoints[`shiki/${name}`] = path;
        return { path: `#shiki/${name}`, external: true };
      });
    },
  };
}

/** Of the parser's 40 files, only the one that loads its native part stays, where it finds that. */
const satteriBinding = {
  name: "satteri-binding",
  setup({ onLoad }) {
    onLoad({ filter: /satteri\/dist\/binding\.js$/ }, ({ path }) => {
      const [, names] = /^export (\{[\w, ]+\}) from "\.\.\/index\.js";$/m.exec(readFileSync(path, "utf8")) ?? [];
      if (names === undefined) throw new Error(`${path} no longer has what the build replaces.`);
      const native = 'await import(new URL("../index.js", import.meta.resolve("satteri")).href)';
      return { contents: `export const ${names} = ${native};` };
    });
  },
};

/** jsdom finds two of its files by their path: a style sheet, which goes in as text, and a worker that no diagram needs. */
const jsdomWithoutFiles = {
  name: "jsdom-without-files",
  setup({ onLoad }) {
    const replaced = (filter, pattern, replacement) =>
      onLoad({ filter }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (!pattern.test(text)) throw new Error(`${path} no longer has what the build replaces.`);
        return { contents: text.replace(pattern, () => replacement(path)) };
      });
    replaced(
      /jsdom\/lib\/jsdom\/living\/css\/helpers\/computed-style\.js$/,
      /fs\.readFileSync\(\s*path\.resolve\(__dirname, "([^"]+)"\),[^)]*\)/,
      (path) => JSON.stringify(readFileSync(join(dirname(path), "../../../browser/default-stylesheet.css"), "utf8")),
    );
    replaced(
      /jsdom\/lib\/jsdom\/living\/xhr\/XMLHttpRequest-impl\.js$/,
      /require\.resolve\("\.\/xhr-sync-worker\.js"\)/,
      () => "undefined",
    );
  },
};

function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

/** Files of earlier builds; folders that they leave empty go with them. */
function removeFrom(folder, isOld) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) isOld(path) && rmSync(path);
    else {
      removeFrom(path, isOld);
      if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
    }
  }
}

if (import.meta.main) {
  const isGiven = (flag) => process.argv.includes(flag);
  await buildAll({
    types: !isGiven("--no-types"),
    check: !isGiven("--no-check"),
    ifStale: isGiven("--if-stale"),
  });
}
