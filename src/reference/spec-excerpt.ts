import { isObject, member } from "../json/index.js";
import { pathOf, pointerTo } from "../json-pointer/index.js";
import type { ApiSpec, Json, JsonObject } from "../specs/api-spec.js";
import type { ApiTarget } from "../specs/api-target.js";
import { createAudienceFilter } from "./audience.js";
import { printYaml } from "./print-yaml.js";
import { type References, refOf } from "./references.js";
import { withoutToolExtensions } from "./tool-extensions.js";

/** UTF-16 code units of an excerpt; what is longer no program reads for one page. */
const maxLength = 60_000;
const maxValues = 40_000;
const maxReferences = 400;

/**
 * The part of a specification that a page is about, with every component that it refers to, as a document of its own
 * in YAML: what programs read beside the page's text.
 */
export function specExcerpt({ document, resolve }: ApiSpec, references: References, target: ApiTarget): string {
  const forEveryone = createAudienceFilter(references);
  const viewOf = (structure: JsonObject | readonly Json[], key: string): JsonObject | readonly Json[] =>
    withoutToolExtensions(forEveryone(structure), key);
  const start = startOf(document, target);
  const parts = new Map<string, Json>();
  for (const [pointer, value] of start) parts.set(pointer, value);
  const waiting = [...parts.values()].map((value): [string, Json] => ["", value]);
  let left = maxValues;
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop()) {
    const [key, value] = next;
    left--;
    const ref = refOf(value);
    if (ref?.startsWith("#/") && !parts.has(ref) && parts.size < maxReferences) {
      const found = resolve(ref);
      if (found !== undefined) {
        parts.set(ref, found);
        waiting.push(["", found]);
      }
    }
    if (typeof value !== "object" || value === null) continue;
    const shown = viewOf(value, key);
    for (const [name, each] of Object.entries(shown) as [string, Json][])
      if (typeof each === "object" && each !== null) waiting.push([Array.isArray(shown) ? `${key}[]` : name, each]);
  }
  return printYaml(treeOf(document, withoutParts(parts)), maxLength, viewOf);
}

const heads = ["openapi", "asyncapi", "info", "servers", "security"];

function startOf(document: JsonObject, target: ApiTarget): [string, Json][] {
  const at = (...path: readonly string[]): [string, Json][] => {
    let value: Json | undefined = document;
    for (const name of path) value = member(value, name);
    return value === undefined ? [] : [[pointerTo(...path), value]];
  };
  switch (target.kind) {
    case "operation":
      return [...at("paths", target.path, target.method), ...at("paths", target.path, "parameters")];
    case "webhook":
      return at("webhooks", target.name, target.method);
    case "schema":
      return at("components", "schemas", target.name);
    case "channel": {
      const operations = Object.entries(member(document, "operations") ?? {});
      const own = operations.filter(
        ([, operation]) => refOf(member(operation, "channel")) === pointerTo("channels", target.name),
      );
      return [...at("channels", target.name), ...own.flatMap(([name]) => at("operations", name))];
    }
  }
}

/** A part within another part is there already. */
function withoutParts(parts: ReadonlyMap<string, Json>): [string, Json][] {
  const pointers = [...parts.keys()];
  return [...parts].filter(
    ([pointer]) => !pointers.some((other) => other !== pointer && pointer.startsWith(`${other}/`)),
  );
}

/** The parts in their places. */
function treeOf(document: JsonObject, parts: readonly (readonly [string, Json])[]): JsonObject {
  const tree: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const name of heads) {
    const value = member(document, name);
    if (value !== undefined) tree[name] = name === "info" ? shortInfo(value) : value;
  }
  const uses = parts.some(([, value]) => isObject(value) && Object.hasOwn(value, "security")) || "security" in tree;
  const schemes = member(member(document, "components"), "securitySchemes");
  const all = uses && schemes !== undefined ? [...parts, ["#/components/securitySchemes", schemes] as const] : parts;
  for (const [pointer, value] of all) {
    const path = pathOf(pointer);
    let level = tree;
    for (const name of path.slice(0, -1)) {
      const below = Object.hasOwn(level, name) ? level[name] : undefined;
      const next = isObject(below) ? (below as Record<string, Json>) : (Object.create(null) as Record<string, Json>);
      level[name] = next;
      level = next;
    }
    level[path.at(-1)!] = value;
  }
  return tree;
}

const shortInfo = (info: Json): Json => {
  const { title, version } = isObject(info) ? info : {};
  return { ...(title === undefined ? {} : { title }), ...(version === undefined ? {} : { version }) };
};
