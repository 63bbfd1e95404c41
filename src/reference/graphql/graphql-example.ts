import { entriesAt, type Json, type JsonObject, member, parseJson, textAt } from "../../lib/json/index.js";
import type { GraphTarget } from "../../site/specs/index.js";
import formatSamples from "../samples/format-samples.json" with { type: "json" };
import { graphqlSchema, isRequired } from "./graphql-types.js";

const maxDepth = 3;
const maxFields = 12;
const maxMembers = 3;
const maxArguments = 24;
/** An operation longer than this (in UTF-16 code units) selects fewer levels. */
const maxLength = 1_500;

export const operationNames = {
  queries: "query",
  mutations: "mutation",
  subscriptions: "subscription",
  types: "",
} as const satisfies Readonly<Record<GraphTarget["list"], string>>;
const scalars: Readonly<Record<string, Json>> = { Int: 1, Float: 1.5, Boolean: true, ID: "1" };
const textsByFormat: Readonly<Record<string, string>> = formatSamples;

/** The fields that a query selects of a type, and a response with a value for each. */
interface Selected {
  readonly lines: readonly string[];
  readonly value: JsonObject;
}

/**
 * Generates a valid operation that selects a field, its variables, and a response.
 *
 * @param isFull also give values to optional arguments and to optional fields of inputs.
 */
export function graphqlExample(document: JsonObject, { list, name }: GraphTarget, part: JsonObject, isFull = true) {
  const schema = graphqlSchema(document);

  /** @param taken types of the fields that other members of the union select: fields of one name must have one type. */
  const fieldsIn = (type: string, levels: number, taken: Map<string, string>): Selected => {
    const lines: string[] = [];
    const value: [string, Json][] = [];
    for (const [inner, field] of schema.fieldsOf(type).filter(([, candidate]) => isUsual(candidate))) {
      if (value.length >= maxFields) break;
      const of = textAt(field, "of") ?? "";
      const written = textAt(field, "type") ?? "";
      const isLeaf = schema.isLeaf(of);
      if ((!isLeaf && levels <= 1) || (taken.get(inner) ?? written) !== written) continue;
      taken.set(inner, written);
      const below = isLeaf ? undefined : select(of, levels - 1);
      lines.push(...(below ? [`${inner} {`, ...indented(below.lines), "}"] : [inner]));
      value.push([inner, inList(written, below?.value ?? sample(of, 0))]);
    }
    return { lines, value: Object.fromEntries(value) };
  };
  const select = (type: string, levels: number): Selected => {
    const members = schema.membersOf(type).slice(0, maxMembers);
    const kind = { lines: ["__typename"], value: { __typename: members[0] ?? type } };
    const taken = new Map<string, string>();
    const fragments = members.map((name) => ({ name, ...fieldsIn(name, Math.min(levels, 2), taken) }));
    const filled = fragments.filter(({ lines }) => lines.length > 0);
    if (members.length > 0)
      return {
        lines: [...kind.lines, ...filled.flatMap(({ name, lines }) => [`... on ${name} {`, ...indented(lines), "}"])],
        value: { ...kind.value, ...fragments[0]!.value },
      };
    const fields = fieldsIn(type, levels, taken);
    return fields.lines.length > 0 ? fields : kind;
  };

  const sample = (type: string, depth: number): Json => {
    if (Object.hasOwn(scalars, type)) return scalars[type]!;
    const [first] = schema.valuesOf(type);
    if (first !== undefined) return first;
    if (schema.kindOf(type) !== "input") return scalarSample(type);
    const all = depth >= maxDepth ? [] : schema.fieldsOf(type);
    const isShown = (field: Json): boolean =>
      isRequired(field) || (isFull && member(field, "deprecated") === undefined && !isInput(field));
    const fields = schema.isChoice(type) ? all.slice(0, 1) : all.filter(([, field]) => isShown(field));
    return Object.fromEntries(fields.slice(0, maxFields).map(([inner, field]) => [inner, sampleOf(field, depth + 1)]));
  };
  const isInput = (field: Json): boolean => schema.kindOf(textAt(field, "of") ?? "") === "input";
  const sampleOf = (field: Json, depth: number): Json => {
    const fallback = textAt(field, "default") ?? "";
    // Literals that are the same in JSON.
    if (/^(?:-?\d+|true|false)$/.test(fallback)) return parseJson(fallback);
    return inList(textAt(field, "type"), sample(textAt(field, "of") ?? "", depth));
  };

  const args = entriesAt(part, "args").filter(([, argument], i) => isRequired(argument) || i < maxArguments);
  const declared = args.map(([arg, argument]) => `$${arg}: ${textAt(argument, "type") ?? ""}`).join(", ");
  const passed = args.map(([arg]) => `${arg}: $${arg}`).join(", ");
  const of = textAt(part, "of") ?? "";
  const writeWith = (selected: Selected | undefined): string =>
    [
      `${operationNames[list]} ${name[0]!.toUpperCase()}${name.slice(1)}${declared === "" ? "" : `(${declared})`} {`,
      `  ${name}${passed === "" ? "" : `(${passed})`}${selected ? " {" : ""}`,
      ...(selected ? [...selected.lines.map((line) => `    ${line}`), "  }"] : []),
      "}",
    ].join("\n");
  let levels: number = maxDepth;
  const selectAll = (): Selected | undefined => (schema.isLeaf(of) ? undefined : select(of, levels));
  let selected = selectAll();
  while (levels > 1 && writeWith(selected).length > maxLength) {
    levels--;
    selected = selectAll();
  }
  const values = args
    .filter(([, argument]) => isFull || isRequired(argument))
    .map(([arg, argument]) => [arg, sampleOf(argument, 0)]);
  return {
    operation: writeWith(selected),
    variables: values.length === 0 ? undefined : (Object.fromEntries(values) as JsonObject),
    answer: { data: { [name]: inList(textAt(part, "type"), selected?.value ?? sample(of, 0)) } },
  };
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** Whether a field is not deprecated and requires no arguments. */
const isUsual = (field: Json): boolean =>
  member(field, "deprecated") === undefined && !entriesAt(field, "args").some(([, argument]) => isRequired(argument));

/** Scalars such as `DateTime` and `UUID` have the names of formats. */
const scalarSample = (type: string): Json => {
  const format = [type.replace(/(?<=[a-z])(?=[A-Z])/g, "-"), type].find((name) =>
    Object.hasOwn(textsByFormat, name.toLowerCase()),
  );
  return /json/i.test(type) ? {} : format === undefined ? "string" : textsByFormat[format.toLowerCase()]!;
};

const inList = (type: string | undefined, value: Json): Json => {
  const depth = Math.min(/^\[*/.exec(type ?? "")![0].length, 5);
  return Array.from({ length: depth }).reduce<Json>((inner) => [inner], value);
};
