/** The runtime's Preact, for the scripts that run after it. */
import type { Fragment as PreactFragment, VNode } from "preact";
import type { SharedRuntime } from "./shared.js";

const { preact } = (globalThis as unknown as { offprintIslands: SharedRuntime }).offprintIslands;
export const { h, toChildArray } = preact;
export const Fragment: typeof PreactFragment = preact.Fragment;

/** Compiled JSX calls it. */
export const jsx = (type: unknown, props: Record<string, unknown>): VNode => h(type, props);
export const jsxs = jsx;
