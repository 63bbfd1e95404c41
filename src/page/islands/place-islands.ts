import type { Nodes, RootContent } from "mdast";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { find, html as htmlNames } from "property-information";
import { type Diagnostic, type Location, quoted } from "../../lib/diagnostic/index.js";
import { addFile } from "../../site/links/index.js";
import {
  type Island,
  type IslandSlot,
  type JsxElement,
  nodeLocation,
  type PageContent,
  type PageIslands,
  type PropValue,
} from "../content/index.js";
import { isRecord, isTextElement } from "../render/index.js";
import type {
  IslandAnswer,
  IslandFault,
  IslandReply,
  IslandRequest,
  IslandScript,
  IslandWords,
  SlotOfRoot,
} from "./island.js";

interface IslandTools {
  readonly ask: (request: IslandRequest) => Promise<IslandReply>;
  /** The scripts that all live components need. @param ui whether to add our own components. */
  readonly runtime: (ui: boolean) => Promise<readonly IslandScript[]>;
  readonly words?: IslandWords | undefined;
}

/** Inserts the rendered islands into the page's tree, which it changes. @param pagePath source path of the page. */
export async function placeIslands(content: PageContent, pagePath: string, tools: IslandTools): Promise<PageContent> {
  const { islands } = content;
  if (islands === undefined) return content;
  const locationOf = (island: Island): Location => ({
    ...nodeLocation(island, island.data?.sourcePath ?? pagePath),
    ...(island.name === undefined && { length: island.source.split("\n", 1)[0]!.length }),
  });
  const slots = islandsIn(content.tree);
  const pageIslands = [...slots.keys()];
  const slotOf = new Map(pageIslands.map((island) => [island.root, slots.get(island)]));
  const { answers, scripts, faults } = await tools.ask({
    pageModules: islands.modules,
    roots: islands.roots.map((root, i) => ({ ...root, ...(slotOf.get(i) ? { around: slotOf.get(i) } : {}) })),
    ...(tools.words ? { words: tools.words } : {}),
  });
  const diagnostics: Diagnostic[] = [];
  for (const island of pageIslands) {
    const answer = island.root === undefined ? undefined : answers[island.root];
    if (answer === undefined) showSource(island);
    else {
      const placed = place(island, answer, locationOf(island));
      // The fault UNDEFINED_NAME says more.
      if (!faults.some(({ code, root }) => code === "UNDEFINED_NAME" && root === island.root))
        diagnostics.push(...placed);
    }
  }
  /** Faults of one code are the same if they are in one file; names that are not defined, if they are one name. */
  const keyOf = (code: string, module = "", name = ""): string =>
    `${code} ${module}${code === "UNDEFINED_NAME" ? ` ${name}` : ""}`;
  const alreadyReported = new Set(
    content.diagnostics.map(({ code, location, what }) =>
      keyOf(code, location?.sourcePath, /"([\w$]+)[\w$.]*" is not defined/.exec(what)?.[1]),
    ),
  );
  const reported = new Set<string>();
  for (const fault of faults) {
    const { code, module, line = 0 } = fault;
    const text = islands.modules[module]?.split("\n", line).join("\n");
    const inside = /^[\s\S]*\nexport const __i(\d+) =/.exec(text ?? "")?.[1];
    const first = islands.roots.findIndex((candidate) => candidate.module === module);
    const root = fault.root ?? (inside === undefined ? first : Number(inside));
    // Imports of Markdown files have been reported with the content, and limits with the answer of their root.
    const isKnown = alreadyReported.has(keyOf(code, module, fault.what));
    if (isKnown || (code === "ISLAND_LIMIT" && fault.root !== undefined)) continue;
    const island = pageIslands.find((candidate) => candidate.root === root);
    const diagnostic = toDiagnostic(fault, islands.lines, island && locationOf(island));
    // Several islands may lack the same name.
    const key = JSON.stringify([diagnostic.what, diagnostic.location]);
    if (code === "UNDEFINED_NAME" && reported.has(key)) continue;
    reported.add(key);
    diagnostics.push(diagnostic);
  }
  const isLive = scripts.length > 0;
  const runtime = isLive ? await tools.runtime(answers.some((answer) => "ui" in answer && answer.ui)) : [];
  const files = [...runtime, ...scripts];
  return {
    ...content,
    diagnostics: [...content.diagnostics, ...diagnostics],
    files: [...(content.files ?? []), ...files],
    scripts: [...(content.scripts ?? []), ...files.map(({ outputPath }) => outputPath)],
  };
}

/** All islands of the page, those in properties included, with the slot that contains each. */
function islandsIn(tree: Nodes): Map<Island, SlotOfRoot | undefined> {
  const islands: [Island, SlotOfRoot | undefined][] = [];
  const queue: [node: unknown, around: SlotOfRoot | undefined][] = [[tree, undefined]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [node, around] = next;
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node)) for (const item of node) queue.push([item, around]);
    else if (!("type" in node)) for (const value of Object.values(node)) queue.push([value, around]);
    else if (node.type === "island") {
      const island = node as Island;
      islands.push([island, around]);
      const { root } = island;
      for (const slot of island.children as IslandSlot[])
        queue.push([slot.children, root === undefined ? undefined : { root, slot: slot.index }]);
    } else {
      const { children, data } = node as { children?: unknown; data?: { props?: unknown } };
      queue.push([children, around], [data?.props, around]);
    }
  }
  return new Map(islands.reverse());
}

/** Makes the page show the source of the island, and the content between its tags. */
function showSource(island: Island): void {
  island.children = island.children.flatMap((slot) => (slot as IslandSlot).children);
}

/** Inserts an answer. @returns the diagnostics of the island. */
function place(island: Island, answer: IslandAnswer, location: Location): Diagnostic[] {
  const subject = island.name === undefined ? "This expression" : `<${island.name}>`;
  if ("failed" in answer) {
    showSource(island);
    // A syntax error is reported at its place in the module.
    if (answer.failed === "syntax") return [];
    const what = `${subject} cannot be rendered, so its source is shown: ${sentence(answer.message)}.`;
    const fix = "make it smaller or simpler, or write what it shows as Markdown.";
    return [{ code: "ISLAND_LIMIT", severity: "error", what, location, fix }];
  }
  island.ui = answer.ui;
  if ("clientOnly" in answer) {
    island.outcome = "clientOnly";
    island.id = answer.island;
    const what = `${subject} is rendered only in the reader's browser, because ${sentence(answer.clientOnly)}.`;
    const fix =
      "use it in an effect instead of in the first render; until then, readers without JavaScript do not see the component.";
    return [{ code: "ISLAND_CLIENT_ONLY", severity: "warning", what, location, fix }];
  }
  const { html, live, island: id, slots } = answer;
  if (island.name === undefined && html === "" && functionStart.test(island.source)) {
    showSource(island);
    const what = `${quoted(island.source, 60)} is shown as typed: it is a function, which nothing calls.`;
    const fix = "write what the function returns, without () =>.";
    return [{ code: "EXPRESSION_AS_TEXT", severity: "warning", what, location, fix }];
  }
  island.outcome = live ? "live" : "static";
  if (id !== undefined) island.id = id;
  const shown = new Set(slots);
  const hidden = island.children.filter((slot) => live && !shown.has((slot as IslandSlot).index));
  island.children = [...islandNodes(html, island), ...hidden];
  island.hiddenCount = hidden.length;
  return [];
}

const functionStart = /^\{\s*(?:async\b\s*)?(?:function\b|(?:\([^()]*\)|[\w$]+)\s*=>)/;

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
      what: `The package "${name}" is not part of the site; components imported from it show only their content.`,
      fix: "remove the import, or add the code to the site as a .jsx file.",
    }),
    IMPORT_NOT_FOUND: (name) => ({
      severity: "error",
      what: `The import "${name}" refers to a file that does not exist.`,
      fix: addFile(name, "remove the import"),
    }),
    IMPORT_OUTSIDE: (name) => ({
      severity: "error",
      what: `The import "${name}" points outside the site folder, so it is not read.`,
      fix: "move the file into the site folder.",
    }),
    ISLAND_COMPONENT: (name) => ({
      severity: "warning",
      what: `<${name}> shows only its content inside a component that runs in the browser.`,
      fix: "put it around your component, or pass it as your component's content.",
    }),
    UNDEFINED_NAME: (name) => ({
      severity: "warning",
      what: `"${name}" is not defined, so the component that uses it appears only if a script in the reader's browser defines it.`,
      fix: "define or import the name; use objects that only browsers have in an effect.",
    }),
    ELEMENT_NOT_RETURNED: (element) => ({
      severity: "warning",
      what: `The function does not return ${element}…>, so the element is not shown.`,
      fix: `write return before ${element}, on the same line.`,
    }),
    ISLAND_NETWORK: (what) => ({
      severity: "warning",
      what: `This component uses the network (${what}), but readers may be offline.`,
      fix: "add the data that it loads to the site instead.",
    }),
  };

/** The fix for a syntax error, such as "Unexpected token `}`". */
function strayFix(reason: string): string {
  const token = /^Unexpected token `([^`]+)`/.exec(reason)?.[1];
  return token === undefined
    ? "correct the syntax; an editor shows where it fails."
    : `remove "${token}", or add what is missing before it.`;
}

function toDiagnostic(
  { code, module, line: lineInModule, column, what }: IslandFault,
  lines: PageIslands["lines"],
  rootLocation: Location | undefined,
): Diagnostic {
  // In a page's module, only imports and exports are lines of the file; the islands follow.
  const line =
    lineInModule === undefined || !/\.mdx?$/i.test(module) ? lineInModule : lines[module]?.[lineInModule - 1];
  const location: Location =
    line === undefined
      ? (rootLocation ?? { sourcePath: module })
      : { sourcePath: module, line, ...(column === undefined ? {} : { column }) };
  return { code, location, ...messages[code](what) };
}

type Parsed = DefaultTreeAdapterTypes.ChildNode;

/** Limit of nested values in a property. */
const maxDepth = 100;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Converts the HTML of a component to nodes of the page. It is untrusted, so the nodes are treated like tags in a page.
 *
 * @param island has `islandSlot` nodes as its children; `outcome` is set.
 */
function islandNodes(html: string, island: Island): RootContent[] {
  const slots = new Map(island.children.map((slot) => [String((slot as IslandSlot).index), slot]));
  const { position } = island;
  const kind = island.outcome === "live" ? "live" : "static";

  const all = (nodes: readonly Parsed[]): RootContent[] => nodes.flatMap(nodeOf);
  const nodeOf = (node: Parsed): RootContent[] => {
    if (node.nodeName === "#text")
      return [{ type: "text", value: (node as DefaultTreeAdapterTypes.TextNode).value, data: { island: kind } }];
    if (!("tagName" in node) || node.tagName === "script" || node.tagName === "template") return [];
    const attributes = new Map(
      node.attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value] as const),
    );
    if (node.tagName === "x-slot") return slotNodes(attributes.get("data-n"));
    if (node.tagName === "x-use") return [componentNode(attributes, node)];
    // In HTML, unlike in JSX, `checked=""` means true.
    const props = [...attributes].map(([name, value]) => [
      name,
      value === "" && find(htmlNames, name).boolean ? true : value,
    ]);
    return [element(node.tagName, Object.fromEntries(props), all(node.childNodes))];
  };
  const slotNodes = (index: string | undefined): RootContent[] => {
    const slot = slots.get(index ?? "");
    if (slot === undefined) return [];
    return kind === "live" ? [slot] : (slot as IslandSlot).children;
  };
  const element = (name: string, props: Readonly<Record<string, PropValue>>, children: RootContent[]): RootContent =>
    ({
      type: isTextElement(name) ? "mdxJsxTextElement" : "mdxJsxFlowElement",
      name,
      attributes: [],
      children,
      position,
      data: { props, island: kind, ...(island.data?.sourcePath ? { sourcePath: island.data.sourcePath } : {}) },
    }) as JsxElement as RootContent;
  /** One of our own components, rendered as if it were written in the page. */
  const componentNode = (
    attributes: ReadonlyMap<string, string>,
    node: DefaultTreeAdapterTypes.Element,
  ): RootContent => {
    const name = attributes.get("data-name") ?? "";
    const component = element(name, propsOf(attributes.get("data-props")), all(node.childNodes));
    const { island: _, ...data } = component.data!;
    return { ...component, data };
  };
  const propsOf = (json = "{}"): Readonly<Record<string, PropValue>> => {
    const value = propValue(parseJson(json), 0);
    return isRecord(value) ? (value as Record<string, PropValue>) : {};
  };
  const propValue = (value: unknown, depth: number): PropValue => {
    if (depth > maxDepth) return undefined;
    if (Array.isArray(value)) return value.map((item) => propValue(item, depth + 1));
    if (typeof value !== "object" || value === null) return value as PropValue;
    const html = (value as { $html?: unknown }).$html;
    if (typeof html === "string") return { type: "jsxTree", children: all(parseFragment(html).childNodes) };
    // A plain object must not pass for a tree of nodes.
    const entries = Object.entries(value).filter(([key, member]) => key !== "__proto__" && member !== "jsxTree");
    return Object.fromEntries(entries.map(([key, member]) => [key, propValue(member, depth + 1)]));
  };
  return all(parseFragment(html).childNodes);
}
