import { createHash } from "node:crypto";
import type { GraphModule } from "./module-graph.js";
import { uiNames } from "./runtime/names.js";

/** A module as the sandbox and the browser run it. */
export interface LinkedModule {
  /** Site path. */
  readonly source: string;
  /** First 12 hex digits of the hash of the rest of its text. */
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

/** Gives modules their ids, dependencies first. Modules that import each other are hashed together. */
export function linkModules(modules: ReadonlyMap<string, GraphModule>, options: LinkOptions): LinkedModule[] {
  const linked = new Map<string, LinkedModule>();
  for (const group of inOrder(modules)) {
    const idOf = (dep: string): string => linked.get(dep)?.id ?? dep;
    const rests = group.map((module) => restOf(module, idOf, options));
    const shared = group.length > 1 ? rests.join("\n") : "";
    for (const [i, module] of group.entries()) {
      const id = createHash("sha256").update(rests[i]!).update(shared).digest("hex").slice(0, 12);
      linked.set(module.id, { ...linkedOf(module), id, text: "", deps: [] });
    }
    for (const module of group) {
      const { id } = linked.get(module.id)!;
      const deps = [...new Set(module.deps.values())].flatMap((dep) => linked.get(dep ?? "")?.id ?? []);
      const text = `offprintIslands.define(${JSON.stringify(id)},${restOf(module, idOf, options)}`;
      linked.set(module.id, { ...linkedOf(module), id, text, deps });
    }
  }
  return [...linked.values()];
}

const linkedOf = ({ id, facts }: GraphModule) => ({
  source: id,
  ui: facts.provided.some((name) => componentsOfUi.has(name)),
  network: facts.network,
});

const componentsOfUi = new Set<string>(uiNames);

function restOf({ code, facts, deps }: GraphModule, idOf: (dep: string) => string, options: LinkOptions): string {
  const table = (entries: Iterable<readonly [string, string | null | undefined]>): string =>
    // In an object literal, that name would set the prototype.
    JSON.stringify(
      Object.fromEntries([...entries].filter(([name, value]) => value !== undefined && name !== "__proto__")),
    );
  const depTable = table([...deps].map(([path, dep]) => [path, dep === null ? null : idOf(dep)]));
  const links = table(
    facts.literals.filter((text) => text.startsWith("/")).map((text) => [text, options.resolveLink(text)]),
  );
  const isShown = facts.provided.some((name) => componentsOfUi.has(name));
  const icons = isShown
    ? table(facts.literals.filter((text) => !text.startsWith("/")).map((name) => [name, options.icon(name)]))
    : "{}";
  return `${depTable},${links},${icons},({${facts.provided.join(",")}})=>(require,module,exports)=>{${code}});`;
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
