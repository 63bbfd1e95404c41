import { type Diagnostic, nearestName, spelledAlike } from "../../../lib/diagnostic/index.js";
import {
  isList,
  isObject,
  isRawNumber,
  type Json,
  type JsonObject,
  listAt,
  member,
  pathOf,
  pointerTo,
  textAt,
} from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import ofAsyncApi from "../asyncapi/keywords.json" with { type: "json" };
import { filesMember, reportFirst, writtenReference } from "../check-references.js";
import { isStatus, mediaFault, operationFaults, serverFaults, tagFinder } from "./check-operations.js";
import {
  checkDiscriminator,
  combinedSchemas,
  exampleFaults,
  foreignMark,
  requiredFaults,
  type SchemaFault,
  scalarFix,
  schemaFaults,
} from "./check-schema.js";
import keywords from "./keywords.json" with { type: "json" };
import words from "./words.json" with { type: "json" };

/**
 * A kind of object. `keywords.json` has the members of each, separated by spaces: `name` is not checked further, `name:kind`
 * is an object of a kind, `name:[kind]` a list and `name:{kind}` a map of them, `name:[]` any list. The kinds of `scalars` are
 * values.
 */
type Kind = keyof typeof keywords | keyof typeof ofAsyncApi;
const scalars: Partial<Record<string, string>> = { text: "a string", boolean: "true or false", number: "a number" };

interface Member {
  readonly form: string;
  readonly kind?: Kind;
}
type Members = ReadonlyMap<Kind, ReadonlyMap<string, Member>>;

const membersOf = (table: Readonly<Record<string, string>>): Members =>
  new Map(
    Object.entries(table).map(([kind, text]) => [
      kind as Kind,
      new Map(
        text.split(" ").map((written): [string, Member] => {
          const [, name = "", form, inner] = /^([^:]*)(:[[{]?)?(\w+)?/.exec(written)!;
          return [name, { form: form ?? "", ...(inner && { kind: inner as Kind }) }];
        }),
      ),
    ]),
  );
// In AsyncAPI, `discriminator` is the name of a property.
const schemaOfAsyncApi = keywords.schema.replace("discriminator:discriminator", "discriminator");
const formats: Partial<Record<ApiSpec["format"], { readonly name: string; readonly members: Members }>> = {
  openapi: { name: "OpenAPI", members: membersOf(keywords) },
  asyncapi: { name: "AsyncAPI", members: membersOf({ ...keywords, ...ofAsyncApi, schema: schemaOfAsyncApi }) },
};

interface Fault {
  readonly code: "SPEC_KEYWORD_UNKNOWN" | "SPEC_ENTRY_INVALID" | "FOREIGN_MARKUP";
  readonly what: string;
  readonly fix: string;
  readonly pointer: string;
  count: number;
}

/** The most discriminators that are reported. */
const maxReported = 20;

/**
 * Reports what pages ignore, once for each kind of fault: members that the format and JSON Schema do not define, values of a
 * wrong form, references to objects of another kind, and discriminators that select nothing.
 */
export function checkKeywords(spec: ApiSpec): Diagnostic[] {
  const format = formats[spec.format];
  if (format === undefined) return [];
  const { members } = format;
  const faults = new Map<string, Fault>();
  const seen = new Set<Json>();
  const discriminators: Diagnostic[] = [];
  /** The text to write around a schema in an object of this kind; none for Swagger 2.0, whose form differs. */
  const wrapperOf = (kind: Kind) =>
    spec.format === "openapi" && spec.version.startsWith("3") ? wrappers[kind] : undefined;
  const steps: string[] = [];

  const visit = (value: Json, kind: Kind): void => {
    if (value === null || seen.has(value)) return;
    if (typeof value !== "object" || isList(value)) return void visitOther(value, kind);
    seen.add(value);
    // In AsyncAPI, an object with "schemaFormat" contains a schema of that format, which may not be JSON Schema.
    if (kind === "schema" && "schemaFormat" in value && textAt(value, "schemaFormat") !== undefined) return;
    const $ref = "$ref" in value ? textAt(value, "$ref") : undefined;
    if ($ref?.startsWith(inFiles)) {
      const outer = steps.splice(0, steps.length, ...pathOf($ref));
      visit(spec.resolve($ref) ?? null, kind);
      steps.splice(0, steps.length, ...outer);
    }
    if ($ref !== undefined) checkTarget($ref, kind);
    // The names in a callback are addresses.
    else if (kind === "callback") return void visitMap(value, "path");
    else if (kind === "parameter") checkPlace(value);
    if (
      kind === "schema" &&
      "discriminator" in value &&
      isObject(value["discriminator"]) &&
      discriminators.length < maxReported
    )
      discriminators.push(...checkDiscriminator(spec, value, pointerTo(...steps)));
    else if (kind === "server") reportAll(serverFaults(spec, value));
    else if (kind === "schema" || kind === "scheme") checkType(value, kind);
    if ($ref === undefined) checkRequired(value, kind);
    if (kind === "scheme") checkScheme(value);
    if (kind === "schema") checkSchema(value);
    else if (kind === "media" || kind === "parameter" || kind === "header") checkExamples(value);
    else if (kind === "operation" && $ref === undefined) reportAll(operationFaults(spec, nearTag, steps, value));
    const known = members.get(kind)!;
    for (const name in value) {
      const member = known.get(name);
      const isPayload = kind === "message" && name === "payload";
      if (isPayload && "schemaFormat" in value) continue;
      const wrapped = isPayload ? value[name] : undefined;
      if (isObject(wrapped) && Object.keys(wrapped).join() === "schema") {
        within(name, () => within("schema", () => visit(wrapped["schema"]!, "schema")));
        continue;
      }
      if (member !== undefined) within(name, () => visitMember(value[name]!, member));
      else if (name !== "$ref" && !name.startsWith("x-")) reportUnknown(kind, name, value[name]!);
    }
  };
  const visitMember = (value: Json, { form, kind }: Member): void => {
    if (form === ":[") {
      if (isList(value)) visitList(value, kind);
      else if (value !== null && !(value === false && steps.at(-1) === "required")) reportForm("a list", value);
    } else if (form === ":{") visitMap(value, kind!);
    else if (scalars[kind ?? ""] !== undefined) visitScalar(value, kind!);
    else if (kind !== undefined) visit(value, kind);
  };
  const visitScalar = (value: Json, kind: string): void => {
    const type = isRawNumber(value) ? "number" : typeof value === "string" ? "text" : typeof value;
    if (type !== kind && value !== null && value !== "") reportForm(scalars[kind]!, value);
    const mark = type === "text" && steps.at(-1) === "description" ? foreignMark(value as string) : undefined;
    if (mark) report("FOREIGN_MARKUP", mark.key, pointerTo(...steps), mark);
  };
  /** Checks a value that is not an object. */
  const visitOther = (value: Json, kind: Kind): void => {
    const isEntry =
      ["path", "operation", "channel"].includes(kind) && ["paths", "webhooks", "channels"].includes(steps[0]!);
    // `listEntries` reports these as entries without a page.
    if (isEntry && steps.length <= 3) return;
    // A schema may be true or false; older drafts have lists of schemas and of names.
    if (kind === "schema" && isList(value)) visitList(value.filter(isObject), kind);
    else if (kind !== "example" && !(kind === "schema" && typeof value === "boolean")) reportForm("an object", value);
  };
  const visitList = (value: readonly Json[], kind: Kind | undefined): void => {
    if (kind !== undefined) for (const [i, item] of value.entries()) within(`${i}`, () => visit(item, kind));
  };
  const visitMap = (value: Json, kind: Kind): void => {
    // Unlike a schema, a map cannot be true or false.
    if (!isObject(value)) return void (value === null || visitOther(value, kind === "schema" ? "xml" : kind));
    const isContent = kind === "media" && steps.at(-1) === "content";
    const isResponses = kind === "response" && steps.at(-1) === "responses" && steps[0] !== "components";
    for (const name in value)
      if (isContent && mediaFault(name)) reportMedia(name);
      else if (isResponses && !isStatus(name) && !/^(?:default|x-.*)$/i.test(name)) reportStatus(name);
      else if (kind === "path" && steps[0] === "paths" && isMethod(name)) reportMethod(name);
      else if (!(name.startsWith("x-") && !["schema", "parameter", "header"].includes(kind)))
        within(name, () => visit(value[name]!, kind));
  };
  const within = (step: string, run: () => void): void => {
    steps.push(step);
    run();
    steps.pop();
  };

  const checkTarget = ($ref: string, kind: Kind): void => {
    const holder = /\/components\/(\w+)\/[^/]+$/.exec($ref)?.[1];
    const target = members.get("components")!.get(holder ?? "")?.kind;
    // Check only these kinds, since others have members of the same names.
    const isOther = kind === "parameter" ? target !== kind : (kind === "schema") !== (target === "schema");
    if (target === undefined || !isOther) return;
    const reference = `"$ref": ${JSON.stringify(writtenReference(spec, $ref))}`;
    const [start, end] = (target === "schema" && wrapperOf(kind)) || [];
    const what = `"${writtenReference(spec, $ref)}" is ${nounOf(target)}, but ${nounOf(kind)} is needed here, so pages do not show what it describes.`;
    const fix = start === undefined ? `refer to ${nounOf(kind)}.` : `write ${start}{ ${reference} }${end}.`;
    report("SPEC_ENTRY_INVALID", `${kind} ${target}`, pointerTo(...steps, "$ref"), { what, fix });
  };
  const checkPlace = (parameter: JsonObject): void => {
    const name = textAt(parameter, "name");
    const place = textAt(parameter, "in");
    if (place === "path" && parameter["required"] === false)
      report("SPEC_ENTRY_INVALID", "optional", pointerTo(...steps, "required"), {
        what: `The path parameter "${name}" is not required, but no request can leave out a part of its path.`,
        fix: 'write "required": true.',
      });
    if (name !== undefined && places.includes(place ?? "")) return;
    const near = places.find((valid) => valid === place?.toLowerCase());
    const isBody = place === "body" || place === "formData";
    const what =
      name === undefined
        ? 'A parameter has no "name", so pages do not show it.'
        : `The parameter "${name}" has ${place === undefined ? 'no "in"' : `"in": ${JSON.stringify(place)}`}, so pages do not show it.`;
    const fix =
      name === undefined
        ? 'write its "name".'
        : isBody
          ? 'describe it in "requestBody".'
          : `write "in": "${near ?? "query"}"${near === undefined ? ', "path", "header" or "cookie"' : ""}.`;
    report("SPEC_ENTRY_INVALID", `in ${name === undefined ? "" : place}`, pointerTo(...steps), { what, fix });
  };
  const checkType = (value: JsonObject, kind: "schema" | "scheme"): void => {
    const names = typeNames[kind];
    const written = kind === "schema" && "format" in value ? textAt(value, "format") : undefined;
    const known = written && !formatNames.includes(written) ? spelledAlike(written, formatNames) : undefined;
    if (known !== undefined)
      report("SPEC_ENTRY_INVALID", `format ${written}`, pointerTo(...steps, "format"), {
        what: `A schema has the format "${written}", which other tools ignore.`,
        fix: `write "${known}".`,
      });
    const { type: oneOrMore } = value;
    for (const type of isList(oneOrMore) ? oneOrMore : [oneOrMore]) {
      if (typeof type !== "string" || names.includes(type)) continue;
      const other = kind === "schema" ? typesOfOthers.get(type.toLowerCase()) : undefined;
      const near = nearestName(type, names);
      // In AsyncAPI, a schema may be of another language, which has types of its own.
      if (other === undefined && near === undefined && spec.format !== "openapi") continue;
      const what = `${nounOf(kind, true)} has the type ${JSON.stringify(type)}, which ${format.name} does not define.`;
      const fix = `write ${other ?? (near === undefined ? `one of ${names.filter((name) => name !== "file").join(", ")}` : `"${near}"`)}.`;
      report("SPEC_ENTRY_INVALID", `type ${kind} ${type}`, pointerTo(...steps, "type"), { what, fix });
    }
  };
  const checkScheme = (value: JsonObject): void => {
    const scheme = textAt(value, "type") === "http" ? textAt(value, "scheme") : undefined;
    const near = scheme && nearestName(scheme.toLowerCase(), ["basic", "bearer", "digest"]);
    if (near && near !== scheme.toLowerCase())
      report("SPEC_ENTRY_INVALID", `scheme ${scheme}`, pointerTo(...steps, "scheme"), {
        what: `The "scheme" of a security scheme is ${JSON.stringify(scheme)}, which HTTP does not define.`,
        fix: `write "${near}".`,
      });
  };
  const checkRequired = (value: JsonObject, kind: Kind): void => {
    const name = kind === "scheme" ? textAt(value, "type") : kind === "flow" ? steps.at(-1) : kind;
    if (spec.format !== "openapi" && kind !== "tag") return;
    for (const required of requiredMembers.get(name ?? "")?.split(" ") ?? [])
      if ((value[required] ?? "") === "" && !Object.keys(value).some((key) => nearestName(key, [required])))
        report("SPEC_ENTRY_INVALID", `${name} ${required}`, pointerTo(...steps), {
          what: `${nounOf(kind, true)} has no "${required}", which ${format.name} requires.`,
          fix: `write its "${required}".`,
        });
  };
  const nearTag = tagFinder(listAt(spec.document, "tags").flatMap((tag) => textAt(tag, "name") ?? []));
  const combined = new Set<Json>();
  const required: { readonly schema: Json; readonly pointer: string; readonly fault: SchemaFault }[] = [];
  const checkSchema = (schema: JsonObject): void => {
    for (const part of combinedSchemas(spec, schema)) combined.add(part);
    reportAll(schemaFaults(spec, schema));
    for (const fault of requiredFaults(schema))
      required.push({ schema, pointer: pointerTo(...steps, ...fault.at), fault });
  };
  const checkExamples = (holder: JsonObject): void => {
    if (steps.at(-2) !== "content" || /json/i.test(steps.at(-1)!))
      reportAll(exampleFaults(spec, holder, member(holder, "schema")));
  };
  const reportAll = (faults: readonly SchemaFault[]): void => {
    for (const fault of faults) reportSchema(fault, pointerTo(...steps, ...fault.at));
  };
  const reportSchema = ({ what, fix, key }: SchemaFault, pointer: string): void =>
    report("SPEC_ENTRY_INVALID", key ?? pointer, pointer, { what, fix });
  const reportMethod = (name: string): void => {
    const names = Object.keys(spec.document["paths"] as JsonObject);
    const pathBefore = names
      .slice(0, names.indexOf(name))
      .findLast((path) => member(spec.document["paths"], path) === null);
    const what = `"${name}" is a method, but stands where a path must, so the operation has no page.`;
    const fix =
      pathBefore === undefined
        ? `write the path, such as "/users", and put "${name}" into it.`
        : `indent it, so that it belongs to "${pathBefore}".`;
    report("SPEC_ENTRY_INVALID", `method ${name}`, pointerTo(...steps, name), { what, fix });
  };
  const reportStatus = (name: string): void =>
    report("SPEC_ENTRY_INVALID", "status", pointerTo(...steps, name), {
      what: `"${name}" is not a status code.`,
      fix: 'write a code such as "200", a range such as "4XX", or "default".',
    });
  const reportUnknown = (kind: Kind, name: string, value: Json): void => {
    const wrapper = name === "schema" || members.get("schema")!.has(name) ? wrapperOf(kind) : undefined;
    const near = name === "ref" ? "$ref" : nearestName(name, [...members.get(kind)!.keys()]);
    const place = placeOf(kind, name);
    const what = `${format.name} does not define "${name}" in ${nounOf(kind)}, so pages do not show it.`;
    const fix =
      kind === "document" && Object.hasOwn(membersOfSwagger, name)
        ? `write ${membersOfSwagger[name]}.`
        : place !== undefined
          ? `move it ${place}.`
          : wrapper
            ? `write ${wrapper[0]}{ ${name === "schema" ? "" : `"${name}": `}… }${wrapper[1]}.`
            : near === undefined
              ? `${kind === "schema" && isSchema(value) ? 'move it into "properties"' : "remove it"}, or rename it to "x-${name}".`
              : `write "${near}".`;
    report("SPEC_KEYWORD_UNKNOWN", `${kind} ${name}`, pointerTo(...steps, name), { what, fix });
  };
  /** Where a member belongs that is on a wrong level. */
  const placeOf = (kind: Kind, name: string): string | undefined => {
    if (kind === "operation" && isMethod(name)) return "out of the operation, next to its method";
    if (kind === "operation" && isStatus(name)) return 'into "responses"';
    if (kind !== "document" && kind !== "path" && kind !== "operation") return undefined;
    const holders = [...members.get(kind)!].filter(
      ([, { kind: inner }]) => inner !== undefined && inner !== "docs" && members.get(inner)?.has(name),
    );
    const [holder, { form }] = holders.find(([, member]) => member.form === ":") ?? holders[0] ?? ["", { form: "" }];
    if (kind === "path") return form === ":" ? 'into an operation, such as "get"' : undefined;
    return form === ":" ? `into "${holder}"` : form === ":{" && isMethod(name) ? 'into a path of "paths"' : undefined;
  };
  const isMethod = (name: string): boolean => members.get("path")?.get(name)?.kind === "operation";
  const reportForm = (wanted: string, value: Json): void => {
    const name = steps.slice(/^\d+$/.test(steps.at(-1) ?? "") ? -2 : -1).join("/");
    const given = isList(value) ? "a list" : isObject(value) ? "an object" : JSON.stringify(value).slice(0, 60);
    const what = `"${name}" must be ${wanted}, not ${given}, so pages do not show it.`;
    const fix =
      wanted === "an object"
        ? typeof value === "string" && value.startsWith("#/")
          ? `write { "$ref": ${given} }.`
          : "describe it with an object, or remove it."
        : wanted !== "a list"
          ? scalarFix(wanted, value)
          : value === true
            ? 'name the property in "required" of the object that has it.'
            : `write ${isObject(value) ? "[{ … }]" : `[${given}]`}.`;
    report("SPEC_ENTRY_INVALID", `${wanted} ${name}`, pointerTo(...steps), { what, fix });
  };
  const reportMedia = (name: string): void => {
    const near = mediaFault(name);
    const what = `"${name}" is not a media type, so samples send it as a wrong "Content-Type".`;
    const fix =
      typeof near === "string"
        ? `write "${near}".`
        : name === "schema"
          ? 'write "application/json": { "schema": … }.'
          : 'write a media type, such as "application/json", in its place or around it.';
    report("SPEC_ENTRY_INVALID", "media", pointerTo(...steps, name), { what, fix });
  };
  const report = (code: Fault["code"], key: string, pointer: string, texts: Pick<Fault, "what" | "fix">): void => {
    const before = faults.get(`${code} ${key}`);
    if (before) before.count++;
    else faults.set(`${code} ${key}`, { code, pointer, ...texts, count: 1 });
  };
  visit(spec.document, "document");
  for (const { schema, pointer, fault } of required) if (!combined.has(schema)) reportSchema(fault, pointer);

  const describe = ({ code, what, fix, pointer, count }: Fault): Diagnostic => {
    const more = count > 1 ? ` It occurs ${count} times.` : "";
    const part = code === "SPEC_KEYWORD_UNKNOWN" ? "name" : undefined;
    const location = spec.locationOf(writtenAt(spec, pointer), part);
    return { code, severity: "warning", what: what + more, location, fix };
  };
  const ofCode = (code: Fault["code"]): Fault[] => [...faults.values()].filter((fault) => fault.code === code);
  return [
    ...reportFirst(
      spec.source,
      ofCode("SPEC_KEYWORD_UNKNOWN"),
      describe,
      `keywords that ${format.name} does not define`,
    ),
    ...reportFirst(spec.source, ofCode("SPEC_ENTRY_INVALID"), describe, "values of a wrong form"),
    ...ofCode("FOREIGN_MARKUP").map(describe),
    ...discriminators,
  ];
}

/** The pointer of a fault in the document as written. AsyncAPI 2 has operations in their channels, Swagger a host. */
function writtenAt(spec: ApiSpec, pointer: string): string {
  const [list, name] = pathOf(pointer);
  if (spec.format === "openapi" && spec.version.startsWith("2") && list === "servers") return pointerTo("host");
  if (spec.format !== "asyncapi" || !spec.version.startsWith("2") || list !== "operations") return pointer;
  return textAt(member(spec.resolve(pointerTo(list, name!)), "channel"), "$ref") ?? pointer;
}

const isSchema = (value: Json): boolean =>
  ["type", "properties", "enum", "allOf", "oneOf", "anyOf"].some((key) => member(value, key));
const { places } = words;
const typeNames = { schema: words.types.schema.split(" "), scheme: words.types.scheme.split(" ") };
const inFiles = pointerTo(filesMember);
const formatNames = words.formats.split(" ");
/** What to write for types of other languages. */
const typesOfOthers: ReadonlyMap<string, string> = new Map(Object.entries(words.typesOfOthers));
const requiredMembers: ReadonlyMap<string, string> = new Map(Object.entries(words.required));
/** What to write for members of Swagger 2.0. */
const membersOfSwagger: Partial<Record<string, string>> = words.membersOfSwagger;
/** The text to write before and after a schema. */
const wrappers: Partial<Record<Kind, readonly string[]>> = words.wrappers;
const labels: Partial<Record<Kind, string>> = words.labels;
const nounOf = (kind: Kind, isFirst = false): string =>
  (labels[kind] ?? `a ${kind}`).replace(/^./, (letter) => (isFirst ? letter.toUpperCase() : letter));
