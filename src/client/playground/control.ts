import type { FormSchema } from "../../page/reference/playground/playground-form.js";
import type { Value } from "./value.js";

/** The part of a form that holds one value. */
export interface Control {
  readonly element: HTMLElement;
  /** Undefined: not part of the request. */
  read(): Value | undefined;
  /** Sets the value; undefined clears it. A value that does not fit the schema is kept as JSON. */
  write(value: Value | undefined): void;
  /**
   * Shows what is wrong and returns the faulty elements.
   * @param isSent also checks fields that the reader has not visited yet.
   */
  check(isSent: boolean): readonly HTMLElement[];
}

/** What all controls of a form share. */
export interface FormContext {
  readonly schemas: readonly FormSchema[];
  /** The form starts with the values of the examples. */
  readonly prefill: boolean;
  /** Whether one more group may start open. Limits the size of the form, which could have thousands of groups. */
  mayOpen(): boolean;
  /** Called when the reader changes a value. */
  changed(): void;
  /** Returns a new id. */
  id(): string;
}

export interface FieldFacts {
  /** Absent if the context names it. */
  readonly name?: string;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Shown at the end of the field's header. */
  readonly action?: HTMLElement;
  /** How it is sent, if that needs explaining. */
  readonly note?: string;
  /** An item of a list, which is not marked as required. */
  readonly isItem?: boolean;
  /** Nesting level. */
  readonly depth: number;
  /** The value goes into the URL or a header, not into the body. */
  readonly isParameter?: boolean;
}
