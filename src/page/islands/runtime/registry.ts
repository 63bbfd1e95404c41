/** The modules of a site that islands are made of. The same code runs in the sandbox and in the browser. */

/** `React`, what `react` exports, our components by name, `__h`, `__F` and `__Slot`. */
export type Provided = Readonly<Record<string, unknown>>;

type Require = (path: string) => unknown;
type Factory = (
  names: Provided,
) => (require: Require, module: { exports: Record<string, unknown> }, exports: Record<string, unknown>) => void;

export interface Registry {
  /**
   * @param deps ids of modules by the path in the import; null for what the site does not have.
   * @param links paths in the bundle by the addresses that the module names.
   * @param icons outlines by the names that the module names, each an `<svg>`.
   * @param words of our components, of a page that is not in English.
   */
  define(
    id: string,
    deps: Readonly<Record<string, string | null>>,
    links: Readonly<Record<string, string>>,
    icons: Readonly<Record<string, string>>,
    factory: Factory,
    words?: Readonly<Record<string, string>>,
  ): void;
  /** Runs the module if it has not run. Throws what it throws, every time. */
  exportsOf(id: string): Record<string, unknown>;
}

/** Shared by all modules of a page: a module may pass its links and icons to components of others. */
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
    const found = modules.get(id);
    if (!found) throw new Error(`${id} is missing.`);
    if (found.error) throw found.error.thrown;
    if (found.exports) return found.exports;
    const module = { exports: {} as Record<string, unknown> };
    // Modules that import each other see what is exported so far.
    found.exports = module.exports;
    try {
      found.factory(provided)((path) => requireFrom(found, path), module, module.exports);
    } catch (thrown) {
      found.error = { thrown };
      throw thrown;
    }
    found.exports = module.exports;
    return found.exports;
  };

  const requireFrom = ({ deps }: Module, path: string): unknown => {
    const id = deps.get(path);
    if (id == null) return absent;
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

/** A component that is not known shows its children. */
export const Transparent = (props: { readonly children?: unknown } | undefined): unknown => props?.children;

/** Has every export. As a prototype, so that the copies that compiled code makes of a module have them, too. */
const absent: object = Object.create(
  new Proxy(
    {},
    // A module with `then` would be taken for a promise. One without `__esModule` would itself be its default export.
    { get: (_, name) => (typeof name === "symbol" || name === "then" ? undefined : Transparent) },
  ),
);
