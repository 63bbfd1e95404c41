import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { entriesAt, type Json, type JsonObject, listAt, member, pathOf, textAt } from "../../lib/json/index.js";
import type { ApiSpec } from "../api-spec.js";

/** Schemas that an option may come to by references and `allOf`. */
const maxSchemas = 50;
const mostNamed = 5;

/**
 * Reports a discriminator whose options have values of their own that differ from those it gives them: the keys of
 * `mapping`, else the names of the components. No value selects such an option.
 *
 * @param pointer of the schema that has the discriminator.
 */
export function checkDiscriminator(spec: ApiSpec, schema: JsonObject, pointer: string): Diagnostic[] {
  const discriminator = schema["discriminator"];
  const property = textAt(discriminator, "propertyName");
  if (property === undefined) return [];
  const mapped = new Map(
    entriesAt(discriminator, "mapping").map(([value, target]) => [nameOf(String(target)), { value, target }]),
  );
  const wrong = ["oneOf", "anyOf"].flatMap((key) =>
    listAt(schema, key).flatMap((option) => {
      const ref = textAt(option, "$ref");
      if (ref === undefined) return [];
      const name = nameOf(ref);
      const given = mapped.get(name)?.value ?? name;
      const values = valuesOf(spec, option, property);
      return values.length === 0 || values.includes(given) ? [] : [{ name, given, value: values[0]!, ref }];
    }),
  );
  if (wrong.length === 0) return [];
  const named = wrong.slice(0, mostNamed);
  const more = wrong.length - named.length;
  const shown = named.map(({ name, given, value }) => `${name} is "${given}" for it, but "${value}" in its own schema`);
  const mapping = named.map(({ value, ref }) => `${JSON.stringify(value)}: ${JSON.stringify(ref)}`).join(", ");
  return [
    {
      code: "SPEC_DISCRIMINATOR",
      severity: "warning",
      what: `No value of "${property}" selects ${wrong.length === 1 ? "an option" : `${wrong.length} options`} of this discriminator: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`,
      location: spec.locationOf(`${pointer}/discriminator`),
      fix: `write "mapping": { ${mapping}${more > 0 ? ", …" : ""} } in it.`,
    },
  ];
}

/** Of a component, by its pointer or its bare name. */
const nameOf = (ref: string): string => (/[#/]/.test(ref) ? (pathOf(ref.replace(/^[^#]*/, "")).at(-1) ?? ref) : ref);

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
