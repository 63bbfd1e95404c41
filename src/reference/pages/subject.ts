import { type Json, member, pointerTo, textAt } from "../../lib/json/index.js";
import { type ApiTarget, pointerOfTarget } from "../../site/specs/index.js";
import { referenceKinds } from "../kinds.js";
import { schemaContent } from "../operations/body-sections.js";
import type { Subject } from "../reference-kind.js";
import { responseExample } from "../samples/sample-panel.js";
import { maxFolds } from "../schema/schema-fields.js";
import { isFile } from "../schema/type-label.js";
import { component, fence } from "./nodes.js";
import { modelPage, objectsPage, userSections } from "./object-pages.js";
import { groupPage, headOf, overviewPage } from "./overview-page.js";
import type { PageContext, SectionWriter } from "./page-context.js";

/** The subject of a page, if the specification has it. Kinds have their own subjects in their folders. */
export function subjectOf(context: PageContext, target: ApiTarget): Subject | undefined {
  const { spec, reader } = context;
  const { document } = spec;
  switch (target.kind) {
    case "schema": {
      const schema = member(member(document["components"], "schemas"), target.name);
      if (schema === undefined) return undefined;
      const pointer = pointerTo("components", "schemas", target.name);
      const { description } = reader.flatten(schema);
      return { description, pointer, excerpt: [pointer], write: schemaPage(context, schema, target.name, pointer) };
    }
    case "model": {
      const { pointer, skip } = target;
      const ofKind = referenceKinds[spec.format]?.subject(context, target);
      if (ofKind !== undefined) return ofKind;
      const schema = spec.resolve(pointer);
      if (schema === undefined) return undefined;
      const { description } = reader.flatten(schema);
      const write = modelPage(context, schema, target);
      return { description: skip === 0 ? description : undefined, pointer, excerpt: [pointer], write };
    }
    case "objects":
      return { description: undefined, pointer: pointerOfTarget(target), write: objectsPage(context) };
    case "overview":
      return {
        description: textAt(document["info"], "description"),
        lead: headOf(context),
        pointer: pointerTo("info"),
        write: overviewPage(context),
      };
    case "group": {
      const tag = context.tags().find(({ name }) => name === target.name);
      return tag && { description: tag.description, pointer: tag.pointer, write: groupPage(context, tag) };
    }
    default:
      return referenceKinds[spec.format]?.subject(context, target);
  }
}

/** A page about a data model. */
function schemaPage(context: PageContext, schema: Json, name: string, pointer: string): SectionWriter {
  const { messages, outline, sampler } = context;
  const node = outline.add(schema, "both");
  return () => {
    // The page's title and description already show those of the schema.
    const site = { section: "attributes", qualifier: name, folds: maxFolds };
    const content = schemaContent(context, node, { direction: "both", site, name, isDescribed: true });
    const value = isFile(node.flat) ? undefined : sampler.value(schema, { direction: "both", properties: "all" });
    return [
      component("ApiSection", { title: messages.attributesTitle, id: "attributes", fields: true }, content),
      ...userSections(context, pointer),
      ...responseExample(
        value === undefined ? [] : [fence("json", sampler.text(value, context.cuts), name)],
        context.cuts,
      ),
    ];
  };
}
