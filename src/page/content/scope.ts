import type { Interpreter } from "./interpret.js";
import { createPointFinder, type PointFinder } from "./location.js";
import { type FrameSources, frameOf } from "./module-frames.js";
import type { MarkdownModule } from "./modules.js";
import type { PageRun } from "./page-run.js";
import { Frame, type Value } from "./values.js";

/** `block`: text needs a paragraph around it. `jsx`: text may stand as it is. `inline`: within a line of text. */
export type Mode = "block" | "jsx" | "inline";

/** The file whose nodes are being walked, and the names they see. */
export interface Scope {
  readonly module: MarkdownModule;
  readonly frame: Frame;
  /** Set on every node of a file that is not the page. */
  readonly sourcePath?: string;
  /** Properties that replace `{name}` in fences. */
  readonly fills?: ReadonlyMap<string, string>;
  /** The file is shared between pages: its nodes are copied, not changed. */
  readonly shared: boolean;
  readonly pointAt: PointFinder;
}

/** @param props set for a file that is used as a component. */
export function createScope(
  module: MarkdownModule,
  {
    run,
    interpreter,
    options,
  }: { readonly run: PageRun; readonly interpreter: Interpreter; readonly options: FrameSources },
  props?: { readonly [key: string]: Value },
): Scope {
  let frame = frameOf(module, run, interpreter, options);
  const isPage = module.sourcePath === run.sourcePath;
  const fills = new Map<string, string>();
  if (props !== undefined) {
    const outer = frame;
    frame = new Frame(outer.code, outer);
    if (!outer.has("props")) frame.define("props", props);
    for (const [name, value] of Object.entries(props)) {
      if (!outer.has(name)) frame.define(name, value);
      if (typeof value === "string" || typeof value === "number") fills.set(name, String(value));
    }
  }
  return {
    module,
    frame,
    shared: !isPage,
    pointAt: createPointFinder(module.source),
    ...(isPage ? {} : { sourcePath: module.sourcePath }),
    ...(fills.size === 0 ? {} : { fills }),
  };
}
