import type { SourceFault } from "./check-source.js";
import type { ModuleSource } from "./compile-module.js";
import type { IslandFault } from "./island.js";
import type { ModuleFacts } from "./module-facts.js";
import { limits } from "./sandbox/protocol.js";
import type { SiteModules } from "./site-modules.js";

export type ReadModule = { readonly code: string; readonly facts: ModuleFacts } | { readonly fault: SourceFault };

/** A module and what its imports lead to: another module, `react`, or null for what the site does not have. */
export interface GraphModule {
  readonly id: string;
  readonly code: string;
  readonly facts: ModuleFacts;
  readonly deps: ReadonlyMap<string, string | null>;
}

export interface Graph {
  readonly modules: ReadonlyMap<string, GraphModule>;
  /** Modules that cannot be compiled. */
  readonly broken: ReadonlyMap<string, SourceFault>;
  readonly faults: readonly IslandFault[];
}

export interface GraphOptions {
  readonly pageModules: Readonly<Record<string, string>>;
  readonly site: SiteModules;
  readonly compile: (sources: readonly ModuleSource[]) => Promise<readonly ReadModule[]>;
}

const react = /^react(?:-dom)?(?:\/|$)/;

/** Reads the modules of a page and all that they import. A file is read only if the site has it. */
export async function readGraph(options: GraphOptions): Promise<Graph> {
  const modules = new Map<string, GraphModule>();
  const broken = new Map<string, SourceFault>();
  const faults: IslandFault[] = [];
  const sources = new Map<string, ModuleSource>(
    Object.entries(options.pageModules).map(([id, text]) => [id, { id, text }]),
  );
  let waiting = [...sources.values()];

  const resolve = (path: string, importer: ModuleSource): string | null => {
    if (react.test(path)) return "react";
    const fault = (code: IslandFault["code"], what: string): null => {
      faults.push({ code, module: importer.id, ...positionOf(path, importer.text), what });
      return null;
    };
    const target = options.site.resolve(path, importer.id);
    if (target.kind === "package") return fault("IMPORT_PACKAGE", path);
    if (target.kind === "outside") return fault("IMPORT_OUTSIDE", path);
    if (target.kind === "missing") return fault("IMPORT_NOT_FOUND", target.sourcePath);
    const id = target.sourcePath;
    if (sources.has(id)) return id;
    const source = options.site.source(id);
    // Markdown is not code; the page reports it.
    if (source === undefined) return /\.mdx?$/i.test(id) ? null : fault("IMPORT_NOT_FOUND", id);
    if (sources.size >= limits.moduleCount)
      return fault("ISLAND_LIMIT", `the page has more than ${limits.moduleCount} modules`);
    sources.set(id, source);
    waiting.push(source);
    return id;
  };

  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const compiled = await options.compile(batch);
    for (const [i, source] of batch.entries()) {
      const { id } = source;
      const result = compiled[i]!;
      if ("fault" in result) {
        const { kind, message, ...position } = result.fault;
        broken.set(id, result.fault);
        faults.push({
          code: kind === "syntax" ? "MODULE_SYNTAX" : "ISLAND_LIMIT",
          module: id,
          ...position,
          what: message,
        });
        continue;
      }
      const { code, facts } = result;
      modules.set(id, { id, code, facts, deps: new Map(facts.imports.map((path) => [path, resolve(path, source)])) });
    }
  }
  for (const [id, module] of modules) {
    const deps = new Map([...module.deps].map(([path, dep]) => [path, dep !== null && broken.has(dep) ? null : dep]));
    modules.set(id, { ...module, deps });
  }
  return { modules, broken, faults };
}

function positionOf(path: string, text: string): { line?: number; column?: number } {
  const at = ['"', "'", "`"].map((quote) => text.indexOf(quote + path + quote)).find((index) => index >= 0);
  if (at === undefined) return {};
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
