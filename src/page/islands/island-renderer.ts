import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Comment, Node } from "acorn";
import { attempt } from "../../lib/attempt.js";
import type { Cache } from "../../lib/cache/index.js";
import { type AnyNode, identifierName, isNode } from "../../lib/jsx/syntax-node.js";
import { createMemo, lazy } from "../../lib/memo.js";
import { builtFile } from "../../lib/package-root.js";
import { jsxParser, type SourceFault } from "./check-source.js";
import { toCommonJs } from "./commonjs.js";
import type { CompiledModule, ModuleSource } from "./compile-module.js";
import { unfit } from "./element-calls.js";
import type { IslandAnswer, IslandFault, IslandRenderer, IslandReply, IslandRequest } from "./island.js";
import { createLinker, type LinkedModule, type LinkOptions, uiSet } from "./link-modules.js";
import {
  createModuleReader,
  createSiteModules,
  type Graph,
  readGraph,
  type SiteModulesOptions,
} from "./module-graph.js";
import { type JobModule, limits, type RenderedRoot, type RenderJob, type RenderReply } from "./sandbox/protocol.js";
import { createIslandWorker, type IslandWorker } from "./worker-process.js";

export interface IslandRendererOptions extends SiteModulesOptions, LinkOptions {
  readonly cache?: Cache | undefined;
  readonly version: string;
  /** By default, a separate process. */
  readonly worker?: IslandWorker;
}

/** Limit of characters of a page's modules that are searched for undefined names. */
const maxSearchLength = 2 * 1024 * 1024;

/** After this many crashes, components are rendered only in the browser. */
const maxCrashes = 3;

/** The renderer loads and starts nothing before the first island. */
export function createIslandRenderer(options: IslandRendererOptions): IslandRenderer {
  const { cache, version, worker = createIslandWorker() } = options;
  const site = createSiteModules(options);
  const link = createLinker(options);
  const compile = createModuleReader(compileShortHere(worker.compile), version, cache);
  let crashes = 0;
  const cacheKey = (linked: readonly LinkedModule[], jobRoots: RenderJob["roots"]): string =>
    createHash("sha256")
      .update(`islands ${version} ${guestHash()} ${JSON.stringify([linked.map(({ hash }) => hash), jobRoots, limits])}`)
      .digest("hex");

  /** Renders the roots of a page. @returns the reason instead if none was rendered. */
  const render = async (
    linked: readonly LinkedModule[],
    jobRoots: RenderJob["roots"],
  ): Promise<readonly RenderedRoot[] | RootOutcome> => {
    const key = cache === undefined ? "" : cacheKey(linked, jobRoots);
    const cached = cache?.get(key);
    if (cached) return (JSON.parse(Buffer.from(cached).toString("utf8")) as RenderReply).roots;
    const job = { modules: linked.map(jobModule), roots: jobRoots };
    if (crashes >= maxCrashes) return { clientOnly: "the process that renders components has crashed several times" };
    let reply = await worker.render(job);
    // An earlier page may have caused the crash, so try again in a new process.
    if ("lost" in reply && reply.lost === "ended") reply = await worker.render(job);
    if ("lost" in reply) {
      if (reply.lost === "unstarted") return { clientOnly: "the process that renders components cannot be started" };
      crashes++;
      return reply.lost === "slow"
        ? { failed: "deadline", message: `Its page takes more than ${limits.pageMs / 1000} s.` }
        : { failed: "process", message: "It crashes the process that renders it." };
    }
    const { roots } = reply;
    if (roots.length !== job.roots.length)
      return { failed: "process", message: "The renderer returned no result for its page." };
    if (!roots.some((root) => "error" in root && root.error === "deadline"))
      cache?.put(key, Buffer.from(JSON.stringify({ roots })));
    return roots;
  };

  /** Positions of first uses of network APIs and components, cached because many pages share modules. */
  const firstUses = createMemo<ReturnType<typeof findName>>();
  const firstUse = ({ module, what }: IslandFault, { pageModules }: IslandRequest): ReturnType<typeof findName> => {
    const name = what.replace(/[<>]/g, "");
    const pageModule = pageModules[module];
    if (pageModule !== undefined) return findName(pageModule, name);
    return firstUses(`${module}\n${name}`, () => findName(site.source(module)?.text ?? "", name));
  };

  /** Adds positions to faults. For an undefined name, it is the first use in the module or in those that it imports. */
  const locate = async (
    faults: readonly IslandFault[],
    { modules }: Graph,
    request: IslandRequest,
  ): Promise<IslandFault[]> => {
    let left = maxSearchLength;
    const placeOf = async ({ module, what }: IslandFault): Promise<Partial<IslandFault>> => {
      const reached = new Set([module]);
      for (const id of reached) {
        const text = request.pageModules[id] ?? site.source(id)?.text ?? "";
        left -= text.length;
        if (left < 0) return {};
        const place = await findName(text, what);
        if (place) return { module: id, ...place };
        for (const dep of modules.get(id)?.deps.values() ?? []) if (dep !== null) reached.add(dep);
      }
      return {};
    };
    const located: IslandFault[] = [];
    for (const fault of faults)
      if (fault.code === "UNDEFINED_NAME") located.push({ ...fault, ...(await placeOf(fault)) });
      else if (fault.code === "ISLAND_NETWORK" || fault.code === "ISLAND_COMPONENT")
        located.push({ ...fault, ...(await firstUse(fault, request)) });
      else located.push(fault);
    return located;
  };

  return {
    async render(request): Promise<IslandReply> {
      const graph = await readGraph({ pageModules: request.pageModules, site, compile });
      const linked = link(graph.modules, request.words);
      const idOf = new Map(linked.map(({ source, id }) => [source, id]));
      const places: number[] = [];
      const jobRoots: RenderJob["roots"][number][] = [];
      const indexes = new Map<number, number>();
      const outcomes = request.roots.map(({ module, name }, i): RootOutcome => {
        const id = idOf.get(module);
        if (id === undefined) return outcomeWithoutModule(graph.broken.get(module));
        if (jobRoots.length >= limits.rootCount)
          return { failed: "count", message: `Its page has more than ${limits.rootCount} islands.` };
        indexes.set(i, places.push(i) - 1);
        jobRoots.push({ module: id, name });
        return notRendered;
      });
      for (const [index, place] of places.entries()) {
        const { around } = request.roots[place]!;
        const root = around && indexes.get(around.root);
        if (root !== undefined) jobRoots[index] = { ...jobRoots[index]!, around: { root, slot: around!.slot } };
      }
      if (jobRoots.length > 0) {
        const rendered = await render(linked, jobRoots);
        for (const [at, place] of places.entries()) outcomes[place] = "length" in rendered ? rendered[at]! : rendered;
      }
      const reply = answerRoots(request, outcomes, linked);
      return { ...reply, faults: [...graph.faults, ...(await locate(reply.faults, graph, request))] };
    },
    close: () => worker.close(),
  };
}

const jobModule = ({ id, text, deps, source }: LinkedModule): JobModule => ({
  id,
  text,
  deps,
  isShared: !isPageModule.test(source),
});

const notRendered: RootOutcome = { failed: "process", message: "" };

const guestHash = lazy(() =>
  createHash("sha256")
    .update(readFileSync(builtFile("island-guest.js")))
    .update(readFileSync(builtFile("quickjs.wasm")))
    .digest("hex"),
);

/** The position (from 1) of the first use of a name in a module; undefined for TypeScript too. */
async function findName(text: string, name: string): Promise<{ line: number; column: number } | undefined> {
  const parser = await jsxParser();
  let first = Number.POSITIVE_INFINITY;
  const tree = attempt(() => parser.parse(text, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }));
  const queue: unknown[] = [tree];
  while (queue.length > 0) {
    const node = queue.pop();
    if (Array.isArray(node)) queue.push(...node);
    if (!isNode(node)) continue;
    if (/^(?:JSX)?Identifier$/.test(node.type) && identifierName(node) === name) first = Math.min(first, node.start);
    for (const [field, value] of Object.entries(node)) if (!isPropertyName(node, field)) queue.push(value);
  }
  if (first > text.length) return undefined;
  const before = text.slice(0, first).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function isPropertyName({ type, computed, shorthand }: AnyNode, field: string): boolean {
  if (field === "property") return type === "JSXMemberExpression" || (type === "MemberExpression" && !computed);
  if (field === "key") return !computed && !shorthand;
  return field === "name" && type === "JSXAttribute";
}

/** The HTML of a root, or the reason why it was not rendered. */
type RootOutcome =
  | RenderedRoot
  | { readonly failed: Extract<IslandAnswer, { failed: unknown }>["failed"]; readonly message: string }
  | { readonly clientOnly: string; readonly undefinedName?: string };

/** The answers for a page, with the scripts that its live roots need. @param linked all modules, dependencies first. */
function answerRoots(
  { roots }: IslandRequest,
  outcomes: readonly RootOutcome[],
  linked: readonly LinkedModule[],
): IslandReply {
  const bySource = new Map(linked.map((module) => [module.source, module]));
  const needed = new Set<LinkedModule>();
  const faults: IslandFault[] = [];

  const answers = roots.map(({ module, name }, root): IslandAnswer => {
    const outcome = readOutcome(outcomes[root]!);
    if ("failed" in outcome) {
      if (outcome.failed !== "syntax") faults.push({ code: "ISLAND_LIMIT", module, root, what: outcome.message });
      return outcome;
    }
    if ("html" in outcome && !outcome.live)
      return { html: outcome.html, live: false, slots: slotsIn(outcome.html), ui: false };
    const rootModule = bySource.get(module)!;
    const reached = reachedFrom(rootModule, linked);
    for (const dependency of reached) needed.add(dependency);
    const island = `${rootModule.id}#${name}`;
    const ui = reached.some((dependency) => dependency.ui);
    if ("clientOnly" in outcome) {
      const { clientOnly, undefinedName } = outcome;
      if (undefinedName !== undefined) faults.push({ code: "UNDEFINED_NAME", module, root, what: undefinedName });
      return { clientOnly, island, ui };
    }
    for (const what of outcome.used)
      if (!uiSet.has(what.replace(/\..*/, ""))) faults.push({ code: "ISLAND_COMPONENT", module, root, what });
    return { html: outcome.html, live: true, island, slots: slotsIn(outcome.html), ui };
  });

  for (const { source, network } of needed)
    for (const what of network) faults.push({ code: "ISLAND_NETWORK", module: source, what });
  const scripts = linked.flatMap((module) =>
    needed.has(module) ? [{ outputPath: `_offprint/i/${module.id}.js`, text: module.text }] : [],
  );
  return { answers, scripts, faults };
}

/** The outcome of a root whose module is not compiled. */
const outcomeWithoutModule = (fault: SourceFault | undefined): RootOutcome =>
  fault === undefined
    ? { failed: "missing", message: "its module is missing" }
    : { failed: fault.kind === "syntax" ? "syntax" : "size", message: fault.message };

function readOutcome(outcome: RootOutcome): Exclude<RootOutcome, { error: unknown }> {
  if ("failed" in outcome || "clientOnly" in outcome) return outcome;
  const undefinedName = "error" in outcome && /^ReferenceError: ([\w$]+) is not defined$/.exec(outcome.message)?.[1];
  if (undefinedName) return { clientOnly: `"${undefinedName}" is not defined`, undefinedName };
  if (outcome.unstable) return { clientOnly: instabilityReasons[outcome.unstable] };
  if ("html" in outcome) return outcome;
  const { error, message, touched } = outcome;
  if (error !== "threw") return { failed: error, message };
  return { clientOnly: touched === undefined ? `it fails without a browser (${message})` : `it reads "${touched}"` };
}

const instabilityReasons = {
  clock: "it reads the current time",
  random: "it uses random numbers",
  locale: "it formats or sorts text by the reader's language",
} as const;

function reachedFrom(root: LinkedModule, linked: readonly LinkedModule[]): LinkedModule[] {
  const byId = new Map(linked.map((module) => [module.id, module]));
  const reached = new Set([root]);
  for (const module of reached) for (const dep of module.deps) reached.add(byId.get(dep)!);
  return [...reached];
}

const slotsIn = (html: string): number[] => [
  ...new Set([...html.matchAll(/<x-slot data-n="(\d{1,4})"/g)].map(([, number]) => Number(number))),
];

type Compile = (sources: readonly ModuleSource[]) => Promise<readonly CompiledModule[]>;

/**
 * Compiles short modules of pages in this process, and all others with `compile`. Each page has its own module, and
 * most modules only import and show components: esbuild takes about 2 ms for one, this process 0.1 to 0.4 ms.
 */
export const compileShortHere =
  (compile: Compile): Compile =>
  async (sources) => {
    const codes = await Promise.all(
      sources.map(({ id, text }) => (isPageModule.test(id) ? compileShort(text) : undefined)),
    );
    const others = sources.filter((_, i) => codes[i] === undefined);
    const compiled = others.length === 0 ? [] : [...(await compile(others))];
    return codes.map((code) => (code === undefined ? compiled.shift()! : { code }));
  };

/** Matches the module of a page; other modules are files of code. */
export const isPageModule = /\.mdx?$/i;

/** Limit in characters, above which esbuild's minified output would be shorter. */
const maxShortLength = 4096;

/** Syntax with another meaning in classic scripts, text that esbuild replaces, and names that compiled modules need. */
const unsupported = /<!--|-->|\bprocess\b|@jsx|__proto__|__default|__m\d|\\u|^#!/;

/** @returns CommonJS; undefined if esbuild must compile the module, which includes all newer syntax than ES2020. */
export async function compileShort(text: string): Promise<string | undefined> {
  if (text.length > maxShortLength || unsupported.test(text)) return undefined;
  const parser = await jsxParser();
  const comments: Comment[] = [];
  try {
    const tree = parser.parse(text, { ecmaVersion: 2020, sourceType: "module", onComment: comments });
    return toCommonJs(text, tree as Node as AnyNode, comments);
  } catch (error) {
    if (error === unfit || error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
