import type { RootContent } from "mdast";
import { entriesAt, type Json, type JsonObject, member, textAt, textsAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { GraphTarget } from "../../site/specs/index.js";
import { operationForm } from "../forms/operation-form.js";
import { authorizationSection, credentialsOf } from "../operations/authorization-section.js";
import { readOperation } from "../operations/operation.js";
import { parameterSections } from "../operations/parameter-sections.js";
import { absoluteUrl, readServer, serverList } from "../operations/server.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { printJson } from "../samples/print-json.js";
import { requestSample } from "../samples/request-sample.js";
import { requestExample, responseExample } from "../samples/sample-panel.js";
import { graphqlExample, operationNames } from "./graphql-example.js";
import { graphqlTypesFile } from "./graphql-types.js";

/** Limit of a list of fields, arguments or values. The page says how many it leaves out. */
const maxParts = 1_000;

/** A page about a query, mutation, subscription or type of a GraphQL schema. */
export function graphqlPage(context: PageContext, target: GraphTarget, part: JsonObject): SectionWriter {
  if (target.list === "types") return () => [...deprecation(context, part), ...typeSections(context, part)];
  const { api, spec } = context;
  const example = graphqlExample(spec.document, target, part, api.examples.defaults === "all");
  const request = graphqlRequest(context, target, example);
  return () => [
    md.component("ApiHeader", {
      method: operationNames[target.list].toUpperCase(),
      path: target.name,
      copy: false,
      playground: request?.opens(),
    }),
    ...deprecation(context, part),
    ...(request?.write() ?? []),
    ...fieldSections(context, part),
    ...examples(context, example, request?.samples() ?? []),
  ];
}

function deprecation({ messages, describe }: PageContext, part: JsonObject): RootContent[] {
  const reason = member(part, "deprecated");
  if (typeof reason !== "string") return [];
  const notice = reason === "" ? [md.paragraph(md.text(`${messages.deprecated}.`))] : describe.field(reason);
  return [md.component("Warning", {}, notice)];
}

function fieldSections(context: PageContext, part: JsonObject): RootContent[] {
  const { messages } = context;
  return [
    ...fieldsSection(context, messages.graphArguments, "arguments", part, "args"),
    ...md.section(messages.graphReturns, "returns", [
      md.paragraph(typeLink(context, textAt(part, "of") ?? "", textAt(part, "type"))),
      ...directiveNote(context, part),
    ]),
  ];
}

/** @param samples of the request. */
function examples(
  { messages, cuts }: PageContext,
  { operation, variables, answer }: ReturnType<typeof graphqlExample>,
  samples: readonly RootContent[],
): RootContent[] {
  const fences = [
    md.fence("graphql", operation, "GraphQL"),
    ...(variables === undefined ? [] : [md.fence("json", printJson(variables), messages.graphVariables)]),
  ];
  const props = samples.length > 0 ? { dropdown: true, telling: fences.length } : {};
  return [
    md.component("RequestExample", props, [...fences, ...samples]),
    ...responseExample([md.fence("json", printJson(answer), messages.response)], cuts),
  ];
}

function typeSections(context: PageContext, part: JsonObject): RootContent[] {
  const { messages } = context;
  const types = (key: string, label: string): RootContent[] => {
    const names = textsAt(part, key);
    return md.fieldNote(label, md.joined(names.map((name) => typeLink(context, name))));
  };
  return [
    ...md.fieldNote(
      undefined,
      md.codeList(
        ["kind", "locations"].flatMap((key) => textAt(part, key) ?? []),
        " ",
      ),
    ),
    ...types("interfaces", messages.graphImplements),
    ...types("members", messages.graphPossible),
    ...directiveNote(context, part),
    ...fieldsSection(context, messages.graphArguments, "arguments", part, "args"),
    ...fieldsSection(context, messages.graphFields, "fields", part, "fields"),
    ...fieldsSection(context, messages.graphValues, "values", part, "values"),
  ];
}

function fieldsSection(
  context: PageContext,
  title: string,
  id: string,
  holder: JsonObject,
  key: string,
): RootContent[] {
  const entries = entriesAt(holder, key);
  const isInput = key === "args" || textAt(holder, "kind") === "input";
  return md.section(title, id, [
    ...entries.slice(0, maxParts).map(([name, part]) => field(context, name, part, isInput)),
    ...md.countOfMore(entries.length - maxParts, context.cuts, "maxParts"),
  ]);
}

/** A field, argument or value, with its arguments folded below. @param isInput whether clients give its value. */
function field(context: PageContext, name: string, part: Json, isInput: boolean, parent?: string): RootContent {
  const { anchors, describe, messages } = context;
  const id = anchors.claim(name, parent, "field");
  const type = textAt(part, "type");
  const shownType = type && md.clip(type, 200);
  const href = shownType && typeHref(context, textAt(part, "of") ?? "");
  const reason = member(part, "deprecated");
  const args = entriesAt(part, "args");
  return md.component(
    "ParamField",
    {
      name: md.clip(name, 200),
      id,
      type: href === undefined ? shownType : md.label(md.link(href, md.text(shownType!))),
      default: textAt(part, "default") && md.clip(textAt(part, "default")!, 160),
      required: (isInput && type?.endsWith("!") && textAt(part, "default") === undefined) || undefined,
      deprecated: typeof reason === "string" || undefined,
    },
    [
      ...describe.field(textAt(part, "description")),
      ...(typeof reason === "string" ? md.fieldNote(messages.deprecated, md.phrase(md.clip(reason, 1_000))) : []),
      ...directiveNote(context, part),
      ...md.expandable(
        messages.graphArguments,
        args.map(([inner, argument]) => field(context, inner, argument, true, id)),
      ),
    ],
  );
}

/** @param shown the text of the link. */
function typeLink(context: PageContext, name: string, shown = name) {
  const href = typeHref(context, name);
  return href === undefined ? md.inlineCode(shown) : md.link(href, md.inlineCode(shown));
}

/** The page of a type of the schema. */
const typeHref = ({ spec, key, pageOf }: PageContext, name: string): string | undefined =>
  member(spec.document["types"], name) === undefined
    ? undefined
    : pageOf({ kind: "graphql", spec: key, list: "types", name });

/** More directives of a part are folded: a schema that is composed of others has many. */
const maxOpenDirectives = 3;

/** Directives of a part, each with a link to its definition. */
const directiveNote = (context: PageContext, part: Json): RootContent[] => {
  const directives = textsAt(part, "directives").map((text) => ({ text, name: text.split("(", 1)[0]! }));
  const links = directives.map(({ text, name }) => typeLink(context, name, md.clip(text, 200)));
  const note = md.fieldNote(undefined, md.joined(links, " "));
  if (directives.length <= maxOpenDirectives) return note;
  return md.expandable(md.clip([...new Set(directives.map(({ name }) => name))].join(", "), 200), note);
};

interface GraphqlRequest {
  /** Writes the servers, the authorization and the parameters. */
  readonly write: SectionWriter;
  /** The request in the languages of the site. */
  readonly samples: () => readonly RootContent[];
  /** Files that the page loads when a reader opens the playground. */
  readonly opens: () => readonly string[] | undefined;
}

/** The request of an operation; undefined if the site names no server of the API. */
function graphqlRequest(
  context: PageContext,
  { list, name }: GraphTarget,
  { operation: text, variables }: ReturnType<typeof graphqlExample>,
): GraphqlRequest | undefined {
  const { spec, references, api, playground } = context;
  const types = graphqlTypesFile(spec.document);
  const kind = operationNames[list];
  if (types === undefined || kind === "") return undefined;
  const body = { query: text.replace(/\s+/g, " "), ...(variables && { variables }) };
  const written: JsonObject = {
    parameters: spec.document["parameters"] ?? [],
    requestBody: { content: { "application/json": { example: body } } },
  };
  const operation = readOperation(spec.document, {}, written, references);
  const servers = operation.servers.map(readServer);
  const ways = credentialsOf(context, operation);
  const { parameters } = operation;
  const credentials = ways[0] ?? [];
  // Some frameworks answer only at an address with a slash at its end.
  const path = servers.every(({ url }) => url.endsWith("/")) ? "/" : "";
  const call = { method: "post", path, operation, baseUrl: absoluteUrl(servers[0], spec.source), credentials };
  const sections = [authorizationSection(context, ways), parameterSections(context, parameters)];
  const form = () => {
    const requestForm = operationForm(context, { ...call, servers, ways, parameters });
    const values = new Map(parameters.map((parameter) => [parameter.name, textAt(parameter.written, "example")]));
    return {
      ...requestForm,
      parameters: requestForm.parameters.map((parameter) =>
        withoutUndefined({ ...parameter, start: values.get(parameter.name) }),
      ),
      graph: { kind, name, text, ...(variables && { variables }) },
    };
  };
  return {
    write: () => [...serverList(context, servers, true), ...sections.flatMap((write) => write())],
    samples() {
      if (kind === "subscription") return [];
      const [panel] = requestExample([], [{ request: () => requestSample({ ...context, ...call }) }], api);
      return panel && "children" in panel ? (panel.children as RootContent[]) : [];
    },
    opens: () => playground.offer(form, ({ graph }) => ({ data: [types.outputPath], scripts: [graph] })),
  };
}
