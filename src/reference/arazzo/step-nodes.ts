import type { PhrasingContent, RootContent } from "mdast";
import { fill } from "../../lib/language/index.js";
import {
  type Output,
  parseStepReference,
  type StepAction,
  type StepParameter,
  type WorkflowStep,
} from "../../site/specs/index.js";
import * as md from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import { printJson } from "../samples/print-json.js";
import {
  callNode,
  criterionNodes,
  type Places,
  type StepTargets,
  stepAnchor,
  valueNodes,
  workflowLink,
} from "./step-targets.js";

const maxBody = 6_000;

/** Describes a step in the order in which things happen. @param stops whether a run in the browser stops before it. */
export function stepNodes(
  context: PageContext,
  targets: StepTargets,
  step: WorkflowStep,
  stops: boolean,
): RootContent[] {
  const { messages, describe } = context;
  const { written, dependsOn, correlationId, parameters, body, criteria, onSuccess, onFailure, outputs } = step;
  const description = written["description"];
  const actions = (label: string, list: readonly StepAction[]): RootContent[] =>
    labelled(
      label,
      list.map((action) => actionNodes(context, targets, action)),
    );
  return [
    callNode(context, targets, step),
    ...(stops ? md.fieldNote(undefined, [md.text(messages.runStopsHere)]) : []),
    ...describe.field(typeof description === "string" ? description : undefined),
    ...md.fieldNote(messages.runsAfter, md.joined(dependsOn.map((id) => dependencyNodes(targets, id)))),
    ...md.fieldNote(messages.correlationId, correlationId === undefined ? [] : valueNodes(correlationId, targets)),
    ...labelled(messages.parameters, parameters.map(parameterNodes(targets))),
    ...(body === undefined ? [] : bodyNodes(context, targets, body)),
    ...labelled(
      messages.successCriteria,
      criteria.map((criterion) => criterionNodes(criterion, targets)),
    ),
    ...actions(messages.onSuccess, onSuccess),
    ...actions(messages.onFailure, onFailure),
    ...labelled(messages.outputs, outputs.map(outputNodes(targets))),
  ];
}

/** Names a step that must run first, with its workflow if it is in another one. */
function dependencyNodes(targets: StepTargets, written: string): PhrasingContent[] {
  const { id, workflow } = parseStepReference(written);
  if (workflow === undefined) return [stepLink(id, targets)];
  return [...workflowLink(targets, workflow), md.text(" → "), md.inlineCode(md.clip(id, 200))];
}

/** A list under a label; nothing if it is empty. */
export function labelled(label: string, items: readonly PhrasingContent[][]): RootContent[] {
  if (items.length === 0) return [];
  return [md.paragraph(md.strong(label)), md.bulletList(items)];
}

const parameterNodes =
  (places: Places) =>
  ({ name, place, value }: StepParameter): PhrasingContent[] => [
    md.inlineCode(md.clip(name, 200)),
    md.text(place === undefined ? " = " : ` (${place}) = `),
    ...valueNodes(value, places),
  ];

export const outputNodes =
  (places: Places) =>
  ({ name, value }: Output): PhrasingContent[] => [
    md.inlineCode(md.clip(name, 200)),
    md.text(" = "),
    ...valueNodes(value, places),
  ];

function bodyNodes({ messages }: PageContext, places: Places, body: NonNullable<WorkflowStep["body"]>): RootContent[] {
  const { type = "", payload, replacements } = body;
  const isText = typeof payload === "string";
  const language = /xml/i.test(type) ? "xml" : isText && !/json/i.test(type) ? "text" : "json";
  const shown = payload === undefined ? undefined : isText ? md.clip(payload, maxBody) : printJson(payload, maxBody);
  return [
    md.paragraph(md.strong(messages.body), ...(type === "" ? [] : [md.text(" "), md.inlineCode(md.clip(type, 200))])),
    ...(shown === undefined ? [] : [md.fence(language, shown)]),
    ...md.listWith(
      replacements.map(({ target, value }) => [
        md.inlineCode(md.clip(target, 200)),
        md.text(" = "),
        ...valueNodes(value, places),
      ]),
    ),
  ];
}

/** `later: If $statusCode == 503: Repeat this step at most 5 times, after 2 s`. */
function actionNodes({ messages }: PageContext, targets: StepTargets, action: StepAction): PhrasingContent[] {
  const { kind, name, step, workflow, after, limit, criteria } = action;
  const goal =
    step !== undefined ? [stepLink(step, targets)] : workflow !== undefined ? workflowLink(targets, workflow) : [];
  const words: PhrasingContent[] =
    kind === "end"
      ? [md.text(messages.endWorkflow)]
      : kind === "goto"
        ? md.phraseWith(messages.goToStep, ...goal)
        : [
            ...(goal.length === 0 ? [] : [...md.phraseWith(messages.firstRun, ...goal), md.text(", ")]),
            md.text(fill(messages.repeatStep, String(limit ?? 1))),
            ...(after === undefined ? [] : [md.text(` (${fill(messages.afterSeconds, String(after))})`)]),
          ];
  const conditions = md.joined(criteria.map((criterion) => criterionNodes(criterion, targets)));
  const holds = criteria.length === 0 ? [] : [...md.phraseWith(messages.ifHolds, ...conditions), md.text(": ")];
  return [...(name === undefined ? [] : [md.inlineCode(md.clip(name, 200)), md.text(": ")]), ...holds, ...words];
}

function stepLink(id: string, { steps }: Places): PhrasingContent {
  const code = md.inlineCode(md.clip(id, 200));
  return steps.has(id) ? md.link(`#${stepAnchor(id)}`, code) : code;
}
