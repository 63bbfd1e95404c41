import {
  entriesAt,
  has,
  isList,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  textAt,
} from "../../lib/json/index.js";
import { isData, isNamedByWriter } from "./check-references.js";
import { below, resolvePointer } from "./resolve-pointer.js";

/** Pointers of a changed document, with the pointers at which their values were written. */
export type Moves = Map<string, string>;

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/**
 * Members in whose place some writers put a reference, which bundlers allow although no format does: operations, whole maps
 * and lists, and the objects about the API.
 */
const replaced = words(
  "get put post delete options head patch trace query publish subscribe info contact license components paths webhooks " +
    "channels operations messages schemas responses parameters requestBodies securitySchemes pathItems links callbacks " +
    "definitions $defs properties patternProperties content encoding examples tags servers security variables flows scopes " +
    "discriminator mapping title summary description",
);
const isText = (name: string): boolean => /^(?:title|summary|description)$/.test(name);

/** The most references that are followed to one value. */
const maxHops = 16;

/**
 * Replaces references that pages do not follow, such as `get: { $ref: "users.yaml" }`, by their targets. Returns a document
 * without such references unchanged.
 *
 * @param moves receives the pointers of the targets.
 */
export function inlineReferences(document: Json, moves: Moves): Json {
  if (!isObject(document)) return document;
  const copies = new Map<Json, Json>();
  const open = new Set<string>();
  const isAsync = has(document, "asyncapi");
  let base = "#";
  let steps: (string | number)[] = [];

  const inline = (value: Json, name: string): Json | undefined => {
    if (!isObject(value)) return undefined;
    const { $ref, ...beside } = value;
    let place: string | undefined;
    let target: Json | undefined = value;
    for (let hop = 0; hop < maxHops; hop++) {
      const reference = textAt(target, "$ref");
      if (reference === undefined) break;
      if (!reference.startsWith("#")) return undefined;
      place = reference;
      target = resolvePointer(document, reference);
    }
    if (place === undefined || target === undefined || textAt(target, "$ref") !== undefined || open.has(place))
      return undefined;
    if (isText(name) && typeof target !== "string") return undefined;
    moves.set(below(base, ...steps), place);
    const before = { base, steps };
    base = place;
    steps = [];
    open.add(place);
    const copy = visit(target, isNamedByWriter(name, target));
    open.delete(place);
    ({ base, steps } = before);
    return isObject(copy) && Object.keys(beside).length > 0 ? { ...copy, ...beside } : copy;
  };
  /** @param chosen whether the writer chooses the names in the value. @param list name of the value if it is a list. */
  const visit = (value: Json, chosen: boolean, list = ""): Json => {
    if (typeof value !== "object" || value === null) return value;
    const copied = copies.get(value);
    if (copied !== undefined) return copied;
    copies.set(value, value);
    let copy: Json[] | { [name: string]: Json } | undefined;
    for (const key in value) {
      const child = (value as JsonObject)[key]!;
      if (typeof child !== "object" || child === null || (!chosen && !isList(value) && isData(key))) continue;
      // Channels of AsyncAPI refer to servers by design.
      const isReplaced = isList(value) ? list === "servers" && !isAsync : !chosen && replaced.has(key);
      const inside = !chosen && isNamedByWriter(key, child);
      steps.push(key);
      const changed = (isReplaced && inline(child, key)) || visit(child, inside, isList(child) ? key : "");
      steps.pop();
      if (changed === child) continue;
      copy ??= isList(value) ? [...value] : { ...value };
      (copy as { [name: string]: Json })[key] = changed;
    }
    if (copy !== undefined) copies.set(value, copy);
    return copy ?? value;
  };
  return visit(document, false);
}

/** Extensions that are members of the document under another name, by the version of which they are one. */
const extensions = [
  // Of version 3.1, in documents of 3.0.
  ["openapi", "x-webhooks", "webhooks"],
  // Paths that differ only in their query, which Azure keeps apart.
  ["openapi", "x-ms-paths", "paths"],
  ["swagger", "x-ms-paths", "paths"],
] as const;

/**
 * Gives the members that writers describe as extensions the names that OpenAPI has for them.
 *
 * @param moves receives the old pointers.
 */
export function nameExtensions(document: Json, moves: Moves): Json {
  if (!isObject(document)) return document;
  let named = document;
  for (const [version, extension, member] of extensions) {
    const { [extension]: added, ...rest } = named;
    if (!has(named, version) || !isObject(added)) continue;
    const own = Object.fromEntries(entriesAt(named, member));
    for (const name in added) if (!has(own, name)) moves.set(pointerTo(member, name), pointerTo(extension, name));
    named = { ...rest, [member]: { ...own, ...added, ...own } };
  }
  return named;
}

/** The pointer at which the value of a pointer was written. */
export function writtenPlace(pointer: string, moves: Moves): string {
  let place = pointer;
  for (let hop = 0; hop < maxHops; hop++) {
    let start = place;
    while (start !== "" && !moves.has(start)) start = start.slice(0, Math.max(0, start.lastIndexOf("/")));
    if (start === "") break;
    place = moves.get(start)! + place.slice(start.length);
  }
  return place;
}
