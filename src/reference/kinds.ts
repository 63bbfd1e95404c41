import type { RootContent } from "mdast";
import { isObject, type Json, type JsonObject, member, pointerTo, textAt } from "../lib/json/index.js";
import { type ApiTarget, descriptionOf, methodKeys } from "../site/specs/index.js";
import { workflowPart } from "./arazzo/workflow-page.js";
import { channelPart } from "./asyncapi/channel-page.js";
import { graphPart } from "./graphql/graphql-page.js";
import { operationPart, responseExample } from "./openapi/operation-page.js";
import { schemaContent } from "./operations/body-sections.js";
import { component, fence } from "./pages/nodes.js";
import { groupPart, headOf, overviewPart } from "./pages/overview-page.js";
import type { PageContext, Part } from "./pages/page-context.js";
import { isFile } from "./schema/type-label.js";

/** The subject of a page, with its schemas added to the outline. */
interface Subject {
  readonly written: JsonObject;
  readonly description: string | undefined;
  /** Before the description. */
  readonly lead?: readonly RootContent[];
  readonly pointer: string;
  readonly write: Part;
}

export function subjectOf(context: PageContext, target: ApiTarget): Subject | undefined {
  const { spec, references } = context;
  const { document } = spec;
  switch (target.kind) {
    case "operation":
    case "webhook": {
      const isWebhook = target.kind === "webhook";
      const path = isWebhook ? target.name : target.path;
      const holder = isWebhook ? "webhooks" : "paths";
      const pathItem = references.followObject(member(document[holder], path));
      const keys = methodKeys(target.method);
      const written = keys.reduce<Json | undefined>(member, pathItem);
      if (pathItem === undefined || !isObject(written)) return undefined;
      return {
        written,
        description: textAt(written, "description") ?? textAt(pathItem, "description"),
        pointer: pointerTo(holder, path, ...keys),
        write: operationPart(context, { pathItem, written, method: target.method, path, isWebhook }),
      };
    }
    case "schema": {
      const schema = member(member(document["components"], "schemas"), target.name);
      if (schema === undefined) return undefined;
      const { description } = context.reader.flatten(schema);
      return {
        written: isObject(schema) ? schema : {},
        description,
        pointer: pointerTo("components", "schemas", target.name),
        write: schemaPart(context, schema, target.name),
      };
    }
    case "model": {
      const schema = spec.resolve(target.pointer);
      if (schema === undefined) return undefined;
      const write = modelPart(context, schema, target.name, target.skip);
      return { written: {}, description: undefined, pointer: target.pointer, write };
    }
    case "overview":
      return {
        written: {},
        description: textAt(document["info"], "description"),
        lead: headOf(context),
        pointer: pointerTo("info"),
        write: overviewPart(context),
      };
    case "group": {
      const tag = context.tags().find(({ name }) => name === target.name);
      if (tag === undefined) return undefined;
      const { description, pointer } = tag;
      return { written: {}, description, pointer, write: groupPart(context, tag) };
    }
    case "graphql": {
      const pointer = pointerTo(target.list, target.name);
      const written = spec.resolve(pointer);
      if (!isObject(written)) return undefined;
      const description = textAt(written, "description");
      return { written, description, pointer, write: graphPart(context, target, written) };
    }
    case "workflow": {
      const written = spec.resolve(target.pointer);
      if (!isObject(written)) return undefined;
      const { pointer } = target;
      return {
        written,
        description: textAt(written, "description"),
        pointer,
        write: workflowPart(context, target, written),
      };
    }
    case "channel": {
      const written = member(document["channels"], target.name);
      const channel = references.follow(written);
      if (!isObject(channel)) return undefined;
      return {
        written: channel,
        description: descriptionOf(channel),
        pointer: pointerTo("channels", target.name),
        write: channelPart(context, channel),
      };
    }
  }
}

/** A page about a structure that other pages refer to instead of showing it. */
function modelPart(context: PageContext, schema: Json, name: string, skip: number): Part {
  const { messages, outline } = context;
  const node = outline.add(schema, "both", skip);
  return () => {
    const site = { section: "attributes", qualifier: "body" };
    const content = schemaContent(context, node, { direction: "both", site, name });
    return [component("ApiSection", { title: messages.attributesTitle, id: "attributes" }, content)];
  };
}

/** A page about a data model. */
function schemaPart(context: PageContext, schema: Json, name: string): Part {
  const { messages, outline, sampler } = context;
  const node = outline.add(schema, "both");
  return () => {
    // The page's title and description already show those of the schema.
    const site = { section: "attributes", qualifier: name };
    const content = schemaContent(context, node, { direction: "both", site, name, isDescribed: true });
    const value = isFile(node.flat) ? undefined : sampler.value(schema, { direction: "both", properties: "all" });
    return [
      component("ApiSection", { title: messages.attributesTitle, id: "attributes" }, content),
      ...responseExample(value === undefined ? [] : [fence("json", sampler.text(value), name)]),
    ];
  };
}
