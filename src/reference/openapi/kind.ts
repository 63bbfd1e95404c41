import type { RootContent } from "mdast";
import * as json from "../../lib/json/index.js";
import { type ApiTarget, methodKeys, methods, readBadges } from "../../site/specs/index.js";
import { descriptionWithPath } from "../operations/operation.js";
import { badgeNode, inline, joined, label, paragraphWith } from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import type { ReferenceKind } from "../reference-kind.js";
import { operationPage } from "./operation-page.js";
import { postmanCollection } from "./postman-collection.js";
import { writtenPage } from "./written-endpoint.js";

export const openapi: ReferenceKind = {
  name: "OpenAPI",
  entriesTitle: "operations",

  subject(context, target) {
    if (target.kind !== "operation" && target.kind !== "webhook") return undefined;
    const { spec, references } = context;
    const { method } = target;
    const [holder, path] = target.kind === "webhook" ? ["webhooks", target.name] : ["paths", target.path];
    const pathItem = references.followObject(json.member(spec.document[holder], path));
    const keys = methodKeys(method);
    const written = keys.reduce<json.Json | undefined>(json.member, pathItem);
    if (pathItem === undefined || !json.isObject(written)) return undefined;
    const isWebhook = target.kind === "webhook";
    const pointer = json.pointerTo(holder, path, ...keys);
    return {
      lead: badgeLine(context, written),
      description: descriptionWithPath(written, pathItem),
      pointer,
      excerpt: isWebhook ? [pointer] : [pointer, json.pointerTo(holder, path, "parameters")],
      write: operationPage(context, { pathItem, written, method, path, isWebhook }),
    };
  },

  published({ document }, targets, { follow }) {
    const items = (holder: "paths" | "webhooks", kind: "operation" | "webhook"): json.JsonObject => {
      const shown = methodsByPath(targets, kind);
      return Object.fromEntries(
        json.entriesAt(document, holder).flatMap(([name, item]) => {
          const followed = shown.has(name) ? follow(item) : undefined;
          return followed ? [[name, itemWith(followed, shown.get(name)!)]] : [];
        }),
      );
    };
    return {
      paths: items("paths", "operation"),
      ...("webhooks" in document && { webhooks: items("webhooks", "webhook") }),
    };
  },

  collection: postmanCollection,
  writtenPage,
};

/** The badges of an operation, and its tags that are no groups of the navigation (OpenAPI 3.2), with what they mean. */
function badgeLine({ tags, describe, references }: PageContext, written: json.JsonObject): RootContent[] {
  const names = json.textsAt(written, "tags");
  const marks = tags().filter(({ name, kind }) => kind !== "nav" && kind !== "trait" && names.includes(name));
  const explained = marks.map((tag) => {
    const docs = references.follow(tag.externalDocs);
    const tip = describe.field(tag.description);
    const href = json.textAt(docs, "url");
    const badge = badgeNode({ name: tag.label });
    if (tip.length === 0 && href === undefined) return badge;
    return inline(
      "Tooltip",
      { tip: label(...tip), headline: tag.label, cta: json.textAt(docs, "description"), href },
      badge,
    );
  });
  return paragraphWith(joined([...readBadges(written).map(badgeNode), ...explained], " "));
}

/** The methods that have a page, by path or by the name of the webhook. */
function methodsByPath(targets: readonly ApiTarget[], kind: "operation" | "webhook"): Map<string, Set<string>> {
  const methodsOf = new Map<string, Set<string>>();
  for (const target of targets) {
    if ((target.kind !== "operation" && target.kind !== "webhook") || target.kind !== kind) continue;
    const name = target.kind === "operation" ? target.path : target.name;
    methodsOf.set(name, (methodsOf.get(name) ?? new Set()).add(target.method));
  }
  return methodsOf;
}

/** A path item with only these methods. */
function itemWith(item: json.JsonObject, shown: ReadonlySet<string>): json.JsonObject {
  const { additionalOperations: _, ...rest } = item;
  const additional = json.entriesAt(item, "additionalOperations").filter(([method]) => shown.has(method));
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !methods.includes(key) || shown.has(key))),
    ...(additional.length > 0 && { additionalOperations: Object.fromEntries(additional) }),
  };
}
