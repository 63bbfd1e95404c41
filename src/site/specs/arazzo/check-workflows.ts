import { type Diagnostic, nearestName, warningOf } from "../../../lib/diagnostic/index.js";
import { isObject, type Json, type JsonObject, listAt, member, pointerTo, textAt } from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import { reportFirst } from "../check-references.js";
import type { SpecEntry } from "../entry-reader.js";
import { below } from "../resolve-pointer.js";
import { checkExpressions, type ReportFault } from "./check-expressions.js";
import {
  actionKinds,
  componentLists,
  componentOf,
  criterionKinds,
  kindOf,
  readWorkflow,
  type Workflow,
  type WorkflowStep,
} from "./read-workflow.js";
import {
  callKeys,
  findCall,
  findWorkflow,
  idsIn,
  parseStepReference,
  type Sources,
  sourceDescriptions,
} from "./sources.js";

/** The most steps that a page shows. */
export const maxSteps = 200;

/**
 * Checks the workflows of an Arazzo document: their form, references, expressions, and loops.
 *
 * @param sources the sources that could be read.
 * @param missing names of the sources that could not be read, which is reported already.
 */
export function checkWorkflows(
  spec: ApiSpec,
  entries: readonly SpecEntry[],
  sources: Sources,
  missing: ReadonlySet<string>,
): Diagnostic[] {
  const faults: Parameters<ReportFault>[] = [];
  const report: ReportFault = (...fault) => void faults.push(fault);
  const check: Check = {
    spec,
    sources,
    missing,
    report,
    invalid: (pointer, what, fix) => report("WORKFLOW_INVALID", pointer, what, fix),
    broken: (pointer, what, name, names, fix) => {
      const near = nearestName(name, names);
      report("WORKFLOW_REFERENCE", pointer, what, near === undefined ? fix : `write "${near}".`);
    },
  };
  checkSources(check);
  const workflows = entries.flatMap(({ pointer }): Workflow[] => {
    const written = spec.resolve(pointer);
    return isObject(written) ? [readWorkflow(spec.document, pointer, written)] : [];
  });
  for (const workflow of workflows) checkWorkflow(check, workflow);
  checkLoops(workflows, sources, report);
  const describe = ([code, pointer, what, fix]: (typeof faults)[number]): Diagnostic => ({
    ...warningOf(code, spec.locationOf(pointer)),
    ...{ what, fix },
  });
  return reportFirst(spec.source, faults, describe, "faults in its workflows");
}

interface Check {
  readonly spec: ApiSpec;
  readonly sources: Sources;
  readonly missing: ReadonlySet<string>;
  readonly report: ReportFault;
  readonly invalid: (pointer: string, what: string, fix: string) => void;
  /** Reports a reference by a name that is not one of `names`. @param fix used if none of them is similar. */
  readonly broken: (pointer: string, what: string, name: string, names: readonly string[], fix: string) => void;
}

function checkSources({ spec, invalid }: Check): void {
  const descriptions = sourceDescriptions(spec.document);
  const all = listAt(spec.document, "sourceDescriptions");
  if (all.length === 0) {
    const fix = 'write "sourceDescriptions": [{ "name": "api", "url": "openapi.json", "type": "openapi" }].';
    invalid("#/sourceDescriptions", `${spec.source} lists no source descriptions.`, fix);
  }
  const names = new Set<string>();
  for (let i = 0; i < all.length; i++) {
    const pointer = pointerTo("sourceDescriptions", i);
    const source = descriptions.find((description) => description.pointer === pointer);
    if (source === undefined) {
      const fix = 'write "name", "url" and "type": "openapi", "asyncapi" or "arazzo".';
      invalid(pointer, "A source description has no name, no URL or an unknown type.", fix);
    } else if (names.has(source.name))
      invalid(`${pointer}/name`, `Two source descriptions are called "${source.name}".`, "rename one of them.");
    else names.add(source.name);
  }
}

function checkWorkflow(check: Check, workflow: Workflow): void {
  const { spec, sources, report, invalid } = check;
  const { written, pointer, id, steps } = workflow;
  const writtenSteps = listAt(written, "steps");
  if (writtenSteps.length === 0)
    invalid(`${pointer}/steps`, `The workflow "${id}" has no steps.`, 'list its steps in "steps".');
  if (steps.length > maxSteps) {
    const what = `The workflow "${id}" has ${steps.length} steps; its page shows the first ${maxSteps}.`;
    report("WORKFLOW_TOO_LARGE", `${pointer}/steps`, what, "split it into workflows that call each other.");
  }
  const stepIds = new Set<string>();
  for (const [i, step] of writtenSteps.entries()) {
    const at = below(pointer, "steps", i);
    const stepId = textAt(step, "stepId");
    if (!isObject(step) || stepId === undefined) {
      const fix = 'describe it with an object that has a "stepId".';
      invalid(at, `A step of the workflow "${id}" has no "stepId"; it is left out.`, fix);
      continue;
    }
    if (stepIds.has(stepId))
      invalid(`${at}/stepId`, `Two steps of "${id}" are called "${stepId}".`, "rename one of them.");
    stepIds.add(stepId);
    checkCall(check, step, stepId, at);
  }
  checkLists(check, written, pointer, stepIds);
  for (const step of steps) {
    checkLists(check, step.written, step.pointer, stepIds);
    checkDependencies(check, step, stepIds);
  }
  checkExpressions({ spec, sources, workflow, report });
  for (const [i, name] of workflow.dependsOn.entries()) checkWorkflowName(check, name, below(pointer, "dependsOn", i));
}

/** Whether the text names a source that could not be read. */
const isMissing = ({ missing }: Check, text: string): boolean =>
  [...text.matchAll(/\$sourceDescriptions\.([\w-]+)/g)].some(([, name = ""]) => missing.has(name));

function checkWorkflowName(check: Check, name: string, pointer: string): void {
  if (!isMissing(check, name) && findWorkflow(name, check.sources) === undefined) unknownWorkflow(check, name, pointer);
}

function unknownWorkflow({ sources, broken }: Check, name: string, pointer: string): void {
  const names = (sources.get("")?.entries ?? []).map((entry) => entry.name);
  broken(pointer, `There is no workflow "${name}".`, name, names, "correct the name, or define the workflow.");
}

function checkCall(check: Check, step: JsonObject, id: string, at: string): void {
  const { sources, missing, report, invalid } = check;
  const keys = callKeys.filter((key) => textAt(step, key) !== undefined);
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    const fault = key === undefined ? "does not say what it calls" : `has both "${key}" and "${keys[1]}"`;
    invalid(at, `The step "${id}" ${fault}.`, 'add exactly one of "operationId", "operationPath" and "workflowId".');
    return;
  }
  const text = textAt(step, key)!;
  // An operation without the name of its source may be in a source that could not be read.
  if (findCall(step, sources) !== undefined || isMissing(check, text) || (key === "operationId" && missing.size > 0)) {
    checkAmbiguous(check, key, text, at);
    return;
  }
  if (key === "workflowId") {
    unknownWorkflow(check, text, `${at}/${key}`);
    return;
  }
  const prefix = /^\$sourceDescriptions\.[\w-]+\./.exec(text)?.[0] ?? "";
  const near = nearestName(text.slice(prefix.length), idsIn(sources).slice(0, 2_000));
  const fix =
    key === "operationId" && near !== undefined
      ? `write "${prefix}${near}".`
      : 'name an operation of a source, such as "$sourceDescriptions.api.createOrder" or "{$sourceDescriptions.api.url}#/paths/~1orders/post".';
  report("WORKFLOW_REFERENCE", `${at}/${key}`, `The step "${id}" calls "${text}", which no source describes.`, fix);
}

/** Reports an id that several sources have, if the name of the source is missing. */
function checkAmbiguous({ sources, report }: Check, key: string, text: string, at: string): void {
  if (key !== "operationId" || text.startsWith("$")) return;
  const names = [...sources].flatMap(([name, { entries }]) =>
    name !== "" && entries.some(({ operationId }) => operationId === text) ? [name] : [],
  );
  if (names.length < 2) return;
  const what = `Several sources describe the operation "${text}": ${names.slice(0, 3).join(", ")}.`;
  report("WORKFLOW_REFERENCE", `${at}/${key}`, what, `write "$sourceDescriptions.${names[0]}.${text}".`);
}

/** Checks the parameters, actions and criteria of a workflow or a step, including reusable ones. */
function checkLists(check: Check, holder: JsonObject, at: string, stepIds: ReadonlySet<string>): void {
  const { spec, report } = check;
  checkCriteria(check, holder, "successCriteria", at);
  for (const [list, components] of Object.entries(componentLists))
    for (const [i, written] of listAt(holder, list).entries()) {
      const pointer = below(at, list, i);
      const reference = textAt(written, "reference");
      const part =
        reference === undefined ? { value: written, pointer } : componentOf(spec.document, reference, components);
      if (part === undefined) {
        const names = Object.keys(member(spec.document["components"], components) ?? {});
        const fix = names.length === 0 ? "define it here." : `write "$components.${components}.${names[0]}".`;
        report("WORKFLOW_REFERENCE", `${pointer}/reference`, `"${reference}" is not defined.`, fix);
      } else if (components === "parameters") checkParameter(check, part.value, part.pointer);
      else checkAction(check, part.value as JsonObject, part.pointer, list, stepIds);
    }
}

function checkParameter({ invalid }: Check, value: Json, pointer: string): void {
  if (textAt(value, "name") === undefined)
    invalid(pointer, "A parameter has no name; it is left out.", 'add its "name".');
  const place = textAt(value, "in");
  if (place !== undefined && !["path", "query", "querystring", "header", "cookie"].includes(place))
    invalid(`${pointer}/in`, `A parameter cannot be in "${place}".`, 'write "path", "query", "header" or "cookie".');
}

/** Reports `dependsOn` with steps that do not exist. */
function checkDependencies(check: Check, { dependsOn, pointer }: WorkflowStep, stepIds: ReadonlySet<string>): void {
  const { sources, report } = check;
  for (const [i, written] of dependsOn.entries()) {
    const { id, workflow } = parseStepReference(written);
    if (isMissing(check, written)) continue;
    const at = below(pointer, "dependsOn", i);
    const call = workflow === undefined ? undefined : findWorkflow(workflow, sources);
    if (workflow !== undefined && call === undefined) {
      unknownWorkflow(check, workflow, at);
      continue;
    }
    const other = call && sources.get(call.source)?.spec.resolve(call.entry.pointer);
    const ids = call ? listAt(other, "steps").map((step) => textAt(step, "stepId") ?? "") : [...stepIds];
    if (ids.includes(id)) continue;
    const near = nearestName(id, ids);
    const fix =
      near === undefined
        ? "write the ID of a step."
        : `write "${written.slice(0, written.length - id.length)}${near}".`;
    report("WORKFLOW_REFERENCE", at, `There is no step "${written}".`, fix);
  }
}

function checkAction(
  check: Check,
  action: JsonObject,
  pointer: string,
  list: string,
  stepIds: ReadonlySet<string>,
): void {
  const { invalid, broken } = check;
  const kind = textAt(action, "type");
  const isFailure = /failure/i.test(list);
  if (!actionKinds.some((valid) => valid === kind && (isFailure || kind !== "retry"))) {
    const fix = `write "end" or "goto"${isFailure ? ', or "retry"' : ""}.`;
    invalid(`${pointer}/type`, `"${kind ?? ""}" is not a valid action type here.`, fix);
    return;
  }
  const stepId = textAt(action, "stepId");
  const workflowId = textAt(action, "workflowId");
  if (kind === "goto" && (stepId === undefined) === (workflowId === undefined))
    invalid(pointer, 'A "goto" action must have exactly one target.', 'write either "stepId" or "workflowId".');
  if (stepId !== undefined && !stepIds.has(stepId)) {
    const what = `The workflow has no step "${stepId}".`;
    broken(`${pointer}/stepId`, what, stepId, [...stepIds], "write the ID of a step of this workflow.");
  }
  if (workflowId !== undefined) checkWorkflowName(check, workflowId, `${pointer}/workflowId`);
  checkCriteria(check, action, "criteria", pointer);
}

function checkCriteria({ invalid }: Check, holder: JsonObject, list: string, at: string): void {
  for (const [i, criterion] of listAt(holder, list).entries()) {
    const pointer = below(at, list, i);
    const kind = kindOf(member(criterion, "type")) ?? "simple";
    if (textAt(criterion, "condition") === undefined)
      invalid(pointer, "A criterion has no condition; it is left out.", 'add its "condition".');
    else if (!criterionKinds.some((valid) => valid === kind)) {
      const fix = 'write "simple", "regex", "jsonpath" or "xpath".';
      invalid(`${pointer}/type`, `"${kind}" is not a valid condition type.`, fix);
    } else if (kind !== "simple" && textAt(criterion, "context") === undefined)
      invalid(pointer, `A condition of type "${kind}" needs a context.`, 'write "context": "$response.body".');
  }
}

/**
 * Reports endless runs: workflows that wait for or call themselves, steps that wait for each other, and steps that go to each
 * other unconditionally.
 */
function checkLoops(workflows: readonly Workflow[], sources: Sources, report: ReportFault): void {
  const byPointer = new Map(workflows.map((workflow) => [workflow.pointer, workflow]));
  const named = (text: string): Workflow | undefined => {
    const call = findWorkflow(text, sources);
    return call?.source === "" ? byPointer.get(call.entry.pointer) : undefined;
  };
  /** The workflows that must run before a workflow, or as a part of it. */
  const neededBy = ({ dependsOn, steps }: Workflow): Workflow[] =>
    [
      ...dependsOn,
      ...steps.flatMap(({ written }) => (typeof written["workflowId"] === "string" ? written["workflowId"] : [])),
    ]
      .map(named)
      .filter((workflow) => workflow !== undefined);

  const reportLoop =
    (kind: string) =>
    (loop: readonly Needing[]): void => {
      const shown = [...loop, loop[0]!].map(({ id }) => `"${id}"`);
      const what = `${kind} depend on each other in a cycle: ${shown.slice(0, 6).join(", ")}${shown.length > 6 ? ", …" : ""}.`;
      report("WORKFLOW_LOOP", loop.at(-1)!.pointer, what, "remove one of these references.");
    };
  findLoops(workflows, neededBy, reportLoop("Workflows"));
  for (const { steps, id } of workflows) {
    const byId = new Map(steps.map((step) => [step.id, step]));
    findLoops(steps, ({ dependsOn }) => dependsOn.flatMap((step) => byId.get(step) ?? []), reportLoop("Steps"));
    const loop = endless(steps);
    if (loop === undefined) continue;
    const what = `The workflow "${id}" never ends: it always returns to the step "${loop.id}".`;
    report("WORKFLOW_LOOP", loop.pointer, what, 'give the "goto" action a criterion, or end the workflow.');
  }
}

type Needing = Pick<WorkflowStep, "id" | "pointer">;

/** @param onLoop called with nodes each of which needs the next one, and the last one the first. */
function findLoops<Node extends Needing>(
  nodes: readonly Node[],
  neededBy: (node: Node) => Node[],
  onLoop: (loop: readonly Node[]) => void,
): void {
  const done = new Set<Node>();
  for (const start of nodes) {
    // Search depth first, without recursion, since a chain may be long.
    const path: { readonly node: Node; readonly left: Node[] }[] = [];
    const onPath = new Set<Node>();
    const enter = (node: Node): void => {
      onPath.add(node);
      path.push({ node, left: neededBy(node) });
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        done.add(top.node);
        onPath.delete(top.node);
        path.pop();
      } else if (onPath.has(next))
        onLoop(path.slice(path.findIndex(({ node }) => node === next)).map(({ node }) => node));
      else if (!done.has(next)) enter(next);
    }
  }
}

/** The step to which the workflow always returns, if there is one. */
function endless(steps: readonly WorkflowStep[]): WorkflowStep | undefined {
  const indexes = new Map(steps.map(({ id }, i) => [id, i]));
  const seen = new Set<WorkflowStep>();
  for (let at = 0, step = steps[at]; step !== undefined; step = steps[at]) {
    if (seen.has(step)) return step;
    seen.add(step);
    // Follow only successes, since a failure ends the workflow unless an action continues it.
    const [action] = step.onSuccess;
    if (action !== undefined && (action.criteria.length > 0 || action.kind !== "goto")) return undefined;
    at = action === undefined ? at + 1 : (indexes.get(action.step ?? "") ?? steps.length);
  }
  return undefined;
}
