import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { query } from "json-p3";
import { sample } from "openapi-sampler";
import { parse as parseYaml, stringify as writeYaml } from "yaml";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import { selectPath } from "../../src/lib/json-path/json-path.js";
import { sampleValue } from "../../src/reference/samples/sample-value.js";
import { createReferences } from "../../src/reference/schema/references.js";
import { createSchemaReader } from "../../src/reference/schema/schema-reader.js";
import { convertSwagger } from "../../src/site/specs/openapi/convert-swagger.js";
import { parseYamlText } from "../../src/site/specs/text/parse-yaml.js";
import { faultsOf } from "../../test/reference/json-schema.js";
import { specOf } from "../../test/reference/spec-of.js";
import { apiDocument } from "../api-site.ts";
import { connectedSpec } from "../connected-site.ts";
import { type Engine, requireSame } from "./engine.ts";

/** Typical paths of overlays, in a specification of 318 operations. */
export async function jsonpath(): Promise<Engine> {
  const document = apiDocument(53) as JsonObject;
  const paths = [
    "$.info.title",
    "$.paths.*.get",
    "$.paths['/v1/accounts'].post.parameters[*].name",
    "$.paths.*.*.tags[0]",
    "$.components.schemas[?@.type == 'object'].properties",
    "$..parameters[?@.in == 'query' && @.required]",
    "$..[?search(@.description, 'bucket .*ends')].operationId",
  ];
  const ours = () => paths.map((path) => selectPath(document, path).map(({ value }) => value));
  const theirs = () => paths.map((path) => query(path, document as never).values());
  return {
    library: "json-p3",
    unit: "paths",
    count: paths.length,
    compare: () => requireSame("values", ours(), theirs()),
    ours,
    theirs,
  };
}

/** A pattern on which backtracking engines take long: each of many words is searched with it. */
export async function hostileJsonpath(): Promise<Engine> {
  const document: JsonObject = { words: Array.from({ length: 20 }, (_, i) => ({ word: `${"a".repeat(180 + i)}!` })) };
  const path = "$.words[?search(@.word, 'a*a*a*b')]";
  const ours = () => selectPath(document, path).length;
  const theirs = () => query(path, document as never).values().length;
  return {
    library: "json-p3",
    unit: "words",
    count: 20,
    compare: () => requireSame("count", ours(), theirs()),
    ours,
    theirs,
  };
}

/** Requests of a specification whose schemas have patterns, bounds, formats, unions and conditions. */
export async function samples(): Promise<Engine> {
  const variants: readonly JsonObject[] = [
    { type: "string", pattern: "^[A-Z]{3}-\\d{4}(?:-x)?$" },
    { type: "string", minLength: 40, maxLength: 41 },
    { type: "integer", multipleOf: 7, minimum: 100, maximum: 110 },
    { type: "array", minItems: 3, uniqueItems: true, items: { type: "integer", minimum: 1, maximum: 3 } },
    { type: "object", required: ["a"], additionalProperties: { type: "integer" } },
    { oneOf: [{ type: "string", format: "uuid" }, { type: "integer" }] },
    { type: "string", format: "date-time" },
    { type: "object", properties: { a: { type: "string" }, b: { type: "array", items: { type: "number" } } } },
  ];
  const schemas = Object.fromEntries(
    Array.from({ length: 400 }, (_, i): [string, Json] => [
      `Model${i}`,
      { type: "object", properties: Object.fromEntries(variants.slice(i % 4).map((schema, k) => [`p${k}`, schema])) },
    ]),
  );
  const document: JsonObject = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: {},
    components: { schemas },
  };
  const spec = specOf(document);
  const all = Object.values(schemas);
  const ours = () => {
    const reader = createSchemaReader(createReferences(spec));
    return all.map((schema) => sampleValue([schema], reader, { direction: "request", properties: "all" })!);
  };
  const theirs = () => all.map((schema) => sample(schema as object, {}, document) as Json);
  const invalid = (values: readonly Json[]): number =>
    values.filter((value, i) => faultsOf(value, all[i]!, spec, "request").length > 0).length;
  return {
    library: "openapi-sampler",
    unit: "schemas",
    count: all.length,
    compare() {
      const ourInvalid = invalid(ours());
      if (ourInvalid > 0) throw new Error(`${ourInvalid} samples do not match their schemas.`);
      return { theirInvalid: invalid(theirs()) };
    },
    ours,
    theirs,
  };
}

/** A specification of several megabytes of YAML. Ours also keeps the place of each value. */
export async function yaml(): Promise<Engine> {
  const text = writeYaml(apiDocument(80));
  const file = { source: "openapi.yaml", text };
  const ours = () => parseYamlText(file).value;
  const theirs = () => parseYaml(text);
  return {
    library: "yaml",
    unit: "kilobytes",
    count: Math.round(text.length / 1024),
    compare: () => requireSame("document", ours(), theirs()),
    ours,
    theirs,
  };
}

/** A Swagger document of 600 operations, to OpenAPI. */
export async function swagger(): Promise<Engine> {
  const { paths, components } = connectedSpec(600, 120) as { paths: JsonObject; components: { schemas: JsonObject } };
  const text = JSON.stringify({ paths, definitions: components.schemas })
    .replaceAll("#/components/schemas/", "#/definitions/")
    .replaceAll(
      /"requestBody":\{"content":\{"application\/json":\{"schema":(\{[^{}]*\})\}\}\}/g,
      '"parameters":[{"in":"body","name":"body","schema":$1}]',
    )
    .replaceAll(/"content":\{"application\/json":\{"schema":(\{[^{}]*\})\}\}/g, '"schema":$1');
  const json = JSON.stringify({
    swagger: "2.0",
    info: { title: "Connected", version: "1" },
    consumes: ["application/json"],
    produces: ["application/json"],
    ...JSON.parse(text),
  });
  const read = (): JsonObject => JSON.parse(json);
  const bodies = (document: JsonObject): unknown =>
    Object.values(document["paths"] as JsonObject).map((item) => {
      const operation = (item as JsonObject)["post"] as JsonObject;
      return (operation["requestBody"] as JsonObject)["content"];
    });
  const ours = () => convertSwagger(read());
  const theirs = () => upgradeFromTwoToThree(read() as never) as unknown as JsonObject;
  return {
    library: "@scalar/openapi-upgrader",
    unit: "operations",
    count: 600,
    compare: () => requireSame("bodies", bodies(ours()), bodies(theirs())),
    ours,
    theirs,
  };
}
