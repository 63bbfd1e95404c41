import { createPointFinder, type PointFinder } from "./location.js";
import { environmentOf, type ModuleContext } from "./module-environment.js";
import type { MarkdownModule } from "./modules.js";
import { Environment, type Value } from "./values.js";

/** `block`: text needs a paragraph around it. `jsx`: text needs none. `inline`: within a line of text. */
export type Mode = "block" | "jsx" | "inline";

/** The file whose nodes are being expanded, and the names in scope. */
export interface Scope {
  readonly module: MarkdownModule;
  readonly env: Environment;
  /** Set on every node of a file that is not the page. */
  readonly sourcePath?: string;
  /** Properties that replace `{name}` in fences. */
  readonly fills?: ReadonlyMap<string, string>;
  /** Of a file that is used as a component. */
  readonly props?: { readonly [key: string]: Value };
  /** The file is shared between pages: its nodes are copied, not changed. */
  readonly shared: boolean;
  readonly pointAt: PointFinder;
}

/** @param props set for a file that is used as a component. */
export function createScope(
  module: MarkdownModule,
  context: ModuleContext,
  props?: { readonly [key: string]: Value },
): Scope {
  let env = environmentOf(module, context);
  const isPage = module.sourcePath === context.page.sourcePath;
  const fills = new Map<string, string>();
  if (props !== undefined) {
    const outer = env;
    env = new Environment(outer.code, outer);
    if (!outer.has("props")) env.define("props", props);
    for (const [name, value] of Object.entries(props)) {
      if (!outer.has(name)) env.define(name, value);
      if (typeof value === "string" || typeof value === "number") fills.set(name, String(value));
    }
  }
  return {
    module,
    env,
    shared: !isPage,
    pointAt: createPointFinder(module.source),
    ...(isPage ? {} : { sourcePath: module.sourcePath }),
    ...(fills.size === 0 ? {} : { fills }),
    ...(props === undefined ? {} : { props }),
  };
}
