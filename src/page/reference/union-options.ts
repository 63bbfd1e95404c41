import { entriesAt, isObject, type Json, type JsonObject, listAt, textAt, textsAt } from "../../lib/json/index.js";
import { isShown } from "./audience.js";
import type { UnionOption } from "./flat-schema.js";
import { nameOfRef, type References, refOf } from "./references.js";

/** Options that everyone may see. An option that is only a union is replaced by its own options. */
export function plainOptions(options: readonly Json[], references: References, depth = 0): Json[] {
  return options
    .filter((option) => isShown(option, references))
    .flatMap((option) => {
      if (!isObject(option) || depth > 3) return [option];
      const keys = Object.keys(option);
      const keyword = keys.length === 1 && (keys[0] === "anyOf" || keys[0] === "oneOf") ? keys[0] : undefined;
      return keyword === undefined ? [option] : plainOptions(listAt(option, keyword), references, depth + 1);
    });
}

export function isNullSchema(option: Json, references: References): boolean {
  const target = references.follow(option);
  if (!isObject(target)) return false;
  const { type } = target;
  if (type === "null" || (Array.isArray(type) && type.length === 1 && type[0] === "null")) return true;
  return target["const"] === null || (Array.isArray(target["enum"]) && target["enum"].every((value) => value === null));
}

/** Options that only list required properties: one of these lists must be present. Undefined for other options. */
export function requiredGroups(options: readonly Json[]): string[][] | undefined {
  const isRule = (option: Json): boolean =>
    isObject(option) &&
    Object.keys(option).length > 0 &&
    Object.keys(option).every((key) => key === "required" || key === "title" || key === "not" || key === "description");
  if (!options.every(isRule)) return undefined;
  return options.map((option) => textsAt(option, "required")).filter((group) => group.length > 0);
}

/** The only valid value of a schema, if there is one and it is not a structure. */
export function singleValue(schema: Json | undefined): { readonly value: Json } | undefined {
  if (!isObject(schema)) return undefined;
  const values = schema["enum"];
  const value = Object.hasOwn(schema, "const")
    ? schema["const"]
    : Array.isArray(values) && values.length === 1
      ? (values[0] as Json)
      : undefined;
  return value === undefined || (typeof value === "object" && value !== null) ? undefined : { value };
}

/** An entry of `mapping` is a pointer, or the bare name of a component. */
export const refFor = (written: string): string =>
  written.includes("#") || written.includes("/") ? written : `#/components/schemas/${written}`;

/** The schemas derived from a base schema with a discriminator: by its mapping, and those that extend it by their own names. */
export function derivedOptions(
  schema: JsonObject,
  references: References,
): (UnionOption & { readonly target: JsonObject })[] {
  const mapped = entriesAt(schema["discriminator"], "mapping").flatMap(([value, pointer]): [string, string][] =>
    typeof pointer === "string" ? [[refFor(pointer), value]] : [],
  );
  const known = new Set(mapped.map(([ref]) => ref));
  const named = references.derivedFrom(schema).filter((ref) => !known.has(ref));
  return [...mapped, ...named.map((ref): [string, string] => [ref, nameOfRef(ref)])].flatMap(([$ref, value]) => {
    const target = references.follow({ $ref });
    return isObject(target) ? [{ schema: { $ref }, value, target }] : [];
  });
}

/** The discriminator's value for an option: from the mapping, else the component's name. */
export function valueFor(option: Json, discriminator: Json | undefined): string | undefined {
  const ref = refOf(option);
  if (ref === undefined || textAt(discriminator, "propertyName") === undefined) return undefined;
  const mapped = entriesAt(discriminator, "mapping").find(
    ([, pointer]) => typeof pointer === "string" && refFor(pointer) === ref,
  );
  return mapped?.[0] ?? nameOfRef(ref);
}
