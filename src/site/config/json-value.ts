import {
  type Diagnostic,
  type LikelyName,
  type Location,
  lengthOnLine,
  positionFinder,
} from "../../lib/diagnostic/index.js";

/**
 * JSON whose values have their locations, so that later stages can report faults there. Objects have their members in a list,
 * so no name in a file can reach a prototype.
 */
export type JsonValue = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull;
export interface JsonObject extends Written {
  readonly kind: "object";
  /** In the order written, each name once. */
  readonly members: readonly JsonMember[];
}
export interface JsonMember {
  /** A reader may repair it. */
  name: string;
  readonly nameAt: Span;
  readonly value: JsonValue;
}
export interface JsonArray extends Written {
  readonly kind: "array";
  readonly items: readonly JsonValue[];
}
export interface JsonString extends Written {
  readonly kind: "string";
  readonly value: string;
}
interface JsonNumber extends Written {
  readonly kind: "number";
  readonly value: number;
}
interface JsonBoolean extends Written {
  readonly kind: "boolean";
  readonly value: boolean;
}
interface JsonNull extends Written {
  readonly kind: "null";
}

interface Written {
  readonly at: Span;
  /** The value that contains it in its file; `step` is its name or index there. */
  readonly parent?: JsonValue;
  readonly step: string | number;
}

/** A part of a file, in UTF-16 code units from 0. */
export interface Span {
  readonly file: JsonFile;
  readonly offset: number;
  readonly length: number;
}
export interface JsonFile {
  readonly sourcePath: string;
  readonly text: string;
  readonly positionOf: ReturnType<typeof positionFinder>;
}

/** Collects diagnostics. A function is called only if there is room for its diagnostic. */
export type Report = (diagnostic: Diagnostic | (() => Diagnostic)) => void;

export function jsonFile(sourcePath: string, text: string): JsonFile {
  return { sourcePath, text, positionOf: positionFinder(text) };
}

/** The location of a value; only the opening bracket of an object or array, which may have hundreds of lines. */
export function locationOf(value: JsonValue): Location {
  const isLong = value.kind === "object" || value.kind === "array";
  return locationOfSpan(isLong ? { ...value.at, length: 1 } : value.at);
}

/** Replaces a string in quotes, which is a name or a value. */
export function textEdit({ file, offset, length }: Span, { name, certain }: LikelyName): Pick<Diagnostic, "edits"> {
  const edit = { start: offset, end: offset + length, replacement: JSON.stringify(name), certain };
  return { edits: [{ sourcePath: file.sourcePath, ...edit }] };
}

export function locationOfSpan({ file, offset, length }: Span): Location {
  return { sourcePath: file.sourcePath, ...file.positionOf(offset), length: lengthOnLine(file.text, offset, length) };
}

/** A member of an object; undefined for any other value. */
export const memberOf = (value: JsonValue, name: string): JsonValue | undefined =>
  value.kind === "object" ? value.members.find((member) => member.name === name)?.value : undefined;

/** The value without its locations. */
export function plainValue(value: JsonValue): unknown {
  if (value.kind === "object")
    return Object.fromEntries(value.members.map((member) => [member.name, plainValue(member.value)]));
  if (value.kind === "array") return value.items.map(plainValue);
  return value.kind === "null" ? null : value.value;
}

/** The path of a value in its file: `navigation.tabs[2].icon`; "" for the whole file. */
export function pathOf(value: JsonValue): string {
  const steps: string[] = [];
  for (let at: JsonValue | undefined = value; at?.parent; at = at.parent) {
    if (typeof at.step === "number") steps.push(`[${at.step}]`);
    else steps.push(/^[\w$-]+$/.test(at.step) ? `.${at.step}` : `[${JSON.stringify(at.step)}]`);
  }
  return steps.reverse().join("").replace(/^\./, "");
}

/** A value for a message: JSON on one line, shortened. */
export function shown(value: JsonValue): string {
  if (value.kind === "object") return "an object";
  if (value.kind === "array") return "a list";
  if (value.kind === "null") return "null";
  return shortened(JSON.stringify(value.value));
}

export const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 76)}…${text.slice(-1)}` : text);

// Values made from those of an older format. Each has the location of its origin, so that faults are reported there.

export const newMember = (name: string, value: JsonValue): JsonMember => ({ name, nameAt: value.at, value });

export const newObject = (from: JsonValue, members: readonly JsonMember[]): JsonObject => ({
  kind: "object",
  members,
  ...placeOf(from),
});

export const newList = (from: JsonValue, items: readonly JsonValue[]): JsonValue => ({
  kind: "array",
  items,
  ...placeOf(from),
});

export const newText = (from: JsonValue, value: string): JsonString => ({ kind: "string", value, ...placeOf(from) });

export const newFlag = (from: JsonValue, value: boolean): JsonBoolean => ({ kind: "boolean", value, ...placeOf(from) });

const placeOf = ({ at, parent, step }: JsonValue) => ({ at, parent, step });

/** An object with only the members in `names`, under their new names. */
export const renameMembers = (value: JsonValue, names: Readonly<Record<string, string>>): JsonValue =>
  value.kind === "object"
    ? newObject(
        value,
        value.members.flatMap((member) =>
          Object.hasOwn(names, member.name) ? [{ ...member, name: names[member.name]! }] : [],
        ),
      )
    : value;

/** Applies `change` to every item of a list; another value stays as it is. */
export const mapItems = (value: JsonValue, change: (item: JsonValue) => JsonValue): JsonValue =>
  value.kind === "array" ? { ...value, items: value.items.map(change) } : value;

/** An object with another value for one of its members; a member without a new value is dropped. */
export const changeMember = (
  value: JsonValue,
  name: string,
  change: (member: JsonValue) => JsonValue | undefined,
): JsonValue =>
  value.kind === "object"
    ? newObject(
        value,
        value.members.flatMap((member) => {
          const changed = member.name === name ? change(member.value) : member.value;
          return changed === undefined ? [] : [{ ...member, value: changed }];
        }),
      )
    : value;
