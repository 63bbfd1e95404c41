import type { FormSchema } from "../../../reference/forms/playground-form.js";
import type { Value } from "./value.js";

/** A part of the form that holds a value. */
export interface Control {
  readonly element: HTMLElement;
  /** Undefined: not part of the request. */
  read(): Value | undefined;
  /** Sets the value; undefined clears it. A value that does not fit the schema is kept as JSON. */
  write(value: Value | undefined): void;
  /**
   * Shows what is wrong, and returns the elements to focus.
   * @param isSent fields that the reader has not visited are checked too.
   */
  check(isSent: boolean): readonly HTMLElement[];
}

/** What all controls of a form share. */
export interface FormContext {
  readonly schemas: readonly FormSchema[];
  /** Fill in the values of examples. */
  readonly prefill: boolean;
  /** Whether another group may start open; thousands would make the form slow. */
  mayOpen(): boolean;
  /** To be called after every input. */
  changed(): void;
  /** Creates the control of a part of a schema. Controls get it from here, so that they need not import each other. */
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
