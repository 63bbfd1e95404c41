import type { Workflow, WorkflowStep } from "./read-workflow.js";
import type { ReportFault } from "./report-fault.js";
import { findWorkflow, type Sources } from "./sources.js";

/**
 * Reports workflows that wait for or call themselves, and steps that go to each other whatever happens: such a run has no
 * end.
 */
export function checkLoops(workflows: readonly Workflow[], sources: Sources, report: ReportFault): void {
  const byPointer = new Map(workflows.map((workflow) => [workflow.pointer, workflow]));
  const named = (text: string): Workflow | undefined => {
    const found = findWorkflow(text, sources);
    return found?.source === "" ? byPointer.get(found.entry.pointer) : undefined;
  };
  /** The workflows that must run before a workflow, or as a part of it. */
  const neededBy = ({ dependsOn, steps }: Workflow): Workflow[] =>
    [
      ...dependsOn,
      ...steps.flatMap(({ written }) => (typeof written["workflowId"] === "string" ? written["workflowId"] : [])),
    ]
      .map(named)
      .filter((each) => each !== undefined);

  const done = new Set<Workflow>();
  for (const start of workflows) {
    // Depth first, without recursion: a chain of workflows may be long.
    const path: { readonly workflow: Workflow; readonly left: Workflow[] }[] = [];
    const onPath = new Set<Workflow>();
    const enter = (workflow: Workflow): void => {
      onPath.add(workflow);
      path.push({ workflow, left: neededBy(workflow) });
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        done.add(top.workflow);
        onPath.delete(top.workflow);
        path.pop();
      } else if (onPath.has(next)) {
        const loop = path.slice(path.findIndex(({ workflow }) => workflow === next)).map(({ workflow }) => workflow.id);
        const shown = [...loop, next.id].map((id) => `"${id}"`);
        const what = `Workflows need each other in a circle: ${shown.slice(0, 6).join(", ")}${shown.length > 6 ? ", …" : ""}.`;
        report("WORKFLOW_LOOP", top.workflow.pointer, what, "remove one of these references.");
      } else if (!done.has(next)) enter(next);
    }
  }
  for (const { steps, id } of workflows) {
    const loop = endless(steps);
    if (loop === undefined) continue;
    const what = `The workflow "${id}" never ends: its step "${loop.id}" always comes again.`;
    report("WORKFLOW_LOOP", loop.pointer, what, 'give the action "goto" a criterion, or end the workflow.');
  }
}

/** The step to which the others lead back in any case, if there is one. */
function endless(steps: readonly WorkflowStep[]): WorkflowStep | undefined {
  const indexes = new Map(steps.map(({ id }, i) => [id, i]));
  const seen = new Set<WorkflowStep>();
  for (let at = 0, step = steps[at]; step !== undefined; step = steps[at]) {
    if (seen.has(step)) return step;
    seen.add(step);
    // A failure ends the workflow unless an action says otherwise.
    const [action] = step.onSuccess;
    if (action !== undefined && (action.criteria.length > 0 || action.kind !== "goto")) return undefined;
    at = action === undefined ? at + 1 : (indexes.get(action.step ?? "") ?? steps.length);
  }
  return undefined;
}
