import { isObject, type Json, member, numberAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import * as specs from "../../site/specs/index.js";
import { createFormSchemas } from "../forms/form-schemas.js";
import { operationForm } from "../forms/operation-form.js";
import { credentialsOf, withoutCredentials } from "../operations/authorization-section.js";
import { readOperation } from "../operations/operation.js";
import { readServer } from "../operations/server.js";
import type { PageContext } from "../pages/page-context.js";
import type { FormAction, FormApi, FormOperation, FormStep, FormWorkflow, WorkflowForm } from "./form-data.js";
import { callText, createStepTargets, type StepTargets } from "./step-targets.js";

/** A workflow with the document that describes it. */
interface Described {
  readonly context: PageContext;
  readonly targets: StepTargets;
  readonly workflow: specs.Workflow;
}

/** Limits that keep the file of a page small. */
const maxWorkflows = 20;
const maxServers = 30;
const maxLength = 1_000_000;

/** The data that runs a workflow; undefined if a browser can run none of its steps, or if it is too large. */
export function workflowForm(start: Described): WorkflowForm | undefined {
  const { api, reader, references, key } = start.context;
  const schemas = createFormSchemas(reader, references);
  const operations = createOperations();
  const waiting: Described[] = [];
  const indexes = new Map<string, number>();

  const add = (described: Described): number | undefined => {
    const id = JSON.stringify([described.context.key, described.workflow.pointer]);
    const index = indexes.get(id);
    if (index !== undefined || waiting.length >= maxWorkflows) return index;
    indexes.set(id, waiting.length);
    return waiting.push(described) - 1;
  };
  /** Index of the workflow that another workflow refers to. */
  const named = ({ context, targets }: Described, text: string | undefined): number | undefined => {
    const call = text === undefined ? undefined : specs.findWorkflow(text, targets.sources);
    const specContext = call && targets.contextOf(call.source);
    const written = call && specContext?.spec.resolve(call.entry.pointer);
    if (call === undefined || specContext === undefined || !isObject(written)) return undefined;
    const inner = call.source === "" ? context : { ...context, ...specContext };
    const workflow = specs.readWorkflow(specContext.spec.document, call.entry.pointer, written);
    return add({ context: inner, targets: createStepTargets(inner, workflow), workflow });
  };
  const actionOf = (described: Described, action: specs.StepAction): FormAction =>
    withoutUndefined({
      ...withoutPlaces(action),
      step: action.step,
      workflow: named(described, action.workflow),
      parameters: action.parameters.map(assignedOf),
      criteria: action.criteria.map(withoutPlaces),
    });
  const stepOf = (described: Described, step: specs.WorkflowStep): FormStep => {
    const { context, targets } = described;
    const call = targets.find(step);
    const specContext = call && targets.contextOf(call.source);
    const actions = (list: readonly specs.StepAction[]) => list.map((action) => actionOf(described, action));
    const { body } = step;
    return withoutUndefined({
      id: step.id,
      call: callText(targets, step),
      operation:
        call?.entry.kind === "operation" && specContext
          ? operations.add({ ...context, ...specContext }, call.source, call.entry)
          : undefined,
      workflow: call?.entry.kind === "workflow" ? named(described, step.written["workflowId"] as string) : undefined,
      parameters: step.parameters.map(assignedOf),
      body: body && withoutPlaces(body),
      criteria: step.criteria.map(withoutPlaces),
      onSuccess: actions(step.onSuccess),
      onFailure: actions(step.onFailure),
      outputs: step.outputs.map(outputOf),
      timeoutMs: numberAt(step.written, "timeout"),
    });
  };
  const workflowOf = (described: Described): FormWorkflow => {
    const { context, targets, workflow } = described;
    const { inputs } = workflow.written;
    return withoutUndefined({
      id: workflow.id,
      inputs: inputs === undefined ? undefined : context.key === key ? schemas.add([inputs]) : 0,
      dependsOn: workflow.dependsOn.flatMap((name) => named(described, name) ?? []),
      steps: inRunOrder(workflow.steps.slice(0, specs.maxSteps)).map((step) => stepOf(described, step)),
      outputs: workflow.outputs.map(outputOf),
      sources: Object.fromEntries([...targets.sources].map(([name, { spec }]) => [name, spec.source])),
    });
  };

  add(start);
  const workflows: FormWorkflow[] = [];
  for (const described of waiting) workflows.push(workflowOf(described));
  if (!workflows[0]!.steps.some(({ operation, workflow }) => operation !== undefined || workflow !== undefined))
    return undefined;
  const form: WorkflowForm = withoutUndefined({
    workflows,
    ...operations.all(),
    schemas: schemas.finish(),
    prefill: api.examples.prefill || undefined,
    cookies: (api.playground.credentials && !api.playground.proxy) || undefined,
  });
  return JSON.stringify(form).length > maxLength ? undefined : form;
}

/** The steps as written, but each after the steps that it depends on. */
function inRunOrder(steps: readonly specs.WorkflowStep[]): specs.WorkflowStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const ordered = new Set<specs.WorkflowStep>();
  const seen = new Set<specs.WorkflowStep>();
  const add = (step: specs.WorkflowStep | undefined): void => {
    if (step === undefined || seen.has(step)) return;
    seen.add(step);
    for (const id of step.dependsOn) add(byId.get(id));
    ordered.add(step);
  };
  steps.forEach(add);
  return [...ordered];
}

const assignedOf = ({ name, place, value }: specs.StepParameter) => withoutUndefined({ name, place, value });
const outputOf = ({ name, value }: specs.Output): { name: string; value: Json } => ({ name, value });
const withoutPlaces = <Located extends { readonly pointer: string }>({ pointer: _, ...rest }: Located) => rest;

/** Collects the operations that steps call, each once, and the servers and credentials that they share. */
function createOperations() {
  const indexes = new Map<string, number | undefined>();
  const operations: FormOperation[] = [];
  const apis: FormApi[] = [];
  const apiIndexes = new Map<string, number>();

  const apiOf = (api: FormApi): number => {
    const key = JSON.stringify(api);
    const index = apiIndexes.get(key) ?? apis.push(api) - 1;
    apiIndexes.set(key, index);
    return index;
  };
  const make = (context: PageContext, name: string, { target }: specs.SpecEntry): number | undefined => {
    const { spec, references } = context;
    if (target.kind !== "operation") return undefined;
    const pathItem = references.followObject(member(spec.document["paths"], target.path));
    const written = specs.methodKeys(target.method).reduce<Json | undefined>(member, pathItem);
    if (pathItem === undefined || !isObject(written)) return undefined;
    const operation = readOperation(spec.document, pathItem, written, references);
    const ways = credentialsOf(context, operation);
    const form = operationForm(context, {
      ...target,
      servers: operation.servers.slice(0, maxServers).map(readServer),
      ways,
      parameters: withoutCredentials(operation.parameters, ways),
      ...(operation.body && { body: operation.body }),
    });
    const page = context.fileOf(target);
    return (
      operations.push({
        api: apiOf({ name, servers: form.servers, ways: form.ways }),
        method: form.method!,
        path: form.path,
        ...(page !== undefined && { page }),
        // Values come from the steps, so the schemas are not needed.
        parameters: form.parameters.map(({ description: _, example: __, ...parameter }) => ({
          ...parameter,
          schema: 0,
        })),
        media: (form.body?.media ?? []).map(({ type, encoding }) => withoutUndefined({ type, encoding })),
      }) - 1
    );
  };
  return {
    /** The index of an operation; undefined if a browser cannot call it. */
    add(context: PageContext, name: string, entry: specs.SpecEntry): number | undefined {
      const key = JSON.stringify([context.key, entry.pointer]);
      if (!indexes.has(key)) indexes.set(key, make(context, name, entry));
      return indexes.get(key);
    },
    all: () => ({ operations, apis }),
  };
}
