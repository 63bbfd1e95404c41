import { likelyName } from "../../lib/diagnostic/index.js";
import { type JsonValue, locationOf, memberOf, type Report, shown, textEdit } from "./json-value.js";
import {
  inQuotes,
  intendedName,
  repairNames,
  reportAt,
  reportInvalid,
  reportMissing,
  reportName,
  reportUnknown,
} from "./report-setting.js";

export type JsonSchema = { readonly [key: string]: unknown };

/**
 * Reads one value of the configuration. An invalid value is reported and becomes undefined, so the default applies. Settings
 * are tables of small readers, because a schema library takes forty times as long to start.
 */
export interface Reader<T> {
  (value: JsonValue, report: Report): T | undefined;
  /** The schema of accepted values, from which the published schema of docs.json is made. */
  readonly schema: () => JsonSchema;
}

export const reader = <T>(
  read: (value: JsonValue, report: Report) => T | undefined,
  schema: () => JsonSchema,
): Reader<T> => Object.assign((value: JsonValue, report: Report) => read(value, report), { schema });

/** Transforms or checks the result of another reader. */
export const converted = <T, U>(
  source: Reader<T>,
  convert: (read: T, value: JsonValue, report: Report) => U | undefined,
): Reader<U> =>
  reader((value, report) => {
    const read = source(value, report);
    return read === undefined ? undefined : convert(read, value, report);
  }, source.schema);

export const located = <T extends object>(source: Reader<T>) =>
  converted(source, (read, value) => ({ ...read, location: locationOf(value) }));

/** Overrides the defaults by the result of a reader. */
export const withDefaults = <D extends object>(defaults: D, source: Reader<Partial<D>>): Reader<D> =>
  converted(source, (read) => ({ ...defaults, ...read }));

/** Text that is not blank, trimmed. */
export const text = reader<string>(
  (value, report) => {
    if (value.kind !== "string") return reportInvalid(value, report, "a string");
    return value.value.trim() || reportInvalid(value, report, "a string that is not blank");
  },
  () => ({ type: "string", pattern: "\\S" }),
);

/** Text; blank text counts as absent. */
export const maybeBlank = reader<string>(
  (value, report) => (value.kind === "string" && value.value.trim() === "" ? undefined : text(value, report)),
  () => ({ type: "string" }),
);

/** Text; numbers and booleans are accepted too. */
export const scalarText = reader<string>(
  (value, report) => (value.kind === "number" || value.kind === "boolean" ? String(value.value) : text(value, report)),
  () => ({ type: ["string", "number", "boolean"] }),
);

export const flag = reader<boolean>(
  (value, report) => (value.kind === "boolean" ? value.value : reportInvalid(value, report, "true or false")),
  () => ({ type: "boolean" }),
);

export const numberAbove = (limit: number): Reader<number> =>
  reader(
    (value, report) =>
      value.kind === "number" && value.value > limit && Number.isFinite(value.value)
        ? value.value
        : reportInvalid(value, report, `a number above ${limit}`),
    () => ({ type: "number", exclusiveMinimum: limit }),
  );

export const oneOf = <const T extends string>(names: readonly T[]): Reader<T> =>
  reader(
    (value, report) => {
      const match = names.find((name) => value.kind === "string" && value.value === name);
      if (match !== undefined) return match;
      const near = value.kind === "string" ? likelyName(value.value.trim(), names) : undefined;
      if (near?.certain) {
        const what = `${inQuotes(value)} is ${shown(value)}, which is read as ${JSON.stringify(near.name)}.`;
        reportAt(value, report, "CONFIG_BAD_VALUE", what, `write "${near.name}".`, textEdit(value.at, near));
        return near.name as T;
      }
      const few = names.length > 15 ? names.slice(0, 10) : names;
      const others = few === names ? "" : ` and ${names.length - few.length} more`;
      const list = few.map((name) => JSON.stringify(name)).join(names.length > 2 ? ", " : " or ") + others;
      const expected = names.length > 2 ? `one of ${list}` : list;
      return reportInvalid(value, report, expected, near && `write "${near.name}".`, near && textEdit(value.at, near));
    },
    () => ({ enum: [...names] }),
  );

/** @param expected describes what `pattern` accepts. */
export const textLike = (pattern: RegExp, expected: string): Reader<string> =>
  reader(
    (value, report) =>
      value.kind === "string" && pattern.test(value.value.trim())
        ? value.value.trim()
        : reportInvalid(value, report, expected),
    () => ({ type: "string", pattern: pattern.flags === "" ? pattern.source : "\\S" }),
  );

/** Schema of a value that is in another file. */
const reference = { type: "object", properties: { $ref: { type: "string" } }, required: ["$ref"] };

/** The valid items, in their order. */
export const list = <T>(item: Reader<T>): Reader<readonly T[]> =>
  reader(
    (value, report) =>
      value.kind === "array"
        ? value.items.flatMap((written) => item(written, report) ?? [])
        : reportInvalid(value, report, "a list"),
    () => ({ anyOf: [{ type: "array", items: item.schema() }, reference] }),
  );

export function oneOrList<T>(item: Reader<T>): Reader<readonly T[]> {
  const items = list(item);
  const single = converted(item, (one) => [one]);
  return reader<readonly T[]>(
    (value, report) => (value.kind === "array" ? items : single)(value, report),
    () => ({ anyOf: [item.schema(), items.schema()] }),
  );
}

/** An object whose names the writer chooses; `__proto__` is not allowed. */
export const map = <T>(
  item: Reader<T>,
  isName: (name: string) => boolean,
  nameRule: string,
): Reader<Record<string, T>> =>
  reader(
    (value, report) => {
      if (value.kind !== "object") return reportInvalid(value, report, "an object");
      const entries: [string, T][] = [];
      for (const member of value.members) {
        if (member.name === "$schema") continue;
        if (!isName(member.name) || member.name === "__proto__") {
          reportName(value, member, isName, nameRule, report);
          continue;
        }
        const read = item(member.value, report);
        if (read !== undefined) entries.push([member.name, read]);
      }
      return Object.fromEntries(entries);
    },
    () => ({ type: "object", additionalProperties: item.schema() }),
  );

const kindNames: Record<JsonValue["kind"], string> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

export function byKind<T>(readers: Partial<Record<JsonValue["kind"], Reader<T>>>): Reader<T> {
  const expected = Object.keys(readers).map((kind) => kindNames[kind as JsonValue["kind"]]);
  return reader<T>(
    (value, report) => {
      const choice = readers[value.kind];
      return choice ? choice(value, report) : reportInvalid(value, report, expected.join(" or "));
    },
    () => ({ anyOf: Object.values(readers).map(({ schema }) => schema()) }),
  );
}

/** A setting of the format that has no effect on an export. */
export const ignored = reader<never>(
  () => undefined,
  () => ({}),
);

export type Fields = Readonly<Record<string, Reader<unknown>>>;
type ValueOf<R> = R extends Reader<infer T> ? T : never;
/** `R` are the required names. */
type ReadOf<F extends Fields, R extends keyof F = never> = {
  readonly [K in Exclude<keyof F, R>]?: ValueOf<F[K]>;
} & { readonly [K in R]: ValueOf<F[K]> };

/**
 * An object with known names. An unknown name is reported with its hint, or with the nearest known name. If a `required`
 * member is missing or invalid, the whole object is left out.
 */
export function object<F extends Fields, const R extends keyof F & string = never>(
  fields: F,
  {
    required = [],
    hints = {},
  }: { readonly required?: readonly R[]; readonly hints?: Readonly<Record<string, string>> } = {},
): Reader<ReadOf<F, R>> {
  const readers = new Map(Object.entries(fields));
  return reader<ReadOf<F, R>>(
    (value, report) => {
      if (value.kind !== "object") return reportInvalid(value, report, "an object");
      const names = [...readers.keys()];
      repairNames(value, names, report);
      const results = new Map<string, unknown>();
      for (const member of value.members) {
        const field = readers.get(member.name);
        const result = field?.(member.value, report);
        if (result !== undefined) results.set(member.name, result);
      }
      const unknown = value.members.filter(({ name }) => !readers.has(name) && name !== "$schema");
      const missing = required.find((name) => !results.has(name));
      const isMisnamed = unknown.some(({ name }) => intendedName(value, name, names)?.name === missing);
      // An invalid member, and one with a misspelt name, has its own message; otherwise, the missing member is the cause.
      if (missing !== undefined && !memberOf(value, missing) && !isMisnamed)
        return reportMissing(value, report, missing, unknown.length === value.members.length);
      for (const member of unknown) reportUnknown(value, member, names, report, hints);
      return missing === undefined ? (Object.fromEntries(results) as ReadOf<F, R>) : undefined;
    },
    () => {
      const properties = Object.entries(fields).map(([name, { schema }]) => [name, schema()]);
      return {
        type: "object",
        properties: { $schema: { type: "string" }, $ref: { type: "string" }, ...Object.fromEntries(properties) },
        additionalProperties: false,
        ...(required.length > 0 && { anyOf: [{ required: [...required] }, { required: ["$ref"] }] }),
      };
    },
  );
}
