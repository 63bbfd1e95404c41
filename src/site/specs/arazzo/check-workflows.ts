import { type Diagnostic, nearestName } from "../../../lib/diagnostic/index.js";
import { isObject, type JsonObject, listAt, member, pointerTo, textAt } from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import type { SpecEntry } from "../list-entries.js";
import type { ReportFault } from "./check-expressions.js";
import { type CheckExpressions, checkExpressions } from "./check-expressions.js";
import { checkLoops } from "./check-loops.js";
import {
  actionKinds,
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

/** Further faults are only counted. */
const mostReported = 20;
/** A page shows no more steps than this. */
export const mostSteps = 200;

/**
 * Checks the workflows of an Arazzo document: their form, what they refer to, their expressions, and loops.
 *
 * @param sources that could be read.
 * @param missing names of the sources that could not; that is reported already.
 */
export function checkWorkflows(
  spec: ApiSpec,
  entries: readonly SpecEntry[],
  sources: Sources,
  missing: ReadonlySet<string>,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let count = 0;
  const report: ReportFault = (code, pointer, what, fix) => {
    if (++count <= mostReported)
      diagnostics.push({ code, severity: "warning", what, location: spec.locationOf(pointer), fix });
  };
  const check: Check = { spec, sources, missing, report };
  checkSources(check);
  const workflows = entries.flatMap(({ pointer }): Workflow[] => {
    const written = spec.resolve(pointer);
    return isObject(written) ? [readWorkflow(spec.document, pointer, written)] : [];
  });
  for (const workflow of workflows) checkWorkflow(check, workflow);
  checkLoops(workflows, sources, report);
  const [first] = diagnostics;
  if (first && count > mostReported)
    diagnostics.push({
      ...first,
      what: `${spec.source} has further faults in its workflows: ${count - mostReported}.`,
      location: { sourcePath: spec.source },
      fix: "correct the listed ones first.",
    });
  return diagnostics;
}

interface Check {
  readonly spec: ApiSpec;
  readonly sources: Sources;
  readonly missing: ReadonlySet<string>;
  readonly report: ReportFault;
}

function checkSources({ spec, report }: Check): void {
  const known = sourceDescriptions(spec.document);
  const all = listAt(spec.document, "sourceDescriptions");
  if (all.length === 0) {
    const fix = 'write "sourceDescriptions": [{ "name": "api", "url": "openapi.json", "type": "openapi" }].';
    report("WORKFLOW_INVALID", "#/sourceDescriptions", `${spec.source} names no source of its operations.`, fix);
  }
  for (let i = 0; i < all.length; i++) {
    const pointer = pointerTo("sourceDescriptions", i);
    const source = known.find((each) => each.pointer === pointer);
    if (source === undefined) {
      const fix = 'write "name", "url" and "type": "openapi", "asyncapi" or "arazzo".';
      report("WORKFLOW_INVALID", pointer, "A source lacks a name or an address, or is of an unknown type.", fix);
    } else if (known.some((each) => each.name === source.name && each.pointer !== pointer && each.pointer < pointer))
      report("WORKFLOW_INVALID", `${pointer}/name`, `Two sources are called "${source.name}".`, "rename one of them.");
  }
}

function checkWorkflow(check: Check, workflow: Workflow): void {
  const { spec, report } = check;
  const { written, pointer, id } = workflow;
  const steps = listAt(written, "steps");
  if (steps.length === 0)
    report("WORKFLOW_INVALID", `${pointer}/steps`, `The workflow "${id}" has no steps.`, 'list its steps in "steps".');
  if (workflow.steps.length > mostSteps) {
    const what = `The workflow "${id}" has ${workflow.steps.length} steps; its page shows the first ${mostSteps}.`;
    report("WORKFLOW_TOO_LARGE", `${pointer}/steps`, what, "divide it into workflows that call each other.");
  }
  const seen = new Set<string>();
  for (const [i, step] of steps.entries()) {
    const at = pointer + pointerTo("steps", i).slice(1);
    const stepId = textAt(step, "stepId");
    if (!isObject(step) || stepId === undefined) {
      const fix = 'write what it does as an object with a "stepId".';
      report("WORKFLOW_INVALID", at, `A step of the workflow "${id}" has no "stepId"; it is left out.`, fix);
      continue;
    }
    if (seen.has(stepId))
      report("WORKFLOW_INVALID", `${at}/stepId`, `Two steps of "${id}" are called "${stepId}".`, "rename one of them.");
    seen.add(stepId);
    checkCall(check, step, stepId, at);
  }
  const expressions: CheckExpressions = { spec, sources: check.sources, workflow, report };
  checkLists(check, written, pointer, seen);
  for (const step of workflow.steps) {
    checkLists(check, step.written, step.pointer, seen);
    checkDependencies(check, step, seen);
  }
  checkExpressions(expressions);
  for (const [i, name] of workflow.dependsOn.entries())
    if (!isMissing(check, name) && findWorkflow(name, check.sources) === undefined)
      unknownWorkflow(check, name, pointer + pointerTo("dependsOn", i).slice(1));
}

/** Whether the text names a source that could not be read. */
const isMissing = ({ missing }: Check, text: string): boolean =>
  [...text.matchAll(/\$sourceDescriptions\.([\w-]+)/g)].some(([, name = ""]) => missing.has(name));

function unknownWorkflow({ sources, report }: Check, name: string, pointer: string): void {
  const near = nearestName(
    name,
    [...(sources.get("")?.entries ?? [])].map((entry) => entry.name),
  );
  const fix = near === undefined ? "correct it, or describe the workflow." : `write "${near}".`;
  report("WORKFLOW_REFERENCE", pointer, `There is no workflow "${name}".`, fix);
}

function checkCall(check: Check, step: JsonObject, id: string, at: string): void {
  const { sources, missing, report } = check;
  const given = callKeys.filter((key) => textAt(step, key) !== undefined);
  const [key] = given;
  if (key === undefined || given.length > 1) {
    const what = `The step "${id}" ${key === undefined ? "names nothing that it calls" : `has both "${key}" and "${given[1]}"`}.`;
    return void report("WORKFLOW_INVALID", at, what, 'write one of "operationId", "operationPath" and "workflowId".');
  }
  const text = textAt(step, key)!;
  const found = findCall(step, sources);
  // An operation without the name of its source may be in one that could not be read.
  if (found !== undefined || isMissing(check, text) || (key === "operationId" && missing.size > 0)) {
    return void ambiguous(check, key, text, at);
  }
  if (key === "workflowId") return void unknownWorkflow(check, text, `${at}/${key}`);
  const ids = idsIn(sources);
  const near = nearestName(text.replace(/^\$sourceDescriptions\.[\w-]+\./, ""), ids.slice(0, 2_000));
  const prefix = /^\$sourceDescriptions\.[\w-]+\./.exec(text)?.[0] ?? "";
  const fix =
    key === "operationId" && near !== undefined
      ? `write "${prefix}${near}".`
      : 'name an operation of a source, as in "$sourceDescriptions.api.createOrder" or "{$sourceDescriptions.api.url}#/paths/~1orders/post".';
  report("WORKFLOW_REFERENCE", `${at}/${key}`, `The step "${id}" calls "${text}", which no source describes.`, fix);
}

/** Reports an id without the name of its source that several sources have. */
function ambiguous({ sources, report }: Check, key: string, text: string, at: string): void {
  if (key !== "operationId" || text.startsWith("$")) return;
  const names = [...sources].flatMap(([name, { entries }]) =>
    name !== "" && entries.some(({ operationId }) => operationId === text) ? [name] : [],
  );
  if (names.length > 1)
    report(
      "WORKFLOW_REFERENCE",
      `${at}/${key}`,
      `Several sources describe the operation "${text}": ${names.slice(0, 3).join(", ")}.`,
      `write "$sourceDescriptions.${names[0]}.${text}".`,
    );
}

const listKinds = {
  parameters: "parameters",
  successActions: "successActions",
  failureActions: "failureActions",
  onSuccess: "successActions",
  onFailure: "failureActions",
} as const;

/** Checks the parameters, actions and criteria of a workflow or a step, the reusable ones where they are used. */
function checkLists(check: Check, holder: JsonObject, at: string, steps: ReadonlySet<string>): void {
  const { spec, report } = check;
  checkCriteria(check, holder, "successCriteria", at);
  for (const [list, components] of Object.entries(listKinds))
    for (const [i, written] of listAt(holder, list).entries()) {
      let pointer = at + pointerTo(list, i).slice(1);
      let value = written;
      const reference = textAt(written, "reference");
      if (reference !== undefined) {
        const found = componentOf(spec.document, reference, components);
        if (found === undefined) {
          const names = Object.keys(member(spec.document["components"], components) ?? {});
          const fix = names.length === 0 ? "write it here." : `write "$components.${components}.${names[0]}".`;
          report("WORKFLOW_REFERENCE", `${pointer}/reference`, `There is no "${reference}".`, fix);
          continue;
        }
        ({ value, pointer } = found);
      }
      if (components !== "parameters") {
        checkAction(check, value as JsonObject, pointer, list, steps);
        continue;
      }
      if (textAt(value, "name") === undefined)
        report("WORKFLOW_INVALID", pointer, "A parameter has no name; it is left out.", 'write its "name".');
      const place = textAt(value, "in");
      if (place !== undefined && !["path", "query", "querystring", "header", "cookie"].includes(place)) {
        const fix = 'write "path", "query", "header" or "cookie".';
        report("WORKFLOW_INVALID", `${pointer}/in`, `No parameter can be in "${place}".`, fix);
      }
    }
}

/** Reports steps to wait for that there are not. */
function checkDependencies(check: Check, { dependsOn, pointer }: WorkflowStep, steps: ReadonlySet<string>): void {
  const { sources, report } = check;
  for (const [i, written] of dependsOn.entries()) {
    const { id, workflow } = parseStepReference(written);
    if (isMissing(check, written)) continue;
    const at = pointer + pointerTo("dependsOn", i).slice(1);
    const found = workflow === undefined ? undefined : findWorkflow(workflow, sources);
    if (workflow !== undefined && found === undefined) {
      unknownWorkflow(check, workflow, at);
      continue;
    }
    const other = found && sources.get(found.source)?.spec.resolve(found.entry.pointer);
    const ids = found ? listAt(other, "steps").map((step) => textAt(step, "stepId") ?? "") : [...steps];
    if (ids.includes(id)) continue;
    const near = nearestName(id, ids);
    const fix = near === undefined ? "name a step." : `write "${written.slice(0, written.length - id.length)}${near}".`;
    report("WORKFLOW_REFERENCE", at, `There is no step "${written}".`, fix);
  }
}

function checkAction(
  check: Check,
  action: JsonObject,
  pointer: string,
  list: string,
  steps: ReadonlySet<string>,
): void {
  const { report, sources } = check;
  const kind = textAt(action, "type");
  const isFailure = /failure/i.test(list);
  if (!actionKinds.some((each) => each === kind && (isFailure || kind !== "retry"))) {
    const fix = `write "end" or "goto"${isFailure ? ', or "retry"' : ""}.`;
    return void report("WORKFLOW_INVALID", `${pointer}/type`, `"${kind ?? ""}" is no type of an action here.`, fix);
  }
  const stepId = textAt(action, "stepId");
  const workflowId = textAt(action, "workflowId");
  if (kind === "goto" && (stepId === undefined) === (workflowId === undefined))
    report(
      "WORKFLOW_INVALID",
      pointer,
      'An action "goto" names no step, or two goals.',
      'write "stepId" or "workflowId".',
    );
  if (stepId !== undefined && !steps.has(stepId)) {
    const near = nearestName(stepId, [...steps]);
    const fix = near === undefined ? "name a step of this workflow." : `write "${near}".`;
    report("WORKFLOW_REFERENCE", `${pointer}/stepId`, `The workflow has no step "${stepId}".`, fix);
  }
  if (workflowId !== undefined && !isMissing(check, workflowId) && findWorkflow(workflowId, sources) === undefined)
    unknownWorkflow(check, workflowId, `${pointer}/workflowId`);
  checkCriteria(check, action, "criteria", pointer);
}

function checkCriteria({ report }: Check, holder: JsonObject, list: string, at: string): void {
  for (const [i, each] of listAt(holder, list).entries()) {
    const pointer = at + pointerTo(list, i).slice(1);
    const kind = kindOf(member(each, "type")) ?? "simple";
    if (textAt(each, "condition") === undefined)
      report("WORKFLOW_INVALID", pointer, "A criterion has no condition; it is left out.", 'write its "condition".');
    else if (!criterionKinds.some((known) => known === kind))
      report(
        "WORKFLOW_INVALID",
        `${pointer}/type`,
        `"${kind}" is no type of a condition.`,
        'write "simple", "regex", "jsonpath" or "xpath".',
      );
    else if (kind !== "simple" && textAt(each, "context") === undefined)
      report(
        "WORKFLOW_INVALID",
        pointer,
        `A condition of the type "${kind}" needs a context.`,
        'write "context": "$response.body".',
      );
  }
}
