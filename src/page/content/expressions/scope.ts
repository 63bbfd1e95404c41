/** The names that a file defines: exports, constants and imports, each evaluated on first use. */
import { posix } from "node:path";
import { type Diagnostic, type Location, nearestName, warningOf } from "../../../lib/diagnostic/index.js";
import { addFile, newAddress, resolveImport } from "../../../site/links/index.js";
import type { SiteFiles } from "../../../site/source/index.js";
import { ownName } from "../expand/other-tools.js";
import { createPointFinder, type PointFinder } from "../location.js";
import { defaultExport, type ImportPart, type ModuleParts, namesIn } from "../module-parts.js";
import type { ContentModule, MarkdownModule, Modules, NearestFile } from "../modules.js";
import type { PageState } from "../page-state.js";
import { bindPattern } from "./call-component.js";
import type { Interpreter } from "./interpret.js";
import { Environment, Foreign, Lazy, Snippet, Stop, type Value } from "./values.js";

export interface ModuleSources {
  readonly files: SiteFiles;
  readonly nearestFile: NearestFile;
  readonly modules: Modules;
  /** Names that need no import. */
  readonly builtIns: ReadonlySet<string>;
}

/** What evaluating the names of a file needs. */
interface ModuleContext {
  readonly page: PageState;
  readonly interpreter: Interpreter;
  readonly options: ModuleSources;
}

const markdown = /\.mdx?$/i;
const isModule = (path: string): boolean => /\.(?:mdx?|jsx?|tsx?|mjs)$/i.test(path);

/** A component of Vue, Svelte or Astro. */
const isForeignComponent = (path: string): boolean => /\.(?:vue|svelte|astro)$/i.test(path);

/** Provided by the engine that runs live code, so nothing is reported for them. */
const engineModules = new Set(["react", "react-dom"]);

/** The environment of a file, created once for each page that uses it. Mistakes in its imports are reported then. */
function environmentOf(module: ContentModule, context: ModuleContext): Environment {
  const { page } = context;
  const existing = page.environments.get(module.sourcePath);
  if (existing !== undefined) return existing;
  const code = { text: module.source, sourcePath: module.sourcePath, line: 1, column: 1, shift: 0 };
  const env = new Environment(code);
  page.environments.set(module.sourcePath, env);
  env.define("user", {});
  if (module.parts !== undefined) {
    const firstPlaces = new Map<string, () => { readonly line: number }>();
    for (const part of module.parts.imports) importName(part, module, env, context);
    for (const { name, at } of namesIn(module.parts)) {
      const first = firstPlaces.get(name);
      if (first === undefined) firstPlaces.set(name, at);
      else {
        const { line, column } = at();
        page.report({
          ...warningOf("MODULE_SYNTAX"),
          what: `"${name}" is defined twice, first on line ${first().line}; other tools refuse such a page.`,
          location: { sourcePath: module.sourcePath, line, column },
          fix: "remove one of the two.",
        });
      }
    }
    declareNames(module.parts, env, context.interpreter);
  }
  return env;
}

function declareNames(parts: ModuleParts, env: Environment, interpreter: Interpreter): void {
  for (const { names, pattern, node, code } of parts.declarations) {
    const declared = new Environment(code, env);
    const evaluate = (): Value => (node === undefined ? undefined : interpreter.evaluate(node, declared));
    if (pattern === undefined || pattern.type === "Identifier") {
      const value = new Lazy(evaluate);
      for (const name of names) env.define(name, value);
      continue;
    }
    const bound = new Lazy(() => {
      bindPattern(pattern, evaluate(), declared, interpreter.evaluate);
      return undefined;
    });
    const boundValue = (name: string): Value => {
      bound.get(name);
      return declared.lookup(name);
    };
    for (const name of names) env.define(name, new Lazy(() => boundValue(name)));
  }
}

type Warn = (code: string, severity: Diagnostic["severity"], what: string, fix: string) => void;

function importName(part: ImportPart, module: ContentModule, env: Environment, context: ModuleContext): void {
  const location = { sourcePath: module.sourcePath, line: part.line, column: part.column };
  const value = importedName(part, location, context);
  if (value !== undefined) env.define(part.local, value);
}

/** The value of an imported name; undefined for one that stays a built-in component. Reports imports that are wrong. */
function importedName(part: ImportPart, location: Location, context: ModuleContext): Value | Lazy {
  const { local, from } = part;
  const { page, options } = context;
  const about = [`${location.sourcePath} ${local}`];
  const warn: Warn = (code, severity, what, fix) => page.report({ code, severity, what, location, fix, about });
  const isOwn = options.builtIns.has(local) || ownName(local, options.builtIns) !== undefined;
  const absent = isOwn ? undefined : missing(local);
  const resolved = resolveImport(from, location.sourcePath, (path) => options.files.has(path));
  switch (resolved.kind) {
    case "package": {
      if (engineModules.has(from)) return new Foreign();
      if (absent === undefined) return undefined;
      const what = `"${local}" is imported from the package "${from}", but pages can import only files of the site.`;
      const names = part.imported === "default" ? local : `{ ${local} }`;
      const fix = `remove the import, or add the code to the site as a snippet: import ${names} from "/snippets/…".`;
      warn("IMPORT_PACKAGE", "warning", what, fix);
      return absent;
    }
    case "outside": {
      const inside = options.nearestFile(posix.normalize(from).replace(/^(?:\.\.\/)+/, ""));
      const fix = inside
        ? `write "/${inside}".`
        : `move the file into the site folder and write "/${posix.basename(from)}".`;
      warn("IMPORT_OUTSIDE", "error", `The import "${from}" points outside the site folder, so it is not read.`, fix);
      return absent;
    }
    case "missing": {
      const { sourcePath } = resolved;
      const nearest = options.nearestFile(sourcePath);
      // The site is served below a folder, such as /docs, that it does not have itself.
      const isUsed = nearest !== undefined && sourcePath.endsWith(`/${nearest}`);
      const used = isUsed ? `; ${nearest} is used` : "";
      const what = `The import "${from}" refers to ${sourcePath}, which does not exist${used}.`;
      const fix = nearest === undefined ? addFile(sourcePath, "remove the import") : `write "/${nearest}".`;
      const isSame = nearest?.toLowerCase() === sourcePath.toLowerCase();
      const rewrites = nearest === undefined ? [] : newAddress(from, `/${nearest}`, isSame);
      const severity = isUsed ? "warning" : "error";
      page.report({ code: "IMPORT_NOT_FOUND", severity, what, location, fix, rewrites });
      if (isUsed) return fileValue(part, nearest, context, warn);
      return !isModule(sourcePath) && !isForeignComponent(sourcePath) && /\.\w+$/.test(sourcePath)
        ? `/${sourcePath}`
        : absent;
    }
  }
  const { sourcePath, isAlias } = resolved;
  if (isAlias) {
    const what = `The import "${from}" is written as in other tools; ${sourcePath} is used.`;
    const rewrites = newAddress(from, `/${sourcePath}`, true);
    const fix = `write "/${sourcePath}".`;
    page.report({ code: "IMPORT_PACKAGE", severity: "warning", what, location, fix, rewrites });
  }
  if (/\.json$/i.test(sourcePath)) {
    const fix = `define the data in the page: export const ${local} = ….`;
    warn("IMPORT_UNSUPPORTED", "warning", `"${from}" is a data file, which a page cannot import.`, fix);
    return absent;
  }
  if (isForeignComponent(sourcePath)) {
    const fix = `write the component in JSX, and import { ${local} } from "/snippets/….jsx".`;
    const what = `"${from}" is a component of another framework, which a page cannot run; only the content of its tags is shown.`;
    warn("IMPORT_UNSUPPORTED", "warning", what, fix);
    return absent;
  }
  return fileValue(part, sourcePath, context, warn);
}

function fileValue(part: ImportPart, sourcePath: string, context: ModuleContext, warn: Warn): Value | Lazy {
  const { page } = context;
  if (!isModule(sourcePath)) return `/${sourcePath}`;
  page.snippets.add(sourcePath);
  if (markdown.test(sourcePath) && part.imported === "default") return new Snippet(sourcePath);
  return new Lazy(() => importedValue(part, sourcePath, context, warn));
}

/** A name without a value, which has been reported. */
const missing = (name: string): Lazy =>
  new Lazy(() => {
    throw new Stop("missing", name);
  });

function importedValue(part: ImportPart, sourcePath: string, context: ModuleContext, warn: Warn): Value {
  const target = context.options.modules.readShared(sourcePath);
  if (target.parts === undefined) return new Foreign();
  const env = environmentOf(target, context);
  if (part.imported === "*") {
    const all: { [key: string]: Value } = {};
    for (const [exported, name] of target.parts.exports) if (exported !== "__proto__") all[exported] = env.lookup(name);
    return all;
  }
  const name = target.parts.exports.get(part.imported);
  if (name !== undefined) return env.lookup(name === "default" ? defaultExport : name);
  const names = [...target.parts.exports.keys()];
  const what = `${sourcePath} does not export "${part.imported}"${names.length > 0 ? `, only ${quotedNames(names)}` : ""}.`;
  const near = nearestName(part.imported, names);
  const fix =
    near !== undefined
      ? `write "${near}".`
      : markdown.test(sourcePath) && names.length === 0
        ? `to show the whole file, write import ${part.local} from "/${sourcePath}".`
        : part.imported === "default" && names.length === 1
          ? `write import { ${part.local === names[0] ? part.local : `${names[0]} as ${part.local}`} } from "/${sourcePath}".`
          : "import a name that the file exports, or export this one.";
  warn("EXPORT_NOT_FOUND", "error", what, fix);
  throw new Stop("missing", part.imported);
}

/** The first ten names: a file can export a whole library. */
function quotedNames(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((each) => `"${each}"`);
  return names.length > 10 ? `${shown.join(", ")} and ${names.length - 10} more` : shown.join(", ");
}

/** `block`: text needs a paragraph around it. `jsx`: it needs none. `inline`: within a line of text. */
export type Mode = "block" | "jsx" | "inline";

/** The file whose nodes are being expanded, and the names in scope. */
export interface Scope {
  readonly module: MarkdownModule;
  readonly env: Environment;
  /** Set on every node of a file that is not the page. */
  readonly sourcePath?: string;
  /** Properties that replace `{name}` in fences. */
  readonly fills?: ReadonlyMap<string, string>;
  /** Set for a file that is used as a component. */
  readonly props?: { readonly [key: string]: Value };
  /** Pages share the file, so its nodes are copied, not changed. */
  readonly shared: boolean;
  readonly pointAt: PointFinder;
}

/** @param props set for a file that is used as a component. */
export function createScope(
  module: MarkdownModule,
  context: ModuleContext,
  props?: { readonly [key: string]: Value },
): Scope {
  let env = environmentOf(module, context);
  const isPage = module.sourcePath === context.page.sourcePath;
  const fills = new Map<string, string>();
  if (props !== undefined) {
    const outer = env;
    env = new Environment(outer.code, outer);
    if (!outer.has("props")) env.define("props", props);
    for (const [name, value] of Object.entries(props)) {
      if (!outer.has(name)) env.define(name, value);
      if (typeof value === "string" || typeof value === "number") fills.set(name, String(value));
    }
  }
  return {
    module,
    env,
    shared: !isPage,
    pointAt: createPointFinder(module.source),
    ...(isPage ? {} : { sourcePath: module.sourcePath }),
    ...(fills.size === 0 ? {} : { fills }),
    ...(props === undefined ? {} : { props }),
  };
}
