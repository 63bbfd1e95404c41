import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Cache } from "../../lib/cache/index.js";
import { createMemo, lazy } from "../../lib/memo.js";
import { builtFile } from "../../lib/package-root.js";
import { answerRoots, outcomeWithoutModule, type RootOutcome } from "./answer-roots.js";
import { type AnyNode, identifierName, isNode, jsxParser } from "./check-source.js";
import { compileShortHere, isPageModule } from "./compile-short.js";
import type { IslandFault, IslandRenderer, IslandReply, IslandRequest } from "./island.js";
import { createLinker, type LinkedModule, type LinkOptions } from "./link-modules.js";
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

/** How many characters of a page's modules are searched for undefined names. */
const maxSearchLength = 2 * 1024 * 1024;

/** How many pages may crash the process before rendering is given up. */
const maxCrashes = 3;

/** Loads and starts nothing before the first island. */
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

  /** The rendered roots of a page, or why none was rendered. */
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
    // Another page may have caused it: try again, alone in a new process.
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

  /** First uses of network APIs and components, since many pages have the same modules. */
  const firstUses = createMemo<ReturnType<typeof findName>>();
  const firstUse = ({ module, what }: IslandFault, { pageModules }: IslandRequest): ReturnType<typeof findName> => {
    const name = what.replace(/[<>]/g, "");
    const pageModule = pageModules[module];
    if (pageModule !== undefined) return findName(pageModule, name);
    return firstUses(`${module}\n${name}`, () => findName(site.source(module)?.text ?? "", name));
  };

  /** Adds positions: of an undefined name, its first use in the module or in those that it imports. */
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

/** The position, from 1, where a module first uses a name. Undefined for TypeScript too. @param text is valid. */
async function findName(text: string, name: string): Promise<{ line: number; column: number } | undefined> {
  const parser = await jsxParser();
  let first = Number.POSITIVE_INFINITY;
  const queue: unknown[] = [];
  try {
    queue.push(parser.parse(text, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }));
  } catch {
    return undefined;
  }
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
