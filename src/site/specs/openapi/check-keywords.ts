import { type Diagnostic, nearestName } from "../../../lib/diagnostic/index.js";
import {
  entriesAt,
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  pathOf,
  pointerTo,
  textAt,
} from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import { filesMember, writtenReference } from "../check-references.js";
import { reportFirst } from "../report-first.js";
import keywords from "./keywords.json" with { type: "json" };

/**
 * A kind of object in OpenAPI 3. `keywords.json` has the members of each, separated by spaces: `name` is not looked into,
 * `name:kind` is an object of a kind or a list of these, `name:{kind}` a map of them.
 */
type Kind = keyof typeof keywords;

interface Member {
  readonly kind?: Kind;
  readonly isMap: boolean;
}
const members = new Map<Kind, ReadonlyMap<string, Member>>(
  Object.entries(keywords).map(([kind, text]) => [
    kind as Kind,
    new Map(
      text.split(" ").map((each): [string, Member] => {
        const [name = "", inner] = each.split(":");
        const isMap = inner?.startsWith("{") ?? false;
        return [name, { isMap, ...(inner && { kind: (isMap ? inner.slice(1, -1) : inner) as Kind }) }];
      }),
    ),
  ]),
);

interface Unknown {
  readonly kind: Kind;
  readonly name: string;
  readonly pointer: string;
  count: number;
}

/** Discriminators; further ones are not reported. */
const maxReported = 20;

/**
 * Reports members that pages ignore because OpenAPI and JSON Schema do not define them: each name once. And
 * discriminators that select nothing.
 */
export function checkKeywords(spec: ApiSpec): Diagnostic[] {
  if (spec.format !== "openapi" || !spec.version.startsWith("3")) return [];
  const unknown = new Map<string, Unknown>();
  const seen = new Set<object>();
  const discriminators: Diagnostic[] = [];
  const steps: string[] = [];

  const visit = (value: Json, kind: Kind): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (isList(value)) {
      for (const [i, each] of value.entries()) within(`${i}`, () => visit(each, kind));
      return;
    }
    // The names in a callback are addresses.
    if (kind === "callback") return void visitMap(value, "path");
    const { $ref } = value;
    if (typeof $ref === "string" && $ref.startsWith(pointerTo(filesMember))) {
      const outer = steps.splice(0, steps.length, ...pathOf($ref));
      visit(spec.resolve($ref) ?? null, kind);
      steps.splice(0, steps.length, ...outer);
    }
    if (kind === "schema" && isObject(value["discriminator"]) && discriminators.length < maxReported)
      discriminators.push(...checkDiscriminator(spec, value, pointerTo(...steps)));
    const known = members.get(kind)!;
    for (const name in value) {
      const member = known.get(name);
      if (member === undefined) {
        if (name !== "$ref" && !name.startsWith("x-")) report(kind, name);
      } else if (member.kind !== undefined)
        within(name, () => (member.isMap ? visitMap : visit)(value[name]!, member.kind!));
    }
  };
  const visitMap = (value: Json, kind: Kind): void => {
    if (!isObject(value)) return;
    for (const name in value)
      if (!(name.startsWith("x-") && kind !== "schema" && kind !== "parameter"))
        within(name, () => visit(value[name]!, kind));
  };
  const within = (step: string, run: () => void): void => {
    steps.push(step);
    run();
    steps.pop();
  };
  const report = (kind: Kind, name: string): void => {
    const before = unknown.get(`${kind} ${name}`);
    if (before) before.count++;
    else unknown.set(`${kind} ${name}`, { kind, name, pointer: pointerTo(...steps, name), count: 1 });
  };
  visit(spec.document, "document");

  const describe = ({ kind, name, pointer, count }: Unknown): Diagnostic => {
    const near = nearestName(name, [...members.get(kind)!.keys()]);
    const more = count > 1 ? ` It occurs ${count} times.` : "";
    const what = `OpenAPI does not define "${name}" in ${labels[kind] ?? `a ${kind}`}, so pages do not show it.${more}`;
    const fix = near === undefined ? `remove it, or rename it to "x-${name}".` : `write "${near}".`;
    return { code: "SPEC_KEYWORD_UNKNOWN", severity: "warning", what, location: spec.locationOf(pointer), fix };
  };
  const noun = "keywords that OpenAPI does not define";
  return [...reportFirst(spec.source, [...unknown.values()], describe, noun), ...discriminators];
}

const labels: Partial<Record<Kind, string>> = {
  document: "the document",
  info: '"info"',
  components: '"components"',
  path: "a path item",
  operation: "an operation",
  body: "a request body",
  media: "a media type",
  encoding: "an encoding",
  example: "an example",
  docs: '"externalDocs"',
  scheme: "a security scheme",
};

/** Schemas that an option may come to by references and `allOf`. */
const maxSchemas = 50;
const maxListed = 5;

/**
 * Reports a discriminator whose options have values of their own that differ from those it gives them: the keys of
 * `mapping`, else the names of the components. No value selects such an option.
 *
 * @param pointer of the schema that has the discriminator.
 */
function checkDiscriminator(spec: ApiSpec, schema: JsonObject, pointer: string): Diagnostic[] {
  const discriminator = schema["discriminator"];
  const property = textAt(discriminator, "propertyName");
  if (property === undefined) return [];
  const mapping = new Map(
    entriesAt(discriminator, "mapping").map(([value, target]) => [componentName(String(target)), { value, target }]),
  );
  const wrong = ["oneOf", "anyOf"].flatMap((key) =>
    listAt(schema, key).flatMap((option) => {
      const ref = textAt(option, "$ref");
      if (ref === undefined) return [];
      const name = componentName(ref);
      const value = mapping.get(name)?.value ?? name;
      const ownValues = valuesOf(spec, option, property);
      return ownValues.length === 0 || ownValues.includes(value) ? [] : [{ name, value, own: ownValues[0]!, ref }];
    }),
  );
  if (wrong.length === 0) return [];
  const listed = wrong.slice(0, maxListed);
  const more = wrong.length - listed.length;
  const shown = listed.map(
    ({ name, value, own }) => `${name} is selected by "${value}", but its own schema says "${own}"`,
  );
  const members = listed
    .map(({ own, ref }) => `${JSON.stringify(own)}: ${JSON.stringify(writtenReference(spec, ref))}`)
    .join(", ");
  return [
    {
      code: "SPEC_DISCRIMINATOR",
      severity: "warning",
      what: `No value of "${property}" selects ${wrong.length === 1 ? "an option" : `${wrong.length} options`} of this discriminator: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
      location: spec.locationOf(`${pointer}/discriminator`),
      fix: `write "mapping": { ${members}${more > 0 ? ", …" : ""} } in the discriminator.`,
    },
  ];
}

/** Of a component, by its pointer or its bare name. */
const componentName = (ref: string): string =>
  /[#/]/.test(ref) ? (pathOf(ref.replace(/^[^#]*/, "")).at(-1) ?? ref) : ref;

/** The texts that the schema allows for a property; none if it allows any. */
function valuesOf(spec: ApiSpec, schema: Json, property: string): string[] {
  const all = new Set<Json>([schema]);
  for (const each of all) {
    const ref = textAt(each, "$ref");
    const target = ref === undefined ? undefined : spec.resolve(ref);
    for (const inner of [...(target === undefined ? [] : [target]), ...listAt(each, "allOf")])
      if (all.size < maxSchemas) all.add(inner);
  }
  return [...all].flatMap((each) => {
    const own = member(member(each, "properties"), property);
    const only = member(own, "const");
    return (only === undefined ? listAt(own, "enum") : [only]).filter((value) => typeof value === "string");
  });
}
