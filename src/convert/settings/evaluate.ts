/**
 * Settings in JavaScript or TypeScript are evaluated by the engine that renders live components: an interpreter in a process of
 * its own, without files, network and clock, and with a deadline. Its only input is the text of files of the repository.
 * Packages are not installed: a value that comes from one becomes an `Unknown`, and all others are evaluated.
 */
import { unescapeHtml } from "../../lib/html/escape.js";
import { rememberedFor } from "../../lib/memo.js";
import { escapeRegExp } from "../../lib/regexp/match-glob.js";
import { folderOf, joinPath } from "../../lib/url/index.js";
import { createIslandWorker } from "../../page/islands/worker-process.js";
import type { SiteFiles } from "../../site/source/index.js";
import { asData, isData } from "../data.js";
import { type GuestFiles, type GuestResult, settingsGuest } from "./guest.js";
import { maxBytes, moduleSource, readJson } from "./module-source.js";

/** A value from a package or the environment, which is not known here. `name` is the expression, with the place of its import. */
export class Unknown {
  constructor(
    readonly name: string,
    /** The first argument of a call, if it is a list. */
    readonly list: readonly unknown[] = [],
  ) {}
}

/** The key of the `Unknown` whose entries an object has besides its own: `{ ...unknown, title: "Docs" }`. */
export const unknownPart = "...";

/** A call of a package whose arguments are data: `starlight({ … })`. */
export class Call {
  constructor(
    readonly name: string,
    readonly args: readonly unknown[],
  ) {}
}

export type Evaluated = { readonly value: unknown } | { readonly error: string };

const maxModules = 300;
const maxRounds = 3;
/** Limit for the undefined names that settings may use. */
const maxGlobals = 20;
const extensions = ["ts", "js", "mts", "mjs", "cts", "cjs", "tsx", "jsx", "json"];

/**
 * The default export of each file, or the value of `module.exports`. Never rejects because of a file's content.
 *
 * @param missing is called with names whose values the settings use in texts, but which are unknown here
 * @param leadsOut is called for an import of a file outside of the folder that was opened
 */
export async function evaluateSettings(
  files: SiteFiles,
  sourcePaths: readonly string[],
  leadsOut: () => void,
  missing: (result: Pick<GuestResult, "environment" | "inserted">) => void = () => {},
): Promise<ReadonlyMap<string, Evaluated>> {
  const all = await evaluateIn(files, sourcePaths, leadsOut, missing);
  if ([...all.values()].every((result) => "value" in result)) return all;
  // The repository of a tool has the packages that its own settings use, and they may need what only their build makes.
  const paths = files.paths.filter((path) => !path.endsWith("package.json"));
  return evaluateIn({ ...files, paths }, sourcePaths, leadsOut, missing);
}

async function evaluateIn(
  ...[files, sourcePaths, leadsOut, missing]: Required<Parameters<typeof evaluateSettings>>
): Promise<ReadonlyMap<string, Evaluated>> {
  const worker = createIslandWorker();
  const texts: Record<string, string> = {};
  try {
    const { modules, faults, ...read } = await readModules(files, sourcePaths, worker.compile, leadsOut);
    let { usesFiles } = read;
    let isLenient = false;
    const globals = new Set<string>();
    for (let round = 1; ; round++) {
      const guestFiles: GuestFiles = { paths: usesFiles ? files.paths : [], texts, isLenient, globals: [...globals] };
      const job = {
        modules: [
          guestModule(guestFiles),
          ...modules.map(({ id, text, deps }) => ({ id, text, deps })),
          entryModule(sourcePaths.filter((path) => !faults.has(path))),
        ],
        roots: [{ module: entryId, name: "Settings" }],
      };
      const reply = await worker.render(job);
      const root = "lost" in reply ? undefined : reply.roots[0];
      if (root === undefined || !("html" in root)) {
        const reason = root === undefined ? "they take too long or crash the interpreter" : root.message;
        return new Map(sourcePaths.map((path) => [path, { error: faults.get(path) ?? reason }]));
      }
      const { values, needs, ...names } = JSON.parse(unescapeHtml(root.html)) as GuestResult;
      const unread = needs.filter((path) => files.has(path) && files.sizeOf(path) <= maxBytes);
      if (unread.length > 0 && round < maxRounds) {
        for (const path of unread) texts[path] = files.readText(path);
        continue;
      }
      const undefinedNames = values.flatMap(
        ({ error = "" }) => /^([\w$]{1,100}) is not defined/.exec(error)?.[1] ?? [],
      );
      if (globals.size < maxGlobals && undefinedNames.some((name) => !globals.has(name))) {
        for (const name of undefinedNames) globals.add(name);
        usesFiles ||= globals.has("fs");
        continue;
      }
      if (!isLenient && values.some(({ error }) => error !== undefined)) {
        isLenient = true;
        continue;
      }
      missing(names);
      const results = values[Symbol.iterator]();
      return new Map(
        sourcePaths.map((path) => {
          const fault = faults.get(path);
          const result = fault === undefined ? results.next().value! : { error: fault };
          return [path, result.error === undefined ? { value: revive(result.value) } : { error: result.error }];
        }),
      );
    }
  } finally {
    await worker.close();
  }
}

function revive(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== "object" || value === null) return value;
  const { $unknown, $call, args, list, ...others } = value as Record<"$unknown" | "$call", unknown> &
    Record<"args" | "list", unknown[]>;
  const unknown = typeof $unknown === "string" ? new Unknown($unknown, list?.map(revive)) : undefined;
  if (unknown !== undefined && Object.keys(others).length === 0) return unknown;
  if (typeof $call === "string") return new Call($call, (args ?? []).map(revive));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      if (key === "$unknown") return [[unknownPart, unknown]];
      return key === "__proto__" ? [] : [[key, revive(item)]];
    }),
  );
}

const entryId = "offprint:settings";
const guestId = "offprint:guest";

interface Module {
  readonly id: string;
  readonly text: string;
  readonly deps: readonly string[];
}

const define = (id: string, deps: Readonly<Record<string, string>>, body: string): string =>
  `offprintIslands.define(${JSON.stringify(id)},${JSON.stringify(deps)},{},{},({__h,__F,React})=>(require,module,exports)=>{${body}})`;

const guestModule = (files: GuestFiles): Module => ({
  id: guestId,
  text: define(guestId, {}, `module.exports=(${settingsGuest.toString()})(${JSON.stringify(files)})`),
  deps: [],
});

function entryModule(sourcePaths: readonly string[]): Module {
  const deps = Object.fromEntries([guestId, ...sourcePaths].map((path) => [path, path]));
  const body = `exports.Settings=()=>JSON.stringify(require(${JSON.stringify(guestId)}).results(${JSON.stringify(sourcePaths)},require))`;
  return { id: entryId, text: define(entryId, deps, body), deps: Object.keys(deps) };
}

/** The modules that the settings import, dependencies first. */
async function readModules(
  files: SiteFiles,
  sourcePaths: readonly string[],
  compile: ReturnType<typeof createIslandWorker>["compile"],
  leadsOut: () => void,
) {
  const modules = new Map<string, Module>();
  const faults = new Map<string, string>();
  let usesFiles = false;
  const visit = async (path: string): Promise<void> => {
    if (modules.has(path) || faults.has(path)) return;
    if (modules.size >= maxModules) return void faults.set(path, "the settings have too many files");
    modules.set(path, { id: path, text: "", deps: [] });
    const source = await moduleSource(files, path);
    if ("fault" in source) {
      modules.delete(path);
      faults.set(path, source.fault);
      return;
    }
    const [compiled] = await compile([{ id: `${path}.js`, text: source.text }]);
    if (compiled === undefined || "fault" in compiled) {
      modules.delete(path);
      faults.set(path, compiled?.fault.message ?? "it cannot be compiled");
      return;
    }
    const deps = new Map<string, string>();
    const missing: string[] = [];
    for (const [, specifier = ""] of compiled.code.matchAll(/\brequire\(["'`]([^"'`\n]{1,300})["'`]\)/g)) {
      if (/^(?:node:)?fs(?:\/promises)?$/.test(specifier)) usesFiles = true;
      const target = resolveModule(files, path, specifier);
      if ((/^(?:\.\.\/)+/.exec(specifier)?.[0].length ?? 0) / 3 > path.split("/").length - 1) leadsOut();
      if (target !== undefined) {
        await visit(target);
        if (modules.has(target)) {
          deps.set(specifier, target);
          continue;
        }
      }
      missing.push(specifier);
    }
    modules.delete(path);
    const place = (specifier: string): string => placeOf(source.written, path, specifier);
    const placesOf = (names: readonly string[]): string =>
      JSON.stringify(Object.fromEntries(names.map((specifier) => [specifier, place(specifier)])));
    // These names are parameters of an outer function, so that the settings in the inner one may declare them again.
    const body = `const $=require(${JSON.stringify(guestId)}),$p=${placesOf(missing)},$m=${placesOf([...deps.keys()])};const $r=n=>Object.hasOwn($p,n)?$.packageOf(n,$p[n]):$.moduleOf(n,$m[n],()=>require(n));$r.resolve=n=>n;((require,process,URL,Promise,__dirname,__filename)=>{const $default=m=>m?.__esModule?m:{...m,default:m},$meta={url:"file://"+__filename,dirname:__dirname,filename:__filename,env:{}};(()=>{${compiled.code}\n})()})($r,$.process,$.URL,$.Promise,${JSON.stringify(absolute(folderOf(path)))},${JSON.stringify(absolute(path))})`;
    modules.set(path, {
      id: path,
      text: define(path, { [guestId]: guestId, ...Object.fromEntries(deps) }, body),
      deps: [guestId, ...deps.values()],
    });
  };
  for (const path of sourcePaths) await visit(path);
  return { modules: [...modules.values()], faults, usesFiles };
}

const absolute = (path: string): string => `/repository/${path}`;

function placeOf(text: string, path: string, specifier: string): string {
  const at = text.search(new RegExp(`["'\`]${escapeRegExp(specifier)}["'\`]`));
  return at < 0 ? path : `${path}:${text.slice(0, at).split("\n").length}`;
}

/**
 * The folders of a repository's packages by name. Tools and plug-ins, which have peer dependencies, are left out: their
 * functions are recognized by name, even in the tool's own repository.
 */
const packagesOf = rememberedFor((files: SiteFiles): ReadonlyMap<string, string> => {
  const folders = new Map<string, string>();
  for (const path of files.paths)
    if (/(?:^|\/)package\.json$/.test(path) && files.sizeOf(path) <= maxBytes) {
      const { name, peerDependencies } = asData(readJson(files.readText(path)));
      if (typeof name === "string" && !isData(peerDependencies) && !folders.has(name))
        folders.set(name, folderOf(path));
    }
  return folders;
});

/** Where the source of a package's module may be: `src/index.ts` stands for the built file, which is not in the repository. */
function packagePaths(files: SiteFiles, specifier: string): string[] {
  const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const folder = packagesOf(files).get(name);
  const inner = specifier.slice(name.length + 1) || "index";
  return folder === undefined ? [] : [`src/${inner}`, inner].map((path) => joinPath(folder, path));
}

function resolveModule(files: SiteFiles, from: string, specifier: string): string | undefined {
  const plain = specifier.replace(/\?.*$/, "");
  const paths = /^\.{1,2}(?:\/|$)/.test(plain)
    ? [joinPath(folderOf(from), plain)]
    : plain.startsWith("@site/")
      ? [joinPath(folderOf(from), plain.slice(6))]
      : packagePaths(files, plain);
  const tries = paths.flatMap((path) => {
    const stem = path.replace(/\.[cm]?jsx?$/, "");
    return [
      path,
      ...extensions.flatMap((extension) => [`${path}.${extension}`, `${stem}.${extension}`]),
      ...extensions.map((extension) => `${path}/index.${extension}`),
    ];
  });
  return tries.find((candidate) => /\.(?:[cm]?[jt]sx?|json|ya?ml)$/.test(candidate) && files.has(candidate));
}
