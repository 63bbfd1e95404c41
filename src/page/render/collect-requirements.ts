import type { Code, Definition, FootnoteDefinition, Nodes, Root, RootContent } from "mdast";
import type { ComponentDefinition } from "../components/index.js";
import type { JsxElement, PropValue } from "../content/index.js";
import { fenceKind, fenceOf, holdsFence, isFenceComponent } from "./handlers/code.js";
import { isEmbedded } from "./handlers/embed.js";
import { markdownText } from "./nodes.js";
import type { PageDiagram, PageRequirements, RenderTools } from "./page-render.js";
import { isRecord, isTree, textOfProp } from "./prop-values.js";
import { isForAgents } from "./render-component.js";

/** Walks the tree once, properties included, but not content that the page does not show. */
export function collectRequirements(
  tree: Root,
  tools: Pick<RenderTools, "components" | "readInline" | "sharedRequirements">,
): PageRequirements {
  const fences: Code[] = [];
  const diagrams: PageDiagram[] = [];
  /** Captions of frames, by their children. */
  const captions = new Map<Nodes, string>();
  const texts: string[] = [];
  const ids: string[] = [];
  const definitions: (Definition | FootnoteDefinition)[] = [];
  const stylesheets = new Set<string>();
  let hasHtml = false;
  let depth = 0;

  const waiting: Nodes[] = [tree];
  const depths: number[] = [0];
  const enter = (nodes: readonly Nodes[], level: number): void => {
    for (let i = nodes.length - 1; i >= 0; i--) {
      waiting.push(nodes[i]!);
      depths.push(level);
    }
  };
  const requireFence = (code: Code, source: Nodes): void => {
    const kind = fenceKind(code);
    if (kind === "diagram") {
      diagrams.push({ code, caption: captions.get(source) });
      stylesheets.add("diagram").add("zoom");
    } else if (kind === "math") stylesheets.add("math");
    else if (code.lang) fences.push(code);
  };
  const requireShared = (node: JsxElement, level: number): void => {
    let inner = tools.sharedRequirements.get(node);
    if (!inner) {
      inner = collectRequirements({ type: "root", children: node.children as RootContent[] }, tools);
      tools.sharedRequirements.set(node, inner);
    }
    fences.push(...inner.fences);
    for (const name of inner.stylesheets) stylesheets.add(name);
    texts.push(...inner.texts);
    ids.push(...inner.ids);
    depth = Math.max(depth, level + inner.depth);
  };
  const requireSheet = (component: string): void => {
    const { stylesheet } = tools.components.get(component) ?? {};
    if (stylesheet) stylesheets.add(stylesheet);
  };
  const requireProps = (node: JsxElement, level: number): void => {
    const props = node.data?.props ?? {};
    const definition = node.name === null ? undefined : tools.components.get(node.name);
    if (node.name !== null) requireSheet(node.name);
    if (typeof props["id"] === "string") ids.push(props["id"]);
    for (const name in props) {
      const value = props[name];
      if (typeof value === "object" && value !== null) for (const tree of treesIn(value)) enter(tree, level);
      else if (typeof value === "string" && definition) requireText(definition, name, value);
    }
  };
  const requireText = ({ props }: ComponentDefinition, name: string, value: string): void => {
    if (!Object.hasOwn(props, name) || props[name] !== "content") return;
    texts.push(value);
    if (/!\[|<img\b/i.test(value)) stylesheets.add("zoom");
  };

  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const level = depths.pop()!;
    if (level > depth) depth = level;
    if (typeof node.data?.id === "string") ids.push(node.data.id);
    switch (node.type) {
      case "code":
        requireFence(node, node);
        continue;
      case "math":
      case "inlineMath":
        stylesheets.add("math");
        continue;
      case "parseError":
        stylesheets.add("page-note");
        continue;
      case "island":
        if (node.outcome !== "static") stylesheets.add(node.outcome === undefined ? "page-note" : "island");
        if (node.ui) for (const name of islandComponents) requireSheet(name);
        break;
      case "image":
      case "imageReference":
        stylesheets.add("zoom");
        continue;
      case "html":
        hasHtml = true;
        if (/<img\b/i.test(node.value)) stylesheets.add("zoom");
        if (/<(?:iframe|video|audio|embed|object)\b/i.test(node.value)) stylesheets.add("embed");
        continue;
      case "definition":
      case "footnoteDefinition":
        definitions.push(node);
        break;
      case "mdxJsxFlowElement":
      case "mdxJsxTextElement":
        if (isForAgents(node)) continue;
        if (node.data?.shared) {
          requireShared(node, level);
          continue;
        }
        if (isFenceComponent(node) && !holdsFence(node)) requireFence(fenceOf(node), node);
        if (node.name === "Frame") {
          const caption = captionOf(node, tools);
          if (caption) for (const child of node.children as Nodes[]) captions.set(child, caption);
        }
        if (node.name === "img") stylesheets.add("zoom");
        if (node.name !== null && isEmbedded(node.name)) stylesheets.add("embed");
        requireProps(node, level + 1);
        break;
    }
    if ("children" in node) enter(node.children, level + 1);
  }
  const hasMath = stylesheets.has("math");
  return { fences, diagrams, hasMath, stylesheets, texts, ids, definitions, hasHtml, depth };
}

/** The components that live islands can use. */
const islandComponents = ["Badge", "Card", "CodeBlock", "CodeGroup", "Columns", "Expandable", "Icon"] as const;

function captionOf(node: JsxElement, tools: Pick<RenderTools, "readInline">): string | undefined {
  const { caption, description } = node.data?.props ?? {};
  const value = caption || description;
  return typeof value === "string" ? markdownText(tools.readInline(value)).trim() : textOfProp(value);
}

/** The Markdown in a property, nested values included. */
function treesIn(value: PropValue): (readonly Nodes[])[] {
  if (isTree(value)) return [value.children];
  if (Array.isArray(value)) return value.flatMap(treesIn);
  return isRecord(value) ? Object.values(value).flatMap((inner) => treesIn(inner as PropValue)) : [];
}

/** Limit of levels in a page's tree. Browsers flatten below 512, and a component makes several. */
export const depthLimit = 120;

/** Replaces all below the limit by its text. @param onCut called for each node that becomes text. */
export function limitDepth(tree: Root, onCut: (node: Nodes) => void): Root {
  const limit = (node: Nodes, left: number): Nodes => {
    if (!("children" in node)) return node;
    // The handlers of lists and tables need their items and cells.
    if (left === 0 || (left < 3 && (node.type === "table" || node.type === "list"))) {
      onCut(node);
      return { type: "text", value: markdownText(node.children) };
    }
    const props = node.data?.props;
    const data = props && { data: { ...node.data, props: limitValue(props, left) } };
    return { ...node, ...data, children: limitAll(node.children, left - 1) } as Nodes;
  };
  const limitAll = (nodes: readonly Nodes[], left: number) => nodes.map((node) => limit(node, left) as RootContent);
  const limitValue = (value: PropValue, left: number): PropValue => {
    if (isTree(value)) return { type: "jsxTree", children: limitAll(value.children, Math.max(0, left - 1)) };
    if (Array.isArray(value)) return left === 0 ? undefined : value.map((item) => limitValue(item, left - 1));
    if (!isRecord(value)) return value;
    if (left === 0) return undefined;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, limitValue(inner as PropValue, left - 1)]),
    );
  };
  return limit(tree, depthLimit) as Root;
}
