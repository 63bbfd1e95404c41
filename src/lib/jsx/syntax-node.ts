import type { Node } from "acorn";

/** A node whose fields are read by name. */
export type AnyNode = Node & { readonly [field: string]: unknown };

export const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

export const childNodes = (node: AnyNode): AnyNode[] => Object.values(node).flat().filter(isNode);

export const identifierName = (node: unknown): string => String((node as AnyNode)["name"]);

/** The names that a pattern of a declaration or of parameters defines. */
export function patternNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [identifierName(pattern)];
  const { properties, elements, value, left, argument } = pattern;
  return [properties, elements, value, left, argument].flat().flatMap(patternNames);
}
