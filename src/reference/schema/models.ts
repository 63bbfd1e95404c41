import { hash } from "node:crypto";
import * as json from "../../lib/json/index.js";
import { lazy } from "../../lib/memo.js";
import { accordionSlug } from "../../lib/url/index.js";
import type { ModelPage } from "../../page/content/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import { innerSteps, type SpecObject, schemaPlaceOf, shortNamesOf } from "../../site/specs/index.js";
import { refOf } from "./references.js";

/** The pages of a specification's models, as the outline of a page sees them. */
export interface OutlineModels {
  isLargeApi(): boolean;
  /** The page of a schema object without its first `skip` fields and options; undefined if it has none. */
  pageOf(identity: object, skip: number): ModelPage | undefined;
  /** Whether it has a name and occurs inside the requests or responses of several operations. */
  isReused(identity: object): boolean;
}

/** A model, with its place in the specification. */
export interface NamedModel {
  readonly pointer: string;
  readonly title: string;
  /** Last part of its address, unique in the specification. A component has its own name if no other is like it. */
  readonly name: string;
}

const maxNameLength = 60;

/** Names the models of a specification; every thread gives the same names. @param objects those with pages, by pointer. */
export function createModelNames(
  { document, resolve }: Pick<ApiSpec, "document" | "resolve">,
  objects: () => ReadonlyMap<string, SpecObject>,
): (schema: object) => NamedModel | undefined {
  const pointerIn = createPointers(document);
  // The first place of a structure may be another one than that of its page.
  const ofObjects = lazy(() => new Map(Array.from(objects().keys(), (pointer) => [resolve(pointer), pointer])));
  const pointerOf = (schema: object): string | undefined => ofObjects().get(schema as json.Json) ?? pointerIn(schema);
  const shortNames = lazy(() => shortNamesOf(json.entriesAt(document["components"], "schemas").map(([name]) => name)));
  const counts = lazy(() => {
    const countBySlug = new Map<string, number>();
    for (const [name] of json.entriesAt(document["components"], "schemas"))
      countBySlug.set(modelSlug(name), (countBySlug.get(modelSlug(name)) ?? 0) + 1);
    return countBySlug;
  });
  const nameOf = (schema: object): NamedModel | undefined => {
    const pointer = pointerOf(schema);
    if (pointer === undefined) return undefined;
    const path = json.pathOf(pointer);
    const isComponent = path[0] === "components" && path[1] === "schemas";
    const start = isComponent ? 2 : schemaPlaceOf(pointer) ? 1 : 0;
    const steps = path.slice(start).filter((step, i) => {
      const isProperty = path[start + i - 1] === "properties";
      return isProperty || !(innerSteps.has(step) || isMediaType(step));
    });
    const name = steps.at(-1) ?? "";
    const title = (isComponent && path.length === 3 && shortNames().get(name)) || name;
    const slug = modelSlug(steps.slice(-4).join(" "));
    const isPlain = isComponent && path.length === 3 && counts().get(slug) === 1 && !endsLikeHash.test(slug);
    return { pointer, title, name: isPlain ? slug : `${slug}-${hash("sha256", pointer).slice(0, 8)}` };
  };
  const names = new Map<object, NamedModel | undefined>();
  return (schema) => {
    if (!names.has(schema)) names.set(schema, nameOf(schema));
    return names.get(schema);
  };
}

const isMediaType = (step: string): boolean => /^[a-z]+\/[\w.+*-]+(?:;.*)?$/.test(step);
const endsLikeHash = /-[0-9a-f]{8}$/;
const modelSlug = (name: string): string => accordionSlug(name).slice(0, maxNameLength) || "model";

/**
 * Finds the place of an object in the document, or the first of several. Components are searched first, because they
 * have the best names; the rest of the document is read only if they do not contain the object. Only the object around each
 * object is cached: pointers of a whole document would take as much memory as the document.
 */
function createPointers(document: ApiSpec["document"]): (value: object) => string | undefined {
  const holders = new Map<object, object>();
  /** The names of the parts of an object that is on the way to one that was asked for. */
  const namesOf = new Map<object, ReadonlyMap<unknown, string>>();
  const nameIn = (holder: object, part: object): string => {
    let names = namesOf.get(holder);
    if (names === undefined) {
      // If several names lead to the same object, the first one is used.
      names = new Map(
        Object.keys(holder)
          .toReversed()
          .map((name) => [(holder as json.JsonObject)[name], name]),
      );
      namesOf.set(holder, names);
    }
    return names.get(part)!;
  };
  const read = (value: object): void => {
    const values = [value];
    const around: object[] = [document];
    for (let next = values.pop(); next !== undefined; next = values.pop()) {
      const holder = around.pop()!;
      if (holders.has(next)) continue;
      holders.set(next, holder);
      for (const name of Object.keys(next).reverse()) {
        const inner = (next as json.JsonObject)[name]!;
        if (!json.isContainer(inner)) continue;
        values.push(inner);
        around.push(next);
      }
    }
  };
  const { components } = document;
  const unread: (() => void)[] = [() => read(document)];
  if (json.isObject(components)) unread.push(() => read(components));
  return (value) => {
    while (!holders.has(value) && unread.length > 0) unread.pop()!();
    if (!holders.has(value)) return undefined;
    const steps: string[] = [];
    for (let at = value; at !== document; ) {
      const holder = holders.get(at)!;
      steps.unshift(nameIn(holder, at));
      at = holder;
    }
    return json.pointerTo(...steps);
  };
}

/** Operations that must contain a structure before it gets a page, which costs as much as showing it twice. */
const enoughUsers = 3;
/** Keywords for parts inside a structure; others lead to the structure itself or to its options. */
const inner = new Set("properties patternProperties additionalProperties prefixItems".split(" "));

/** Finds the targets of references that occur, at any depth, inside the requests or responses of several operations. */
export function findReused({ document, resolve }: Pick<ApiSpec, "document" | "resolve">): ReadonlySet<object> {
  const targets = new Set<object>();
  const reused = new Set<object>();
  const users = new Map<object, number>();
  const lastUsers = { inner: new Map<object, number>(), outer: new Map<object, number>() };
  const visit = (user: number, root: json.Json): void => {
    const waiting = [root];
    const areInner = [false];
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
      const isInner = areInner.pop()!;
      if (!json.isContainer(value) || reused.has(value)) continue;
      const last = lastUsers[isInner ? "inner" : "outer"];
      if (last.get(value) === user) continue;
      last.set(value, user);
      const count = (users.get(value) ?? 0) + (isInner ? 1 : 0);
      users.set(value, count);
      if (count >= enoughUsers) reused.add(value);
      for (const name in value) {
        const child = (value as json.JsonObject)[name]!;
        if (typeof child !== "object") continue;
        waiting.push(child);
        areInner.push(isInner || inner.has(name));
      }
      const ref = refOf(value);
      const target = ref === undefined ? undefined : resolve(ref);
      if (target === undefined || !json.isContainer(target)) continue;
      targets.add(target);
      waiting.push(target);
      areInner.push(isInner);
    }
  };
  const partsOf = (value: json.Json): json.Json[] => (json.isContainer(value) ? Object.values(value) : []);
  let count = 0;
  // Below `paths`, `webhooks` and the like: the operations of each path.
  for (const [name, section] of Object.entries(document))
    if (name !== "components") for (const part of partsOf(section).flatMap(partsOf)) visit(count++, part);
  return targets.intersection(reused);
}
