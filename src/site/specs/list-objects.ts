import {
  entriesAt,
  isContainer,
  isObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  member,
  pathOf,
  pointerTo,
  stringify,
  textAt,
} from "../../lib/json/index.js";
import { lazy, remembered } from "../../lib/memo.js";
import { isSentence } from "../../lib/plain-text.js";
import { decodePercent } from "../../lib/url/index.js";
import type { ApiSpec } from "../api-spec.js";
import { readPartRestriction } from "../audience.js";
import { filesMember } from "./check-references.js";
import type { SpecEntry } from "./entry-reader.js";
import { derivations, distinctTitles, schemaPlaceOf, shortNamesOf } from "./named-schemas.js";

/** A schema with a name and its own fields or options. */
export interface SpecObject {
  readonly name: string;
  readonly pointer: string;
  /** Differs from the titles of all others. */
  readonly title: string;
  readonly description?: string;
  /** The entries that accept or return it, in the order of the document. */
  readonly users: readonly SpecEntry[];
  /** Pointers of the objects that have a field of this type. */
  readonly holders: readonly string[];
  /** The tag of nearly all its users, or of its holders if it has no users; absent if several tags share it. */
  readonly tag?: string;
  readonly isListed: boolean;
}

/** An API with more entries is large: its navigation lists only objects that are used in several places. */
const manyEntries = 100;
/** In a large API, objects with fewer fields and options are shown in place, unless an entry accepts or returns them. */
const fewFields = 6;

/** An object that is extended while the document is read. */
interface FoundObject {
  readonly schema: JsonObject;
  readonly users: SpecEntry[];
  readonly holders: string[];
  /** Pointers of the objects that are types of its fields. */
  readonly parts: string[];
  /** Pointers of the objects that it extends. */
  bases: ReadonlySet<string>;
  /** The number of its own fields, at any depth. */
  fields: number;
}

/**
 * Lists the objects in requests and responses of entries, at any depth, sorted by title. Takes time in proportion to the
 * document. Parts that only some readers may see are left out.
 *
 * @param all all entries of the document. If given, components that no entry uses are listed too, such as payloads of events.
 */
export function listObjects(
  { document, resolve }: Pick<ApiSpec, "document" | "resolve">,
  entries: readonly SpecEntry[],
  all?: readonly SpecEntry[],
): SpecObject[] {
  const objectsIn = createFinder({ document, resolve });
  const found = new Map<string, FoundObject>();
  const add = (pointer: string): FoundObject => {
    const object = found.get(pointer) ?? {
      schema: resolve(pointer) as JsonObject,
      users: [],
      holders: [],
      parts: [],
      bases: new Set(),
      fields: 0,
    };
    found.set(pointer, object);
    return object;
  };
  for (const entry of entries)
    for (const object of objectsIn(resolve(entry.pointer)).objects) add(object).users.push(entry);
  const linked = objectsIn.linked([document["info"], document["tags"]]);
  for (const object of linked) add(object);
  const related = new Set<string>();
  const relate = (): void => {
    // The map grows while it is iterated, since objects contain other objects.
    for (const [holder, object] of found) {
      if (related.has(holder)) continue;
      related.add(holder);
      const { objects, ...size } = objectsIn(object.schema);
      Object.assign(object, size);
      for (const part of objects) {
        if (part === holder) continue;
        add(part).holders.push(holder);
        object.parts.push(part);
      }
      for (const part of linked) add(part);
    }
  };
  relate();
  const unused = all === undefined ? [] : objectsIn.unused(new Set(all).difference(new Set(entries)), found);
  for (const object of unused) add(object);
  relate();
  const alone = unused.filter((object) => found.get(object)!.holders.length === 0);
  const listed = new Set([...listedNames(found, entries.length > manyEntries), ...linked, ...alone]);

  const tags = new Map<string, string | undefined>();
  for (const [pointer, object] of found) tags.set(pointer, homeTag(object, tags));
  const shortNames = shortNamesOf(entriesAt(document["components"], "schemas").map(([name]) => name));
  const objects = Array.from(found, ([pointer, { schema, users, holders }]): SpecObject => {
    const { name, around } = schemaPlaceOf(pointer)!;
    const tag = tags.get(pointer);
    const title = textAt(schema, "title")?.trim();
    const isName = title !== undefined && !isSentence(title);
    return {
      name,
      pointer,
      title: (isName && title) || (around.length === 0 && shortNames.get(name)) || name,
      description: (!isName && title) || textAt(schema, "description"),
      users,
      holders,
      ...(tag !== undefined && { tag }),
      isListed: listed.has(pointer),
    };
  });
  const titles = distinctTitles(objects);
  return objects
    .map((object, i) => ({ ...object, title: titles[i]! }))
    .sort((a, b) => compare(a.title.toLowerCase(), b.title.toLowerCase()) || compare(a.name, b.name));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** An object belongs to a tag if at least this share of its users has the tag. */
const ownShare = 0.75;

/** The tag to which an object belongs. @param tags tags of the objects found before. */
function homeTag({ users, holders }: FoundObject, tags: ReadonlyMap<string, string | undefined>): string | undefined {
  const votes = users.length > 0 ? users.map(({ tag }) => tag) : holders.map((holder) => tags.get(holder));
  const counts = new Map<string | undefined, number>();
  for (const tag of votes) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const [tag, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), [undefined, 0] as const);
  return count >= votes.length * ownShare ? tag : undefined;
}

/** The most fields on the page of an entry or object, including those of its parts that have no page. */
const pageFields = 200;
/** With more fields, one object is as large as another. */
const enoughFields = 5 * pageFields;

/** The objects that the navigation lists: in a large API, those used in several places, and large parts of large pages. */
function listedNames(found: ReadonlyMap<string, FoundObject>, isLarge: boolean): ReadonlySet<string> {
  if (!isLarge) return new Set(found.keys());
  const listed = new Set<string>();
  const isUnlisted = (name: string): boolean => !listed.has(name);
  for (const [name, { users, holders, schema }] of found)
    if (users.length + holders.length > 1 && (users.length > 0 || sizeOf(schema) >= fewFields)) listed.add(name);
  /** The number of fields of objects and of those that `next` leads to. Counting stops soon after `enoughFields`. */
  const fieldsFrom = (
    names: readonly string[],
    next: (name: string) => Iterable<string>,
    fieldsOf: (name: string) => number,
  ) => {
    const seen = new Set(names);
    let fields = 0;
    // The set grows while it is iterated.
    for (const name of seen) {
      if (fields > enoughFields) break;
      if (!found.has(name)) continue;
      fields += Math.max(1, fieldsOf(name));
      for (const other of next(name)) seen.add(other);
    }
    return fields;
  };
  const objectOf = (name: string): FoundObject => found.get(name)!;
  /** With the fields of the objects that it extends. */
  const ownFields = remembered((name) =>
    fieldsFrom(
      [name],
      (each) => objectOf(each).bases,
      (each) => objectOf(each).fields,
    ),
  );
  /** With the fields of the parts that have no page. */
  const fieldsOfParts = (parts: readonly string[]): number =>
    fieldsFrom(parts.filter(isUnlisted), (part) => objectOf(part).parts.filter(isUnlisted), ownFields);
  /** Lists the largest parts of a page until the others fit. */
  const listLargeParts = (parts: readonly string[], fieldsOnPage: () => number): void => {
    if (fieldsOnPage() <= pageFields) return;
    const sizes = parts.filter(isUnlisted).map((part) => [part, fieldsOfParts([part])] as const);
    for (const [part] of sizes.toSorted((a, b) => b[1] - a[1])) {
      listed.add(part);
      if (fieldsOnPage() <= pageFields) return;
    }
  };
  const uses = [...found].flatMap(([name, { users }]) => users.map((user) => ({ user, name })));
  for (const group of Map.groupBy(uses, ({ user }) => user).values()) {
    const parts = group.map(({ name }) => name);
    listLargeParts(parts, () => fieldsOfParts(parts));
  }
  // The set grows while it is iterated, since a part may be too large itself.
  for (const name of listed) {
    const { parts } = objectOf(name);
    listLargeParts(parts, () => fieldsOfParts(parts) + ownFields(name));
  }
  return listed;
}

/** Number of fields and options. Each part of a combination counts as several, because it is not looked up. */
const sizeOf = (schema: JsonObject): number =>
  entriesAt(schema, "properties").length +
  fewFields * ["allOf", "anyOf", "oneOf"].reduce((sum, name) => sum + listAt(schema, name).length, 0);

/** Members that contain values or texts, not schemas. */
const valueMembers = new Set("default description enum example examples required summary tags title".split(" "));
/** Members in which the author chooses the names. */
const namedMembers = new Set(
  "$defs callbacks content encoding headers patternProperties properties responses".split(" "),
);

/** How many objects may extend each other before the last one counts as having fields, whatever it has. */
const maxDepth = 500;

/** Finds the objects to which a part of the document refers directly, not through another object. */
function createFinder({ document, resolve }: Pick<ApiSpec, "document" | "resolve">) {
  const structures = new Map<Json, boolean>();
  const derived = lazy(() => derivations({ document, resolve }));
  /** Whether a schema has fields or options. A list, a map, and a reference have none of their own. */
  const hasStructure = (schema: Json | undefined, depth = 0): schema is JsonObject => {
    if (!isObject(schema) || "$ref" in schema) return false;
    if (entriesAt(schema, "properties").length > 0 || entriesAt(schema, "patternProperties").length > 0) return true;
    const cached = structures.get(schema);
    if (cached !== undefined) return cached;
    // Schemas with circular references to each other are not objects.
    structures.set(schema, false);
    const options = [...listAt(schema, "oneOf"), ...listAt(schema, "anyOf")];
    const parts = [...listAt(schema, "allOf"), ...options.filter((option) => member(option, "type") !== "null")];
    const isOne = parts.length > 1 && (depth > maxDepth || parts.some((part) => refersToStructure(part, depth + 1)));
    structures.set(schema, isOne);
    return isOne;
  };
  const refersToStructure = (part: Json, depth: number): boolean => {
    const ref = textAt(part, "$ref");
    return hasStructure(ref === undefined ? part : schemaPlaceOf(ref) && resolve(ref), depth);
  };
  const pointers = new Map<string, string | undefined>();
  const pointersByText = new Map<string, string>();
  /** The pointer of an object with a name. Equal ones of several files are one object. */
  const objectAt = (ref: string): string | undefined => {
    if (pointers.has(ref)) return pointers.get(ref);
    const place = ref.startsWith("#/") ? schemaPlaceOf(ref) : undefined;
    const schema = place && resolve(ref);
    let pointer = place && hasStructure(schema) ? pointerTo(...pathOf(ref)) : undefined;
    if (place?.around[0] !== undefined && pointer !== undefined) {
      const text = `${place.name} ${stringify(schema!)}`;
      pointer = pointersByText.get(text) ?? pointer;
      pointersByText.set(text, pointer);
    }
    pointers.set(ref, pointer);
    return pointer;
  };
  /** Pointers of the schemas to which descriptions link. */
  const linked = new Set<string>();
  const takeLinks = (description: string): void => {
    if (!description.includes("#/")) return;
    for (const [, path = ""] of description.matchAll(schemaLinks)) {
      const pointer = componentRef(pathOf(`#/${decodePercent(path)}`)[0] ?? "");
      const schema = resolve(pointer);
      if (isObject(schema) && !isRestricted(schema)) linked.add(pointer);
    }
  };
  const objectsIn = (root: Json | undefined) => {
    const objects = new Set<string>();
    const bases = new Set<string>();
    let fields = 0;
    const seen = new Set<Json>();
    const waiting: Json[] = [];
    const add = (value: Json | undefined): void => {
      if (value !== undefined && isContainer(value)) waiting.push(value);
    };
    const follow = (ref: string): void => {
      const object = objectAt(ref);
      const path = pathOf(ref);
      // Do not follow a reference to the whole document, or to all components.
      if (object === undefined) add(path.length > 2 || path[0] === filesMember ? resolve(ref) : undefined);
      else if (!isRestricted(resolve(object))) objects.add(object);
    };
    add(root);
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      if (seen.has(value) || isRestricted(value)) continue;
      seen.add(value);
      if (Array.isArray(value)) {
        for (const item of value) add(item);
        continue;
      }
      for (const [name, child] of Object.entries(value as JsonObject)) {
        if (name === "$ref" && typeof child === "string") follow(child);
        else if (name === "description" && typeof child === "string") takeLinks(child);
        else if (name === "discriminator") {
          for (const [, target] of entriesAt(child, "mapping"))
            if (typeof target === "string") follow(/[#/]/.test(target) ? target : componentRef(target));
          for (const extension of derived().get(value as object) ?? []) follow(extension);
        } else if (namedMembers.has(name)) {
          const members = Object.values(child ?? {}) as Json[];
          if (name === "properties") fields += members.length;
          for (const schema of members) add(schema);
        } else if (!valueMembers.has(name)) add(child);
        if (name === "allOf" && value === root)
          for (const part of listAt(value, name)) {
            const base = objectAt(textAt(part, "$ref") ?? "");
            if (base !== undefined) bases.add(base);
          }
      }
    }
    return { objects, bases, fields };
  };
  return Object.assign(objectsIn, {
    /** Pointers of the components that are neither among `known` nor used by other entries. */
    unused(others: ReadonlySet<SpecEntry>, known: ReadonlyMap<string, unknown>): string[] {
      const used = new Set([...others].flatMap(({ pointer }) => [...objectsIn(resolve(pointer)).objects]));
      // The set grows while it is iterated.
      for (const pointer of used)
        if (!known.has(pointer)) for (const part of objectsIn(resolve(pointer)).objects) used.add(part);
      return entriesAt(document["components"], "schemas").flatMap(([name, schema]) => {
        const pointer =
          isRestricted(schema) || isTrueAt(schema, "x-internal") ? undefined : objectAt(componentRef(name));
        return pointer === undefined || known.has(pointer) || used.has(pointer) ? [] : [pointer];
      });
    },
    /** Links of the parts read so far, and of the descriptions of `parts`. The set grows with each part that is read. */
    linked(parts: readonly (Json | undefined)[]): ReadonlySet<string> {
      for (const part of parts.flatMap((value) => (Array.isArray(value) ? (value as Json[]) : [value])))
        takeLinks(textAt(part, "description") ?? "");
      return linked;
    },
  });
}

/** The address of a link to a schema, in Markdown or HTML. */
const schemaLinks = /[("'<]#\/(?:components\/schemas|definitions)\/([^\s()"'<>]+)/g;

const isRestricted = (part: Json | undefined): boolean =>
  readPartRestriction(member(member(part, "x-mint"), "groups")) !== undefined;

const componentRef = (name: string): string => pointerTo("components", "schemas", name);
