import { hash } from "node:crypto";
import { entriesAt, isContainer, isObject, pathOf, pointerTo } from "../../lib/json/index.js";
import { lazy } from "../../lib/lazy.js";
import { accordionSlugOf } from "../../lib/url/index.js";
import type { ApiSpec } from "../../site/api-spec.js";

/** A structure with a page of its own, because pages that use it would grow too large. */
export interface Model {
  readonly title: string;
  readonly outputPath: string;
}

/**
 * The model of a schema object of the specification, without its first `skip` fields and options, to which the page refers
 * from now on; undefined if it has no place in the specification.
 */
export type ReferToModel = (identity: object | undefined, skip: number) => Model | undefined;

/** A model as its specification knows it. */
export interface NamedModel {
  readonly pointer: string;
  readonly title: string;
  /** Last part of its address, unique in the specification. A component has its own name if no other is like it. */
  readonly name: string;
}

const maxNameLength = 60;

/** Names the models of a specification, the same in every thread. */
export function createModelNames({ document }: Pick<ApiSpec, "document">): (schema: object) => NamedModel | undefined {
  const pointers = lazy(() => pointersIn(document));
  const counts = lazy(() => {
    const found = new Map<string, number>();
    for (const [name] of entriesAt(document["components"], "schemas"))
      found.set(slugOf(name), (found.get(slugOf(name)) ?? 0) + 1);
    return found;
  });
  return (schema) => {
    const pointer = pointers().get(schema);
    if (pointer === undefined) return undefined;
    const path = pathOf(pointer);
    const isComponent = path[0] === "components" && path[1] === "schemas";
    const steps = path.slice(isComponent ? 2 : 0).filter((step) => !keywords.has(step));
    const title = steps.at(-1) ?? "";
    const slug = slugOf(steps.slice(-4).join(" "));
    const isPlain = isComponent && path.length === 3 && counts().get(slug) === 1 && !endsLikeHash.test(slug);
    return { pointer, title, name: isPlain ? slug : `${slug}-${hash("sha256", pointer).slice(0, 8)}` };
  };
}

const keywords = new Set(
  "additionalProperties allOf anyOf content items oneOf patternProperties prefixItems properties schema".split(" "),
);
const endsLikeHash = /-[0-9a-f]{8}$/;
const slugOf = (name: string): string => accordionSlugOf(name).slice(0, maxNameLength) || "model";

/** Where each object was written; of one in several places the first. Components come first: they have the best names. */
function pointersIn(document: ApiSpec["document"]): Map<object, string> {
  const found = new Map<object, string>();
  const waiting: (readonly [value: object, pointer: string])[] = [[document, "#"]];
  const { components } = document;
  if (isObject(components)) waiting.push([components, "#/components"]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, pointer] = next;
    if (found.has(value)) continue;
    found.set(value, pointer);
    for (const [name, each] of Object.entries(value).reverse())
      if (isContainer(each)) waiting.push([each, pointer + pointerTo(name).slice(1)]);
  }
  return found;
}
