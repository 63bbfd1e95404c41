import { createElement, type VNode } from "preact";

/** The place of content that the page renders, by its number. */
export const Slot = ({ n }: { readonly n: number }): VNode =>
  createElement("x-slot", { "data-n": n } as object) as VNode;
