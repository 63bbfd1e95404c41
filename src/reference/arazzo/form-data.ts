/** The data from which a browser runs a workflow, as plain JSON. Runtime expressions stay as written. */
import type { Json } from "../../lib/json/index.js";
import type { FieldEncoding, FormCredential, FormParameter, FormSchema, FormServer } from "../forms/playground-form.js";

export interface WorkflowForm {
  /** First the workflow of the page, then those that it calls. */
  readonly workflows: readonly FormWorkflow[];
  readonly operations: readonly FormOperation[];
  /** Servers and ways to authorize, shared by operations. */
  readonly apis: readonly FormApi[];
  /** See `PlaygroundForm`. */
  readonly schemas: readonly FormSchema[];
  readonly prefill?: true;
  readonly cookies?: true;
}

export interface FormWorkflow {
  readonly id: string;
  /** Index of the inputs' schema. */
  readonly inputs?: number;
  /** Indexes of the workflows that must run first. */
  readonly dependsOn: readonly number[];
  readonly steps: readonly FormStep[];
  readonly outputs: readonly FormOutput[];
  /** URLs of its source descriptions, by name. */
  readonly sources: Readonly<Record<string, string>>;
}

export interface FormStep {
  readonly id: string;
  /** What it calls, as shown: `POST /orders`. */
  readonly call: string;
  /** Index of an operation or of a workflow. A browser cannot run a step that has neither. */
  readonly operation?: number;
  readonly workflow?: number;
  readonly parameters: readonly FormAssigned[];
  readonly body?: FormStepBody;
  readonly criteria: readonly FormCriterion[];
  readonly onSuccess: readonly FormAction[];
  readonly onFailure: readonly FormAction[];
  readonly outputs: readonly FormOutput[];
  readonly timeoutMs?: number;
}

export interface FormAssigned {
  readonly name: string;
  readonly place?: string;
  readonly value: Json;
}
export interface FormStepBody {
  readonly type?: string;
  readonly payload?: Json;
  readonly replacements: readonly { readonly target: string; readonly value: Json; readonly kind?: string }[];
}
export interface FormCriterion {
  readonly condition: string;
  readonly kind: "simple" | "regex" | "jsonpath" | "xpath";
  readonly context?: string;
}
export interface FormAction {
  readonly kind: "end" | "goto" | "retry";
  readonly step?: string;
  readonly workflow?: number;
  readonly parameters: readonly FormAssigned[];
  readonly criteria: readonly FormCriterion[];
  readonly after?: number;
  readonly limit?: number;
}
export interface FormOutput {
  readonly name: string;
  readonly value: Json;
}

export interface FormOperation {
  readonly api: number;
  readonly method: string;
  readonly path: string;
  /** The file of the operation's page, relative to the file of this page. */
  readonly page?: string;
  readonly parameters: readonly FormParameter[];
  readonly media: readonly FormBodyType[];
}
export interface FormBodyType {
  readonly type: string;
  readonly encoding?: Readonly<Record<string, FieldEncoding>>;
}
export interface FormApi {
  readonly name: string;
  readonly servers: readonly FormServer[];
  readonly ways: readonly (readonly FormCredential[])[];
}
