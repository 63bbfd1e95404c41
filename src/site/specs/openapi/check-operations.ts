import { type Diagnostic, errorOf, nearestName, quoted } from "../../../lib/diagnostic/index.js";
import {
  entriesAt,
  followReferences,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  pointerTo,
  textAt,
  textsAt,
} from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import { reportFirst, writtenReference } from "../check-references.js";
import type { SpecEntry } from "../entry-reader.js";
import { below } from "../resolve-pointer.js";
import type { SchemaFault } from "./check-schema.js";
import words from "./words.json" with { type: "json" };

/** With fewer broken operations, each one is reported separately. */
const minBroken = 3;
const maxListed = 3;
const maxDepth = 12;

/**
 * Reports one error if most operations have nothing to show because of broken references, as in a specification without its
 * files.
 */
export function checkEmpty(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  const { followed, brokenIn } = createFinder(spec);
  const hasContent = (holder: Json | undefined): boolean =>
    entriesAt(holder, "content").some(([, media]) => {
      const { schema, itemSchema } = (followed(media) ?? {}) as { schema?: Json; itemSchema?: Json };
      return followed(schema ?? itemSchema) !== undefined;
    });
  const shows = (operation: Json, item: Json | undefined): boolean =>
    [operation, item].some((holder) => listAt(holder, "parameters").some((written) => isObject(followed(written)))) ||
    hasContent(followed(member(operation, "requestBody"))) ||
    entriesAt(operation, "responses").some(([, response]) => hasContent(followed(response)));

  const { paths } = spec.document;
  const lost = entriesAt(spec.document, "paths").filter(([, item]) => followed(item) === undefined);
  const broken = [
    ...lost.map(([path, item]) => ({ name: path, pointer: pointerTo("paths", path), reference: brokenIn(item) })),
    ...entries.flatMap(({ kind, method = "", name, pointer }) => {
      const operation = kind === "operation" ? spec.resolve(pointer) : undefined;
      if (operation === undefined || shows(operation, followed(member(paths, name)))) return [];
      const reference = brokenIn(operation);
      return reference === undefined ? [] : [{ name: `${method.toUpperCase()} ${name}`, pointer, reference }];
    }),
  ];
  const count = entries.length + lost.length;
  const [first] = broken;
  if (first === undefined || broken.length < minBroken || 2 * broken.length <= count) return [];
  const file = first.reference?.split("#", 1)[0];
  const listed = broken.slice(0, maxListed).map(({ name, reference }) => `${name} ("${reference}")`);
  const what = `${broken.length} of the ${count} operations of ${spec.source} have nothing to show, because their references are broken: ${listed.join(", ")}${broken.length > listed.length ? ", …" : ""}.`;
  const fix =
    file === undefined || file === ""
      ? `define what they refer to, for example "${first.reference}".`
      : `add "${file}" and the other files that the specification refers to, or bundle it into one file.`;
  return [{ code: "SPEC_EMPTY", severity: "error", what, location: spec.locationOf(first.pointer), fix }];
}

/** Reports each operation and path that has nothing to show because of broken references. */
export function checkBlank(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  const { followed, brokenIn } = createFinder(spec);
  const hasMembers = (value: Json | undefined): boolean => {
    const target = followed(value);
    return isObject(target) && Object.keys(target).length > 0;
  };
  const isBlank = (operation: Json, item: Json | undefined): boolean =>
    !["summary", "description", "externalDocs"].some((key) => member(operation, key) !== undefined) &&
    ![...listAt(item, "parameters"), ...listAt(operation, "parameters"), member(operation, "requestBody")].some(
      hasMembers,
    ) &&
    !["responses", "callbacks"].some((key) => entriesAt(operation, key).some(([, value]) => hasMembers(value)));

  const items = ["paths", "webhooks"].flatMap((holder) =>
    entriesAt(spec.document, holder).map(([name, item]) => ({ name, pointer: pointerTo(holder, name), value: item })),
  );
  const operations = entries.flatMap(({ kind, method = "", name, pointer }) => {
    const value = spec.resolve(pointer);
    const item = followed(member(spec.document[kind === "webhook" ? "webhooks" : "paths"], name));
    const isShown = value === undefined || !isBlank(value, item);
    return isShown ? [] : [{ name: `${method.toUpperCase()} ${name}`, pointer, value }];
  });
  const faults = [...items.filter(({ value }) => followed(value) === undefined), ...operations].flatMap((fault) => {
    const reference = brokenIn(fault.value);
    return reference === undefined ? [] : [{ ...fault, reference }];
  });
  const describe = ({ name, pointer, reference }: (typeof faults)[number]): Diagnostic => ({
    ...errorOf("SPEC_EMPTY"),
    what: `${name} has nothing to show, because "${writtenReference(spec, reference)}" does not exist.`,
    location: spec.locationOf(pointer),
    fix: "define what it refers to, or correct the reference.",
  });
  return reportFirst(spec.source, faults, describe, "operations with nothing to show");
}

function createFinder({ resolve }: ApiSpec) {
  const followed = (value: Json | undefined) => followReferences(value, resolve);
  /** The first broken reference in a value. */
  const brokenIn = (value: Json, depth = 0): string | undefined => {
    if (typeof value !== "object" || value === null || depth >= maxDepth) return undefined;
    if (followed(value) === undefined) return String(member(value, "$ref"));
    for (const part of Object.values(value)) {
      const reference = brokenIn(part as Json, depth + 1);
      if (reference !== undefined) return reference;
    }
    return undefined;
  };
  return { followed, brokenIn };
}

/** Reports links of responses to operations that do not exist, each once. */
export function checkLinks(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  const ids = new Set(entries.flatMap(({ operationId }) => operationId ?? []));
  const responses = entries.flatMap(({ pointer }) => membersAt(spec, `${pointer}/responses`));
  const links = new Set(responses.flatMap((response) => membersAt(spec, `${response}/links`)));
  const faults = [...links].flatMap((link) => faultOf(spec, link, ids) ?? []);
  return reportFirst(spec.source, faults, (describe) => describe(), "links of responses that lead to no operation");
}

/** Pointers of the members of an object; for a reference, the pointer of its target. */
function membersAt(spec: ApiSpec, pointer: string): string[] {
  const holder = spec.resolve(pointer);
  return Object.entries(isObject(holder) ? holder : {}).map(
    ([name, value]) => textAt(value, "$ref") ?? below(pointer, name),
  );
}

/** @returns a function that describes the fault of a link; undefined if it has none. */
function faultOf(spec: ApiSpec, pointer: string, ids: ReadonlySet<string>): (() => Diagnostic) | undefined {
  const link = spec.resolve(pointer);
  const id = textAt(link, "operationId");
  const reference = textAt(link, "operationRef");
  const key = id === undefined ? "operationRef" : "operationId";
  const isValid =
    id === undefined
      ? reference !== undefined && (!reference.startsWith("#") || isObject(spec.resolve(reference)))
      : ids.has(id);
  // `checkReferences` reports broken references.
  if (isValid || !isObject(link)) return undefined;
  return () => {
    const near = id === undefined ? undefined : nearestName(id, [...ids].slice(0, 2000));
    const named = id ?? reference;
    const [first] = ids;
    const what =
      named === undefined
        ? `A response link in ${spec.source} does not name an operation.`
        : `A response link points to the operation "${named}", which ${spec.source} does not describe.`;
    const example = first === undefined ? "" : ` by its operationId, such as "${first}"`;
    const fix =
      near === undefined ? `name an operation of the specification${example}, or remove the link.` : `write "${near}".`;
    const location = spec.locationOf(named === undefined ? pointer : `${pointer}/${key}`);
    return { code: "SPEC_LINK_BROKEN", severity: "warning", what, location, fix };
  };
}

/** Reports security schemes that operations require but the document does not define: once, with the number of operations. */
export function checkSecurity(spec: ApiSpec, entries: readonly SpecEntry[]): Diagnostic[] {
  const { document, source } = spec;
  const schemes = entriesAt(document["components"], "securitySchemes").map(([name]) => name);
  const undefinedSchemes = new Map<string, { readonly pointer: string; count: number }>();
  for (const { pointer } of entries) {
    const operation = spec.resolve(pointer);
    const isOwn = isObject(operation) && operation["security"] !== undefined;
    const missing = new Map(missingIn(spec, isOwn ? operation : document, isOwn ? pointer : "#", schemes));
    for (const [name, at] of missing) {
      const scheme = undefinedSchemes.get(name) ?? { pointer: at, count: 0 };
      scheme.count++;
      undefinedSchemes.set(name, scheme);
    }
  }
  const describe = ([name, { pointer, count }]: readonly [string, { pointer: string; count: number }]): Diagnostic => {
    const near = nearestName(name, schemes);
    const what = `The security scheme "${name}" is not defined in ${source}, so the pages of ${count === 1 ? "1 operation" : `${count} operations`} do not show it.`;
    const fix = near === undefined ? "define it under the security schemes, or correct the name." : `write "${near}".`;
    return { code: "SPEC_SECURITY_UNKNOWN", severity: "warning", what, location: spec.locationOf(pointer), fix };
  };
  return reportFirst(source, [...undefinedSchemes], describe, "security schemes that are not defined");
}

/** The names of undefined schemes, with their pointers. A name may also be the pointer of a scheme. */
const missingIn = (spec: ApiSpec, holder: Json, at: string, schemes: readonly string[]): [name: string, at: string][] =>
  listAt(holder, "security").flatMap((way, i) =>
    Object.keys(isObject(way) ? way : {}).flatMap((name): [string, string][] => {
      const isDefined = schemes.includes(name) || (name.startsWith("#/") && isObject(spec.resolve(name)));
      return isDefined ? [] : [[name, below(at, "security", i, name)]];
    }),
  );

/** The tag of the document that an operation probably means; undefined if the document has the tag, or none like it. */
export function tagFinder(tags: readonly string[]): (tag: string) => string | undefined {
  const found = new Map<string, string | undefined>(tags.map((tag) => [tag, undefined]));
  return (tag) => {
    if (!found.has(tag)) {
      const near = tag.length < 4 ? undefined : nearestName(tag, tags);
      // "Trees v1" and "Trees v2" are two tags.
      found.set(tag, near?.replace(/\d/g, "") === tag.replace(/\d/g, "") ? undefined : near);
    }
    return found.get(tag);
  };
}

/** @param steps the way to the operation from the document. */
export function operationFaults(
  spec: ApiSpec,
  nearTag: (tag: string) => string | undefined,
  steps: readonly string[],
  operation: JsonObject,
): SchemaFault[] {
  const [holder, name, method = "", ...others] = steps;
  if (spec.format !== "openapi" || holder !== "paths" || others.length > 0) return [];
  const request = `${method.toUpperCase()} ${name}`;
  const faults = textsAt(operation, "tags").flatMap((tag, i): SchemaFault[] => {
    const near = nearTag(tag);
    if (near === undefined) return [];
    const what = `The tag "${tag}" is not one of the document's "tags", which have "${near}".`;
    const fix = `write "${near}", or describe "${tag}" in "tags" too.`;
    return [{ at: ["tags", `${i}`], what, fix, key: `tag ${tag}` }];
  });
  if (/^(?:get|head)$/.test(method) && isObject(operation["requestBody"])) {
    const what = `${request} has a request body, which browsers never send.`;
    const fix = 'describe it as parameters with "in": "query", or use "post".';
    faults.push({ at: ["requestBody"], what, fix, key: `body ${method}` });
  }
  // OpenAPI 3.1 no longer requires responses. A misspelt "responses" is reported as an unknown member.
  const version = textAt(spec.document, "openapi") ?? textAt(spec.document, "swagger") ?? "";
  const isAlike = (key: string): boolean => nearestName(key, ["responses"]) !== undefined || isStatus(key);
  if ("responses" in operation || !/^(?:2|3\.0)\b/.test(version) || Object.keys(operation).some(isAlike)) return faults;
  const what = `${request} has no "responses", so its page shows no response.`;
  const fix = 'write "responses": { "200": { "description": "…" } }.';
  return [...faults, { at: [], what, fix, key: "responses" }];
}

export const isStatus = (name: string): boolean => /^[1-5](?:\d\d|XX)$/i.test(name);

/** Faults of a server's URL and of its variables. */
export function serverFaults(spec: ApiSpec, server: JsonObject): SchemaFault[] {
  const url = textAt(server, "url")?.trim() ?? "";
  const variables = entriesAt(server, "variables");
  const names = variables.map(([name]) => name);
  const faults = [...url.matchAll(/\{([^{}]{1,80})\}/g)].flatMap(([typed, name = ""]): SchemaFault[] => {
    if (names.includes(name)) return [];
    const near = nearestName(name, names);
    const what = `The URL of a server contains ${typed}, but its "variables" do not define "${name}".`;
    const fix = `write ${near ? `{${near}}` : `"variables": { "${name}": { "default": "…" } }`}.`;
    return [{ at: ["url"], what, fix, key: `variable ${typed}` }];
  });
  for (const [name, variable] of variables) {
    const options = textsAt(variable, "enum");
    const given = textAt(variable, "default");
    if (given === undefined || options.length === 0 || options.includes(given)) continue;
    const what = `The default of the server variable "${name}" is ${quoted(given)}, which is not in its "enum".`;
    const fix = `write ${JSON.stringify(options[0])}, or add ${quoted(given)} to "enum".`;
    faults.push({ at: ["variables", name, "default"], what, fix, key: `default ${name}` });
  }
  const [pattern, problem, replacement] = urlFaults.find(([wrong]) => wrong.test(url)) ?? [];
  if (pattern === undefined) return faults;
  const right = url.replace(pattern, replacement!);
  const host = /^(?:\w+:\/\/)?([^/]*)/.exec(right)?.[1];
  const what = `The URL of a server is ${quoted(url)}, which ${problem}.`;
  const fix = `write ${spec.version.startsWith("2") ? `"host": ${quoted(host!)}` : quoted(right)}.`;
  return [...faults, { at: ["url"], what, fix, key: `server ${url}` }];
}

const withoutScheme = "has no scheme, so requests would go to a path of the site";
/** Faults of a server's URL, with the text to write in place of what matches. */
const urlFaults: readonly (readonly [pattern: RegExp, problem: string, replacement: string])[] = [
  [/^(?:[a-z]{2,6}:\/\/)+(?=[a-z]{2,6}:\/\/)/i, "has two schemes", ""],
  [/^(https?|wss?)(?::\/?|\/\/)(?=[\w{[])/i, 'needs "://" after its scheme', "$1://"],
  [/^(?!https?:)h[htps]{2,6}(?=:\/\/)/i, "has a misspelt scheme", "https"],
  [/^(?:localhost|127(?:\.\d{1,3}){3})(?=:\d|\/|$)/i, withoutScheme, "http://$&"],
  [/^\d{1,3}(?:\.\d{1,3}){3}(?=:\d|\/|$)/, withoutScheme, "https://$&"],
  [/^(?:[\w-]{1,63}\.)+(?!php|aspx?|jsp|cgi|html?|json|ya?ml)[a-z]{2,63}(?=:\d|\/|$)/i, withoutScheme, "https://$&"],
  [/^\/\/(?=\w)/, "has no scheme, so it leads nowhere from a bundle that is opened as a file", "https://"],
  [/^(\w+:\/\/[^/\s]*)\s+(?=\S)/, "has a space in its host", "$1"],
  [/^(\w+:\/\/)[^/@{]*@/, "contains credentials, with which browsers send no request", "$1"],
  [/\{(\w+)(?=$|\/)/, "has a brace that is not closed", "{$1}"],
  [/[?#].*/s, "has a query or a fragment, to which requests would add their path", ""],
];

/** The registered top-level types. */
const mediaTypes = words.mediaTypes.split(" ");
/** Whether the name is no media type; if it is a misspelt one, the right one. */
export function mediaFault(name: string): boolean | string {
  const [, type = "", rest = ""] = /^([^/]*)\/(.*)$/.exec(name) ?? [];
  const near = type === "" || mediaTypes.includes(type.toLowerCase()) ? undefined : nearestName(type, mediaTypes);
  return type === "" || (near !== undefined && `${near}/${rest}`);
}
