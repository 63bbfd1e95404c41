import type { RootContent } from "mdast";
import type { Messages } from "../../lib/language/index.js";
import { sectionId } from "./anchors.js";
import { exampleText, note } from "./field-notes.js";
import { firstValue } from "./media-type.js";
import { component } from "./nodes.js";
import type { Parameter, ParameterLocation } from "./operation.js";
import type { PageContext, Part } from "./page-context.js";
import { styleExample } from "./parameter-style.js";
import type { FieldSite } from "./schema-fields.js";
import type { SchemaNode } from "./schema-outline.js";

const sections: readonly { readonly place: ParameterLocation; readonly id: string; readonly title: keyof Messages }[] =
  [
    { place: "header", id: "headers", title: "headers" },
    { place: "path", id: "path-parameters", title: "pathParameters" },
    { place: "query", id: "query-parameters", title: "queryParameters" },
    { place: "cookie", id: "cookies", title: "cookies" },
  ];

/**
 * A section for each location of parameters.
 *
 * @param callback name of the callback that they belong to.
 */
export function parameterParts(context: PageContext, parameters: readonly Parameter[], callback?: string): Part {
  const groups = sections
    .map((section) => ({
      section,
      write: parameterList(
        context,
        parameters.filter(({ place }) => place === section.place),
        {
          section: sectionId(section.id, callback),
          qualifier: callback === undefined ? section.place : `${callback} ${section.place}`,
        },
      ),
    }))
    .filter(({ section }) => parameters.some(({ place }) => place === section.place));
  return () =>
    groups.map(({ section, write }) =>
      component(
        "ApiSection",
        {
          title: context.messages[section.title],
          id: sectionId(section.id, callback),
          nested: callback !== undefined || undefined,
        },
        write(),
      ),
    );
}

/** The fields without a heading. */
export function parameterList(context: PageContext, parameters: readonly Parameter[], site: FieldSite): Part {
  const nodes = parameters.map((parameter) => ({ parameter, node: context.outline.add(parameter.schema, "both") }));
  return () => nodes.map(({ parameter, node }) => parameterField(context, parameter, node, site));
}

function parameterField(
  { fields, messages }: PageContext,
  parameter: Parameter,
  node: SchemaNode,
  site: FieldSite,
): RootContent {
  const { name, required, deprecated, description, written } = parameter;
  const notes = [exampleNote(parameter, node, messages), styleNote(parameter, node, messages)];
  return fields.field(
    {
      name,
      required,
      deprecated,
      ...(description === undefined ? {} : { description }),
      notes: notes.filter((each) => each !== undefined),
      beside: written,
    },
    node,
    site,
  );
}

function exampleNote({ examples }: Parameter, { flat }: SchemaNode, messages: Messages): RootContent | undefined {
  const value = firstValue(examples);
  if (value === undefined || flat.examples.length > 0) return undefined;
  return note(messages.example, exampleText(value));
}

/** How lists and objects are serialized, if not in the default style. */
function styleNote(parameter: Parameter, { flat }: SchemaNode, messages: Messages): RootContent | undefined {
  if (parameter.contentType !== undefined) return note(messages.sentAs, parameter.contentType);
  return note(messages.sentAs, styleExample(parameter, flat));
}
