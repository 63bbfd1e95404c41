import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject } from "../../lib/json/index.js";

/**
 * Whether an extension is meant for tools that generate pages and libraries. Unknown extensions are kept, because they
 * may tell a reader something.
 */
const isToolExtension = (name: string): boolean =>
  /^x-(?:mint|mcp|hidden|excluded|group|default|internal|readme|logo|displayName|tagGroups|code-?samples|oaiMeta)$/i.test(
    name,
  ) ||
  /^x-(?:mint|mcp|speakeasy|stainless|fern|readme|redocly|redoc|scalar|stoplight|apidog|postman|oas)[-.]/i.test(name);

/** Whether the members of this keyword have names that the API's author chose. */
const isNamedFreely = (key: string): boolean =>
  /^(?:properties|patternProperties|dependentSchemas|\$defs|definitions|headers|examples?|default|const|value|mapping|variables|schemas|parameters|encoding|scopes|payload|(?:examples|enum|default)\[\])$/.test(
    key,
  );

/** The structure without extensions for tools. @param key of the structure; `parameters[]` for a list item. */
export function withoutToolExtensions(
  structure: JsonObject | readonly Json[],
  key: string,
): JsonObject | readonly Json[] {
  if (!isObject(structure) || isNamedFreely(key)) return structure;
  const names = Object.keys(structure);
  if (!names.some((name) => name.startsWith("x-") && isToolExtension(name))) return structure;
  return Object.fromEntries(Object.entries(structure).filter(([name]) => !isToolExtension(name)));
}

/** Whether an object has extensions. */
export function hasExtensions(part: Json | undefined): boolean {
  if (!isObject(part)) return false;
  for (const name in part) if (name.startsWith("x-")) return true;
  return false;
}
