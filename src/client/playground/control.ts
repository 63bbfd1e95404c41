import type { FormSchema } from "../../page/reference/playground/playground-form.js";
import type { Value } from "./value.js";

/** One place of the form that holds a value. */
export interface Control {
  readonly element: HTMLElement;
  /** Undefined: left out of the request. */
  read(): Value | undefined;
  /** Puts a value in; undefined empties. A value that the schema does not foresee is kept as JSON. */
  write(value: Value | undefined): void;
  /**
   * Shows what is wrong, and gives the elements to go to.
   * @param isSent also what the reader has not come to yet is judged.
   */
  check(isSent: boolean): readonly HTMLElement[];
}

/** What all controls of a form share. */
export interface FormContext {
  readonly schemas: readonly FormSchema[];
  /** Values of examples are put in from the start. */
  readonly prefill: boolean;
  /** Whether one more group may be open from the start: a form could otherwise be made of thousands. */
  mayOpen(): boolean;
  /** Something was typed. */
  changed(): void;
  /** A new id, for labels. */
  id(): string;
}

export interface FieldFacts {
  /** Absent: the place around it says what it is. */
  readonly name?: string;
  readonly required: boolean;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Stands in the field's head at its end. */
  readonly action?: HTMLElement;
  /** What to know about how it is sent. */
  readonly note?: string;
  /** One of a list: that it must be filled in goes without saying. */
  readonly isItem?: boolean;
  /** Levels above it. */
  readonly depth: number;
  /** Values go into an address or a header, and not into a body. */
  readonly isParameter?: boolean;
}
