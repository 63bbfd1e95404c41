import { parseExpression } from "../../lib/arazzo/expression.js";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, isObject, listAt, member, pathOf, textAt, textsAt } from "../../lib/json/index.js";
import type { ApiSpec } from "../../site/api-spec.js";
import type { ApiTarget } from "../../site/specs/index.js";
import { referenceKinds } from "../kinds.js";
import { createAudienceFilter, isNamedFreely, withoutToolExtensions } from "../schema/reader-view.js";
import { createReferences, plainRefOf, refOf } from "../schema/references.js";

/**
 * A specification as one document with what readers may see: the operations, webhooks, channels and workflows of
 * `targets`, and the components that they use. Parts restricted to other readers and extensions for tools are removed.
 *
 * @param sourceUrls URLs of the documents that workflows refer to, by name; the others stay as written.
 */
export function publishedDocument(
  spec: ApiSpec,
  targets: readonly ApiTarget[],
  sourceUrls: Readonly<Record<string, string>> = {},
): JsonObject {
  const references = createReferences(spec);
  const forEveryone = createAudienceFilter(references);
  const views = { free: new Map<Json, Json>(), known: new Map<Json, Json>() };
  // A part that is referenced several times is one object, and stays one.
  const shown = (value: Json, key: string): Json => {
    if (typeof value !== "object" || value === null) return value;
    const cached = views[isNamedFreely(Array.isArray(value) ? `${key}[]` : key) ? "free" : "known"];
    const cachedView = cached.get(value);
    if (cachedView !== undefined) return cachedView;
    const view = withoutToolExtensions(forEveryone(value as JsonObject), key);
    const entries = Object.entries(view).map(([name, item]: [string, Json]) => {
      const inner = shown(item, Array.isArray(view) ? `${key}[]` : name);
      return { name, inner, isChanged: inner !== item };
    });
    // Unchanged parts are not copied: in a large document, that is nearly everything.
    const isChanged = view !== value || entries.some((entry) => entry.isChanged);
    const list = (): Json => entries.map(({ inner }) => inner);
    const object = (): Json => Object.fromEntries(entries.map(({ name, inner }) => [name, inner]));
    const result = isChanged ? (Array.isArray(view) ? list() : object()) : value;
    cached.set(value, result);
    return result;
  };

  const { components, ...document } = spec.document;
  const links = { follow: references.followObject, sourceUrls };
  const described = { ...document, ...referenceKinds[spec.format]?.published?.(spec, targets, links) };
  const whole = shown(described, "") as JsonObject;
  const schemas = targets.flatMap((target) => (target.kind === "schema" ? [target.name] : []));
  const used = usedComponents(whole, components, schemas, shown);
  const tags = usedTags(whole);
  return {
    ...whole,
    ...(tags && { tags }),
    ...(Object.keys(used).length > 0 && { components: used }),
  };
}

/** The components that a document uses, directly or not. Security schemes are used by name, so all are included. */
function usedComponents(
  document: JsonObject,
  components: Json | undefined,
  schemas: readonly string[],
  shown: (value: Json, key: string) => Json,
): JsonObject {
  const used = new Map<string, Map<string, Json>>();
  const waiting: Json[] = [document];
  const use = (kind: string, name: string): void => {
    const written = member(member(components, kind), name);
    if (written === undefined || used.get(kind)?.has(name)) return;
    const value = shown(written, name);
    used.set(kind, (used.get(kind) ?? new Map<string, Json>()).set(name, value));
    waiting.push(value);
  };
  const useAll = (kind: string): void => {
    for (const [name] of entriesAt(components as JsonObject, kind)) use(kind, name);
  };
  const usePointer = (pointer: string): void => {
    const [root, kind, name] = pathOf(pointer);
    if (root === "components" && kind !== undefined && name !== undefined) use(kind, name);
    // An anchor may be in any schema.
    else if (!pointer.startsWith("#/")) useAll("schemas");
  };
  useAll("securitySchemes");
  for (const name of schemas) use("schemas", name);
  const seen = new Set<Json>();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    const ref = refOf(value) ?? textAt(value, "$dynamicRef");
    if (ref !== undefined) usePointer(ref);
    const reused = parseExpression(textAt(value, "reference") ?? "");
    if (reused?.kind === "components") use(reused.list, reused.name);
    for (const [, target] of entriesAt(member(value, "discriminator"), "mapping"))
      if (typeof target === "string") target.includes("/") ? usePointer(target) : use("schemas", target);
    for (const inner of Object.values(value) as Json[]) if (typeof inner === "object") waiting.push(inner);
  }
  const order = Object.keys(isObject(components) ? components : {});
  return Object.fromEntries(
    order.flatMap((kind) => (used.has(kind) ? [[kind, Object.fromEntries(used.get(kind)!)]] : [])),
  );
}

/** The tags of the operations and their parent tags; undefined if the document lists no tags. */
function usedTags(document: JsonObject): Json[] | undefined {
  if (!("tags" in document)) return undefined;
  const listed = new Map(listAt(document, "tags").map((tag) => [textAt(tag, "name"), tag]));
  const used = new Set<string>();
  const use = (name: string | undefined): void => {
    if (name === undefined || used.has(name)) return;
    used.add(name);
    use(textAt(listed.get(name), "parent"));
  };
  for (const holder of ["paths", "webhooks"])
    for (const [, item] of entriesAt(document, holder))
      for (const operation of [...entriesAt({ item }, "item"), ...entriesAt(item, "additionalOperations")])
        textsAt(operation[1], "tags").forEach(use);
  return listAt(document, "tags").filter((tag) => plainRefOf(tag) !== undefined || used.has(textAt(tag, "name") ?? ""));
}
