import { createHash } from "node:crypto";
import type { IslandWords } from "./island.js";
import type { ModuleFacts } from "./module-facts.js";
import type { GraphModule } from "./module-graph.js";
import { uiNames } from "./runtime/names.js";

/** A module as the sandbox and the browser run it. */
export interface LinkedModule {
  /** Site path. */
  readonly source: string;
  /** Of the rest of its text, and of those that it imports in a circle. */
  readonly hash: string;
  /** The first 12 hex digits of the hash. */
  readonly id: string;
  readonly text: string;
  readonly deps: readonly string[];
  readonly ui: boolean;
  readonly network: readonly string[];
}

export interface LinkOptions {
  /** Path in the bundle of an address that begins with `/`. */
  readonly resolveLink: (literal: string) => string | undefined;
  readonly icon: (name: string) => string | undefined;
}

/** Id of a module by its site path, if it has one yet. */
type IdOf = (source: string) => string | undefined;

/** Gives modules their ids, dependencies first. Modules that import each other are hashed together. */
export function createLinker(
  options: LinkOptions,
): (modules: ReadonlyMap<string, GraphModule>, words?: IslandWords) => LinkedModule[] {
  const tailOf = createTails(options);
  /** As linked for the last page. Most modules of a site lead to the same modules on all pages. */
  const known = new WeakMap<ModuleFacts, { readonly rest: string; readonly module: LinkedModule }>();

  const linkOne = (module: GraphModule, idOf: IdOf, end: string): LinkedModule => {
    const rest = depTable(module, idOf) + tailOf(module) + end;
    const last = known.get(module.facts);
    if (last?.rest === rest) return last.module;
    const linked = linkedOf(module, rest, hashOf(rest), idOf);
    known.set(module.facts, { rest, module: linked });
    return linked;
  };

  return (modules, words) => {
    const linked = new Map<string, LinkedModule>();
    const said =
      words && [...modules.values()].some(({ facts }) => showsOurs(facts)) ? `,${JSON.stringify(words)}` : "";
    // Files of code are shared by pages in all languages.
    const endOf = ({ id }: GraphModule): string => `${/\.mdx?$/i.test(id) ? said : ""});`;
    const idOf: IdOf = (dep) => linked.get(dep)?.id;
    for (const group of inOrder(modules)) {
      const [first] = group;
      if (group.length === 1 && ![...first!.deps.values()].includes(first!.id)) {
        linked.set(first!.id, linkOne(first!, idOf, endOf(first!)));
        continue;
      }
      const rests = group.map((module) => depTable(module, idOf) + tailOf(module) + endOf(module));
      const shared = group.length > 1 ? rests.join("\n") : "";
      const hashes = rests.map((rest) => hashOf(rest + shared));
      const ids = new Map(group.map(({ id }, i) => [id, idFrom(hashes[i]!)]));
      const idInGroup: IdOf = (dep) => ids.get(dep) ?? idOf(dep);
      const all = group.map((module, i) =>
        linkedOf(module, depTable(module, idInGroup) + tailOf(module) + endOf(module), hashes[i]!, idInGroup),
      );
      for (const module of all) linked.set(module.source, module);
    }
    return [...linked.values()];
  };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const idFrom = (hash: string): string => hash.slice(0, 12);

/** @param rest of its text, after its id. */
function linkedOf({ id: source, facts, deps }: GraphModule, rest: string, hash: string, idOf: IdOf) {
  const id = idFrom(hash);
  return {
    source,
    id,
    hash,
    text: `offprintIslands.define(${JSON.stringify(id)},${rest}`,
    deps: [...new Set(deps.values())].flatMap((dep) => (dep === null ? [] : (idOf(dep) ?? []))),
    ui: showsOurs(facts),
    network: facts.network,
  };
}

const componentsOfUi = new Set<string>(uiNames);
const showsOurs = ({ provided }: ModuleFacts): boolean => provided.some((name) => componentsOfUi.has(name));

const tableOf = (entries: Iterable<readonly [string, string | null | undefined]>): string =>
  // In an object literal, that name would set the prototype.
  JSON.stringify(
    Object.fromEntries([...entries].filter(([name, value]) => value !== undefined && name !== "__proto__")),
  );

const depTable = ({ deps }: GraphModule, idOf: IdOf): string =>
  tableOf([...deps].map(([path, dep]) => [path, dep === null ? null : (idOf(dep) ?? dep)]));

/** What follows the table of imports in the text of a module. */
function createTails({ resolveLink, icon }: LinkOptions): (module: GraphModule) => string {
  const known = new WeakMap<ModuleFacts, string>();
  return ({ code, facts }) => {
    let tail = known.get(facts);
    if (tail === undefined) {
      const links = tableOf(
        facts.literals.filter((text) => text.startsWith("/")).map((text) => [text, resolveLink(text)]),
      );
      const icons = showsOurs(facts)
        ? tableOf(facts.literals.filter((text) => !text.startsWith("/")).map((name) => [name, icon(name)]))
        : "{}";
      tail = `,${links},${icons},({${facts.provided.join(",")}})=>(require,module,exports)=>{${code}}`;
      known.set(facts, tail);
    }
    return tail;
  };
}

/** Groups of modules that import each other, dependencies first (Tarjan's algorithm). */
function inOrder(modules: ReadonlyMap<string, GraphModule>): GraphModule[][] {
  const groups: GraphModule[][] = [];
  const seen = new Map<string, { index: number; low: number; onStack: boolean }>();
  const stack: GraphModule[] = [];
  const visit = (module: GraphModule): number => {
    const own = { index: seen.size, low: seen.size, onStack: true };
    seen.set(module.id, own);
    stack.push(module);
    for (const dep of module.deps.values()) {
      const target = dep === null ? undefined : modules.get(dep);
      if (!target) continue;
      const known = seen.get(target.id);
      if (!known) own.low = Math.min(own.low, visit(target));
      else if (known.onStack) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(module));
      for (const each of group) seen.get(each.id)!.onStack = false;
      groups.push(group.sort((a, b) => (a.id < b.id ? -1 : 1)));
    }
    return own.low;
  };
  for (const id of [...modules.keys()].sort()) if (!seen.has(id)) visit(modules.get(id)!);
  return groups;
}
