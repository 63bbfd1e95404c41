import { entriesAt, isObject, type Json, type JsonObject, member, textAt } from "../../../lib/json/index.js";
import type { GraphTarget } from "../../../site/specs/index.js";

const maxDepth = 3;
const maxFields = 12;

const operations = { queries: "query", mutations: "mutation", subscriptions: "subscription", types: "" } as const;
const scalars: Readonly<Record<string, Json>> = { Int: 1, Float: 1.5, Boolean: true, ID: "1" };

/** An operation that asks for a field, its variables, and an answer to it: all made from the schema. */
export function graphExample(document: JsonObject, { list, name }: GraphTarget, part: JsonObject) {
  const { types } = document;
  const kindOf = (type: string): string | undefined => textAt(member(types, type), "kind");

  /** What of a type is selected, with a value of each. */
  const select = (type: string, depth: number): { readonly lines: string[]; readonly value: Json } | undefined => {
    const fields = entriesAt(member(types, type), "fields").filter(([, field]) => isUsual(field));
    const lines: string[] = [];
    const value: [string, Json][] = [];
    for (const [inner, field] of fields) {
      if (lines.length >= maxFields) break;
      const of = textAt(field, "of") ?? "";
      const isWhole = isLeaf(kindOf(of));
      const below = isWhole || depth + 1 >= maxDepth ? undefined : select(of, depth + 1);
      if (!isWhole && below === undefined) continue;
      lines.push(...(below ? [`${inner} {`, ...below.lines.map((line) => `  ${line}`), "}"] : [inner]));
      value.push([inner, inList(textAt(field, "type"), below?.value ?? sample(of, 0))]);
    }
    if (lines.length > 0) return { lines, value: Object.fromEntries(value) };
    return isLeaf(kindOf(type)) ? undefined : { lines: ["__typename"], value: { __typename: type } };
  };

  const sample = (type: string, depth: number): Json => {
    const known = member(types, type);
    if (Object.hasOwn(scalars, type)) return scalars[type]!;
    const [first] = entriesAt(known, "values");
    if (first) return first[0];
    if (textAt(known, "kind") !== "input") return "string";
    const fields = depth >= maxDepth ? [] : entriesAt(known, "fields").filter(([, field]) => isRequired(field));
    return Object.fromEntries(fields.slice(0, maxFields).map(([inner, field]) => [inner, sampleOf(field, depth + 1)]));
  };
  const sampleOf = (field: Json, depth: number): Json =>
    inList(textAt(field, "type"), sample(textAt(field, "of") ?? "", depth));

  const args = entriesAt(part, "args").slice(0, maxFields);
  const declared = args.map(([arg, each]) => `$${arg}: ${textAt(each, "type") ?? ""}`).join(", ");
  const given = args.map(([arg]) => `${arg}: $${arg}`).join(", ");
  const of = textAt(part, "of") ?? "";
  const selected = isLeaf(kindOf(of)) ? undefined : select(of, 0);
  const operation = [
    `${operations[list]} ${name[0]!.toUpperCase()}${name.slice(1)}${declared === "" ? "" : `(${declared})`} {`,
    `  ${name}${given === "" ? "" : `(${given})`}${selected ? " {" : ""}`,
    ...(selected ? [...selected.lines.map((line) => `    ${line}`), "  }"] : []),
    "}",
  ].join("\n");
  const values = Object.fromEntries(args.map(([arg, each]) => [arg, sampleOf(each, 0)]));
  const data = { [name]: inList(textAt(part, "type"), selected?.value ?? sample(of, 0)) };
  return {
    operation,
    variables: args.length === 0 ? undefined : JSON.stringify(values, undefined, 2),
    answer: JSON.stringify({ data }, undefined, 2),
  };
}

/** Types that the schema does not define are scalars too. */
const isLeaf = (kind: string | undefined): boolean => kind === undefined || kind === "scalar" || kind === "enum";

const isRequired = (field: Json): boolean =>
  textAt(field, "type")?.endsWith("!") === true && !(isObject(field) && "default" in field);
/** Neither deprecated nor in need of arguments. */
const isUsual = (field: Json): boolean =>
  member(field, "deprecated") === undefined && !entriesAt(field, "args").some(([, each]) => isRequired(each));

const inList = (type: string | undefined, value: Json): Json => {
  const depth = Math.min(/^\[*/.exec(type ?? "")![0].length, 5);
  return Array.from({ length: depth }).reduce<Json>((inner) => [inner], value);
};
