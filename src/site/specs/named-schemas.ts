import {
  entriesAt,
  followReferences,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  pathOf,
  pointerTo,
  textAt,
} from "../../lib/json/index.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import type { ApiSpec } from "../api-spec.js";
import { methods } from "./api-target.js";
import { filesMember } from "./check-references.js";

/** Where a schema with a name is written. */
export interface SchemaPlace {
  readonly name: string;
  /**
   * What the name is unique in, innermost first: the schema around it, its file, the folders of the file. None for the
   * components of the document itself.
   */
  readonly around: readonly string[];
  readonly isFile: boolean;
}

/** Maps of schemas, whose names the writer chooses. */
const schemaLists = new Set("schemas definitions $defs".split(" "));
/** Steps from a schema, or from a part of an operation, to an unnamed schema in it. */
export const innerSteps: ReadonlySet<string> = new Set(
  (
    "additionalProperties allOf anyOf content items oneOf patternProperties prefixItems properties schema requestBody " +
    `responses payload ${methods.join(" ")}`
  ).split(" "),
);

/**
 * The place of a schema that has a name: a component, a definition inside a schema, a file that is one schema, or a member
 * of a file with several. Undefined for other parts of a document.
 */
export function schemaPlaceOf(pointer: string): SchemaPlace | undefined {
  const path = pathOf(pointer);
  const isInFile = path[0] === filesMember && path.length > 1;
  const [file, ...steps] = isInFile ? path.slice(1) : ["", ...path];
  const fileNames = isInFile
    ? [nameOf(file!), ...folderOf(file!).split("/").reverse()].filter((name) => name !== "")
    : [];
  const name = steps.at(-1);
  if (name === undefined)
    return isInFile ? { name: fileNames[0]!, around: fileNames.slice(1), isFile: true } : undefined;
  const isListed = schemaLists.has(steps.at(-2) ?? "");
  if (!isListed && (!isInFile || steps.some((step) => innerSteps.has(step)))) return undefined;
  const holders = steps.slice(0, -2).filter((_, i) => schemaLists.has(steps[i - 1] ?? ""));
  return { name, around: [...holders.reverse(), ...fileNames], isFile: false };
}

/** The names of an object in addresses, best first. A name in a file has that of the file, so that it stays as others come. */
export function addressNamesOf(pointer: string): readonly string[] {
  const { name, around, isFile } = schemaPlaceOf(pointer) ?? { name: pathOf(pointer).at(-1) ?? "", around: [] };
  if (around[0] === undefined) return [name];
  return isFile ? [name, `${around[0]} ${name}`] : [`${around[0]} ${name}`];
}

/**
 * The titles of objects, in their order, with an addition in parentheses where several are equal: the name of the object, or,
 * if the names are equal too, the nearest schema, file or folder around it that no other of them has.
 */
export function distinctTitles(
  objects: readonly { readonly title: string; readonly pointer: string }[],
): readonly string[] {
  const titles = objects.map(({ title }) => title);
  for (const same of Map.groupBy(objects.keys(), (index) => titles[index]!.toLowerCase()).values()) {
    if (same.length === 1) continue;
    const places = same.map((index) => schemaPlaceOf(objects[index]!.pointer)!);
    const areNames = new Set(places.map(({ name }) => name.toLowerCase())).size === same.length;
    const counts = new Map<string, number>();
    for (const { around } of places) for (const word of new Set(around)) counts.set(word, (counts.get(word) ?? 0) + 1);
    same.forEach((index, i) => {
      const { name, around } = places[i]!;
      const more = areNames ? name : (around.find((word) => counts.get(word) === 1) ?? around.toReversed().join("/"));
      if (more !== "" && more !== titles[index]) titles[index] = `${titles[index]} (${more})`;
    });
  }
  return titles;
}

/** Pointers and values of the components, and of the schemas of other files. */
function* namedSchemas(document: JsonObject): Generator<readonly [pointer: string, schema: Json]> {
  const files = entriesAt(document, filesMember).map(([file, content]) => ({ steps: [filesMember, file], content }));
  for (const { steps, content } of files) yield [pointerTo(...steps), content];
  for (const { steps, content } of [{ steps: [], content: document }, ...files])
    for (const list of [["components", "schemas"], ["definitions"], ["$defs"]])
      for (const [name, schema] of entriesAt(list.slice(0, -1).reduce<Json | undefined>(member, content), list.at(-1)!))
        yield [pointerTo(...steps, ...list, name), schema];
}

/** References to the schemas that extend another one with `allOf`, by that one. */
export function derivations({ document, resolve }: Pick<ApiSpec, "document" | "resolve">): Map<object, string[]> {
  const refsByBase = new Map<object, string[]>();
  for (const [pointer, schema] of namedSchemas(document))
    for (const part of listAt(schema, "allOf")) {
      const base = textAt(part, "$ref") === undefined ? undefined : followReferences(part, resolve);
      if (!isObject(base)) continue;
      const refs = refsByBase.get(base);
      if (refs) refs.push(pointer);
      else refsByBase.set(base, [pointer]);
    }
  return refsByBase;
}

/** A name with the packages of a programming language: `io.k8s.api.core.v1.Pod`. */
const packagedName = /^[a-z][\w-]*(?:\.[a-z][\w-]*){2,20}$/i;

/** Components whose names have packages, without those that they need not to differ from all others. */
export function shortNamesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const endings = (name: string): string[] => {
    const parts = name.split(".");
    return parts.map((_, i) => parts.slice(-1 - i).join("."));
  };
  const packaged = names.filter((name) => packagedName.test(name));
  if (packaged.length === 0) return new Map();
  const counts = new Map<string, number>();
  for (const name of names)
    for (const ending of packagedName.test(name) ? endings(name) : [name])
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return new Map(packaged.map((name) => [name, endings(name).find((ending) => counts.get(ending) === 1) ?? name]));
}
