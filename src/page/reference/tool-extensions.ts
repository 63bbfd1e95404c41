import type { Json, JsonObject } from "../../lib/json/index.js";
import { isObject } from "../../lib/json/index.js";

/**
 * What a specification says to tools that make pages and libraries of it, and to nobody who calls the API. Extensions
 * that are not known here may tell a reader something.
 */
const isToolExtension = (name: string): boolean =>
  /^x-(?:mint|mcp|hidden|excluded|group|default|internal|logo|displayName|tagGroups|code-?samples|oaiMeta)$/i.test(
    name,
  ) || /^x-(?:mint|mcp|speakeasy|stainless|fern|readme|redocly|redoc|scalar|stoplight|apidog|postman|oas)-/i.test(name);

/** Members of these are named by whoever wrote the API. */
const isNamedFreely = (key: string): boolean =>
  /^(?:properties|patternProperties|dependentSchemas|\$defs|definitions|headers|examples?|default|const|value|mapping|variables|schemas|parameters|encoding|scopes|payload|(?:examples|enum|default)\[\])$/.test(
    key,
  );

/** The same without what is for tools. @param key under which it stands; `parameters[]` for an item of a list. */
export function withoutToolExtensions(
  structure: JsonObject | readonly Json[],
  key: string,
): JsonObject | readonly Json[] {
  if (!isObject(structure) || isNamedFreely(key)) return structure;
  const names = Object.keys(structure);
  if (!names.some((name) => name.startsWith("x-") && isToolExtension(name))) return structure;
  return Object.fromEntries(Object.entries(structure).filter(([name]) => !isToolExtension(name)));
}
