import { isRawNumber, type Json, numberOf, parseJson as parseExactly, stringify } from "../../../lib/json/json.js";
import type { FormSchema } from "../../../reference/forms/playground-form.js";
import { say, sayWith } from "../messages.js";

/** Missing values that are errors: all required ones, those of visited fields, or none, if the object is left out. */
export type Missing = "all" | "visited" | "none";

/** The input for a value of the form. */
export interface Control {
  readonly element: HTMLElement;
  /** The value; undefined if it is not part of the request. */
  read(): Value | undefined;
  /** Sets the value; undefined clears it. A value that does not fit the schema is shown as JSON. */
  write(value: Value | undefined): void;
  /** Shows errors and clears those that are corrected. Returns the elements with errors, which can be focused. */
  check(missing: Missing): readonly HTMLElement[];
}

/** Shared by all controls of a form. */
export interface FormContext {
  readonly schemas: readonly FormSchema[];
  /** Whether to fill in example values. */
  readonly prefill: boolean;
  /** Whether another group may start open; thousands would slow the form down. */
  mayOpen(): boolean;
  /** To be called after every input; checks all fields. */
  changed(): void;
  /** Creates the control of a nested schema. Passed here, so that the control modules need not import each other. */
  readonly createControl: (form: FormContext, schema: FormSchema, facts: FieldFacts) => Control;
  /** A new id, for labels. */
  id(): string;
}

export interface FieldFacts {
  /** Undefined if the surrounding element names it. */
  readonly name?: string;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Shown at the end of the field's heading. */
  readonly action?: HTMLElement;
  /** A remark on how the value is sent. */
  readonly note?: string;
  /** An item of a list, which is not marked as required. */
  readonly isItem?: boolean;
  /** Nesting level. */
  readonly depth: number;
  /** The value goes into the URL or a header, not into the body. */
  readonly isParameter?: boolean;
}

/** A value of the form: JSON that may contain files. */
export type Value = Json | File | readonly Value[] | { readonly [name: string]: Value };
export type ValueObject = { readonly [name: string]: Value };

export const isValueObject = (value: Value | undefined): value is ValueObject =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof File) &&
  !isRawNumber(value);

/** The value with files replaced by their names. */
export function toJson(value: Value): Json {
  if (value instanceof File) return value.name;
  if (Array.isArray(value)) return value.map(toJson);
  if (isValueObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]): [string, Json] => [name, toJson(member)]));
  return value as Json;
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const printJson = (value: Value): string => stringify(toJson(value), 2);

/** The value, or the reason why the text is not JSON. */
export function parseJson(text: string): { readonly value: Json } | { readonly reason: string } {
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    return { reason: errorMessage(error) };
  }
}

/** Functions of the playground for the XML script, which therefore need not contain them again. */
export const xmlTools = { errorMessage, numberOf, say, sayWith, toJson };
export type XmlTools = typeof xmlTools;
