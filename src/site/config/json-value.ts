import { type Diagnostic, type Location, positionFinder } from "../../lib/diagnostic/index.js";

/**
 * JSON whose every part knows where it was written, so that what is found wrong with it later can be shown there.
 * Objects keep their members in a list: no name that a file may contain can reach a prototype.
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
export interface JsonNumber extends Written {
  readonly kind: "number";
  readonly value: number;
}
export interface JsonBoolean extends Written {
  readonly kind: "boolean";
  readonly value: boolean;
}
export interface JsonNull extends Written {
  readonly kind: "null";
}

interface Written {
  readonly at: Span;
  /** Where it stands in its own file: the value around it, and its name or index there. */
  readonly parent?: JsonValue;
  readonly step: string | number;
}

/** A stretch of a file, in UTF-16 code units from 0. */
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

/** Takes in what is found wrong; a function is called only where its diagnostic will be kept. */
export type Report = (diagnostic: Diagnostic | (() => Diagnostic)) => void;

export function jsonFile(sourcePath: string, text: string): JsonFile {
  return { sourcePath, text, positionOf: positionFinder(text) };
}

/** Of an object or array only the opening bracket: carets under a hundred lines help nobody. */
export function locationOf(value: JsonValue): Location {
  const isLong = value.kind === "object" || value.kind === "array";
  return locationOfSpan(isLong ? { ...value.at, length: 1 } : value.at);
}

export function locationOfSpan({ file, offset, length }: Span): Location {
  return { sourcePath: file.sourcePath, ...file.positionOf(offset), length };
}

export function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  return object.members.find((member) => member.name === name)?.value;
}

/** The way to a value in the file it was written in: `navigation.tabs[2].icon`; "" for the whole file. */
export function pathOf(value: JsonValue): string {
  const steps: string[] = [];
  for (let at: JsonValue | undefined = value; at?.parent; at = at.parent) {
    if (typeof at.step === "number") steps.push(`[${at.step}]`);
    else steps.push(/^[\w$-]+$/.test(at.step) ? `.${at.step}` : `[${JSON.stringify(at.step)}]`);
  }
  return steps.reverse().join("").replace(/^\./, "");
}

/** A value as a message shows it: JSON of one line, cut where it grows long. */
export function shown(value: JsonValue): string {
  if (value.kind === "object") return "an object";
  if (value.kind === "array") return "a list";
  if (value.kind === "null") return "null";
  return shortened(JSON.stringify(value.value));
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 76)}…${text.slice(-1)}` : text;
}
