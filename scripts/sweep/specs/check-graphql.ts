// Queries, mutations, subscriptions and types of a GraphQL schema, compared with their pages.
import { readFileSync } from "node:fs";
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  specifiedScalarTypes,
  visit,
} from "graphql";
import type { Tally } from "./check-operation.ts";
import { holdsText } from "./find-text.ts";
import type { Pages } from "./pages.ts";
import { wordsIn } from "./words.ts";
import type { Box, WrittenPage } from "./written-page.ts";

export interface GraphPages {
  /** The page of a field that clients ask for ("QUERY", "user"). */
  operation(kind: string, name: string): WrittenPage | undefined;
  type(name: string): WrittenPage | undefined;
}

/** The schema of a text. A part of a supergraph may use types that another part defines: they count as scalars. */
function schemaOf(text: string): GraphQLSchema {
  const written = parse(text);
  const [defined, used] = [new Set<string>(), new Set<string>()];
  visit(written, {
    enter(node) {
      if (node.kind === "NamedType") used.add(node.name.value);
      else if (/TypeDefinition$/.test(node.kind) && "name" in node && node.name) defined.add(node.name.value);
    },
  });
  const definitions = written.definitions.map((node) => {
    if (!/TypeExtension$/.test(node.kind) || !("name" in node) || !node.name || defined.has(node.name.value))
      return node;
    defined.add(node.name.value);
    return { ...node, kind: node.kind.replace("Extension", "Definition") } as typeof node;
  });
  const builtIn = new Set(specifiedScalarTypes.map(({ name }) => name));
  const others = [...used].filter((name) => !defined.has(name) && !builtIn.has(name));
  const whole: DocumentNode = {
    ...written,
    definitions: [...definitions, ...others.flatMap((name) => parse(`scalar ${name}`).definitions)],
  };
  return buildASTSchema(whole, { assumeValid: true });
}

/** @returns the number of queries, mutations and subscriptions. */
export function checkGraphQl(path: string, found: GraphPages, pages: Pages, tally: Tally): number {
  const schema = schemaOf(readFileSync(path, "utf8"));
  /** They have no page: each of their fields has one. */
  const roots = new Set<GraphQLNamedType>(rootsOf(schema).map(([, type]) => type));
  let operations = 0;
  for (const [kind, type] of rootsOf(schema))
    for (const field of Object.values(type.getFields())) {
      operations++;
      const place = `${kind} ${field.name}`;
      const page = found.operation(kind, field.name);
      tally.check("page", page !== undefined, place, () => "no page");
      if (page === undefined) continue;
      checkText("description", field.description, page.root, place);
      checkArguments(field.args, page.root, place);
      const result = getNamedType(field.type).name;
      const leads = [...page.links].some((href) => pages.follow(page, href)?.page.title === result);
      const isPlain = isSpecifiedScalarType(getNamedType(field.type)) || roots.has(getNamedType(field.type));
      tally.check("link to the result", isPlain || leads, place, () => result, page.path);
      pages.forget(page.path);
    }
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type) || roots.has(type)) continue;
    const page = found.type(type.name);
    tally.check("page of a type", page !== undefined, type.name, () => "no page");
    if (page === undefined) continue;
    checkText("type description", type.description, page.root, type.name);
    checkMembers(type, page);
  }
  return operations;

  function checkMembers(type: GraphQLNamedType, page: WrittenPage): void {
    const place = type.name;
    if (isEnumType(type))
      for (const { name, description } of type.getValues()) checkField(name, description, page.root, place);
    if (isUnionType(type))
      for (const { name } of type.getTypes())
        tally.check("union member", page.words.includes(wordsIn(name)), place, () => name, page.path);
    if (isInputObjectType(type))
      for (const { name, description } of Object.values(type.getFields()))
        checkField(name, description, page.root, place);
    if (isObjectType(type) || isInterfaceType(type))
      for (const { name, description, args } of Object.values(type.getFields())) {
        const box = checkField(name, description, page.root, place);
        if (box) checkArguments(args, box, `${place}.${name}`);
      }
  }

  function checkField(name: string, description: string | null | undefined, box: Box, place: string): Box | undefined {
    const [field] = box.fields.get(name) ?? [];
    tally.check("property", field !== undefined, place, () => name, box.page.path);
    if (field) checkText("property description", description, field, `${place}.${name}`);
    return field;
  }

  function checkArguments(args: readonly GraphQLArgument[], box: Box, place: string): void {
    for (const { name, description } of args) {
      const [field] = box.fields.get(name) ?? [];
      tally.check("parameter", field !== undefined, place, () => name, box.page.path);
      if (field) checkText("parameter description", description, field, `${place}(${name})`);
    }
  }

  function checkText(kind: string, text: string | null | undefined, box: Box, place: string): void {
    if (!text) return;
    const missing = holdsText(box, text, pages);
    tally.check(kind, missing === undefined, place, () => missing!.slice(0, 160), box.page.path);
  }
}

const rootsOf = (schema: GraphQLSchema) =>
  (
    [
      ["QUERY", schema.getQueryType()],
      ["MUTATION", schema.getMutationType()],
      ["SUBSCRIPTION", schema.getSubscriptionType()],
    ] as const
  ).flatMap(([kind, type]) => (type ? [[kind, type] as const] : []));
