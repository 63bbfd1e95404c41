import { isContainer, isList, isObject, type Json, type JsonObject } from "../../lib/json/index.js";
import { isData, isNamedByWriter } from "./check-references.js";
import { below, resolvePointer } from "./resolve-pointer.js";

/** Finds keywords that name schemas or refer to them by name, in JSON or YAML. It may also find other text. */
const keyword = /\$(?:id|anchor|dynamicAnchor|dynamicRef|recursiveRef)["']?\s*:/;
export const mayNameSchemas = (text: string): boolean => keyword.test(text);

const documentBase = "spec://document/";
/** The depth to which schemas with dynamic references to each other are copied. */
const maxCopies = 4;
/** The most objects in all copies together. */
const maxCopied = 100_000;

/** Schemas by `$dynamicAnchor`, as pointers. */
type Scope = ReadonlyMap<string, string>;

/**
 * Replaces references by `$id`, `$anchor` and `$dynamicRef` by pointers of the document. Broken references stay as written.
 *
 * A schema that refers to another one and names its own schemas with `$dynamicAnchor` gets a copy of the other schema, in
 * which dynamic references refer to its own schemas.
 */
export function resolveAnchors(document: Json): Json {
  if (!isObject(document)) return document;
  const pointers = new Map<string, string>();
  const places = new Map<object, { readonly base: string; readonly pointer: string }>();
  walk(document, "#", addressOf(document["$self"], documentBase), false);
  const copies = new Map<object, Json>();
  const dynamic = new Map<object, ReadonlySet<string>>();
  let room = maxCopied;
  return rewrite(document, places.get(document)!.base, false, undefined, 0);

  function walk(value: Json, pointer: string, around: string, chosen: boolean): void {
    if (typeof value !== "object" || value === null || places.has(value)) return;
    const base = isObject(value) && !chosen ? addressOf(value["$id"], around) : around;
    places.set(value, { base, pointer });
    const name = (at: string): void => {
      if (!pointers.has(at)) pointers.set(at, pointer);
    };
    if (!chosen && base !== around) name(base);
    if (isObject(value) && !chosen)
      for (const key of ["$anchor", "$dynamicAnchor"])
        if (typeof value[key] === "string") name(`${base}#${value[key]}`);
    for (const [key, child] of Object.entries(value))
      if (isList(value) || chosen || !isData(key))
        walk(child as Json, below(pointer, key), base, !chosen && isNamedByWriter(key, child as Json));
  }

  /** The pointer of the target of a reference in a schema. */
  function target(reference: string, base: string): string {
    const at = reference.indexOf("#");
    const [file, fragment] = at < 0 ? [reference, ""] : [reference.slice(0, at), reference.slice(at + 1)];
    const resource = file === "" ? base : addressOf(file, base);
    const start = pointers.get(resource) ?? (resource === places.get(document as object)!.base ? "#" : undefined);
    if (start === undefined) return reference;
    if (fragment !== "" && !fragment.startsWith("/")) return pointers.get(`${resource}#${fragment}`) ?? reference;
    // Many writers refer to the document, even in a schema with an `$id`.
    const inside = start + fragment;
    return resolvePointer(document as JsonObject, inside) === undefined ? reference : inside;
  }

  /** @param depth number of copies that contain the value. */
  function rewrite(value: Json, base: string, chosen: boolean, scope: Scope | undefined, depth: number): Json {
    if (!isContainer(value)) return value;
    const copied = scope ? undefined : copies.get(value);
    if (copied !== undefined) return copied;
    const inner = places.get(value)?.base ?? base;
    const copy = isList(value)
      ? value.map((item) => rewrite(item, inner, false, scope, depth))
      : rewriteObject(value, inner, chosen, scope, depth);
    if (!scope) copies.set(value, copy);
    return copy;
  }

  function rewriteObject(
    value: JsonObject,
    base: string,
    chosen: boolean,
    scope: Scope | undefined,
    depth: number,
  ): JsonObject {
    const bound = chosen ? undefined : (scope ?? scopeOf(value));
    if (scope) room--;
    const general: Json[] = [];
    const entries = Object.entries(value).map(([name, child]): [string, Json] => {
      if (!chosen && typeof child === "string" && references.has(name)) {
        const pointer = (name === "$dynamicRef" && bound?.get(child.replace(/^#/, ""))) || target(child, base);
        const schema = bound && depth < maxCopies && room > 0 ? resolvePointer(document as JsonObject, pointer) : null;
        if (!isObject(schema) || ![...namesIn(schema)].some((anchor) => bound!.has(anchor))) return ["$ref", pointer];
        const { $defs: _, $dynamicAnchor: __, ...rest } = rewrite(schema, base, false, bound, depth + 1) as JsonObject;
        general.push(rest);
        return ["allOf", general];
      }
      if (!chosen && isData(name)) return [name, child];
      const inner = scope ?? (name === "allOf" ? bound : undefined);
      return [name, rewrite(child, base, !chosen && isNamedByWriter(name, child), inner, depth)];
    });
    if (general.length === 0) return Object.fromEntries(entries);
    const parts = entries.flatMap(([name, child]) => (name === "allOf" && isList(child) ? child : []));
    return { ...Object.fromEntries(entries.filter(([name]) => name !== "allOf")), allOf: [...new Set(parts)] };
  }

  /** Names of the dynamic references in a schema, without those behind other references. */
  function namesIn(value: object): ReadonlySet<string> {
    const cached = dynamic.get(value);
    if (cached) return cached;
    const names = new Set<string>();
    dynamic.set(value, names);
    for (const [key, child] of Object.entries(value)) {
      if (key === "$dynamicRef" && typeof child === "string") names.add(child.replace(/^#/, ""));
      if (typeof child === "object" && child !== null) for (const name of namesIn(child)) names.add(name);
    }
    return names;
  }

  /** The schemas that a schema with a reference names with `$dynamicAnchor` for the referenced schema. */
  function scopeOf(value: JsonObject): Scope | undefined {
    if (typeof value["$ref"] !== "string" && !isList(value["allOf"])) return undefined;
    const definitions = value["$defs"];
    const schemas = [value, ...(isObject(definitions) ? Object.values(definitions) : [])];
    const scope = new Map<string, string>();
    for (const schema of schemas) {
      const name = isObject(schema) ? schema["$dynamicAnchor"] : undefined;
      const pointer = typeof name === "string" ? places.get(schema as object)?.pointer : undefined;
      if (pointer !== undefined && !scope.has(name as string)) scope.set(name as string, pointer);
    }
    return scope.size > 0 ? scope : undefined;
  }
}

const references = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

/** Resolves an address against `base`, without its fragment. */
function addressOf(written: Json | undefined, base: string): string {
  if (typeof written !== "string" || written.startsWith("#") || !URL.canParse(written, base)) return base;
  const url = new URL(written, base);
  url.hash = "";
  return url.href;
}
