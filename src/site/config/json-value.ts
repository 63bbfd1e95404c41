import {
  type Diagnostic,
  type LikelyName,
  type Location,
  lengthOnLine,
  positionFinder,
} from "../../lib/diagnostic/index.js";

/**
 * JSON whose every value knows where it was written, so that later stages can report faults there.
 * Objects keep their members in a list, so no name in a file can reach a prototype.
 */
export type JsonValue = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull;
export interface JsonObject extends Written {
  readonly kind: "object";
  /** In the order written, each name once. */
  readonly members: readonly JsonMember[];
}
export interface JsonMember {
  readonly name: string;
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
  /** The value around it in its file, and its name or index there. */
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

/** Collects diagnostics; a function is called only if its diagnostic is kept. */
export type Report = (diagnostic: Diagnostic | (() => Diagnostic)) => void;

export function jsonFile(sourcePath: string, text: string): JsonFile {
  return { sourcePath, text, positionOf: positionFinder(text) };
}

/** Of an object or array only the opening bracket: carets under a hundred lines do not help. */
export function locationOf(value: JsonValue): Location {
  const isLong = value.kind === "object" || value.kind === "array";
  return locationOfSpan(isLong ? { ...value.at, length: 1 } : value.at);
}

/** Puts other text in place of a text in quotes: a name, or a value. */
export function textEdit({ file, offset, length }: Span, { name, certain }: LikelyName): Pick<Diagnostic, "edits"> {
  const edit = { start: offset, end: offset + length, replacement: JSON.stringify(name), certain };
  return { edits: [{ sourcePath: file.sourcePath, ...edit }] };
}

export function locationOfSpan({ file, offset, length }: Span): Location {
  return { sourcePath: file.sourcePath, ...file.positionOf(offset), length: lengthOnLine(file.text, offset, length) };
}

export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return object.members.find((member) => member.name === name)?.value;
}

/** The value alone. */
export function plainOf(value: JsonValue): unknown {
  if (value.kind === "object") return Object.fromEntries(value.members.map((each) => [each.name, plainOf(each.value)]));
  if (value.kind === "array") return value.items.map(plainOf);
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

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 76)}…${text.slice(-1)}` : text;
}

/** Makes values from others: each keeps the location of the one it was made from, so that faults are shown there. */

export function madeMember(name: string, value: JsonValue): JsonMember {
  return { name, nameAt: value.at, value };
}

export function madeObject(from: JsonValue, members: readonly JsonMember[]): JsonObject {
  return { kind: "object", members, ...writtenAs(from) };
}

export function madeList(from: JsonValue, items: readonly JsonValue[]): JsonValue {
  return { kind: "array", items, ...writtenAs(from) };
}

export function madeText(from: JsonValue, value: string): JsonString {
  return { kind: "string", value, ...writtenAs(from) };
}

export function madeFlag(from: JsonValue, value: boolean): JsonBoolean {
  return { kind: "boolean", value, ...writtenAs(from) };
}

function writtenAs({ at, parent, step }: JsonValue) {
  return { at, parent, step };
}

/** An object with only the members in `names`, under their new names. */
export function renamed(value: JsonValue, names: Readonly<Record<string, string>>): JsonValue {
  if (value.kind !== "object") return value;
  const byName = new Map(Object.entries(names));
  return madeObject(
    value,
    value.members.flatMap((member) => {
      const name = byName.get(member.name);
      return name === undefined ? [] : [{ ...member, name }];
    }),
  );
}

/** Applies `turn` to every item of a list; another value stays as it is. */
export function eachItem(value: JsonValue, turn: (item: JsonValue) => JsonValue): JsonValue {
  return value.kind === "array" ? { ...value, items: value.items.map(turn) } : value;
}
