/** Converts evaluated properties to one kind of value; undefined if a value cannot be used. */
import type { RootContent } from "mdast";
import type { MdxJsxAttribute } from "mdast-util-mdx-jsx";
import type { JsxElement, JsxTree, PropValue } from "../content/index.js";
import { isBlank, markdownText } from "./nodes.js";

/** Whether code gives the value of an attribute: `a={b}`, but not `a={undefined}`. */
export const isExpression = (attribute: JsxElement["attributes"][number]): attribute is MdxJsxAttribute =>
  attribute.type === "mdxJsxAttribute" &&
  typeof attribute.value === "object" &&
  !/^\s*(?:null|undefined)?\s*$/.test(attribute.value?.value ?? "");

/** The text of a string, a number, JSX or a list of these; undefined for other values. */
export function textOfProp(value: PropValue): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (isTree(value)) return markdownText(value.children).replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return value.map((item) => textOfProp(item) ?? "").join("");
  return undefined;
}

export function numberOf(value: PropValue): number | undefined {
  const number = typeof value === "string" && !isBlank(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function booleanOf(value: PropValue): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  if (typeof value !== "string") return undefined;
  const word = value.trim().toLowerCase();
  return word === "true" || word === "" ? true : word === "false" ? false : undefined;
}

export function listOf(value: PropValue): string[] | undefined {
  const items = Array.isArray(value) ? value : [value];
  const texts = items.map(textOfProp).filter((text) => text !== undefined && text !== "");
  return texts.length > 0 ? (texts as string[]) : undefined;
}

/** JSON data, without the JSX in it. */
export function plainOf(value: PropValue): unknown {
  if (isTree(value)) return undefined;
  if (Array.isArray(value)) return value.map((item) => plainOf(item) ?? null);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (!isRecord(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const data = plainOf(inner as PropValue);
    if (data !== undefined && name !== "__proto__") plain[name] = data;
  }
  return plain;
}

export const isTree = (value: PropValue): value is JsxTree & { readonly children: RootContent[] } =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  (value as { type?: unknown }).type === "jsxTree";

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  (value as { type?: unknown }).type !== "jsxTree";
