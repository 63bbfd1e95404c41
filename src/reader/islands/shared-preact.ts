/** Preact for a script after that of the runtime, which contains it. */
import type { Fragment as PreactFragment, VNode } from "preact";
import type { SharedRuntime } from "./shared.js";

const { preact } = (globalThis as unknown as { offprintIslands: SharedRuntime }).offprintIslands;
export const { h, toChildArray } = preact;
export const Fragment: typeof PreactFragment = preact.Fragment;

/** What JSX is compiled to. */
export const jsx = (type: unknown, props: Record<string, unknown>): VNode => h(type, props);
export const jsxs = jsx;
