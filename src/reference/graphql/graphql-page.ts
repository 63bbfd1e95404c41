import type { RootContent } from "mdast";
import { entriesAt, type Json, type JsonObject, member, textAt, textsAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { GraphTarget } from "../../site/specs/index.js";
import { operationForm } from "../forms/operation-form.js";
import { responseExample, serverList } from "../openapi/operation-page.js";
import { authorizationPart, credentialsOf } from "../operations/authorization-section.js";
import { readOperation } from "../operations/operation.js";
import { parameterParts } from "../operations/parameter-sections.js";
import { absoluteUrl, readServer } from "../operations/server.js";
import {
  clip,
  codeList,
  component,
  countOfMore,
  fence,
  inlineCode,
  link,
  paragraph,
  phrase,
  text,
} from "../pages/nodes.js";
import type { PageContext, Part } from "../pages/page-context.js";
import { printJson } from "../samples/print-json.js";
import { requestSample } from "../samples/request-sample.js";
import { requestExample } from "../samples/sample-panel.js";
import { graphExample, graphOperations } from "./graphql-example.js";
import { graphTypesFile } from "./graphql-types.js";

/** Parts of a page; the rest is only counted. */
const maxParts = 1_000;

/** A page about a field that clients ask for, or about a type, of a GraphQL schema. */
export function graphPart(context: PageContext, target: GraphTarget, part: JsonObject): Part {
  if (target.list === "types") return () => [...deprecation(context, part), ...typeSections(context, part)];
  const { api, spec } = context;
  const example = graphExample(spec.document, target, part, api.examples.defaults === "all");
  const request = graphRequest(context, target, example);
  return () => [
    component("ApiHeader", {
      method: graphOperations[target.list].toUpperCase(),
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
  const said = reason === "" ? [paragraph(text(`${messages.deprecated}.`))] : describe.field(reason);
  return [component("Warning", {}, said)];
}

function fieldSections(context: PageContext, part: JsonObject): RootContent[] {
  const { messages } = context;
  return [
    ...section(context, messages.graphArguments, "arguments", part, "args"),
    component("ApiSection", { title: messages.graphReturns, id: "returns" }, [
      paragraph(typeLink(context, textAt(part, "of") ?? "", textAt(part, "type"))),
      ...directiveNotes(part),
    ]),
  ];
}

/** @param samples of the request. */
function examples(
  { messages }: PageContext,
  { operation, variables, answer }: ReturnType<typeof graphExample>,
  samples: readonly RootContent[],
): RootContent[] {
  const own = [
    fence("graphql", operation, "GraphQL"),
    ...(variables === undefined ? [] : [fence("json", printJson(variables), messages.graphVariables)]),
  ];
  const props = samples.length > 0 ? { dropdown: true, telling: own.length } : {};
  return [
    component("RequestExample", props, [...own, ...samples]),
    ...responseExample([fence("json", printJson(answer), messages.response)]),
  ];
}

function typeSections(context: PageContext, part: JsonObject): RootContent[] {
  const { messages } = context;
  const types = (key: string, label: string): RootContent[] => {
    const names = textsAt(part, key).slice(0, maxParts);
    if (names.length === 0) return [];
    const linked = names.flatMap((name, i) => [...(i === 0 ? [] : [text(", ")]), typeLink(context, name)]);
    return [component("FieldNote", { label }, linked)];
  };
  return [
    component("FieldNote", {}, [inlineCode(textAt(part, "kind") ?? "")]),
    ...types("interfaces", messages.graphImplements),
    ...types("members", messages.graphPossible),
    ...directiveNotes(part),
    ...section(context, messages.graphFields, "fields", part, "fields"),
    ...section(context, messages.graphValues, "values", part, "values"),
  ];
}

function section(context: PageContext, title: string, id: string, holder: JsonObject, key: string): RootContent[] {
  const parts = entriesAt(holder, key);
  if (parts.length === 0) return [];
  const isInput = key === "args" || textAt(holder, "kind") === "input";
  return [
    component("ApiSection", { title, id }, [
      ...parts.slice(0, maxParts).map(([name, part]) => field(context, name, part, isInput)),
      ...countOfMore(parts.length - maxParts),
    ]),
  ];
}

/** A field, argument or value; the arguments of a field are folded below it. @param isInput clients give its value. */
function field(context: PageContext, name: string, part: Json, isInput: boolean, parent?: string): RootContent {
  const { anchors, describe, messages } = context;
  const id = anchors.claim(name, parent, "field");
  const type = textAt(part, "type");
  const reason = member(part, "deprecated");
  const args = entriesAt(part, "args").slice(0, maxParts);
  return component(
    "ParamField",
    {
      name: clip(name, 200),
      id,
      type: type && clip(type, 200),
      default: textAt(part, "default") && clip(textAt(part, "default")!, 160),
      required: (isInput && type?.endsWith("!") && textAt(part, "default") === undefined) || undefined,
      deprecated: typeof reason === "string" || undefined,
    },
    [
      ...describe.field(textAt(part, "description")),
      ...(typeof reason === "string" && reason !== ""
        ? [component("FieldNote", { label: messages.deprecated }, phrase(clip(reason, 1_000)))]
        : []),
      ...typeNote(context, part),
      ...directiveNotes(part),
      ...(args.length === 0
        ? []
        : [
            component(
              "Expandable",
              { title: messages.graphArguments },
              args.map(([inner, each]) => field(context, inner, each, true, id)),
            ),
          ]),
    ],
  );
}

/** A link to the page of the type that a part has. */
function typeNote(context: PageContext, part: Json): RootContent[] {
  const of = textAt(part, "of");
  const node = of === undefined ? undefined : typeLink(context, of);
  return node?.type === "link" ? [component("FieldNote", {}, [node])] : [];
}

/** @param label absent: the name */
function typeLink({ spec, key, pageOf }: PageContext, name: string, label = name) {
  const isKnown = member(spec.document["types"], name) !== undefined;
  const href = isKnown ? pageOf({ kind: "graphql", spec: key, list: "types", name }) : undefined;
  return href === undefined ? inlineCode(label) : link(href, inlineCode(label));
}

const directiveNotes = (part: Json): RootContent[] => {
  const directives = textsAt(part, "directives").slice(0, 20);
  return directives.length === 0
    ? []
    : [
        component(
          "FieldNote",
          {},
          codeList(
            directives.map((each) => clip(each, 200)),
            " ",
          ),
        ),
      ];
};

interface GraphRequest {
  /** Where the API answers, and what requests need. */
  readonly write: Part;
  /** The request in the languages of the site. */
  readonly samples: () => readonly RootContent[];
  /** Files that the page loads when a reader opens the playground. */
  readonly opens: () => readonly string[] | undefined;
}

/** How an operation is sent; undefined if the site does not say where. */
function graphRequest(
  context: PageContext,
  { list, name }: GraphTarget,
  { operation: text, variables }: ReturnType<typeof graphExample>,
): GraphRequest | undefined {
  const { spec, references, api, playground } = context;
  const types = graphTypesFile(spec.document);
  const kind = graphOperations[list];
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
  const parts = [authorizationPart(context, ways), parameterParts(context, parameters)];
  const form = () => {
    const made = operationForm(context, { ...call, servers, ways, parameters });
    const values = new Map(parameters.map((each) => [each.name, textAt(each.written, "example")]));
    return (
      made && {
        ...made,
        parameters: made.parameters.map((each) => withoutUndefined({ ...each, start: values.get(each.name) })),
        graph: { kind, name, text, ...(variables && { variables }) },
      }
    );
  };
  return {
    write: () => [...serverList(context, servers, true), ...parts.flatMap((write) => write())],
    samples() {
      if (kind === "subscription") return [];
      const [made] = requestExample({}, [{ request: () => requestSample({ ...context, ...call }) }], api);
      return made && "children" in made ? (made.children as RootContent[]) : [];
    },
    opens: () => playground.offer(form, types.outputPath),
  };
}
