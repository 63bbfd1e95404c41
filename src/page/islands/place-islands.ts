import type { Nodes } from "mdast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { type Island, type IslandSlot, nodeLocation, type PageContent, type PageIslands } from "../content/index.js";
import type {
  IslandAnswer,
  IslandFault,
  IslandReply,
  IslandRequest,
  IslandScript,
  IslandWords,
  SlotOfRoot,
} from "./island.js";
import { islandNodes } from "./island-nodes.js";

export interface IslandTools {
  readonly ask: (request: IslandRequest) => Promise<IslandReply>;
  /** The scripts that every live component needs; `ui`: with our own components. */
  readonly runtime: (ui: boolean) => Promise<readonly IslandScript[]>;
  readonly words?: IslandWords | undefined;
}

/** The page with what its islands show. Changes the tree. @param pagePath source path of the page. */
export async function placeIslands(content: PageContent, pagePath: string, tools: IslandTools): Promise<PageContent> {
  const { islands } = content;
  if (islands === undefined) return content;
  const locationOf = (island: Island): Location => nodeLocation(island, island.data?.sourcePath ?? pagePath);
  const slots = islandsIn(content.tree);
  const placed = [...slots.keys()];
  const slotOf = new Map(placed.map((island) => [island.root, slots.get(island)]));
  const { answers, scripts, faults } = await tools.ask({
    pageModules: islands.modules,
    roots: islands.roots.map((root, i) => ({ ...root, ...(slotOf.get(i) ? { around: slotOf.get(i) } : {}) })),
    ...(tools.words ? { words: tools.words } : {}),
  });
  const diagnostics: Diagnostic[] = [];
  for (const island of placed) {
    const answer = island.root === undefined ? undefined : answers[island.root];
    if (answer === undefined) showSource(island);
    else {
      const found = place(island, answer, locationOf(island));
      // The place of the name says more.
      if (!faults.some(({ code, root }) => code === "UNDEFINED_NAME" && root === island.root))
        diagnostics.push(...found);
    }
  }
  const known = new Set(content.diagnostics.map(({ code, location }) => `${code} ${location?.sourcePath}`));
  const reported = new Set<string>();
  for (const fault of faults) {
    const { code, module, root = islands.roots.findIndex((each) => each.module === module) } = fault;
    // The content has reported the imports of Markdown files; the answer of a root says why it failed.
    if (known.has(`${code} ${module}`) || (code === "ISLAND_LIMIT" && fault.root !== undefined)) continue;
    const island = placed.find((each) => each.root === root);
    const diagnostic = diagnosticOf(fault, islands.lines, island && locationOf(island));
    // Several islands may need the same name.
    const key = JSON.stringify([diagnostic.what, diagnostic.location]);
    if (code === "UNDEFINED_NAME" && reported.has(key)) continue;
    reported.add(key);
    diagnostics.push(diagnostic);
  }
  const isLive = scripts.length > 0;
  const runtime = isLive ? await tools.runtime(answers.some((answer) => "ui" in answer && answer.ui)) : [];
  const all = [...runtime, ...scripts];
  return {
    ...content,
    diagnostics: [...content.diagnostics, ...diagnostics],
    files: [...(content.files ?? []), ...all],
    scripts: [...(content.scripts ?? []), ...all.map(({ outputPath }) => outputPath)],
  };
}

/** Those in properties too, each with the slot that it is in. */
function islandsIn(tree: Nodes): Map<Island, SlotOfRoot | undefined> {
  const found: [Island, SlotOfRoot | undefined][] = [];
  const waiting: [node: unknown, around: SlotOfRoot | undefined][] = [[tree, undefined]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, around] = next;
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node)) for (const each of node) waiting.push([each, around]);
    else if (!("type" in node)) for (const each of Object.values(node)) waiting.push([each, around]);
    else if (node.type === "island") {
      const island = node as Island;
      found.push([island, around]);
      const { root } = island;
      for (const slot of island.children as IslandSlot[])
        waiting.push([slot.children, root === undefined ? undefined : { root, slot: slot.index }]);
    } else {
      const { children, data } = node as { children?: unknown; data?: { props?: unknown } };
      waiting.push([children, around], [data?.props, around]);
    }
  }
  return new Map(found.reverse());
}

/** A note with the source, and all content that was between the tags. */
function showSource(island: Island): void {
  island.children = island.children.flatMap((slot) => (slot as IslandSlot).children);
}

/** @returns what is reported. */
function place(island: Island, answer: IslandAnswer, location: Location): Diagnostic[] {
  const subject = island.name === undefined ? "This expression" : `<${island.name}>`;
  if ("failed" in answer) {
    showSource(island);
    // The fault of a module is reported where it is.
    if (answer.failed === "syntax") return [];
    return [
      {
        code: "ISLAND_LIMIT",
        severity: "error",
        what: `${subject} cannot be rendered, so its source is shown: ${sentence(answer.message)}.`,
        location,
        fix: "make it smaller or simpler, or write what it shows as Markdown.",
      },
    ];
  }
  island.ui = answer.ui;
  if ("clientOnly" in answer) {
    island.outcome = "clientOnly";
    island.id = answer.island;
    return [
      {
        code: "ISLAND_CLIENT_ONLY",
        severity: "warning",
        what: `${subject} appears only once its script runs, because ${sentence(answer.clientOnly)}.`,
        location,
        fix: "let its first rendering do without it, and change it in an effect: readers without JavaScript see nothing of it.",
      },
    ];
  }
  const { html, live, island: id, slots } = answer;
  island.outcome = live ? "live" : "static";
  if (id !== undefined) island.id = id;
  const shown = new Set(slots);
  const hidden = island.children.filter((slot) => live && !shown.has((slot as IslandSlot).index));
  island.children = [...islandNodes(html, island), ...hidden];
  island.hiddenCount = hidden.length;
  return [];
}

/** The first sentence, without its full stop. */
const sentence = (text: string): string => text.replace(/(?:\.|\. .*)$/s, "");

const messages: Readonly<Record<IslandFault["code"], (what: string) => Pick<Diagnostic, "severity" | "what" | "fix">>> =
  {
    MODULE_SYNTAX: (reason) => ({
      severity: "error",
      what: `This is not valid JavaScript, so its components are not rendered: ${sentence(reason)}.`,
      fix: strayFix(reason),
    }),
    ISLAND_LIMIT: (reason) => ({
      severity: "error",
      what: `Its components are not rendered: ${sentence(reason)}.`,
      fix: "split the file into several.",
    }),
    IMPORT_PACKAGE: (name) => ({
      severity: "warning",
      what: `The package "${name}" is not part of the site; what is imported from it shows only its content.`,
      fix: "remove the import, or add the code to the site as a .jsx file.",
    }),
    IMPORT_NOT_FOUND: (name) => ({
      severity: "error",
      what: `The import "${name}" names a file that the site does not have.`,
      fix: "add the file, or remove the import.",
    }),
    IMPORT_OUTSIDE: (name) => ({
      severity: "error",
      what: `The import "${name}" leads out of the site folder; it is not read.`,
      fix: "move the file into the site.",
    }),
    ISLAND_COMPONENT: (name) => ({
      severity: "warning",
      what: `<${name}> shows only its content inside a component that runs in the browser.`,
      fix: "put it around the component, or pass it as the component's content.",
    }),
    UNDEFINED_NAME: (name) => ({
      severity: "warning",
      what: `Nothing defines "${name}", so what needs it appears only if a script in the reader's browser does.`,
      fix: "define or import the name; what only browsers have can be used in an effect.",
    }),
    ISLAND_NETWORK: (what) => ({
      severity: "warning",
      what: `This component uses the network (${what}), which readers may not have.`,
      fix: "put what it loads into the site.",
    }),
  };

/** For "Unexpected token `}`". */
function strayFix(reason: string): string {
  const found = /^Unexpected token `([^`]+)`/.exec(reason)?.[1];
  return found === undefined
    ? "correct it; an editor marks the place."
    : `remove "${found}", or write what is missing before it.`;
}

function diagnosticOf(
  { code, module, line: lineInModule, column, what }: IslandFault,
  lines: PageIslands["lines"],
  ofRoot: Location | undefined,
): Diagnostic {
  // The module of a page has its imports and exports only; what follows them are the islands.
  const line =
    lineInModule === undefined || !/\.mdx?$/i.test(module) ? lineInModule : lines[module]?.[lineInModule - 1];
  const location: Location =
    line === undefined
      ? (ofRoot ?? { sourcePath: module })
      : { sourcePath: module, line, ...(column === undefined ? {} : { column }) };
  return { code, location, ...messages[code](what) };
}
