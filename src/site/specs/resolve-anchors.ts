import { isContainer, isList, isObject, type Json, type JsonObject } from "../../lib/json/index.js";
import { isData, isNamedByWriter } from "./check-references.js";
import { below, resolvePointer } from "./resolve-pointer.js";

/** Keywords that name schemas or refer to them by name, in JSON or YAML; some are found that are none. */
const keyword = /\$(?:id|anchor|dynamicAnchor|dynamicRef|recursiveRef)["']?\s*:/;
export const mayNameSchemas = (text: string): boolean => keyword.test(text);

const documentBase = "spec://document/";
/** A structure of schemas that refer to each other dynamically is copied to this depth. */
const maxCopies = 4;
/** Objects in all copies. */
const maxCopied = 100_000;

/** Schemas by `$dynamicAnchor`, as pointers. */
type Scope = ReadonlyMap<string, string>;

/**
 * Makes references by `$id`, `$anchor` and `$dynamicRef` pointers of the document. References that lead nowhere stay as
 * written.
 *
 * A schema that refers to another and names schemas of its own with `$dynamicAnchor` gets a copy of the other, in which
 * dynamic references lead to these.
 */
export function resolveAnchors(document: Json): Json {
  if (!isObject(document)) return document;
  const pointers = new Map<string, string>();
  const places = new Map<object, { readonly base: string; readonly pointer: string }>();
  walk(document, "#", addressOf(document["$self"], documentBase), false);
  const done = new Map<object, Json>();
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
      for (const each of ["$anchor", "$dynamicAnchor"])
        if (typeof value[each] === "string") name(`${base}#${value[each]}`);
    for (const [key, each] of Object.entries(value))
      if (isList(value) || chosen || !isData(key))
        walk(each as Json, below(pointer, key), base, !chosen && isNamedByWriter(key, each as Json));
  }

  /** The pointer that a reference in a schema leads to. */
  function target(reference: string, base: string): string {
    const at = reference.indexOf("#");
    const [file, fragment] = at < 0 ? [reference, ""] : [reference.slice(0, at), reference.slice(at + 1)];
    const resource = file === "" ? base : addressOf(file, base);
    const start = pointers.get(resource) ?? (resource === places.get(document as object)!.base ? "#" : undefined);
    if (start === undefined) return reference;
    if (fragment !== "" && !fragment.startsWith("/")) return pointers.get(`${resource}#${fragment}`) ?? reference;
    // Many writers mean the document, even in a schema with an `$id`.
    const inside = start + fragment;
    return resolvePointer(document as JsonObject, inside) === undefined ? reference : inside;
  }

  function rewrite(value: Json, base: string, chosen: boolean, scope: Scope | undefined, copies: number): Json {
    if (!isContainer(value)) return value;
    const known = scope ? undefined : done.get(value);
    if (known !== undefined) return known;
    const inner = places.get(value)?.base ?? base;
    const copy = isList(value)
      ? value.map((each) => rewrite(each, inner, false, scope, copies))
      : rewriteObject(value, inner, chosen, scope, copies);
    if (!scope) done.set(value, copy);
    return copy;
  }

  function rewriteObject(
    value: JsonObject,
    base: string,
    chosen: boolean,
    scope: Scope | undefined,
    copies: number,
  ): JsonObject {
    const bound = chosen ? undefined : (scope ?? scopeOf(value));
    if (scope) room--;
    const general: Json[] = [];
    const entries = Object.entries(value).map(([name, each]): [string, Json] => {
      if (!chosen && typeof each === "string" && references.has(name)) {
        const pointer = (name === "$dynamicRef" && bound?.get(each.replace(/^#/, ""))) || target(each, base);
        const schema = bound && copies < maxCopies && room > 0 ? resolvePointer(document as JsonObject, pointer) : null;
        if (!isObject(schema) || ![...namesIn(schema)].some((one) => bound!.has(one))) return ["$ref", pointer];
        const { $defs: _, $dynamicAnchor: __, ...rest } = rewrite(schema, base, false, bound, copies + 1) as JsonObject;
        general.push(rest);
        return ["allOf", general];
      }
      if (!chosen && isData(name)) return [name, each];
      const inner = scope ?? (name === "allOf" ? bound : undefined);
      return [name, rewrite(each, base, !chosen && isNamedByWriter(name, each), inner, copies)];
    });
    if (general.length === 0) return Object.fromEntries(entries);
    const parts = entries.flatMap(([name, each]) => (name === "allOf" && isList(each) ? each : []));
    return { ...Object.fromEntries(entries.filter(([name]) => name !== "allOf")), allOf: [...new Set(parts)] };
  }

  /** Names of the dynamic references in a schema, without those behind other references. */
  function namesIn(value: object): ReadonlySet<string> {
    const known = dynamic.get(value);
    if (known) return known;
    const names = new Set<string>();
    dynamic.set(value, names);
    for (const [key, each] of Object.entries(value)) {
      if (key === "$dynamicRef" && typeof each === "string") names.add(each.replace(/^#/, ""));
      if (typeof each === "object" && each !== null) for (const name of namesIn(each)) names.add(name);
    }
    return names;
  }

  /** The schemas that a schema with a reference gives names for what it refers to. */
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

/** An address, without its fragment, as it is where `base` applies. */
function addressOf(written: Json | undefined, base: string): string {
  if (typeof written !== "string" || written.startsWith("#") || !URL.canParse(written, base)) return base;
  const url = new URL(written, base);
  url.hash = "";
  return url.href;
}
