import { childOf, isObject, type Json } from "../../../lib/json/index.js";
import { type ApiTarget, methodKeys, methodsIn } from "../api-target.js";
import { type EntryReader, maxSummaryTitle, type SpecEntry } from "../entry-reader.js";
import { below } from "../resolve-pointer.js";
import type { SpecKind } from "../spec-kind.js";
import { checkKeywords } from "./check-keywords.js";
import { checkBlank, checkEmpty, checkLinks, checkSecurity } from "./check-operations.js";
import { checkPaths } from "./check-paths.js";
import { convertSwagger, writtenPointer } from "./convert-swagger.js";
import { deriveTitle, pathLabels } from "./derive-title.js";

export const openapi: SpecKind = {
  key: "openapi",
  format: "openapi",
  name: "OpenAPI",
  accepted: /^3\.[012](?:\.|-|$)/,
  fix: 'convert it to OpenAPI 3.1, and write "openapi": "3.1.0".',
  listEntries: (reader) => [
    ...listOperations(reader, "paths", "operation"),
    ...listOperations(reader, "webhooks", "webhook"),
  ],
  checkEmpty,
  check: (spec, entries) =>
    [checkBlank, checkPaths, checkKeywords, checkLinks, checkSecurity].flatMap((check) => check(spec, entries)),
};

/** OpenAPI 2, which is converted to OpenAPI 3. */
export const swagger: SpecKind = {
  ...openapi,
  key: "swagger",
  accepted: /^2(?:\.|$)/,
  fix: 'write "openapi" in place of "swagger" for version 3; convert an older one with the Edit menu of editor.swagger.io.',
  convert: convertSwagger,
  writtenPointer,
};

const listOperations = (
  { members, facts, reportInvalid, key }: EntryReader,
  holder: string,
  kind: "operation" | "webhook",
): SpecEntry[] =>
  members(holder, kind === "operation" ? "path" : kind).flatMap(([name, pointer, item]) => {
    for (const extension of Object.keys(item).filter((key) => key.startsWith("x-")))
      if (isObject(childOf(item[extension], "responses")))
        reportInvalid(
          below(pointer, extension),
          `"${extension}" of ${name} describes an operation, but it is not a method, so it gets no page.`,
          'describe the operation of each method, such as "get" and "post".',
        );
    return methodsIn(item).flatMap((method): SpecEntry[] => {
      const keys = methodKeys(method);
      const operation = keys.reduce<Json | undefined>(childOf, item);
      const at = below(pointer, ...keys);
      const target: ApiTarget =
        kind === "operation" ? { kind, spec: key, method, path: name } : { kind, spec: key, method, name };
      if (isObject(operation)) {
        const read = facts(operation, item, at);
        // A summary that is a whole sentence is shown below the title.
        const isUntitled = kind === "operation" && (read.title?.length ?? Number.POSITIVE_INFINITY) > maxSummaryTitle;
        const derivedTitle = isUntitled ? deriveTitle(read, method, name) : undefined;
        const resources = kind === "operation" && read.tag === undefined ? { resources: pathLabels(name) } : {};
        return [
          { ...read, ...(derivedTitle && { derivedTitle }), ...resources, kind, target, method, name, pointer: at },
        ];
      }
      reportInvalid(at, `${method.toUpperCase()} ${name} is not an object, so it gets no page.`);
      return [];
    });
  });
