import type { SourceFault } from "./check-source.js";
import type { IslandAnswer, IslandFault, IslandReply, IslandRequest } from "./island.js";
import type { LinkedModule } from "./link-modules.js";
import { uiNames } from "./runtime/names.js";
import type { RenderedRoot } from "./sandbox/protocol.js";

/** The HTML of a root, or why it was not rendered. */
export type RootOutcome =
  | RenderedRoot
  | { readonly failed: Extract<IslandAnswer, { failed: unknown }>["failed"]; readonly message: string }
  | { readonly clientOnly: string; readonly undefinedName?: string };

/** The answers for a page, with the scripts that its live roots need. @param linked dependencies first. */
export function answerRoots(
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

const uiSet = new Set<string>(uiNames);

/** The outcome of a root whose module is not compiled. */
export const outcomeWithoutModule = (fault: SourceFault | undefined): RootOutcome =>
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
