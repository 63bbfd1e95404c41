import { createHash } from "node:crypto";
import { rememberedFor } from "../../lib/memo.js";
import { calloutIcon, calloutIconKey, calloutKindOf } from "../components/index.js";
import type { IslandWords } from "./island.js";
import type { GraphModule, ModuleFacts } from "./module-graph.js";
import { componentsObject, uiNames } from "./runtime/names.js";

/** A module for the sandbox and the browser. */
export interface LinkedModule {
  /** Site path. */
  readonly source: string;
  /** Hash of its text without the id, and of the modules in its import cycle. */
  readonly hash: string;
  /** The first 12 hex digits of the hash. */
  readonly id: string;
  readonly text: string;
  readonly deps: readonly string[];
  readonly ui: boolean;
  readonly network: readonly string[];
}

export interface LinkOptions {
  /** The path in the bundle for a URL that begins with `/`. */
  readonly resolveLink: (literal: string) => string | undefined;
  readonly icon: (name: string) => string | undefined;
}

/** Finds the id of a module by its site path, once it is linked. */
type IdOf = (source: string) => string | undefined;

/** Assigns ids to modules, dependencies first. The modules of an import cycle are hashed together. */
export function createLinker(
  options: LinkOptions,
): (modules: ReadonlyMap<string, GraphModule>, words?: IslandWords) => LinkedModule[] {
  const tailOf = createTails(options);
  /** The result for the last page, since most modules import the same modules on every page. */
  const linkedBefore = new WeakMap<ModuleFacts, { readonly rest: string; readonly module: LinkedModule }>();

  const linkOne = (module: GraphModule, idOf: IdOf, end: string): LinkedModule => {
    const rest = depTable(module, idOf) + tailOf(module) + end;
    const last = linkedBefore.get(module.facts);
    if (last?.rest === rest) return last.module;
    const linked = linkedOf(module, rest, hashOf(rest), idOf);
    linkedBefore.set(module.facts, { rest, module: linked });
    return linked;
  };

  return (modules, words) => {
    const linked = new Map<string, LinkedModule>();
    const wordsArgument =
      words && [...modules.values()].some(({ facts }) => usesUi(facts)) ? `,${JSON.stringify(words)}` : "";
    // Only modules of pages receive translations, since files of code are shared by pages in all languages.
    const endOf = ({ id }: GraphModule): string => `${/\.mdx?$/i.test(id) ? wordsArgument : ""});`;
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
      const cycle = group.map((module, i) =>
        linkedOf(module, depTable(module, idInGroup) + tailOf(module) + endOf(module), hashes[i]!, idInGroup),
      );
      for (const module of cycle) linked.set(module.source, module);
    }
    return [...linked.values()];
  };
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const idFrom = (hash: string): string => hash.slice(0, 12);

/** @param rest the text after the id. */
function linkedOf({ id: source, facts, deps }: GraphModule, rest: string, hash: string, idOf: IdOf) {
  const id = idFrom(hash);
  return {
    source,
    id,
    hash,
    text: `offprintIslands.define(${JSON.stringify(id)},${rest}`,
    deps: [...new Set(deps.values())].flatMap((dep) => (dep === null ? [] : (idOf(dep) ?? []))),
    ui: usesUi(facts),
    network: facts.network,
  };
}

export const uiSet: ReadonlySet<string> = new Set<string>(uiNames);
const usesUi = ({ provided }: ModuleFacts): boolean => provided.some((name) => uiSet.has(name));

const tableOf = (entries: Iterable<readonly [string, string | null | undefined]>): string =>
  // In an object literal, `__proto__` would set the prototype.
  JSON.stringify(
    Object.fromEntries([...entries].filter(([name, value]) => value !== undefined && name !== "__proto__")),
  );

const depTable = ({ deps }: GraphModule, idOf: IdOf): string =>
  tableOf([...deps].map(([path, dep]) => [path, dep === null ? null : (idOf(dep) ?? dep)]));

/** Creates the text of a module after its table of imports. */
function createTails({ resolveLink, icon }: LinkOptions): (module: GraphModule) => string {
  const beforeCode = rememberedFor((facts: ModuleFacts) => {
    const links = tableOf(
      facts.literals.filter((text) => text.startsWith("/")).map((text) => [text, resolveLink(text)]),
    );
    const names = facts.literals.filter((text) => !text.startsWith("/"));
    const kinds = facts.provided.includes("Card") ? names.flatMap((name) => calloutKindOf(name) ?? []) : [];
    const icons = usesUi(facts)
      ? tableOf([
          ...names.map((name) => [name, icon(name)] as const),
          ...kinds.map((kind) => [calloutIconKey(kind), calloutIcon(kind).value] as const),
        ])
      : "{}";
    return `,${links},${icons},(${parametersOf(facts)})=>(require,module,exports)=>`;
  });
  return ({ code, facts }) => `${beforeCode(facts)}{${code}}`;
}

/** A module takes the names that it uses from an object with all names, which is also the vendor's global object. */
function parametersOf({ provided }: ModuleFacts): string {
  const names = `{${provided.filter((name) => name !== componentsObject).join(",")}}`;
  return provided.includes(componentsObject) ? `${componentsObject},${names}=${componentsObject}` : names;
}

/** Groups of modules that import each other, dependencies first (Tarjan's algorithm). */
function inOrder(modules: ReadonlyMap<string, GraphModule>): GraphModule[][] {
  const groups: GraphModule[][] = [];
  const seen = new Map<string, { index: number; low: number; onStack: boolean }>();
  const stack: GraphModule[] = [];
  const visit = (module: GraphModule): number => {
    const state = { index: seen.size, low: seen.size, onStack: true };
    seen.set(module.id, state);
    stack.push(module);
    for (const dep of module.deps.values()) {
      const target = dep === null ? undefined : modules.get(dep);
      if (!target) continue;
      const visited = seen.get(target.id);
      if (!visited) state.low = Math.min(state.low, visit(target));
      else if (visited.onStack) state.low = Math.min(state.low, visited.index);
    }
    if (state.low === state.index) {
      const group = stack.splice(stack.indexOf(module));
      for (const member of group) seen.get(member.id)!.onStack = false;
      groups.push(group.sort((a, b) => (a.id < b.id ? -1 : 1)));
    }
    return state.low;
  };
  for (const id of [...modules.keys()].sort()) if (!seen.has(id)) visit(modules.get(id)!);
  return groups;
}
