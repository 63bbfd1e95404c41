import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import {
  buildSchema,
  getVariableValues,
  introspectionFromSchema,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json/index.js";
import { graphqlExample } from "../../src/reference/graphql/graphql-example.js";
import { graphqlTypesFile } from "../../src/reference/graphql/graphql-types.js";
import type { ApiSpec } from "../../src/site/api-spec.js";
import { createApiSpec } from "../../src/site/specs/create-api-spec.js";
import { parseGraphql, serviceMembers } from "../../src/site/specs/graphql/read-graphql.js";
import { type GraphTarget, listEntries } from "../../src/site/specs/index.js";
import { apiDefaults, contentOf, markdownOf } from "./spec-of.js";

const books = `
"""All **books**."""
schema { query: Root, mutation: Change }
directive @auth(role: String) on FIELD_DEFINITION
interface Node { id: ID! }
"A book."
type Book implements Node @key(fields: "id") {
  id: ID!
  title("In capitals." upper: Boolean = false): String!
  isbn: String @deprecated(reason: "Use \`id\`.")
  author: Author
  similar(first: Int!): [Book!]!
}
type Author implements Node { id: ID!, books: [Book!]! }
union Found = Book | Author
enum Genre { "Made up." FICTION, FACTS @deprecated }
input NewBook { title: String!, genre: Genre = FICTION, parent: NewBook }
scalar Date
type Root {
  "Finds one."
  book(id: ID!): Book
  search(text: String!, limit: Int = 10): [Found!]!
}
type Change { addBook(book: NewBook!): Book! @auth(role: "STAFF"), old: Date @deprecated(reason: "Gone.") }
extend type Root { today: Date }
`;

const read = (text: string, source = "schema.graphql") => parseGraphql({ source, text });
function specFrom(text: string, source?: string) {
  const spec = createApiSpec("schema.graphql", read(text, source).value!, () => ({ sourcePath: "schema.graphql" }));
  if ("code" in spec) throw new Error(spec.what);
  return spec;
}
/** The content of a data file of the playground. */
function typesIn(text: string): JsonObject {
  let found = "";
  runInNewContext(text, {
    offprintPlayground: (_: string, json: string) => {
      found = json;
    },
  });
  return JSON.parse(found) as JsonObject;
}

function pageOf(list: GraphTarget["list"], name: string, text = books): string {
  const target: GraphTarget = { kind: "graphql", spec: "schema.graphql", list, name };
  const options = {
    pageOf: (other: { readonly kind: string }) => (other.kind === "graphql" ? "../types/x.md" : undefined),
  };
  return markdownOf(contentOf(specFrom(text), target, options as never).tree);
}

describe("a GraphQL schema", () => {
  test("has a page for each field that clients query and for each type", () => {
    const { entries } = listEntries(specFrom(books), "schema.graphql");
    expect(entries.map(({ tag, name, deprecated }) => `${tag} ${name}${deprecated ? " (deprecated)" : ""}`)).toEqual([
      "Queries book",
      "Queries search",
      "Queries today",
      "Mutations addBook",
      "Mutations old (deprecated)",
      "Types @auth",
      ...["Node", "Book", "Author", "Found", "Genre", "NewBook", "Date"].map((name) => `Types ${name}`),
    ]);
  });

  test("a schema gives the same pages as its introspection result, except for directives", () => {
    const answer = JSON.stringify({
      data: introspectionFromSchema(buildSchema(books.replace(/ @key.*(?= {)/, ""))),
    });
    const names = (spec: ReturnType<typeof specFrom>) =>
      listEntries(spec, "")
        .entries.map(({ name }) => name)
        .sort();
    expect(names(specFrom(answer, "answer.json"))).toEqual(names(specFrom(books)));
  });

  test("shows a field with its arguments, an operation, its variables and an answer", () => {
    expect(pageOf("mutations", "addBook")).toBe(`\`MUTATION addBook\`

## Arguments

- \`book\` ([NewBook!](../types/x.md), required)

## Returns

[\`Book!\`](../types/x.md)

[\`@auth(role: "STAFF")\`](../types/x.md)

**Example request**

\`\`\`graphql title="GraphQL"
mutation AddBook($book: NewBook!) {
  addBook(book: $book) {
    id
    title
    author {
      id
      books {
        id
        title
      }
    }
  }
}
\`\`\`

\`\`\`json title="Variables"
{
  "book": {
    "title": "string",
    "genre": "FICTION"
  }
}
\`\`\`

**Example response**

\`\`\`json title="Response"
{
  "data": {
    "addBook": {
      "id": "1",
      "title": "string",
      "author": {
        "id": "1",
        "books": [
          {
            "id": "1",
            "title": "string"
          }
        ]
      }
    }
  }
}
\`\`\``);
  });

  test("shows types: fields with their arguments, values, members, interfaces", () => {
    const book = pageOf("types", "Book");
    expect(book).toContain('`type`\n\nImplements: [`Node`](../types/x.md)\n\n`@key(fields: "id")`');
    expect(book).toContain("- `isbn` (String, deprecated): Deprecated: Use `id`.");
    expect(book).toContain("- `upper` (Boolean, default: `false`): In capitals.");
    expect(book).toMatch(/- `id` \(ID!\)\n/);
    expect(pageOf("types", "Genre")).toMatch(
      /`enum`\n\n## Values\n\n- `FICTION`: Made up.\n\n- `FACTS` \(deprecated\)/,
    );
    expect(pageOf("types", "Found")).toContain("Possible types: [`Book`](../types/x.md), [`Author`](../types/x.md)");
    expect(pageOf("types", "NewBook")).toContain("- `title` (String!, required)");
    expect(pageOf("mutations", "old")).toContain("> **Warning:** Gone.");
  });

  test("the example operations are valid for the schema's server", () => {
    const herbarium = readFileSync("fixtures/sites/graphql/herbarium.graphql", "utf8");
    const odd = `
      type Query { relay: Query!, pet(of: Owner!): Pet, all: [[Pet!]!], empty: Empty, made(by: A!): String, at(a: Time, b: [Time!]!): Deep }
      union Pet = Cat | Dog
      type Cat { id: ID!, name: String, friend: Cat }
      type Dog { id: Int!, name: String, friend: Dog, loud(x: Int!): Boolean }
      interface Empty { old: Int @deprecated }
      input Owner { id: ID!, of: [Owner!], more: Owner }
      input A { b: B! } input B { a: A, c: [[C!]] = [], d: C! } enum C { X Y }
      scalar Time
      type Deep { a: Deep2 } type Deep2 { a: Deep3 } type Deep3 { a: Deep4 } type Deep4 { id: ID }
    `;
    for (const text of [books, herbarium, odd]) {
      const spec = specFrom(text);
      const schema = buildSchema(text.replace(' @key(fields: "id")', ""), { assumeValidSDL: true });
      expect(listEntries(spec, "").diagnostics).toEqual([]);
      for (const { target } of listEntries(spec, "").entries) {
        if (target.kind !== "graphql" || target.list === "types") continue;
        const part = (spec.document[target.list] as JsonObject)[target.name] as JsonObject;
        const { operation, variables = {} } = graphqlExample(spec.document, target, part);
        expect([operation, validate(schema, parse(operation)).map(({ message }) => message)]).toEqual([operation, []]);
        const [{ variableDefinitions = [] }] = parse(operation).definitions as [OperationDefinitionNode];
        const read = getVariableValues(schema, variableDefinitions, { ...variables });
        expect([variables, read.errors?.map(({ message }) => message)]).toEqual([variables, undefined]);
      }
    }
  });

  test("with a service in the settings, pages have request samples with headers and credentials", () => {
    const service = {
      endpoints: ["https://api.example.com/graphql/"],
      auth: { method: "key", name: "x-key" },
      headers: { "X-Version": "2" },
    } as const;
    const document = { ...(read(books).value as JsonObject), ...serviceMembers(service) };
    const spec = createApiSpec("schema.graphql", document, () => ({ sourcePath: "schema.graphql" })) as ApiSpec;
    const target: GraphTarget = { kind: "graphql", spec: "schema.graphql", list: "queries", name: "book" };
    const api = { examples: { ...apiDefaults.examples, languages: ["curl"], defaults: "required" } } as const;
    const { tree } = contentOf(spec, target, { api });
    const curl = tree
      .flatMap((node) => ("children" in node ? node.children : []))
      .find((node) => "lang" in node && node.lang === "curl");
    expect(curl).toHaveProperty(
      "value",
      `curl --request POST \\
  --url 'https://api.example.com/graphql/' \\
  --header 'x-key: <api-key>' \\
  --header 'X-Version: 2' \\
  --header 'Content-Type: application/json' \\
  --data '{
  "query": "query Book($id: ID!) { book(id: $id) { id title author { id books { id title } } } }",
  "variables": {
    "id": "1"
  }
}'`,
    );
    expect(markdownOf(tree)).toContain("## Authorizations\n\n- `x-key`");
    const subscription = specFrom("type Query { a: Int } type Subscription { b: Int }").document;
    expect(graphqlTypesFile(subscription)).toBeUndefined();
  });

  test("faults of a schema are reported at their places", () => {
    expect(read("type A {\n  b: }\n").diagnostics).toMatchObject([
      { code: "SPEC_SYNTAX", location: { sourcePath: "schema.graphql", line: 2, column: 6 } },
    ]);
    expect(read("type Query {\n  b(c: Lost): [Lost!]\n}").diagnostics).toMatchObject([
      {
        code: "SPEC_REF_BROKEN",
        what: 'schema.graphql uses the type "Lost", which it does not define.',
        location: { line: 2 },
      },
    ]);
    expect(read('{"__schema": {"types": 1}}', "x.json").diagnostics).toMatchObject([{ code: "SPEC_SYNTAX" }]);
    expect(read("").diagnostics).toMatchObject([{ code: "SPEC_SYNTAX" }]);
  });

  test("a schema may have thousands of circular types, deep nesting, names of prototypes and markup", () => {
    const deep = `type Query { a: ${"[".repeat(50_000)}Int${"]".repeat(50_000)} }`;
    expect(read(deep).diagnostics).toMatchObject([{ code: "SPEC_TOO_DEEP" }]);
    expect(read(`type Query { ${"a: Int ".repeat(400_000)} }`).diagnostics).toMatchObject([{ code: "SPEC_TOO_LARGE" }]);
    const fields = Array.from({ length: 50 }, (_, i) => `f${i}: T${i}`).join(" ");
    const types = Array.from({ length: 10_000 }, (_, i) => `type T${i} { n: T${i + 1}! ${i < 50 ? fields : ""} }`);
    const many = `type Query { t(a: T0): T0 } ${types.join("\n")}`;
    expect(pageOf("queries", "t", many)).toContain("query T($a: T0) {");
    const names = Array.from({ length: 10_000 }, (_, i) => `T${i}`);
    const huge = `"${"d".repeat(50_000)} <script>alert(1)</script>" input I { i: I, all: [I!]! = [] }
      type Query { t(i: I!, d: [[[[[[[[I!]!]!]!]!]!]!]!]!): U } union U = ${names.join("|")} ${types.join("\n")}`;
    const document = { ...specFrom(huge).document, servers: [{ url: "https://api.example.com/graphql" }] };
    const file = graphqlTypesFile(document)!;
    expect(file.text.length).toBeLessThan(2_000_000);
    expect(Object.keys(typesIn(file.text)["types"] as object)).toHaveLength(10_003);
    expect(pageOf("queries", "t", huge)).toContain("t(i: $i, d: $d) {\n    __typename\n");
    const tooMany = `type Query { a: B } type B { ${"a".repeat(4)}: Int ${Array.from({ length: 70_000 }, (_, i) => `f${i}: Int`).join(" ")} } type C { d: Int }`;
    const cut = typesIn(graphqlTypesFile({ ...specFrom(tooMany).document, servers: [{ url: "/g" }] })!.text);
    expect(cut["types"]).toEqual({
      Query: { kind: "type", fields: { a: { type: "B" } } },
      B: { kind: "type" },
      C: { kind: "type" },
    });
    const odd =
      'type Query { __proto__: constructor, toString: Int } "<script>alert(1)</script> {x}" type constructor { a: Int }';
    expect(pageOf("queries", "__proto__", odd)).toContain("constructor");
    expect(pageOf("types", "constructor", odd)).not.toMatch(/(?<!\\)<script>/);
    expect((specFrom(odd).document["queries"] as JsonObject)["toString"]).toMatchObject({ type: "Int" });
  });
});

test("the definition of a directive has a page with its arguments and places, to which its uses lead", () => {
  const text = `${books}
"Who may ask."
directive @level(of: Genre!, "For logs." note: String = "none") repeatable on FIELD_DEFINITION | OBJECT
type Shelf @level(of: FACTS) { id: ID! }`;
  const page = pageOf("types", "@level", text);
  for (const words of ["`directive`", "`repeatable on FIELD_DEFINITION | OBJECT`", "`of`", "Genre!", "For logs."])
    expect(page).toContain(words);
  expect(pageOf("types", "Shelf", text)).toContain("[`@level(of: FACTS)`](../types/x.md)");
  expect(read(`${text} directive @lost(by: Nobody) on OBJECT`).diagnostics.map(({ what }) => what)).toEqual([
    'schema.graphql uses the type "Nobody", which it does not define.',
  ]);
});

test("the description of the API contains those of the root types, which have no page", () => {
  const text = '"""Books."""\nschema { query: Root }\n"Where clients begin."\ntype Root { id: ID }';
  const { value } = parseGraphql({ source: "a.graphql", text });
  expect((value as JsonObject)["info"]).toEqual({ description: "Books.\n\nWhere clients begin." });
});

test("many directives of a type are folded under their names", () => {
  const graphs = ["A", "B", "C", "D"].map((graph) => `@join__type(graph: ${graph})`).join(" ");
  const text = `directive @join__type(graph: String) repeatable on OBJECT
type Query { shelf: Shelf } type Shelf ${graphs} @tag { id: ID! } type Pier @join__type(graph: A) { id: ID! }
directive @tag on OBJECT`;
  expect(pageOf("types", "Shelf", text)).toMatch(/@join__type, @tag.*graph: D/s);
  expect(pageOf("types", "Pier", text)).toContain("[`@join__type(graph: A)`]");
});
