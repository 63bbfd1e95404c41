import type { Json, JsonObject } from "../../../lib/json/index.js";
import {
  entriesAt,
  isContainer,
  isObject,
  isTrueAt,
  listAt,
  member,
  textAt,
  textsAt,
} from "../../../lib/json/index.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import { methods } from "../api-target.js";
import { resolvePointer } from "../resolve-pointer.js";

/** The starts of the pointers of parts of a converted document, and of the same parts in the document as written. */
const swaggerPlaces: readonly (readonly [to: string, from: string])[] = [
  ["#/components/schemas/", "#/definitions/"],
  ["#/components/parameters/", "#/parameters/"],
  ["#/components/responses/", "#/responses/"],
  ["#/components/securitySchemes/", "#/securityDefinitions/"],
];

/** The pointer of a part of a converted document in the document as written. */
export function writtenPointer(pointer: string): string {
  const place = swaggerPlaces.find(([to]) => pointer.startsWith(to));
  return place === undefined ? pointer : place[1] + pointer.slice(place[0].length);
}

const converted = new Set(
  "swagger host basePath schemes consumes produces definitions parameters responses securityDefinitions".split(" "),
);

/** Converts Swagger 2.0 to OpenAPI 3.0. Paths and methods keep their pointers. */
export function convertSwagger(document: JsonObject): JsonObject {
  const convert = createValueConverter();
  const mapped = (holder: string, change: (value: Json) => Json): JsonObject =>
    Object.fromEntries(entriesAt(document, holder).map(([name, value]) => [name, change(value)]));
  // Keep names that Swagger does not define, so that they are reported.
  const common = Object.fromEntries(Object.entries(document).filter(([key]) => !converted.has(key)));
  const toOperation = (operation: JsonObject, around: readonly Json[]) =>
    convertOperation(operation, around, document, convert);
  const path = (item: Json): Json => {
    if (!isObject(item)) return item;
    const shared = listAt(item, "parameters");
    const changed = Object.entries(item).map(([key, value]): [string, Json] => {
      if (key === "parameters") return [key, parametersOf(shared, document, convert)];
      return [key, methods.includes(key) && isObject(value) ? toOperation(value, shared) : value];
    });
    return Object.fromEntries(changed);
  };
  const produces = textsAt(document, "produces");
  return {
    openapi: "3.0.4",
    ...common,
    servers: serversOf(document),
    paths: mapped("paths", path),
    components: {
      schemas: mapped("definitions", convert),
      parameters: Object.fromEntries(
        entriesAt(document, "parameters")
          .filter(([, parameter]) => !isBodyPart(parameter))
          .map(([name, parameter]) => [name, isObject(parameter) ? convertParameter(parameter, convert) : parameter]),
      ),
      responses: mapped("responses", (response) => convertResponse(response, produces, convert)),
      securitySchemes: mapped("securityDefinitions", convertScheme),
    },
  };
}

/** @param schemes of the document, or of one operation. */
function serversOf(document: JsonObject, schemes = textsAt(document, "schemes")): Json[] {
  // The extension of Azure for a host with variables.
  const template = member(document, "x-ms-parameterized-host");
  const host = textAt(template, "hostTemplate") ?? textAt(document, "host");
  const base = (textAt(document, "basePath") ?? (template === undefined ? "/" : "")).replace(/^(?=[^/])/, "/");
  if (host === undefined) return [{ url: base }];
  const variables = listAt(template, "parameters").flatMap((each): [string, Json][] => {
    const written = followed(each, document);
    const name = textAt(written, "name");
    return name === undefined ? [] : [[name, written]];
  });
  const fallback = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?::\d|$)/i.test(host) ? "http" : "https";
  const starts =
    member(template, "useSchemePrefix") === false
      ? [""]
      : (schemes.length === 0 ? [fallback] : schemes).map((scheme) => `${scheme.replace(/:.*/s, "").toLowerCase()}://`);
  return starts.map((start) => ({
    url: start + host + base,
    ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
  }));
}

type Convert = (value: Json) => Json;

/** Changes references and the keywords of schemas. A value that is used in several places is changed only once. */
function createValueConverter(): Convert {
  const values = new Map<Json, Json>();
  const convert = (value: Json): Json => {
    if (!isContainer(value)) return value;
    const cached = values.get(value);
    if (cached !== undefined) return cached;
    const changed: Json = Array.isArray(value)
      ? value.map(convert)
      : Object.fromEntries(Object.entries(value).flatMap(([key, child]) => keyword(key, child, convert)));
    values.set(value, changed);
    return changed;
  };
  return convert;
}

function keyword(key: string, value: Json, convert: Convert): [string, Json][] {
  if (key === "$ref" && typeof value === "string") return [[key, movedReference(value)]];
  if (key === "x-nullable" && typeof value === "boolean") return [["nullable", value]];
  if (key === "discriminator" && typeof value === "string") return [[key, { propertyName: value }]];
  // This is the default.
  if (key === "collectionFormat" && value === "csv") return [];
  if (key === "type" && value === "file")
    return [
      ["type", "string"],
      ["format", "binary"],
    ];
  // The names of properties are not keywords.
  if (key === "properties" && isObject(value))
    return [[key, Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convert(schema)]))]];
  // These values are data of the API, even if they look like schemas.
  if (["example", "default", "enum"].includes(key)) return [[key, value]];
  return [[key, convert(value)]];
}

function movedReference(reference: string): string {
  const place = swaggerPlaces.find(([, from]) => reference.startsWith(from));
  return place === undefined ? reference : place[0] + reference.slice(place[1].length);
}

function convertOperation(
  operation: JsonObject,
  around: readonly Json[],
  document: JsonObject,
  convert: Convert,
): JsonObject {
  const { parameters: _, consumes: __, produces: ___, schemes: ____, responses: _____, ...rest } = operation;
  const parameters = listAt(operation, "parameters");
  const schemes = textsAt(operation, "schemes");
  const types = (key: string): string[] => {
    const named = textsAt(operation, key);
    return named.length > 0 ? named : textsAt(document, key);
  };
  const body = requestBodyOf(
    [...around, ...parameters].map((parameter) => parameterAt(parameter, document)),
    types("consumes"),
    convert,
  );
  // A shared response has the media types of the operation that refers to it.
  const hasTypes = textsAt(operation, "produces").length > 0;
  const responses = entriesAt(operation, "responses").map(([status, response]): [string, Json] => [
    status,
    convertResponse(hasTypes ? followed(response, document) : response, types("produces"), convert),
  ]);
  return {
    ...(convert(rest) as JsonObject),
    ...(parameters.length > 0 ? { parameters: parametersOf(parameters, document, convert) } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    ...(schemes.length > 0 && { servers: serversOf(document, schemes) }),
    responses: Object.fromEntries(responses),
  };
}

const followed = (value: Json, document: JsonObject): Json => {
  const reference = textAt(value, "$ref");
  return (reference === undefined ? undefined : resolvePointer(document, reference)) ?? value;
};

/** Resolves a parameter. A reference next to the name and `in` of a parameter refers to its schema. */
const parameterAt = (written: Json, document: JsonObject): Json =>
  textAt(written, "in") === undefined ? followed(written, document) : written;

const isBodyPart = (parameter: Json): boolean => /^(?:body|formData)$/.test(textAt(parameter, "in") ?? "");

/** The parameters without the body and its parts. */
const parametersOf = (written: readonly Json[], document: JsonObject, convert: Convert): Json[] =>
  written
    .filter((parameter) => !isBodyPart(parameterAt(parameter, document)))
    .map((parameter) =>
      isObject(parameter) && (!("$ref" in parameter) || "in" in parameter)
        ? convertParameter(parameter, convert)
        : convert(parameter),
    );

/** Keywords of a parameter that stay outside its schema. */
const outside = new Set(["name", "in", "description", "required", "deprecated", "allowEmptyValue"]);

function convertParameter(parameter: JsonObject, convert: Convert): JsonObject {
  const { collectionFormat, "x-example": example, schema: inner, ...rest } = parameter;
  const entries = Object.entries({ ...(example === undefined ? {} : { example }), ...rest });
  const isOutside = ([key]: [string, Json]): boolean => outside.has(key) || key.startsWith("x-");
  const schema = Object.fromEntries(entries.filter((entry) => !isOutside(entry)));
  return {
    ...Object.fromEntries(entries.filter(isOutside)),
    ...styleOf(collectionFormat, textAt(parameter, "in")),
    // Only bodies may have a schema, but some writers give one to other parameters.
    schema: convert(!isObject(inner) ? schema : Object.keys(schema).length === 0 ? inner : { ...inner, ...schema }),
  };
}

const separated: ReadonlyMap<Json, string> = new Map([
  ["ssv", "spaceDelimited"],
  ["tsv", "tabDelimited"],
  ["pipes", "pipeDelimited"],
]);

function styleOf(format: Json | undefined, place: string | undefined): JsonObject {
  if (place !== "query" && place !== "formData") return {};
  if (format === "multi") return { style: "form", explode: true };
  return { style: (format && separated.get(format)) || "form", explode: false };
}

function requestBodyOf(
  parameters: readonly Json[],
  consumes: readonly string[],
  convert: Convert,
): JsonObject | undefined {
  const body = parameters.filter(isObject).findLast((parameter) => textAt(parameter, "in") === "body");
  if (body !== undefined) {
    // Some writers put "type" next to "in", as in other parameters, instead of a "schema".
    const { schema } = convertParameter(body, convert);
    const types = consumes.length > 0 ? consumes : ["application/json"];
    const examples = member(body, "x-examples");
    const media = types.map((type): [string, Json] => {
      const example = member(body, "x-example") ?? exampleFor(type, examples);
      return [type, withoutUndefined({ schema, example }) as JsonObject];
    });
    return withoutUndefined({
      description: member(body, "description"),
      required: isTrueAt(body, "required"),
      content: Object.fromEntries(media),
    }) as JsonObject;
  }
  const fields = parameters.filter(isObject).filter((parameter) => textAt(parameter, "in") === "formData");
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === "file");
  const forms = consumes.filter(
    (type) => /^multipart\//i.test(type) || (!hasFile && /x-www-form-urlencoded/i.test(type)),
  );
  const usual = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  const properties = fields.map((field): [string, Json] => {
    const { schema, description } = convertParameter(field, convert);
    const described = { ...(schema as JsonObject), ...(description === undefined ? {} : { description }) };
    return [textAt(field, "name") ?? "", described];
  });
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: fields.filter((field) => isTrueAt(field, "required")).map((field) => textAt(field, "name") ?? ""),
  };
  const lists = fields.filter(({ type }) => type === "array");
  const encoding = lists.map((field): [string, Json] => [
    textAt(field, "name") ?? "",
    styleOf(field["collectionFormat"], "formData"),
  ]);
  const media = { schema, ...(lists.length > 0 && { encoding: Object.fromEntries(encoding) }) };
  return {
    required: schema.required.length > 0,
    content: Object.fromEntries((forms.length > 0 ? forms : [usual]).map((type) => [type, media])),
  };
}

const isMediaType = (name: string): boolean => name.includes("/");

/** The example for a media type. Some writers put the example itself in place of the object with media types. */
const exampleFor = (type: string, examples: Json | undefined): Json | undefined =>
  isObject(examples) && Object.keys(examples).every(isMediaType) ? examples[type] : examples;

function convertResponse(response: Json, produces: readonly string[], convert: Convert): Json {
  if (!isObject(response)) return response;
  if ("$ref" in response) return convert(response);
  const { schema, examples, headers, ...rest } = response;
  const defaults = produces.length > 0 ? produces : ["application/json"];
  const described = schema === undefined ? [] : defaults;
  const exampleTypes = isObject(examples) ? Object.keys(examples) : [];
  const types = new Set([...described, ...(exampleTypes.every(isMediaType) ? exampleTypes : defaults)]);
  const content = [...types].map((type): [string, Json] => {
    const ofType = described.includes(type) ? convert(schema!) : undefined;
    return [type, withoutUndefined({ schema: ofType, example: exampleFor(type, examples) }) as JsonObject];
  });
  const changed = Object.entries(isObject(headers) ? headers : {}).map(([name, header]): [string, Json] => [
    name,
    isObject(header) ? convertParameter(header, convert) : header,
  ]);
  return {
    ...rest,
    ...(changed.length > 0 ? { headers: Object.fromEntries(changed) } : {}),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  };
}

const flowNames: Readonly<Record<string, string>> = {
  implicit: "implicit",
  password: "password",
  application: "clientCredentials",
  accessCode: "authorizationCode",
};

function convertScheme(scheme: Json): Json {
  if (!isObject(scheme)) return scheme;
  if (scheme["type"] === "basic") return { ...scheme, type: "http", scheme: "basic" };
  if (scheme["type"] !== "oauth2") return scheme;
  const { flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme;
  const name = typeof flow === "string" ? flowNames[flow] : undefined;
  if (name === undefined) return rest;
  return { ...rest, flows: { [name]: withoutUndefined({ authorizationUrl, tokenUrl, scopes }) as JsonObject } };
}
