import type { Fragment, toChildArray } from "preact";
import type { __h } from "../../page/islands/runtime/element.js";
import type { Registry, Tables } from "../../page/islands/runtime/registry.js";

/** `offprintIslands`: the interface of the runtime for the scripts that run after it. */
export interface SharedRuntime {
  readonly define: Registry["define"];
  /** Adds names that modules can use without an import. */
  readonly provide: (components: Readonly<Record<string, unknown>>) => void;
  readonly preact: {
    readonly h: typeof __h;
    readonly Fragment: typeof Fragment;
    readonly toChildArray: typeof toChildArray;
  };
  readonly tables: Tables;
}
