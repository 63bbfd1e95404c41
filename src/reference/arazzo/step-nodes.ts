import type { PhrasingContent, RootContent } from "mdast";
import { fill } from "../../lib/language/index.js";
import {
  type Output,
  parseStepReference,
  type StepAction,
  type StepParameter,
  type WorkflowStep,
} from "../../site/specs/index.js";
import {
  bulletList,
  clip,
  fence,
  fieldNote,
  inlineCode,
  joined,
  link,
  listWith,
  paragraph,
  phraseWith,
  strong,
  text,
} from "../pages/nodes.js";
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
    ...(stops ? fieldNote(undefined, [text(messages.runStopsHere)]) : []),
    ...describe.field(typeof description === "string" ? description : undefined),
    ...fieldNote(messages.runsAfter, joined(dependsOn.map((id) => dependencyNodes(targets, id)))),
    ...fieldNote(messages.correlationId, correlationId === undefined ? [] : valueNodes(correlationId, targets)),
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
  return [...workflowLink(targets, workflow), text(" → "), inlineCode(clip(id, 200))];
}

/** A list under a label; nothing if it is empty. */
export function labelled(label: string, items: readonly PhrasingContent[][]): RootContent[] {
  if (items.length === 0) return [];
  return [paragraph(strong(label)), bulletList(items)];
}

const parameterNodes =
  (places: Places) =>
  ({ name, place, value }: StepParameter): PhrasingContent[] => [
    inlineCode(clip(name, 200)),
    text(place === undefined ? " = " : ` (${place}) = `),
    ...valueNodes(value, places),
  ];

export const outputNodes =
  (places: Places) =>
  ({ name, value }: Output): PhrasingContent[] => [
    inlineCode(clip(name, 200)),
    text(" = "),
    ...valueNodes(value, places),
  ];

function bodyNodes({ messages }: PageContext, places: Places, body: NonNullable<WorkflowStep["body"]>): RootContent[] {
  const { type = "", payload, replacements } = body;
  const isText = typeof payload === "string";
  const language = /xml/i.test(type) ? "xml" : isText && !/json/i.test(type) ? "text" : "json";
  const shown = payload === undefined ? undefined : isText ? clip(payload, maxBody) : printJson(payload, maxBody);
  return [
    paragraph(strong(messages.body), ...(type === "" ? [] : [text(" "), inlineCode(clip(type, 200))])),
    ...(shown === undefined ? [] : [fence(language, shown)]),
    ...listWith(
      replacements.map(({ target, value }) => [
        inlineCode(clip(target, 200)),
        text(" = "),
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
      ? [text(messages.endWorkflow)]
      : kind === "goto"
        ? phraseWith(messages.goToStep, ...goal)
        : [
            ...(goal.length === 0 ? [] : [...phraseWith(messages.firstRun, ...goal), text(", ")]),
            text(fill(messages.repeatStep, String(limit ?? 1))),
            ...(after === undefined ? [] : [text(` (${fill(messages.afterSeconds, String(after))})`)]),
          ];
  const conditions = joined(criteria.map((criterion) => criterionNodes(criterion, targets)));
  const holds = criteria.length === 0 ? [] : [...phraseWith(messages.ifHolds, ...conditions), text(": ")];
  return [...(name === undefined ? [] : [inlineCode(clip(name, 200)), text(": ")]), ...holds, ...words];
}

function stepLink(id: string, { steps }: Places): PhrasingContent {
  const code = inlineCode(clip(id, 200));
  return steps.has(id) ? link(`#${stepAnchor(id)}`, code) : code;
}
