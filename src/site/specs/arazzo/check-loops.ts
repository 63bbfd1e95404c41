import type { ReportFault } from "./check-expressions.js";
import type { Workflow, WorkflowStep } from "./read-workflow.js";
import { findWorkflow, type Sources } from "./sources.js";

/**
 * Reports workflows that wait for or call themselves, steps that wait for each other, and steps that go to each other
 * whatever happens: such a run has no end.
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
    findLoops(steps, ({ dependsOn }) => dependsOn.flatMap((each) => byId.get(each) ?? []), reportLoop("Steps"));
    const loop = endless(steps);
    if (loop === undefined) continue;
    const what = `The workflow "${id}" never ends: it always returns to the step "${loop.id}".`;
    report("WORKFLOW_LOOP", loop.pointer, what, 'give the "goto" action a criterion, or end the workflow.');
  }
}

type Needing = Pick<WorkflowStep, "id" | "pointer">;

/** @param onLoop called with those that need each other, the first by the last. */
function findLoops<Node extends Needing>(
  nodes: readonly Node[],
  neededBy: (node: Node) => Node[],
  onLoop: (loop: readonly Node[]) => void,
): void {
  const done = new Set<Node>();
  for (const start of nodes) {
    // Depth first, without recursion: a chain may be long.
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
