// A request as it arrived, compared with what the source says a request of the operation is.
import type { Arrival } from "../../../test/reference/recording-server.ts";
import {
  isRecord,
  listOf,
  type Record_,
  recordOf,
  type Source,
  safeDecode,
  textOf,
  type Value,
} from "./source-files.ts";
import type { SourceContent, SourceOperation, SourceParameter } from "./source-operation.ts";
import { faultOfValue } from "./value-faults.ts";

/** One comparison: of what, whether it is right, and what is wrong. */
export type RequestCheck = readonly [kind: string, isRight: boolean, what: string];

export function faultsOfRequest(request: Arrival, operation: SourceOperation, source: Source): RequestCheck[] {
  return [
    ["method", request.method === operation.method, `${request.method} instead of ${operation.method}`],
    ...addressChecks(request, operation, source),
    ...headerChecks(request, operation, source),
    ...bodyChecks(request, operation, source),
  ];
}

const pairsOf = (text: string): [string, string][] =>
  text === ""
    ? []
    : text.split("&").map((pair) => {
        const [name = "", value = ""] = pair.split(/=(.*)/s).map((part) => safeDecode(part.replaceAll("+", " ")));
        return [name, value];
      });

function addressChecks({ target }: Arrival, operation: SourceOperation, source: Source): RequestCheck[] {
  // What stands after a question mark or a number sign in a path of the source is part of the query.
  const [template = "", fixed = ""] = operation.path.split(/[?#](.*)/s);
  const [path = "", search = ""] = target.split(/\?(.*)/s);
  const pattern = template
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith("{") ? ".+?" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("");
  const checks: RequestCheck[] = [
    ["path", new RegExp(`${pattern}/?$`).test(safeDecode(path)), `${path} for ${template}`],
  ];
  const pairs = pairsOf(search);
  const query = operation.parameters.filter((parameter) => parameter.in === "query");
  const keys = operation.security.flat().filter((scheme) => scheme.type === "apiKey" && scheme.in === "query");
  // Operations at one address differ in a fragment: words, or a parameter, which may be one of the headers.
  const words = pairsOf(operation.path.split("#")[1] ?? "").map(([name]) => name);
  const fixedNames = pairsOf(fixed.replaceAll("?", "&").replaceAll("#", "&"))
    .filter(([name, value]) => value !== "" || !words.includes(name))
    .map(([name]) => name)
    .filter((name) => !operation.parameters.some((parameter) => parameter.in === "header" && parameter.name === name));
  const known = (name: string): boolean =>
    fixedNames.includes(name) ||
    keys.some(({ key }) => key === name) ||
    query.some((parameter) => isNameOf(name, parameter, source));
  for (const [name, value] of pairs) checks.push(["query name", known(name), `${name}=${value} is no parameter`]);
  for (const name of fixedNames)
    checks.push(["query of the path", pairs.some(([each]) => each === name.split("=")[0]), `${name} is lost`]);
  for (const parameter of query) {
    const values = pairs.filter(([name]) => isNameOf(name, parameter, source)).map(([, value]) => value);
    if (parameter.required && !mayBeEmpty(parameter, source))
      checks.push(["required query", values.length > 0, parameter.name]);
    const [value] = values;
    if (value !== undefined && values.length === 1) {
      const wanted = scalarValues(parameter, source);
      if (wanted)
        checks.push([
          "query value",
          // Examples may be written as in an address.
          wanted.some(
            (each) => each === value || decodeURIComponent(each.replace(/%(?![\da-f]{2})/gi, "%25")) === value,
          ) || wanted.some((each) => isSameNumber(each, value)),
          `${parameter.name}=${value} for ${wanted.slice(0, 4).join(", ")}`,
        ]);
    }
  }
  return checks;
}

/** The reader here has lost digits of a number that a double cannot hold; the sample has not. */
const isSameNumber = (each: string, value: string): boolean => each.trim() !== "" && Number(each) === Number(value);

/** The name itself, with brackets for members, or a member of an exploded object. */
function isNameOf(name: string, parameter: SourceParameter, source: Source): boolean {
  const own = parameter.name;
  const [base] = own.split("[");
  const schema = recordOf(source.resolve(parameter.schema));
  // A list or an object in this style has brackets; no server reads anything else.
  if (parameter.style === "deepObject" && hasMembers(schema)) return name.startsWith(`${own}[`);
  if (name === own || name === `${own}[]` || name.startsWith(`${own}[`) || name.startsWith(`${base}[`)) return true;
  const names = propertyNames(schema, source);
  return parameter.style === "form" && parameter.explode && names.isObject && (names.isOpen || names.all.has(name));
}

const hasMembers = (schema: Record_): boolean =>
  schema["type"] === "object" || schema["type"] === "array" || "properties" in schema;

function propertyNames(
  schema: Record_,
  source: Source,
  depth = 0,
): { all: Set<string>; isOpen: boolean; isObject: boolean } {
  const all = new Set(Object.keys(recordOf(schema["properties"])));
  let isOpen = schema["type"] === "object" && (all.size === 0 || isRecord(schema["additionalProperties"]));
  let isObject = schema["type"] === "object" || all.size > 0;
  if (depth < 8)
    for (const key of ["allOf", "oneOf", "anyOf"])
      for (const part of listOf(schema[key])) {
        const inner = propertyNames(recordOf(source.resolve(part)), source, depth + 1);
        for (const name of inner.all) all.add(name);
        isOpen ||= inner.isOpen;
        isObject ||= inner.isObject;
      }
  return { all, isOpen, isObject };
}

/** A list or an object without members is not sent. */
function mayBeEmpty(parameter: SourceParameter, source: Source): boolean {
  const schema = recordOf(source.resolve(parameter.schema));
  return !["string", "integer", "number", "boolean"].includes(textOf(schema["type"]));
}

/** The values that the source gives for a text or number, as they are sent; undefined if any value will do. */
function scalarValues(parameter: SourceParameter, source: Source): string[] | undefined {
  const schema = recordOf(source.resolve(parameter.schema));
  if (!["string", "integer", "number", "boolean"].includes(textOf(schema["type"]))) return undefined;
  const all = [
    ...parameter.examples,
    schema["example"],
    ...listOf(schema["examples"]),
    schema["default"],
    ...listOf(schema["enum"]),
  ];
  const values = all.filter((value) => ["string", "number", "boolean"].includes(typeof value)).map(String);
  return values.length === 0 ? undefined : values;
}

function headerChecks({ headers }: Arrival, operation: SourceOperation, source: Source): RequestCheck[] {
  const checks: RequestCheck[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.in !== "header" || !parameter.required || mayBeEmpty(parameter, source)) continue;
    const name = parameter.name.toLowerCase();
    if (
      /^(accept|content-type|authorization|content-length|host|connection|cookie|date|expect|origin|referer|transfer-encoding|te|upgrade|user-agent)$/.test(
        name,
      )
    )
      continue;
    const value = headers[name];
    checks.push(["required header", value !== undefined, parameter.name]);
    const wanted = scalarValues(parameter, source);
    if (value !== undefined && wanted)
      checks.push([
        "header value",
        wanted.some((each) => each.trim() === value || isSameNumber(each, value)),
        `${name}: ${value} for ${wanted.slice(0, 4).join(", ")}`,
      ]);
  }
  const [way] = operation.security.filter((each) => each.length > 0);
  if (operation.security.length > 0 && operation.security.every((each) => each.length > 0))
    for (const { type, in: where, key, challenges } of way ?? []) {
      if (type === "apiKey" && where === "header")
        checks.push(["authorization", headers[key.toLowerCase()] !== undefined, key]);
      else if (type === "apiKey" && where === "cookie")
        checks.push(["authorization", (headers["cookie"] ?? "").includes(key), key]);
      else if (!challenges && /^(http|basic|oauth2|openIdConnect)$/.test(type))
        checks.push(["authorization", headers["authorization"] !== undefined, `${type}: no Authorization`]);
    }
  return checks;
}

const mediaTypeOf = (text: string): string => text.split(";")[0]!.trim().toLowerCase();
const isType = (type: string, wanted: string): boolean =>
  new RegExp(`^${wanted.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(type);

function bodyChecks(request: Arrival, operation: SourceOperation, source: Source): RequestCheck[] {
  const text = request.body.toString();
  if (operation.bodies.length === 0) return [["no body", text === "", text.slice(0, 80)]];
  if (text === "") {
    const isNeeded = operation.bodyRequired && operation.bodies.some(({ schema }) => needsContent(schema, source));
    return [["required body", !isNeeded, "no body was sent"]];
  }
  const type = mediaTypeOf(request.headers["content-type"] ?? "");
  const content = operation.bodies.find(({ mediaType }) => mediaType === "" || isType(type, mediaTypeOf(mediaType)));
  const checks: RequestCheck[] = [["media type of the body", content !== undefined, `"${type}"`]];
  if (content === undefined) return checks;
  if (/[/+]json$/.test(type)) checks.push(...jsonChecks(text, content, source));
  else if (type === "application/x-www-form-urlencoded")
    checks.push(
      ...fieldChecks(
        pairsOf(text).map(([name]) => name),
        content,
        source,
      ),
    );
  else if (type === "multipart/form-data")
    checks.push(
      ...fieldChecks(
        [...text.matchAll(/^content-disposition:.*? name="([^"]*)"/gim)].map(([, name]) => name!),
        content,
        source,
      ),
    );
  return checks;
}

const needsContent = (schema: Value | undefined, source: Source): boolean => {
  const resolved = recordOf(source.resolve(schema));
  return listOf(resolved["required"]).length > 0 || isGiven(resolved["example"]);
};

/** Some generators write null where they have no example. */
const isGiven = (example: Value | undefined): boolean => example !== undefined && example !== null;

function jsonChecks(text: string, { schema, examples }: SourceContent, source: Source): RequestCheck[] {
  let value: Value;
  try {
    value = JSON.parse(text) as Value;
  } catch {
    return [["JSON body", false, text.slice(0, 120)]];
  }
  const checks: RequestCheck[] = [["JSON body", true, ""]];
  const given = [...examples, recordOf(source.resolve(schema))["example"]].filter(isGiven);
  if (examples.length > 0)
    checks.push(["example in the body", given.some((each) => isEqual(value, asJson(each!))), text.slice(0, 120)]);
  else if (given.length === 0) {
    const fault = faultOfValue(value, schema, source);
    checks.push(["body fits its schema", fault === undefined, fault ?? ""]);
  }
  return checks;
}

const asJson = (value: Value): Value => {
  if (typeof value !== "string" || !/^\s*[{["]/.test(value)) return value;
  try {
    return JSON.parse(value) as Value;
  } catch {
    return value;
  }
};

const isEqual = (a: Value | undefined, b: Value | undefined): boolean => canonical(a) === canonical(b);
const canonical = (value: Value | undefined): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

function fieldChecks(
  names: readonly string[],
  { schema, examples, bracketed }: SourceContent,
  source: Source,
): RequestCheck[] {
  const resolved = recordOf(source.resolve(schema));
  const known = propertyNames(resolved, source);
  const checks: RequestCheck[] = [];
  // A required name that no property describes is sent as well.
  const required = listOf(resolved["required"]).map(textOf);
  const isKnown = (name: string): boolean =>
    required.includes(name) ||
    known.all.has(name) ||
    known.all.has(name.split("[")[0]!) ||
    known.all.has(`${name.split("[")[0]}[]`);
  // A form whose schema is a text or a file has no fields.
  if (known.isObject && !known.isOpen && examples.length === 0)
    for (const name of names) checks.push(["form field", isKnown(name), `${name} is no field`]);
  for (const name of names) {
    const property = recordOf(source.resolve(recordOf(resolved["properties"])[name]));
    if (bracketed.has(name) && hasMembers(property)) checks.push(["form field", false, `${name} needs brackets`]);
  }
  for (const name of required) {
    const property = recordOf(source.resolve(recordOf(resolved["properties"])[name]));
    if (
      property["readOnly"] === true ||
      ["array", "object"].includes(textOf(property["type"])) ||
      !("type" in property)
    )
      continue;
    if (examples.length === 0)
      checks.push(["required form field", names.some((each) => each === name || each.startsWith(`${name}[`)), name]);
  }
  return checks;
}

/** The difference between the requests of two languages; undefined if they are the same. */
export function sameRequest(a: Arrival, b: Arrival): string | undefined {
  if (a.method !== b.method) return `${a.method}, ${b.method}`;
  const plain = (target: string): string => safeDecode(target).replace(/[{}]/g, "");
  if (plain(a.target) !== plain(b.target)) return `${a.target}, ${b.target}`;
  const types = [a, b].map(({ headers }) => mediaTypeOf(headers["content-type"] ?? ""));
  if (types[0] !== types[1]) return `media types "${types[0]}", "${types[1]}"`;
  if (types[0] === "multipart/form-data") return undefined;
  const [first, second] = [a, b].map(({ body }) => bodyText(body.toString(), types[0]!));
  return first === second ? undefined : `bodies ${first!.slice(0, 80)}, ${second!.slice(0, 80)}`;
}

/** Objects are JSON under any type that is not a form, also under one that is not registered. */
function bodyText(text: string, type: string): string {
  if (type === "application/x-www-form-urlencoded") return JSON.stringify(pairsOf(text));
  try {
    return canonical(JSON.parse(text) as Value);
  } catch {
    return text.trim();
  }
}
