import type { Fragment, toChildArray } from "preact";
import type { __h } from "../../page/islands/runtime/element.js";
import type { Registry, Tables } from "../../page/islands/runtime/registry.js";

/** `offprintIslands`: what the scripts after the runtime use of it. */
export interface SharedRuntime {
  readonly define: Registry["define"];
  /** Adds names that modules get without an import. */
  readonly provide: (components: Readonly<Record<string, unknown>>) => void;
  readonly preact: {
    readonly h: typeof __h;
    readonly Fragment: typeof Fragment;
    readonly toChildArray: typeof toChildArray;
  };
  readonly tables: Tables;
}
