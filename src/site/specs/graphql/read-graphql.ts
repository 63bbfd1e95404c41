import { createRequire } from "node:module";
import { type Diagnostic, type Location, warningOf } from "../../../lib/diagnostic/index.js";
import { isObject, type Json, type JsonObject, member, textAt } from "../../../lib/json/index.js";
import { lazy } from "../../../lib/memo.js";
import { builtFile } from "../../../lib/package-root.js";
import type { GraphService } from "../../config/index.js";
import { reportFirst } from "../check-references.js";
import { parseJsonText } from "../text/parse-spec-text.js";
import {
  isJsonText,
  type ParsedText,
  type SpecText,
  specSyntax,
  specTooDeep,
  specTooLarge,
} from "../text/spec-text.js";

/** A token takes about 150 bytes of memory. The largest public schemas have a third of this number. */
const maxTokens = 1_000_000;

/** Whether a JSON document is the answer to an introspection query. */
export const isIntrospection = (value: Json | undefined): boolean =>
  isObject(member(value, "__schema")) || isObject(member(member(value, "data"), "__schema"));

/**
 * Reads a GraphQL schema, in its own language or as the answer to an introspection query.
 *
 * Out: a document with `queries`, `mutations`, `subscriptions` and `types` by name. Each part has `at`, its line and column.
 */
export function parseGraphql(file: SpecText): ParsedText {
  const { source } = file;
  if (!isJsonText(file)) return parseSchema(source, file.text, true);
  const { value, diagnostics } = parseJsonText(file);
  if (value === undefined) return { diagnostics };
  const answer = isObject(member(value, "__schema")) ? value : member(value, "data");
  try {
    const { buildClientSchema, printSchema } = graphLibrary();
    const read = parseSchema(source, printSchema(buildClientSchema(answer)), false);
    return { ...read, diagnostics: [...diagnostics, ...read.diagnostics] };
  } catch (error) {
    return { diagnostics: [...diagnostics, unreadable(error, { sourcePath: source })] };
  }
}

function parseSchema(source: string, text: string, hasPlaces: boolean): ParsedText {
  try {
    const { definitions } = graphLibrary().parse(text, { maxTokens });
    const placeOf = ({ loc }: GraphNode): Location =>
      hasPlaces && loc
        ? { sourcePath: source, line: loc.startToken.line, column: loc.startToken.column }
        : { sourcePath: source };
    return documentOf(source, definitions, placeOf);
  } catch (error) {
    return { diagnostics: [unreadable(error, { sourcePath: source })] };
  }
}

function unreadable(error: unknown, file: Location): Diagnostic {
  if (error instanceof RangeError) return specTooDeep(file);
  const { message, locations } = error as Error & { readonly locations?: readonly { line: number; column: number }[] };
  if (/contains more tha[nt]/i.test(message)) return specTooLarge(file.sourcePath);
  const what = `${file.sourcePath} is not valid GraphQL: ${message.replace(/^Syntax Error: |\.$/g, "")}.`;
  return specSyntax(
    what,
    { ...file, ...locations?.[0] },
    "correct it here; an editor with GraphQL support shows where it fails.",
  );
}

type PlaceOf = (node: GraphNode) => Location;

const kinds: Readonly<Record<string, string>> = {
  ObjectType: "type",
  InterfaceType: "interface",
  UnionType: "union",
  EnumType: "enum",
  InputObjectType: "input",
  ScalarType: "scalar",
  Directive: "directive",
};
const operationLists = { query: "queries", mutation: "mutations", subscription: "subscriptions" } as const;
const builtIn = new Set(["String", "Int", "Float", "Boolean", "ID"]);

function documentOf(source: string, definitions: readonly GraphNode[], placeOf: PlaceOf): ParsedText {
  const written = new Map<string, GraphNode[]>();
  const roots = new Map<string, string>();
  const descriptions: string[] = [];
  for (const node of definitions) {
    if (/^Schema/.test(node.kind)) {
      if (node.description) descriptions.push(node.description.value);
      for (const { operation, type } of node.operationTypes ?? []) roots.set(operation ?? "", nodeName(type));
    } else if (typeKind(node) !== undefined) {
      // Distinguish directives, since a type may have the same name.
      const name = (typeKind(node) === "directive" ? "@" : "") + nodeName(node);
      written.set(name, [...(written.get(name) ?? []), node]);
    }
  }
  const rootOf = (operation: string, usual: string): readonly GraphNode[] =>
    written.get(roots.get(operation) ?? (roots.size === 0 ? usual : "")) ?? [];
  const lists = Object.entries(operationLists).map(
    ([operation, list]) => [list, rootOf(operation, operation[0]!.toUpperCase() + operation.slice(1))] as const,
  );
  const isRoot = new Set(lists.flatMap(([, nodes]) => nodes));
  // Root types have no page of their own.
  for (const { description } of isRoot) if (description) descriptions.push(description.value);
  const types = [...written].filter(([name, nodes]) => !isRoot.has(nodes[0]!) && !builtIn.has(name));
  const document: JsonObject = {
    graphql: "schema",
    roots: Object.fromEntries(lists.flatMap(([list, [node]]) => (node ? [[nodeName(node), list]] : []))),
    info: descriptions.length === 0 ? {} : { description: descriptions.join("\n\n") },
    ...Object.fromEntries(
      lists.map(([list, nodes]) => [
        list,
        byName(
          nodes.flatMap(({ fields = [] }) => fields),
          placeOf,
        ),
      ]),
    ),
    types: Object.fromEntries(types.map(([name, nodes]) => [name, typeOf(nodes, placeOf)])),
  };
  return { value: document, diagnostics: missingTypes(source, document) };
}

const nodeName = (node: GraphNode | undefined): string => node?.name?.value ?? "";
const typeKind = ({ kind }: GraphNode): string | undefined => kinds[kind.replace(/(?:Definition|Extension)$/, "")];

/** The type at the core of lists and non-null types. */
const coreOf = (type: GraphNode | undefined): string => {
  let core = type;
  while (core?.type) core = core.type;
  return nodeName(core);
};

function typeOf(nodes: readonly GraphNode[], placeOf: PlaceOf): JsonObject {
  const [first] = nodes;
  const all = <K extends "fields" | "values" | "types" | "interfaces">(key: K): GraphNode[] =>
    nodes.flatMap((node) => node[key] ?? []);
  const names = (list: readonly GraphNode[]): JsonObject => (list.length === 0 ? {} : { names: list.map(nodeName) });
  return {
    ...factsOf({ ...first!, directives: nodes.flatMap(({ directives = [] }) => directives) }, placeOf),
    kind: typeKind(first!)!,
    ...(all("fields").length > 0 && { fields: byName(all("fields"), placeOf) }),
    ...(all("values").length > 0 && { values: byName(all("values"), placeOf) }),
    ...(all("types").length > 0 && { members: names(all("types"))["names"]! }),
    ...(all("interfaces").length > 0 && { interfaces: names(all("interfaces"))["names"]! }),
    ...(first!.locations && {
      args: byName(first!.arguments ?? [], placeOf),
      locations: `${first!.repeatable ? "repeatable " : ""}on ${first!.locations.map(({ value }) => value).join(" | ")}`,
    }),
  };
}

const byName = (nodes: readonly GraphNode[], placeOf: PlaceOf): JsonObject =>
  Object.fromEntries(nodes.map((node) => [nodeName(node), fieldOf(node, placeOf)]));

function fieldOf(node: GraphNode, placeOf: PlaceOf): JsonObject {
  const { print } = graphLibrary();
  return {
    ...factsOf(node, placeOf),
    ...(node.type && { type: print(node.type), of: coreOf(node.type) }),
    ...(node.defaultValue && { default: print(node.defaultValue) }),
    ...(node.arguments && node.arguments.length > 0 && { args: byName(node.arguments, placeOf) }),
  };
}

function factsOf({ description, directives = [], ...node }: GraphNode, placeOf: PlaceOf): JsonObject {
  const { line, column } = placeOf(node);
  const deprecated = directives.find((directive) => nodeName(directive) === "deprecated");
  const reason = deprecated?.arguments?.find((argument) => nodeName(argument) === "reason")?.value;
  const others = directives.filter((directive) => directive !== deprecated);
  const text = typeof reason === "object" && typeof reason.value === "string" ? reason.value : "";
  return {
    ...(line !== undefined && { at: [line, column ?? 1] }),
    ...(description && { description: description.value }),
    ...(deprecated && { deprecated: text }),
    ...(others.length > 0 && { directives: others.map(graphLibrary().print) }),
  };
}

/** Reports types that the schema uses and does not define. */
function missingTypes(source: string, document: JsonObject): Diagnostic[] {
  const missing = new Map<string, Location>();
  const isDefined = (name: string): boolean =>
    member(document["types"], name) !== undefined || member(document["roots"], name) !== undefined;
  const visit = (field: Json, isArgument = false): void => {
    const of = textAt(field, "of");
    if (of !== undefined && !builtIn.has(of) && !isDefined(of) && !missing.has(of))
      missing.set(of, placeAt(source, field));
    if (!isArgument) for (const argument of Object.values(member(field, "args") ?? {})) visit(argument as Json, true);
  };
  for (const list of Object.values(operationLists))
    for (const field of Object.values(document[list] as JsonObject)) visit(field);
  for (const type of Object.values(document["types"] as JsonObject))
    for (const field of [type, ...Object.values(member(type, "fields") ?? {})]) visit(field as Json);
  const describe = ([name, location]: readonly [string, Location]): Diagnostic => ({
    ...warningOf("SPEC_REF_BROKEN", location),
    what: `${source} uses the type "${name}", which it does not define.`,
    fix: `define "${name}", or correct the name.`,
  });
  return reportFirst(source, [...missing], describe, "types that it does not define");
}

/** Location of a part of a document. */
export function placeAt(source: string, part: Json | undefined): Location {
  const at = member(part, "at");
  const [line, column] = Array.isArray(at) ? at : [];
  return typeof line === "number" && typeof column === "number"
    ? { sourcePath: source, line, column }
    : { sourcePath: source };
}

/** The settings of the server of a schema, as the members of an OpenAPI document. */
export function serviceMembers({ endpoints, auth, headers = {} }: GraphService): JsonObject {
  const securitySchemes = schemesOf(auth?.method, auth?.name);
  const security = auth?.method === undefined ? [] : [{ auth: [] }];
  const parameters = Object.entries(headers).map(([name, value]) => ({
    name,
    in: "header",
    required: true,
    schema: { type: "string" },
    example: value,
  }));
  return { servers: endpoints.map((url) => ({ url })), security, components: { securitySchemes }, parameters };
}

/** The security schemes for a setting. @param name name of the header with the key. */
export function schemesOf(method: string | undefined, name: string | undefined): JsonObject {
  const header = (headerName: string): JsonObject => ({ type: "apiKey", in: "header", name: headerName });
  switch (method) {
    case "bearer":
    case "basic":
      return { auth: { type: "http", scheme: method } };
    case "key":
      return { auth: header(name ?? "x-api-key") };
    case "cobo":
      return { key: header("Biz-Api-Key"), nonce: header("Biz-Api-Nonce"), signature: header("Biz-Api-Signature") };
    default:
      return {};
  }
}

/** The used fields of the syntax trees of the package `graphql`. */
interface GraphNode {
  readonly kind: string;
  readonly name?: { readonly value: string };
  readonly description?: { readonly value: string };
  readonly type?: GraphNode;
  readonly operation?: string;
  readonly operationTypes?: readonly GraphNode[];
  readonly fields?: readonly GraphNode[];
  readonly arguments?: readonly GraphNode[];
  readonly values?: readonly GraphNode[];
  readonly types?: readonly GraphNode[];
  readonly interfaces?: readonly GraphNode[];
  readonly directives?: readonly GraphNode[];
  /** Where a directive may be. */
  readonly locations?: readonly { readonly value: string }[];
  readonly repeatable?: boolean;
  readonly defaultValue?: GraphNode;
  readonly value?: GraphNode | string;
  readonly loc?: { readonly startToken: { readonly line: number; readonly column: number } };
}

interface GraphLibrary {
  parse(text: string, options: { readonly maxTokens: number }): { readonly definitions: readonly GraphNode[] };
  print(node: GraphNode): string;
  buildClientSchema(introspection: unknown): unknown;
  printSchema(schema: unknown): string;
}

/** Loaded on demand, since most sites have no GraphQL schema. */
const graphLibrary = lazy(() => createRequire(import.meta.url)(builtFile("graphql.js")) as GraphLibrary);
