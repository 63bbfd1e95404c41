/** Holds the modules of islands. The same code runs in the sandbox and in the browser. */

/** `React`, the exports of `react`, our components by name, `__h`, `__F` and `__Slot`. */
export type Provided = Readonly<Record<string, unknown>>;

type Require = (path: string) => unknown;
type Factory = (
  names: Provided,
) => (require: Require, module: { exports: Record<string, unknown> }, exports: Record<string, unknown>) => void;

export interface Registry {
  /**
   * @param deps ids of modules by import path; null if the site lacks the module.
   * @param links paths in the bundle by the URLs that the module contains.
   * @param icons `<svg>` outlines by the icon names that the module contains.
   * @param words texts of our components, for a page that is not in English.
   */
  define(
    id: string,
    deps: Readonly<Record<string, string | null>>,
    links: Readonly<Record<string, string>>,
    icons: Readonly<Record<string, string>>,
    factory: Factory,
    words?: Readonly<Record<string, string>>,
  ): void;
  /** Runs the module on the first call. If it throws, every call throws the same error. */
  exportsOf(id: string): Record<string, unknown>;
}

/** Shared by all modules of a page, since a module may pass its links and icons to components of others. */
export interface Tables {
  readonly links: Map<string, string>;
  readonly icons: Map<string, string>;
  readonly words: Map<string, string>;
}
export const createTables = (): Tables => ({ links: new Map(), icons: new Map(), words: new Map() });

interface Module {
  readonly deps: ReadonlyMap<string, string | null>;
  readonly factory: Factory;
  exports?: Record<string, unknown>;
  error?: { readonly thrown: unknown };
}

export function createRegistry(provided: Provided, tables: Tables = createTables()): Registry {
  const modules = new Map<string, Module>();

  const exportsOf = (id: string): Record<string, unknown> => {
    const definition = modules.get(id);
    if (!definition) throw new Error(`${id} is missing.`);
    if (definition.error) throw definition.error.thrown;
    if (definition.exports) return definition.exports;
    const module = { exports: {} as Record<string, unknown> };
    // Modules of an import cycle see the exports so far.
    definition.exports = module.exports;
    try {
      definition.factory(provided)((path) => requireFrom(definition, path), module, module.exports);
    } catch (thrown) {
      definition.error = { thrown };
      throw thrown;
    }
    definition.exports = module.exports;
    return definition.exports;
  };

  const requireFrom = ({ deps }: Module, path: string): unknown => {
    const id = deps.get(path);
    if (id == null) return missingModule;
    return /^react(?:-dom)?(?:\/|$)/.test(id) ? provided["React"] : exportsOf(id);
  };

  return {
    define(id, deps, links, icons, factory, words = {}) {
      modules.set(id, { deps: new Map(Object.entries(deps)), factory });
      for (const from in links) tables.links.set(from, links[from]!);
      for (const name in icons) tables.icons.set(name, icons[name]!);
      for (const name in words) tables.words.set(name, words[name]!);
    },
    exportsOf,
  };
}

/** Replaces an unknown component: shows its children. */
export const Transparent = (props: { readonly children?: unknown } | undefined): unknown => props?.children;

/** Replaces a missing module. It has every export, on its prototype, so that compiled code copies them too. */
const missingModule: object = Object.create(
  new Proxy(
    {},
    // With `then`, the module would pass for a promise; without `__esModule`, it would itself be the default export.
    { get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : Transparent) },
  ),
);
