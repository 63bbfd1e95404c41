import type { RootContent } from "mdast";
import { isTrueAt, shortJson, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { plainText } from "../../lib/plain-text.js";
import { foldsAround, sectionId } from "../pages/anchors.js";
import { component, docsLine, inlineCode, linesNote, text, valueNote } from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { distinctExamples } from "../samples/sample-panel.js";
import { exampleNotes, valueText } from "../schema/field-notes.js";
import type { FieldSite } from "../schema/schema-fields.js";
import type { SchemaNode } from "../schema/schema-outline.js";
import { valueTypes } from "../schema/type-label.js";
import { type Parameter, type ParameterLocation, styleExample } from "./write-parameter.js";

const sections: readonly { readonly place: ParameterLocation; readonly id: string; readonly title: keyof Messages }[] =
  [
    { place: "header", id: "headers", title: "headers" },
    { place: "path", id: "path-parameters", title: "pathParameters" },
    { place: "query", id: "query-parameters", title: "queryParameters" },
    { place: "cookie", id: "cookies", title: "cookies" },
  ];

/** A section for each location of parameters. @param callback the callback that they belong to. */
export function parameterSections(
  context: PageContext,
  parameters: readonly Parameter[],
  callback?: string,
): SectionWriter {
  const groups = sections.flatMap(({ place, id: name, title }) => {
    const listed = parameters.filter((parameter) => parameter.place === place);
    if (listed.length === 0) return [];
    const id = sectionId(name, callback);
    const qualifier = callback === undefined ? place : `${callback} ${place}`;
    const props = { title: context.messages[title], id, nested: callback !== undefined || undefined };
    const write = parameterList(context, listed, { section: id, qualifier, folds: foldsAround(callback) });
    return [{ props, about: listed.find(({ aboutQuery }) => aboutQuery)?.aboutQuery, write }];
  });
  return () =>
    groups.map(({ props, about, write }) =>
      component("ApiSection", props, [...context.describe.field(about), ...write()]),
    );
}

export function parameterList(context: PageContext, parameters: readonly Parameter[], site: FieldSite): SectionWriter {
  const nodes = parameters.map((parameter) => ({ parameter, node: context.outline.add(parameter.schema, "both") }));
  return () => nodes.map(({ parameter, node }) => parameterField(context, parameter, node, site));
}

function parameterField(
  { fields, messages, reader, describe }: PageContext,
  parameter: Parameter,
  node: SchemaNode,
  site: FieldSite,
): RootContent {
  const { name, required, deprecated, description, written } = parameter;
  const notes = [
    // How lists and objects are serialized, if not in the default style.
    ...valueNote(
      messages.sentAs,
      parameter.contentType ?? styleExample(parameter, valueTypes(node.flat, reader), node.core),
    ),
    ...["allowEmptyValue", "allowReserved"].flatMap((key) =>
      valueNote(key, isTrueAt(written, key) ? "true" : undefined),
    ),
    ...parameter.examples.flatMap(({ title, description, address: url }) =>
      url === undefined
        ? []
        : [...docsLine({ url, description: title! }, messages.example), ...describe.field(description)],
    ),
    // In AsyncAPI: where a message has the value.
    ...valueNote("location", textAt(written, "location")),
  ];
  const examples = examplesOf(parameter, messages);
  const facts = { name, required, deprecated, description, examples, notes, beside: written };
  return fields.field(facts, node, site);
}

/** The examples of the parameter itself with their descriptions; undefined if it has none. */
export function examplesOf({ examples }: Parameter, messages: Messages): RootContent[] | undefined {
  const distinct = distinctExamples(examples);
  if (distinct.length === 0) return undefined;
  const values = distinct.map(({ value }) => value!);
  const abouts = distinct.map(({ summary, description }) =>
    plainText([summary, description].filter(Boolean).join("\n\n")),
  );
  const areShort = values.every((value) => shortJson(value, maxAboutLength) !== undefined);
  if (!areShort || !abouts.some(Boolean)) return exampleNotes(values, messages);
  const lines = values.map((value, i) => [
    inlineCode(valueText(value)),
    ...(abouts[i] ? [text(`: ${abouts[i]}`)] : []),
  ]);
  return linesNote(messages.example, lines, messages.examples);
}
/** Longest value that has its description beside it, in UTF-16 code units. */
const maxAboutLength = 200;
