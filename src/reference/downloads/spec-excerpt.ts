import type { Json, JsonObject } from "../../lib/json/index.js";
import { isContainer, isObject, member, pathOf, pointerTo } from "../../lib/json/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { type ApiTarget, methodKeys } from "../../site/specs/index.js";
import { createAudienceFilter, withoutToolExtensions } from "../schema/reader-view.js";
import { type References, refOf } from "../schema/references.js";
import { createYamlPrinter } from "./print-yaml.js";

/** In UTF-16 code units; readers do not need more on one page. */
const maxLength = 60_000;
const maxValues = 40_000;
const maxReferences = 400;

/** The references in a value, found in one walk; of a huge value those in its first part. */
interface ReferencesIn {
  /** In walk order: each reference is listed when found, and again when its siblings are done and it is entered. */
  readonly steps: readonly { readonly pointer: string; readonly goesIn: boolean }[];
  readonly values: number;
}

/**
 * Returns the part of a specification that a page is about, with every component it refers to, as a YAML document for
 * AI agents. One for all pages, because they share most components.
 *
 * @param elsewhere components that other pages have, which is why this one has only references to them.
 */
export type SpecExcerpts = (target: ApiTarget, elsewhere: ReadonlySet<object>) => string;

export function createSpecExcerpts({ document, resolve }: ApiSpec, references: References): SpecExcerpts {
  const forEveryone = createAudienceFilter(references);
  const viewOf = (structure: JsonObject | readonly Json[], key: string): JsonObject | readonly Json[] =>
    withoutToolExtensions(forEveryone(structure), key);
  const print = createYamlPrinter(viewOf);
  const walked = new WeakMap<object, ReferencesIn>();

  const referencesIn = (root: Json): ReferencesIn => {
    if (typeof root !== "object" || root === null) return { steps: [], values: 1 };
    const known = walked.get(root);
    if (known) return known;
    const steps: { pointer: string; goesIn: boolean }[] = [];
    let values = 0;
    const waiting: (string | readonly [key: string, value: Json])[] = [["", root]];
    for (let next = waiting.pop(); next !== undefined && values < maxValues; next = waiting.pop()) {
      if (typeof next === "string") {
        steps.push({ pointer: next, goesIn: true });
        continue;
      }
      const [key, value] = next;
      values++;
      const ref = refOf(value);
      if (ref?.startsWith("#/")) {
        steps.push({ pointer: ref, goesIn: false });
        waiting.push(ref);
      }
      if (typeof value !== "object" || value === null) continue;
      const shown = viewOf(value, key);
      const isList = Array.isArray(shown);
      for (const name in shown) {
        const each = (shown as JsonObject)[name];
        if (typeof each === "object" && each !== null) waiting.push([isList ? `${key}[]` : name, each]);
      }
    }
    const found = { steps, values };
    walked.set(root, found);
    return found;
  };

  return (target, elsewhere) => {
    const parts = new Map(startOf(document, target));
    const components = new Set<object>();
    let left = maxValues;
    const follow = (value: Json): void => {
      const { steps, values } = referencesIn(value);
      left -= values;
      const pending = new Map<string, Json>();
      for (const { pointer, goesIn } of steps) {
        const found = pending.get(pointer);
        if (goesIn && found !== undefined) {
          pending.delete(pointer);
          follow(found);
        } else if (!goesIn && left > 0 && !parts.has(pointer) && parts.size < maxReferences) {
          const component = resolve(pointer);
          if (component === undefined || (isContainer(component) && elsewhere.has(component))) continue;
          parts.set(pointer, component);
          pending.set(pointer, component);
          if (isContainer(component)) components.add(component);
        }
      }
    };
    for (const value of [...parts.values()].reverse()) follow(value);
    const heads = target.kind === "model" ? [] : ["openapi", "asyncapi", "info", "servers", "security"];
    return print(treeOf(document, heads, withoutParts(parts)), maxLength, components);
  };
}

function startOf(document: JsonObject, target: ApiTarget): [string, Json][] {
  const at = (...path: readonly string[]): [string, Json][] => {
    let value: Json | undefined = document;
    for (const name of path) value = member(value, name);
    return value === undefined ? [] : [[pointerTo(...path), value]];
  };
  switch (target.kind) {
    case "operation":
      return [...at("paths", target.path, ...methodKeys(target.method)), ...at("paths", target.path, "parameters")];
    case "webhook":
      return at("webhooks", target.name, ...methodKeys(target.method));
    case "model":
      return at(...pathOf(target.pointer));
    case "graphql":
    case "overview":
    case "group":
    case "workflow":
      return [];
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

/** Without the parts that are inside another part. */
function withoutParts(parts: ReadonlyMap<string, Json>): [string, Json][] {
  const isInside = (pointer: string): boolean => {
    for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1))
      if (parts.has(pointer.slice(0, end))) return true;
    return false;
  };
  return [...parts].filter(([pointer]) => !isInside(pointer));
}

/** A document with the parts at their places, and with the members of these names. */
function treeOf(
  document: JsonObject,
  heads: readonly string[],
  parts: readonly (readonly [string, Json])[],
): JsonObject {
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
