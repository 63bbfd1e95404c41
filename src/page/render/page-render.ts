import type { Nodes } from "mdast";
import type { Location } from "../../lib/diagnostic/index.js";
import type { PagePlan } from "../../site/site.js";
import { RenderCollector } from "./render-collector.js";
import type { RenderContext } from "./render-context.js";

/** One page on its way through the handlers. */
export interface PageRender {
  readonly context: RenderContext;
  readonly collector: RenderCollector;
  readonly position: TreePosition;
}

/** Where in the tree the handlers are. Each component sets it for its content and restores it afterwards. */
export interface TreePosition {
  /** Components around the current node, outermost first. */
  readonly around: {
    readonly name: string;
    readonly id?: string;
    readonly props: Readonly<Record<string, unknown>>;
  }[];
  /** The `View` around the current node. */
  view?: string;
  /** Of the nearest element: used for nodes without a position, such as Markdown in a property. */
  location: Location;
}

export const createPageRender = (
  context: RenderContext,
  location: Location = { sourcePath: context.plan.sourcePath },
  idPrefix = "",
): PageRender => ({ context, collector: new RenderCollector(idPrefix), position: { around: [], location } });

type WrittenNode = Pick<Nodes, "position" | "data">;

/** Where a node was written; for a node that the renderer made, where the element around it was. */
export const locationOf = ({ context, position }: PageRender, node: WrittenNode): Location =>
  writtenLocation(context.plan, node) ?? position.location;

/** Undefined for a node without a position. */
export function writtenLocation(plan: PagePlan, node: WrittenNode): Location | undefined {
  const start = node.position?.start;
  return start && { sourcePath: node.data?.sourcePath ?? plan.sourcePath, line: start.line, column: start.column };
}
