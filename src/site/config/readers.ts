import { type Diagnostic, likelyName } from "../../lib/diagnostic/index.js";
import {
  type JsonObject,
  type JsonValue,
  locationOf,
  locationOfSpan,
  memberOf,
  pathOf,
  type Report,
  shortened,
  shown,
  textEdit,
} from "./json-value.js";
import { exampleOf, meantBy, nameLike } from "./meant-values.js";

/** A JSON schema, as data. */
export type JsonSchema = { readonly [key: string]: unknown };

const schemas = new WeakMap<object, () => JsonSchema>();

/** Notes which values a reader accepts: the published schema of docs.json is made from that. */
export function described<R extends object>(reader: R, schema: () => JsonSchema): R {
  schemas.set(reader, schema);
  return reader;
}

/** @throws for a reader without a description. */
export function schemaOf(reader: object): JsonSchema {
  const schema = schemas.get(reader);
  if (!schema) throw new Error(`A reader of settings has no schema: ${reader}`);
  return schema();
}

/**
 * Reads one value of the configuration. An invalid value is reported and becomes undefined, so the default applies. The
 * tables of settings combine small readers; a schema library takes forty times as long to start.
 */
export type Reader<T> = (value: JsonValue, report: Report) => T | undefined;

/** Text that is not blank, trimmed. */
export const text: Reader<string> = described<Reader<string>>(
  (value, report) => {
    const trimmed = value.kind === "string" ? value.value.trim() : "";
    return trimmed === "" ? wrong(value, report, "a text") : trimmed;
  },
  () => ({ type: "string", pattern: "\\S" }),
);

/** Text; numbers and booleans are accepted too. */
export const textOfScalar = described<Reader<string>>(
  (value, report) => (value.kind === "number" || value.kind === "boolean" ? String(value.value) : text(value, report)),
  () => ({ type: ["string", "number", "boolean"] }),
);

export const flag = described<Reader<boolean>>(
  (value, report) => (value.kind === "boolean" ? value.value : wrong(value, report, "true or false")),
  () => ({ type: "boolean" }),
);

export function numberAbove(limit: number): Reader<number> {
  return described<Reader<number>>(
    (value, report) =>
      value.kind === "number" && value.value > limit && Number.isFinite(value.value)
        ? value.value
        : wrong(value, report, `a number above ${limit}`),
    () => ({ type: "number", exclusiveMinimum: limit }),
  );
}

export function oneOf<const T extends string>(names: readonly T[]): Reader<T> {
  return described<Reader<T>>(
    (value, report) => {
      const found = names.find((name) => value.kind === "string" && value.value === name);
      if (found !== undefined) return found;
      const near = value.kind === "string" ? likelyName(value.value.trim(), names) : undefined;
      const expected = names.map((name) => JSON.stringify(name)).join(names.length > 2 ? ", " : " or ");
      const wanted = names.length > 2 ? `one of ${expected}` : expected;
      return wrong(value, report, wanted, near && `write "${near.name}".`, near && textEdit(value.at, near));
    },
    () => ({ enum: [...names] }),
  );
}

/** `expected` describes what `pattern` accepts. */
export function textLike(pattern: RegExp, expected: string): Reader<string> {
  return described<Reader<string>>(
    (value, report) =>
      value.kind === "string" && pattern.test(value.value.trim()) ? value.value.trim() : wrong(value, report, expected),
    () => ({ type: "string", pattern: pattern.flags === "" ? pattern.source : "\\S" }),
  );
}

/** A value that is in a file of its own. */
const reference = { type: "object", properties: { $ref: { type: "string" } }, required: ["$ref"] };

/** The valid items, in their order. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return described<Reader<readonly T[]>>(
    (value, report) =>
      value.kind === "array"
        ? value.items.map((each) => item(each, report)).filter((each) => each !== undefined)
        : wrong(value, report, "a list"),
    () => ({ anyOf: [{ type: "array", items: schemaOf(item) }, reference] }),
  );
}

/** One value, or a list of them. */
export function oneOrList<T>(item: Reader<T>): Reader<readonly T[]> {
  const items = list(item);
  return described<Reader<readonly T[]>>(
    (value, report) => {
      if (value.kind === "array") return items(value, report);
      const one = item(value, report);
      return one === undefined ? undefined : [one];
    },
    () => ({ anyOf: [schemaOf(item), schemaOf(items)] }),
  );
}

/** An object whose names the writer chooses; `__proto__` is not allowed. */
export function map<T>(
  item: Reader<T>,
  isName: (name: string) => boolean,
  nameRule: string,
): Reader<Record<string, T>> {
  return described<Reader<Record<string, T>>>(
    (value, report) => {
      if (value.kind !== "object") return wrong(value, report, "an object");
      const entries: [string, T][] = [];
      for (const member of value.members) {
        if (member.name === "$schema") continue;
        if (!isName(member.name) || member.name === "__proto__") {
          report({
            code: "CONFIG_BAD_NAME",
            severity: "warning",
            what: `${quoted(member.name)} in ${inQuotes(value)} is left out: ${nameRule}.`,
            location: locationOfSpan(member.nameAt),
            fix: nameLike(member.name, isName),
          });
          continue;
        }
        const read = item(member.value, report);
        if (read !== undefined) entries.push([member.name, read]);
      }
      return Object.fromEntries(entries);
    },
    () => ({ type: "object", additionalProperties: schemaOf(item) }),
  );
}

/** Chooses the reader by the form of the value. */
export function byForm<T>(forms: Partial<Record<JsonValue["kind"], Reader<T>>>): Reader<T> {
  const expected = Object.keys(forms)
    .map((kind) => formNames[kind as JsonValue["kind"]])
    .join(" or ");
  return described<Reader<T>>(
    (value, report) => {
      const reader = forms[value.kind];
      return reader ? reader(value, report) : wrong(value, report, expected);
    },
    () => ({ anyOf: Object.values(forms).map(schemaOf) }),
  );
}

const formNames: Record<JsonValue["kind"], string> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

/** Part of the format, without effect on an export. */
export const ignored = described<Reader<never>>(
  () => undefined,
  () => ({}),
);

/** The defaults, overridden by what is read. */
export function withDefaults<D extends object>(defaults: D, reader: Reader<Partial<D>>): Reader<D> {
  return described<Reader<D>>(
    (value, report) => {
      const read = reader(value, report);
      return read && { ...defaults, ...read };
    },
    () => schemaOf(reader),
  );
}

/** Transforms the result of a reader. Not named `then`, which would make the module a promise. */
export function turned<T, U>(reader: Reader<T>, turn: (read: T) => U | undefined): Reader<U> {
  return described<Reader<U>>(
    (value, report) => {
      const read = reader(value, report);
      return read === undefined ? undefined : turn(read);
    },
    () => schemaOf(reader),
  );
}

export type Fields = Readonly<Record<string, Reader<unknown>>>;
type ValueOf<R> = R extends Reader<infer T> ? T : never;

/** `R` are the required names. */
type ReadOf<F extends Fields, R extends keyof F = never> = {
  readonly [K in Exclude<keyof F, R>]?: ValueOf<F[K]>;
} & { readonly [K in R]: ValueOf<F[K]> };

/**
 * An object with known names. An unknown one is reported with its hint, or with the nearest known name. If a `required`
 * one is missing or invalid, the whole object is left out.
 */
export function object<F extends Fields, const R extends keyof F & string = never>(
  fields: F,
  options: { readonly required?: readonly R[]; readonly hints?: Readonly<Record<string, string>> } = {},
): Reader<ReadOf<F, R>> {
  const known = new Map(Object.entries(fields));
  return described<Reader<ReadOf<F, R>>>(
    (value, report) => {
      if (value.kind !== "object") return wrong(value, report, "an object");
      const read = new Map<string, unknown>();
      for (const member of value.members) {
        const reader = known.get(member.name);
        if (reader) {
          const result = reader(member.value, report);
          if (result !== undefined) read.set(member.name, result);
        } else if (member.name !== "$schema")
          reportUnknown(value, member, [...known.keys()], options.hints ?? {}, report);
      }
      for (const name of options.required ?? []) {
        if (read.has(name)) continue;
        if (memberOf(value, name)) return undefined;
        const what = `${inQuotes(value)} has no "${name}", so it is left out.`;
        return reportAt(value, report, "CONFIG_KEY_MISSING", what, `add "${name}": ${exampleOf(name)} to it.`);
      }
      return Object.fromEntries(read) as ReadOf<F, R>;
    },
    () => objectSchema(fields, options.required ?? []),
  );
}

function objectSchema(fields: Fields, required: readonly string[]) {
  const properties = Object.entries(fields).map(([name, reader]) => [name, schemaOf(reader)]);
  return {
    type: "object",
    properties: { $schema: { type: "string" }, $ref: { type: "string" }, ...Object.fromEntries(properties) },
    additionalProperties: false,
    ...(required.length > 0 && { anyOf: [{ required: [...required] }, { required: ["$ref"] }] }),
  };
}

function reportUnknown(
  object: JsonObject,
  member: JsonObject["members"][number],
  known: readonly string[],
  hints: Readonly<Record<string, string>>,
  report: Report,
): void {
  report(() => {
    const hint = Object.hasOwn(hints, member.name) ? hints[member.name] : undefined;
    const near = likelyName(member.name, known);
    return {
      code: "CONFIG_UNKNOWN_KEY",
      severity: "warning",
      what: `${inQuotes(object)} has no setting ${quoted(member.name)}; it is ignored.`,
      location: locationOfSpan(member.nameAt),
      fix:
        hint ??
        (near
          ? `write "${near.name}".`
          : known.length > 12
            ? "remove it."
            : `remove it; known here: ${known.join(", ")}.`),
      ...(!hint && near && !memberOf(object, near.name) && textEdit(member.nameAt, near)),
    };
  });
}

/** Reports an invalid value. */
export function wrong(
  value: JsonValue,
  report: Report,
  expected: string,
  fix?: string,
  mended?: Pick<Diagnostic, "edits">,
): undefined {
  const what = `${inQuotes(value)} is ${shown(value)}, but must be ${expected}; it is ignored.`;
  const meant = fix === undefined ? meantBy(value, expected) : undefined;
  const toDo = fix ?? (meant === undefined ? `write ${expected}, or remove it.` : `write ${meant}.`);
  return reportAt(value, report, "CONFIG_BAD_VALUE", what, toDo, "warning", mended);
}

/** Reports a fault of a value. */
export function reportAt(
  value: JsonValue,
  report: Report,
  code: string,
  what: string,
  fix: string,
  severity: Diagnostic["severity"] = "warning",
  mended?: Pick<Diagnostic, "edits">,
): undefined {
  report({ code, severity, what, location: locationOf(value), fix, ...mended });
}

function quoted(name: string): string {
  return shortened(JSON.stringify(name));
}

/** The name of a value in a message: its path, or the file's name for its whole content. */
export function inQuotes(value: JsonValue): string {
  const path = pathOf(value);
  return path === "" ? value.at.file.sourcePath : `"${path}"`;
}
