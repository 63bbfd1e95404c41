/** The Preact of the runtime, for the scripts that run after it. */
import type { Fragment as PreactFragment, toChildArray as preactToChildArray, VNode } from "preact";
import type { __h } from "../../page/islands/runtime/element.js";
import type { Registry, Tables } from "../../page/islands/runtime/registry.js";

/** `offprintIslands`: the interface of the runtime for the scripts that run after it. */
export interface SharedRuntime {
  readonly define: Registry["define"];
  /** Adds names that modules can use without an import. */
  readonly provide: (components: Readonly<Record<string, unknown>>) => void;
  readonly preact: {
    readonly h: typeof __h;
    readonly Fragment: typeof PreactFragment;
    readonly toChildArray: typeof preactToChildArray;
  };
  readonly tables: Tables;
}

export const runtime = (globalThis as unknown as { offprintIslands: SharedRuntime }).offprintIslands;
export const { h, toChildArray } = runtime.preact;
export const Fragment: typeof PreactFragment = runtime.preact.Fragment;

/** Compiled JSX calls it. */
export const jsx = (type: unknown, props: Record<string, unknown>): VNode => h(type, props);
export const jsxs = jsx;
