import { isContainer, isObject, type Json, type JsonObject, member, pathOf } from "../../lib/json/index.js";
import { rememberedFor } from "../../lib/memo.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { createAudienceFilter, withoutToolExtensions } from "../schema/reader-view.js";
import { type References, refOf } from "../schema/references.js";
import { createYamlPrinter } from "./print-yaml.js";

/** Limit of an excerpt in UTF-16 code units. */
const maxLength = 60_000;
const maxValues = 40_000;
const maxReferences = 400;

/** The references in a value, found in one walk, which ends early in a huge value. */
interface ReferencesIn {
  /** In walk order. A reference is listed when it is found, and again when the walk enters it after its siblings. */
  readonly steps: readonly { readonly pointer: string; readonly goesIn: boolean }[];
  readonly values: number;
}

/**
 * Writes parts of a specification, with every component they refer to, as a YAML document for AI agents. All pages use
 * one writer, because they share most components.
 *
 * @param pointers of the parts.
 * @param elsewhere components that other pages show; this document only refers to them.
 * @param isWhole adds what applies to the whole API: its title, servers and security.
 */
export type SpecExcerpts = (pointers: readonly string[], elsewhere: ReadonlySet<object>, isWhole: boolean) => string;

export function createSpecExcerpts({ document, resolve }: ApiSpec, references: References): SpecExcerpts {
  const forEveryone = createAudienceFilter(references);
  const viewOf = (structure: JsonObject | readonly Json[], key: string): JsonObject | readonly Json[] =>
    withoutToolExtensions(forEveryone(structure), key);
  const print = createYamlPrinter(viewOf);

  const referencesInside = rememberedFor((root: JsonObject | readonly Json[]): ReferencesIn => {
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
        const inner = (shown as JsonObject)[name];
        if (typeof inner === "object" && inner !== null) waiting.push([isList ? `${key}[]` : name, inner]);
      }
    }
    return { steps, values };
  });
  const referencesIn = (root: Json): ReferencesIn =>
    typeof root === "object" && root !== null ? referencesInside(root) : { steps: [], values: 1 };

  return (pointers, elsewhere, isWhole) => {
    const parts = new Map(
      pointers.flatMap((pointer): [string, Json][] => {
        const value = pathOf(pointer).reduce<Json | undefined>(member, document);
        return value === undefined ? [] : [[pointer, value]];
      }),
    );
    const components = new Set<object>();
    let left = maxValues;
    const follow = (value: Json): void => {
      const { steps, values } = referencesIn(value);
      left -= values;
      const pending = new Map<string, Json>();
      for (const { pointer, goesIn } of steps) {
        const waiting = pending.get(pointer);
        if (goesIn && waiting !== undefined) {
          pending.delete(pointer);
          follow(waiting);
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
    const heads = isWhole ? ["openapi", "asyncapi", "info", "servers", "security"] : [];
    return print(treeOf(document, heads, withoutParts(parts)), maxLength, components);
  };
}

/** Drops parts that are inside another part. */
function withoutParts(parts: ReadonlyMap<string, Json>): [string, Json][] {
  const isInside = (pointer: string): boolean => {
    for (let end = pointer.lastIndexOf("/"); end > 0; end = pointer.lastIndexOf("/", end - 1))
      if (parts.has(pointer.slice(0, end))) return true;
    return false;
  };
  return [...parts].filter(([pointer]) => !isInside(pointer));
}

/** A document with the parts at their original places. @param heads its members that are kept. */
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
