import type { Node } from "acorn";

/** A node whose fields are looked at by name. */
export type AnyNode = Node & { readonly [field: string]: unknown };

export const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

export const partsOf = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode);

/** Of an identifier. */
export const nameOf = (node: unknown): string => String((node as AnyNode)["name"]);
