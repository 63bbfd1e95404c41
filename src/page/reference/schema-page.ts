import type { Json } from "../../lib/json/index.js";
import { schemaContent } from "./body-parts.js";
import { component, fence } from "./nodes.js";
import { responseExample } from "./operation-page.js";
import type { PageContext, Part } from "./page-context.js";
import { isFile } from "./type-label.js";

/** A page about a structure that other pages refer to instead of showing it. */
export function modelPart(context: PageContext, schema: Json, name: string, skip: number): Part {
  const { messages, outline } = context;
  const node = outline.add(schema, "both", skip);
  return () => {
    const site = { section: "attributes", qualifier: "body" };
    const content = schemaContent(context, node, { direction: "both", site, name });
    return [component("ApiSection", { title: messages.attributesTitle, id: "attributes" }, content)];
  };
}

/** A page about a data model. */
export function schemaPart(context: PageContext, schema: Json, name: string): Part {
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
