// Operations of OpenAPI 3 and Swagger 2 as the files say them.
import {
  isInternal,
  isRecord,
  listOf,
  type Record_,
  recordOf,
  type Source,
  textOf,
  type Value,
} from "./source-files.ts";
import type {
  SourceContent,
  SourceOperation,
  SourceParameter,
  SourceResponse,
  SourceScheme,
  SourceText,
} from "./source-operation.ts";

const methods = new Set("get put post delete options head patch trace query".split(" "));
const ownSampleKeys = ["x-codeSamples", "x-code-samples", "x-readme", "x-examples"];

export function readOpenApi(source: Source): SourceOperation[] {
  const { root, resolve } = source;
  const operations: SourceOperation[] = [];
  for (const [path, item] of Object.entries(recordOf(resolve(root["paths"]))))
    if (path.startsWith("/")) operations.push(...operationsOf(source, "operation", path, item));
  for (const key of ["webhooks", "x-webhooks"])
    for (const [name, item] of Object.entries(recordOf(resolve(root[key]))))
      operations.push(...operationsOf(source, "webhook", name, item));
  return operations;
}

/** Texts about the whole: of the API, its tags and servers. */
export function textsOfWhole(source: Source): SourceText[] {
  const { root, resolve } = source;
  const info = recordOf(resolve(root["info"]));
  const texts: SourceText[] = ["title", "version", "description"].map((key) => ({
    kind: `info.${key}`,
    place: "info",
    text: textOf(resolve(info[key])),
  }));
  const hidden = tagsOfInternals(source);
  for (const tag of listOf(root["tags"])) {
    const { name, description } = recordOf(resolve(tag));
    if (hidden.has(textOf(name))) continue;
    texts.push({ kind: "tag description", place: textOf(name), text: textOf(resolve(description)) });
  }
  for (const server of listOf(root["servers"])) {
    const { url, description } = recordOf(server);
    // Without a URL, there is nothing to describe.
    if (url !== "") texts.push({ kind: "server description", place: textOf(url), text: textOf(description) });
  }
  return texts;
}

/** Tags that only operations without a page have. */
function tagsOfInternals({ root, resolve }: Source): Set<string> {
  const tags = [new Set<string>(), new Set<string>()] as const;
  for (const item of Object.values(recordOf(resolve(root["paths"]))).map((each) => recordOf(resolve(each))))
    for (const operation of Object.values(item).map((each) => recordOf(resolve(each))))
      for (const tag of listOf(operation["tags"]))
        tags[isInternal(item) || isInternal(operation) ? 0 : 1].add(textOf(tag));
  return tags[0].difference(tags[1]);
}

function operationsOf(
  source: Source,
  kind: SourceOperation["kind"],
  path: string,
  written: Value | undefined,
  outer: readonly string[] = [],
): SourceOperation[] {
  const item = recordOf(source.resolve(written));
  // An operation may stand beside a reference of its path.
  const all = { ...item, ...(isRecord(written) ? written : {}) };
  if (isInternal(all)) return [];
  const verbs = Object.entries(all).filter(([method, operation]) => methods.has(method) && isRecord(operation));
  const more = Object.entries(recordOf(all["additionalOperations"]));
  const shown = [...verbs, ...more].filter(([, operation]) => !isInternal(source.resolve(operation)));
  return shown.map(([method, operation]) =>
    operationOf(source, kind, method.toUpperCase(), path, recordOf(source.resolve(operation)), all, outer),
  );
}

function operationOf(
  source: Source,
  kind: SourceOperation["kind"],
  method: string,
  path: string,
  operation: Record_,
  item: Record_,
  outer: readonly string[],
): SourceOperation {
  const { root, resolve } = source;
  const isSwagger = "swagger" in root;
  const parameters = new Map<string, Record_>();
  for (const each of [...listOf(resolve(item["parameters"])), ...listOf(resolve(operation["parameters"]))]) {
    const parameter = wholeOf(each, source);
    if (textOf(parameter["name"]).trim() !== "" && !isInternal(parameter))
      parameters.set(`${textOf(parameter["in"])} ${parameter["name"]}`, parameter);
  }
  const all = [...parameters.values()];
  // The fields of a querystring are shown in its place.
  const shown = all.filter(({ in: where }) => !/^(?:body|formData|querystring)$/.test(textOf(where)));
  // Callers of a callback are not clients of the API.
  const security = resolve(operation["security"]) ?? (kind === "callback" ? undefined : root["security"]);
  const callbacks = Object.entries(recordOf(operation["callbacks"])).flatMap(([name, written]) =>
    outer.length > 1
      ? []
      : Object.entries(recordOf(resolve(written))).flatMap(([expression, callback]) =>
          operationsOf(source, "callback", expression, callback, [...outer, name]).map((each) => ({
            name,
            operation: each,
          })),
        ),
  );
  const body = recordOf(resolve(operation["requestBody"]));
  return {
    kind,
    method,
    path,
    id: textOf(operation["operationId"]),
    summary: textOf(resolve(operation["summary"])) || textOf(item["summary"]),
    description: textOf(resolve(operation["description"])),
    links: linksOf(resolve(operation["externalDocs"])),
    parameters: shown.map((each) => parameterOf(source, each, isSwagger)),
    bodyDescription: isSwagger
      ? textOf(all.find((each) => each["in"] === "body")?.["description"])
      : textOf(body["description"]),
    bodyRequired: isSwagger
      ? all.some((each) => each["in"] === "body" && each["required"] === true)
      : body["required"] === true,
    bodies: isSwagger ? swaggerBodies(source, operation, all) : contentsOf(source, body["content"]),
    responses: Object.entries(recordOf(resolve(operation["responses"])))
      .filter(([status]) => !status.startsWith("x-"))
      .map(([status, response]) => responseOf(source, status, wholeOf(response, source), operation)),
    security: listOf(security).map((way) => schemesOf(source, way)),
    callbacks,
    hasOwnSamples:
      ownSampleKeys.some((key) => key in operation) ||
      listOf(operation["x-fern-examples"]).some((example) => "code-samples" in recordOf(example)),
  };
}

const linksOf = (value: Value | undefined): { url: string; description: string }[] => {
  const { url, description } = recordOf(value);
  return typeof url === "string" && url !== "" ? [{ url, description: textOf(description) }] : [];
};

function parameterOf(source: Source, parameter: Record_, isSwagger: boolean): SourceParameter {
  const [content] = contentsOf(source, parameter["content"]);
  const where = textOf(parameter["in"]);
  const style = textOf(parameter["style"]) || (where === "query" || where === "cookie" ? "form" : "simple");
  return {
    name: textOf(parameter["name"]),
    in: where,
    required: parameter["required"] === true || where === "path",
    description: textOf(source.resolve(parameter["description"])),
    schema: isSwagger ? parameter : (parameter["schema"] ?? content?.schema),
    examples: [...examplesOf(source, parameter), ...(content?.examples ?? [])],
    style: isSwagger ? textOf(parameter["collectionFormat"]) || "csv" : content ? "content" : style,
    explode: isSwagger
      ? parameter["collectionFormat"] === "multi"
      : ((parameter["explode"] as boolean) ?? style === "form"),
  };
}

/** Values of `example` and `examples`. */
function examplesOf(source: Source, holder: Record_): Value[] {
  const found: Value[] = [];
  if (holder["example"] !== undefined) found.push(wholeData(holder["example"], source));
  for (const each of Object.values(recordOf(source.resolve(holder["examples"])))) {
    const example = source.resolve(each);
    if (isRecord(example) && example["value"] !== undefined) found.push(wholeData(example["value"], source));
  }
  // Some generators write null where they have no example.
  return found.filter((value) => value !== undefined && value !== null);
}

/** Data with the content of files in place of references to them, as bundlers put it there; other references are data. */
function wholeData(value: Value, source: Source): Value {
  if (Array.isArray(value)) return value.map((each: Value) => wholeData(each, source));
  if (!isRecord(value)) return value;
  const target = /^[^#]/.test(textOf(value["$ref"])) ? source.resolve(value) : undefined;
  if (target !== undefined) return wholeData(target, source);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, wholeData(each!, source)]));
}

function contentsOf(source: Source, value: Value | undefined): SourceContent[] {
  return Object.entries(recordOf(source.resolve(value)))
    .filter(([mediaType]) => !mediaType.startsWith("x-"))
    .map(([mediaType, written]) => {
      const content = recordOf(source.resolve(written));
      return {
        mediaType,
        schema: content["schema"] ?? content["itemSchema"],
        // Some generators write an empty text where they have no example.
        examples: examplesOf(source, content).filter((each) => each !== ""),
        exampleTexts: Object.values(recordOf(source.resolve(content["examples"])))
          .map((each) => recordOf(source.resolve(each)))
          .map(({ externalValue, description }) => textOf(externalValue) || textOf(description))
          .filter((text) => text !== ""),
        bracketed: new Set(
          Object.entries(recordOf(content["encoding"]))
            .filter(([, encoding]) => recordOf(encoding)["style"] === "deepObject")
            .map(([name]) => name),
        ),
      };
    });
}

const noNames: ReadonlySet<string> = new Set();

function swaggerBodies(source: Source, operation: Record_, parameters: readonly Record_[]): SourceContent[] {
  const types = listOf(operation["consumes"] ?? source.root["consumes"]).map(textOf);
  const body = parameters.find((each) => each["in"] === "body");
  if (body)
    return (types.length > 0 ? types : ["application/json"]).map((mediaType) => ({
      mediaType,
      schema: body["schema"],
      examples: [],
      exampleTexts: [],
      bracketed: noNames,
    }));
  const fields = parameters.filter((each) => each["in"] === "formData");
  if (fields.length === 0) return [];
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [textOf(field["name"]), field])),
    required: fields.filter((field) => field["required"] === true).map((field) => textOf(field["name"])),
  };
  const forms = types.filter((type) => /form/.test(type));
  return (forms.length > 0 ? forms : [""]).map((mediaType) => ({
    mediaType,
    schema: schema as unknown as Value,
    examples: [],
    exampleTexts: [],
    bracketed: noNames,
  }));
}

function responseOf(source: Source, status: string, response: Record_, operation: Record_): SourceResponse {
  const { root, resolve } = source;
  const types = listOf(operation["produces"] ?? root["produces"]).map(textOf);
  const swaggerTypes = response["schema"] === undefined ? [] : types.length > 0 ? types : ["application/json"];
  const examples = recordOf(response["examples"]);
  return {
    status,
    description: textOf(resolve(response["description"])),
    headers: Object.entries(recordOf(resolve(response["headers"])))
      .filter(([name]) => name.toLowerCase() !== "content-type")
      .map(([name, header]) => ({
        name,
        // A description beside a reference replaces the one that it leads to.
        description: textOf(recordOf(header)["description"] ?? recordOf(resolve(header))["description"]),
      })),
    contents:
      "swagger" in root
        ? swaggerTypes.map((mediaType) => ({
            mediaType,
            schema: response["schema"],
            examples: examples[mediaType] === undefined ? [] : [examples[mediaType]],
            exampleTexts: [],
            bracketed: noNames,
          }))
        : contentsOf(source, response["content"]),
  };
}

function schemesOf({ root, resolve }: Source, way: Value): SourceScheme[] {
  const schemes = recordOf(root["securityDefinitions"] ?? recordOf(root["components"])["securitySchemes"]);
  return Object.entries(recordOf(way)).flatMap(([name, scopes]) => {
    const scheme = recordOf(resolve(schemes[name]));
    if (typeof scheme["type"] !== "string") return [];
    return [
      {
        name,
        type: scheme["type"],
        key: textOf(scheme["name"]),
        in: textOf(scheme["in"]),
        description: textOf(scheme["description"]),
        format: textOf(scheme["bearerFormat"]),
        challenges: /^digest$/i.test(textOf(scheme["scheme"])),
        scopes: listOf(scopes).map(textOf),
      },
    ];
  });
}

/** The target of a reference; what stands next to the reference comes first. */
function wholeOf(written: Value | undefined, { resolve }: Source): Record_ {
  const { $ref: _, ...beside } = recordOf(written);
  return { ...recordOf(resolve(written)), ...beside };
}
