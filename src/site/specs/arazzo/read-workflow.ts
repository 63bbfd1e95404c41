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

/** A workflow with its reusable parts in place, and what applies to all its steps at each step. */
export interface Workflow {
  readonly id: string;
  readonly written: JsonObject;
  readonly pointer: string;
  /** As written: ids, and expressions for workflows of other documents. */
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
  /** What the message that the step waits for must carry: an expression. */
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
  /** Of a retry, in seconds. */
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

/** Reads a workflow of a document; parts that are not what they should be are left out. */
export function readWorkflow(document: JsonObject, pointer: string, written: JsonObject): Workflow {
  const reader = createReader(document);
  const parameters = reader.parameters(written, pointer);
  const successActions = reader.actions(written, pointer, "successActions");
  const failureActions = reader.actions(written, pointer, "failureActions");
  const steps = listAt(written, "steps").flatMap((step, i): WorkflowStep[] => {
    const id = textAt(step, "stepId");
    if (!isObject(step) || id === undefined) return [];
    const at = below(pointer, "steps", i);
    const own = reader.parameters(step, at);
    // Inputs of a workflow have no place in a request.
    const isRequest = textAt(step, "workflowId") === undefined;
    const isOwn = ({ name, place }: StepParameter): boolean =>
      own.some((each) => each.name === name && each.place === place) || (place !== undefined && !isRequest);
    return [
      {
        id,
        written: step,
        pointer: at,
        parameters: [...parameters.filter((each) => !isOwn(each)), ...own],
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

/** Those of the step come first; one of the same name replaces that of the workflow. */
const overridden = (own: readonly StepAction[], shared: readonly StepAction[]): StepAction[] => [
  ...own,
  ...shared.filter(({ name }) => name === undefined || !own.some((each) => each.name === name)),
];

/** The lists that may name a reusable component in place of an object of their own, and where the component is. */
export const componentLists: Readonly<Record<string, string>> = {
  parameters: "parameters",
  successActions: "successActions",
  failureActions: "failureActions",
  onSuccess: "successActions",
  onFailure: "failureActions",
};

function createReader(document: JsonObject) {
  /** The objects of a list, those that it only names included, each with its pointer. */
  const objects = (
    holder: Json,
    at: string,
    list: string,
  ): { readonly value: JsonObject; readonly pointer: string }[] =>
    listAt(holder, list).flatMap((each, i) => {
      const pointer = below(at, list, i);
      const reference = textAt(each, "reference");
      if (reference === undefined) return isObject(each) ? [{ value: each, pointer }] : [];
      const found = componentOf(document, reference, componentLists[list]!);
      if (found === undefined) return [];
      const value = member(each, "value");
      return [{ ...found, value: value === undefined ? found.value : { ...found.value, value } }];
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
      const kind = actionKinds.find((each) => each === textAt(value, "type"));
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

/** What `$components.parameters.page` names. */
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
      replacements: listAt(body, "replacements").flatMap((each) => {
        const target = textAt(each, "target");
        const kind = kindOf(member(each, "targetSelectorType"));
        return target === undefined ? [] : [{ target, value: member(each, "value") ?? null, ...named("kind", kind) }];
      }),
      pointer: `${at}/requestBody`,
    },
  };
}

export const criterionKinds = ["simple", "regex", "jsonpath", "xpath"] as const;

function criteriaOf(holder: Json, list: string, at: string): Criterion[] {
  return listAt(holder, list).flatMap((each, i): Criterion[] => {
    const condition = textAt(each, "condition");
    const kind = criterionKinds.find((known) => known === (kindOf(member(each, "type")) ?? "simple"));
    if (condition === undefined || kind === undefined) return [];
    return [{ condition, kind, ...named("context", textAt(each, "context")), pointer: below(at, list, i) }];
  });
}

/** `jsonpath`, or the same with a version. */
export const kindOf = (type: Json | undefined): string | undefined =>
  typeof type === "string" ? type : textAt(type, "type");

const outputsOf = (holder: Json, at: string): Output[] =>
  entriesAt(holder, "outputs").map(([name, value]) => ({
    name,
    value,
    pointer: below(at, "outputs", name),
  }));
