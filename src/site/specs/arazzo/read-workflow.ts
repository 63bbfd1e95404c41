import { parseExpression } from "../../../lib/arazzo/expression.js";
import {
  entriesAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  member,
  numberAt,
  pointerTo,
  textAt,
  textsAt,
} from "../../../lib/json/index.js";
import { below } from "../resolve-pointer.js";

/** A workflow whose reusable parts are resolved. The parts that apply to all steps are added to each step. */
export interface Workflow {
  readonly id: string;
  readonly written: JsonObject;
  readonly pointer: string;
  /** Ids, and expressions for workflows of other documents, as written. */
  readonly dependsOn: readonly string[];
  readonly steps: readonly WorkflowStep[];
  readonly outputs: readonly Output[];
}

export interface WorkflowStep {
  readonly id: string;
  readonly written: JsonObject;
  readonly pointer: string;
  readonly parameters: readonly StepParameter[];
  readonly body?: StepBody;
  /** The steps that must have run before, as written: see `parseStepReference`. */
  readonly dependsOn: readonly string[];
  /** Expression for the correlation id of the message for which the step waits. */
  readonly correlationId?: string;
  readonly criteria: readonly Criterion[];
  readonly onSuccess: readonly StepAction[];
  readonly onFailure: readonly StepAction[];
  readonly outputs: readonly Output[];
}

export interface StepParameter {
  readonly name: string;
  /** Absent for an input of a workflow. */
  readonly place?: string;
  readonly value: Json;
  readonly pointer: string;
}
export interface StepBody {
  readonly type?: string;
  readonly payload?: Json;
  readonly replacements: readonly { readonly target: string; readonly value: Json; readonly kind?: string }[];
  readonly pointer: string;
}
export interface Criterion {
  readonly condition: string;
  readonly kind: "simple" | "regex" | "jsonpath" | "xpath";
  readonly context?: string;
  readonly pointer: string;
}
export interface StepAction {
  readonly kind: "end" | "goto" | "retry";
  readonly name?: string;
  readonly step?: string;
  readonly workflow?: string;
  readonly parameters: readonly StepParameter[];
  readonly criteria: readonly Criterion[];
  /** Delay of a retry, in seconds. */
  readonly after?: number;
  readonly limit?: number;
  readonly pointer: string;
}
export interface Output {
  readonly name: string;
  /** An expression or a selector object. */
  readonly value: Json;
  readonly pointer: string;
}

/** Reads a workflow of a document. Invalid parts are left out. */
export function readWorkflow(document: JsonObject, pointer: string, written: JsonObject): Workflow {
  const reader = createReader(document);
  const parameters = reader.parameters(written, pointer);
  const successActions = reader.actions(written, pointer, "successActions");
  const failureActions = reader.actions(written, pointer, "failureActions");
  const steps = listAt(written, "steps").flatMap((step, i): WorkflowStep[] => {
    const id = textAt(step, "stepId");
    if (!isObject(step) || id === undefined) return [];
    const at = below(pointer, "steps", i);
    const ofStep = reader.parameters(step, at);
    // A step that calls a workflow takes inputs, which have no place in a request.
    const isRequest = textAt(step, "workflowId") === undefined;
    const applies = ({ name, place }: StepParameter): boolean =>
      (place === undefined || isRequest) && !ofStep.some((other) => other.name === name && other.place === place);
    return [
      {
        id,
        written: step,
        pointer: at,
        parameters: [...parameters.filter(applies), ...ofStep],
        ...bodyOf(step, at),
        dependsOn: textsAt(step, "dependsOn"),
        ...named("correlationId", textAt(step, "correlationId")),
        criteria: criteriaOf(step, "successCriteria", at),
        onSuccess: overridden(reader.actions(step, at, "onSuccess"), successActions),
        onFailure: overridden(reader.actions(step, at, "onFailure"), failureActions),
        outputs: outputsOf(step, at),
      },
    ];
  });
  return {
    id: textAt(written, "workflowId") ?? "",
    written,
    pointer,
    dependsOn: textsAt(written, "dependsOn"),
    steps,
    outputs: outputsOf(written, pointer),
  };
}

/** The actions of the step, then those of the workflow, unless the step has an action of the same name. */
const overridden = (ofStep: readonly StepAction[], ofWorkflow: readonly StepAction[]): StepAction[] => [
  ...ofStep,
  ...ofWorkflow.filter(({ name }) => name === undefined || !ofStep.some((action) => action.name === name)),
];

/** The lists whose items may refer to a reusable component, and the member of `components` with it. */
export const componentLists: Readonly<Record<string, string>> = {
  parameters: "parameters",
  successActions: "successActions",
  failureActions: "failureActions",
  onSuccess: "successActions",
  onFailure: "failureActions",
};

function createReader(document: JsonObject) {
  /** The objects of a list, including referenced components, each with its pointer. */
  const objects = (
    holder: Json,
    at: string,
    list: string,
  ): { readonly value: JsonObject; readonly pointer: string }[] =>
    listAt(holder, list).flatMap((item, i) => {
      const pointer = below(at, list, i);
      const reference = textAt(item, "reference");
      if (reference === undefined) return isObject(item) ? [{ value: item, pointer }] : [];
      const component = componentOf(document, reference, componentLists[list]!);
      if (component === undefined) return [];
      const value = member(item, "value");
      return [{ ...component, value: value === undefined ? component.value : { ...component.value, value } }];
    });
  const parameters = (holder: Json, at: string): StepParameter[] =>
    objects(holder, at, "parameters").flatMap(({ value, pointer }): StepParameter[] => {
      const name = textAt(value, "name");
      const place = textAt(value, "in");
      if (name === undefined) return [];
      return [{ name, ...(place !== undefined && { place }), value: member(value, "value") ?? null, pointer }];
    });
  const actions = (holder: Json, at: string, list: string): StepAction[] =>
    objects(holder, at, list).flatMap(({ value, pointer }): StepAction[] => {
      const kind = actionKinds.find((valid) => valid === textAt(value, "type"));
      if (kind === undefined) return [];
      const after = numberAt(value, "retryAfter");
      const limit = numberAt(value, "retryLimit");
      return [
        {
          kind,
          ...named("name", textAt(value, "name")),
          ...named("step", textAt(value, "stepId")),
          ...named("workflow", textAt(value, "workflowId")),
          parameters: parameters(value, pointer),
          criteria: criteriaOf(value, "criteria", pointer),
          ...(after !== undefined && after >= 0 && { after }),
          ...(limit !== undefined && limit >= 0 && { limit: Math.floor(limit) }),
          pointer,
        },
      ];
    });
  return { parameters, actions };
}

export const actionKinds = ["end", "goto", "retry"] as const;

/** The component to which a reference such as `$components.parameters.page` refers. */
export function componentOf(document: JsonObject, reference: string, list: string) {
  const expression = parseExpression(reference);
  if (expression?.kind !== "components" || expression.list !== list) return undefined;
  const value = member(member(document["components"], list), expression.name);
  return isObject(value) ? { value, pointer: pointerTo("components", list, expression.name) } : undefined;
}

const named = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: string };

function bodyOf(step: JsonObject, at: string): Pick<WorkflowStep, "body"> {
  const body = step["requestBody"];
  if (!isObject(body)) return {};
  const { payload } = body;
  return {
    body: {
      ...named("type", textAt(body, "contentType")),
      ...(payload !== undefined && { payload }),
      replacements: listAt(body, "replacements").flatMap((item) => {
        const target = textAt(item, "target");
        const kind = kindOf(member(item, "targetSelectorType"));
        return target === undefined ? [] : [{ target, value: member(item, "value") ?? null, ...named("kind", kind) }];
      }),
      pointer: `${at}/requestBody`,
    },
  };
}

export const criterionKinds = ["simple", "regex", "jsonpath", "xpath"] as const;

const criteriaOf = (holder: Json, list: string, at: string): Criterion[] =>
  listAt(holder, list).flatMap((item, i): Criterion[] => {
    const condition = textAt(item, "condition");
    const kind = criterionKinds.find((valid) => valid === (kindOf(member(item, "type")) ?? "simple"));
    if (condition === undefined || kind === undefined) return [];
    return [{ condition, kind, ...named("context", textAt(item, "context")), pointer: below(at, list, i) }];
  });

/** The kind of a criterion: `jsonpath`, or an object with it and a version. */
export const kindOf = (type: Json | undefined): string | undefined =>
  typeof type === "string" ? type : textAt(type, "type");

const outputsOf = (holder: Json, at: string): Output[] =>
  entriesAt(holder, "outputs").map(([name, value]) => ({
    name,
    value,
    pointer: below(at, "outputs", name),
  }));
