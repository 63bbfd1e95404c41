import { isObject, type Json, type JsonObject, listAt, pointerTo, textAt, textsAt } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";

/** A tag that a document describes, or that one of its `x-tagGroups` names. */
export interface SpecTag {
  readonly name: string;
  readonly label: string;
  /** The kind of OpenAPI 3.2: `nav` for a group of the navigation; or `trait` for a page without operations. */
  readonly kind: string;
  /** Labels of the groups that contain its group, outermost first. */
  readonly parents: readonly string[];
  /** Whether an earlier tag of the same name has another description, which no page shows. */
  readonly isRepeated: boolean;
  /** Whether its group is nested deeper than the navigation shows. */
  readonly isTooDeep: boolean;
  /** Whether one of `x-tagGroups` contains it. */
  readonly isOrdered: boolean;
  /** JSON pointer of its description. */
  readonly pointer: string;
  /** Markdown. */
  readonly description?: string;
  readonly externalDocs?: Json;
}

/** The most nested groups. Outer ones are left out, which is reported. */
export const maxTagLevels = 10;

/** The tags of a document without duplicates: those of `x-tagGroups` in their order, then the others as written. */
export function readTags({ format, document, resolve }: ApiSpec): readonly SpecTag[] {
  const isAsync = format === "asyncapi";
  const at = isAsync ? ["info", "tags"] : ["tags"];
  const holder = isAsync ? document["info"] : document;
  const written = new Map<string, { readonly tag: JsonObject; readonly pointer: string }>();
  const repeated = new Set<string>();
  listAt(holder, "tags").forEach((item, i) => {
    const reference = textAt(item, "$ref");
    const tag = reference === undefined ? item : resolve(reference);
    const name = textAt(tag, "name")?.trim();
    if (name === undefined || !isObject(tag)) return;
    const before = textAt(written.get(name)?.tag, "description");
    if (before !== undefined && before !== textAt(tag, "description")) repeated.add(name);
    written.set(name, { tag, pointer: pointerTo(...at, i) });
  });
  const tagGroups = new Map<string, string>();
  listAt(document, "x-tagGroups").forEach((group, i) => {
    const label = textAt(group, "name")?.trim();
    for (const text of textsAt(group, "tags")) {
      const name = text.trim();
      if (label === undefined || name === "" || tagGroups.has(name)) continue;
      tagGroups.set(name, label);
      if (!written.has(name)) written.set(name, { tag: {}, pointer: pointerTo("x-tagGroups", i) });
    }
  });

  const labelOf = (name: string): string => {
    const tag = written.get(name)?.tag;
    return ["x-group", "x-displayName", "summary"].map((key) => textAt(tag, key)?.trim()).find(Boolean) ?? name;
  };
  const parentsOf = (name: string): Pick<SpecTag, "parents" | "isTooDeep"> => {
    const names = [name];
    let next = parentOf(name);
    for (; next && !names.includes(next) && names.length < maxTagLevels; next = parentOf(next)) names.unshift(next);
    const outer = names.map((tag) => tagGroups.get(tag)).find((label) => label !== undefined);
    return {
      parents: [...(outer === undefined ? [] : [outer]), ...names.slice(0, -1).map(labelOf)],
      isTooDeep: next !== undefined && !names.includes(next),
    };
  };
  const parentOf = (name: string): string | undefined => textAt(written.get(name)?.tag, "parent")?.trim();

  const names = new Set([...tagGroups.keys(), ...written.keys()]);
  return [...names].map((name) => {
    const { tag, pointer } = written.get(name)!;
    return {
      name,
      label: labelOf(name),
      kind: textAt(tag, "kind") ?? (tag["x-traitTag"] === true ? "trait" : "nav"),
      ...parentsOf(name),
      isRepeated: repeated.has(name),
      isOrdered: tagGroups.has(name),
      pointer,
      description: textAt(tag, "description"),
      externalDocs: tag["externalDocs"],
    };
  });
}

/** The first tag that may be a group of the navigation. In AsyncAPI, tags are objects with a name. */
export const tagOf = (described: JsonObject, tags: ReadonlyMap<string, SpecTag>): string | undefined =>
  listAt(described, "tags")
    .map((tag) => (isObject(tag) ? textAt(tag, "name") : tag))
    .map((name) => (typeof name === "string" ? name.trim() : ""))
    .find((name) => name !== "" && (tags.get(name)?.kind ?? "nav") === "nav");
