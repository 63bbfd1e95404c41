import type { PhrasingContent, RootContent } from "mdast";
import { type Expression, parseExpression, templateParts } from "../../lib/arazzo/expression.js";
import { type Json, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { accordionSlug } from "../../lib/url/index.js";
import * as specs from "../../site/specs/index.js";
import { clip, component, inlineCode, link, paragraph, shortValue, text } from "../pages/nodes.js";
import type { PageContext, SpecContext } from "../pages/page-context.js";

/** Finds what the steps of a workflow call, and the pages about it. */
export interface StepTargets extends Places {
  readonly sources: specs.Sources;
  readonly pageOf: PageContext["pageOf"];
  /** The context of the source description with this name; `""` is the workflow's own document. */
  readonly contextOf: (source: string) => SpecContext | undefined;
  /** The call of a step; undefined if no source describes it. */
  readonly find: (step: specs.WorkflowStep) => specs.Call | undefined;
}

const maxLength = 300;

export function createStepTargets(context: PageContext, workflow: specs.Workflow): StepTargets {
  const { spec, pageOf, otherSpec } = context;
  const contexts = new Map<string, SpecContext>([["", context]]);
  for (const [name, key] of Object.entries(spec.sources ?? {})) {
    const other = otherSpec(key);
    if (other) contexts.set(name, other);
  }
  const sources = new Map(
    [...contexts].map(([name, specContext]): [string, specs.SourceSpec] => [
      name,
      { spec: specContext.spec, entries: specContext.entries() },
    ]),
  );
  return {
    sources,
    pageOf,
    steps: new Set(workflow.steps.slice(0, specs.maxSteps).map(({ id }) => id)),
    hasInputs: workflow.written["inputs"] !== undefined,
    contextOf: (source) => contexts.get(source),
    find: ({ written }) => specs.findCall(written, sources),
  };
}

/** The line that shows what a step calls, linked to its page. */
export function callNode({ messages }: PageContext, targets: StepTargets, step: specs.WorkflowStep): RootContent {
  const { method, address, title = sentOf(messages, step) } = factsOf(targets, step);
  const call = targets.find(step);
  const url = call && targets.pageOf(call.entry.target);
  const code = inlineCode(clip(address, maxLength));
  const shown = url === undefined ? code : link(url, code);
  return component("ApiCall", { method }, [
    paragraph(shown, ...(title === undefined ? [] : [text(` ${clip(title, maxLength)}`)])),
  ]);
}

/** The label of a step that sends or receives a message (AsyncAPI). */
function sentOf({ send, receive }: Messages, { written: { action } }: specs.WorkflowStep): string | undefined {
  return action === "send" ? send : action === "receive" ? receive : undefined;
}

/** The call on one line: `POST /orders`. */
export function callText(targets: StepTargets, step: specs.WorkflowStep): string {
  const { method, address } = factsOf(targets, step);
  return clip([method, address].filter(Boolean).join(" "), maxLength);
}

function factsOf(targets: StepTargets, step: specs.WorkflowStep) {
  const entry = targets.find(step)?.entry;
  if (entry === undefined) {
    const key = specs.callKeys.find((callKey) => textAt(step.written, callKey) !== undefined);
    return { address: (key && textAt(step.written, key)) ?? "" };
  }
  const { kind, name, title, protocol, method, address = name } = entry;
  const pill = kind === "workflow" ? "WORKFLOW" : kind === "operation" ? method?.toUpperCase() : protocol;
  return { method: pill, address, title };
}

/** The name of a workflow, linked to its page if there is one. */
export function workflowLink({ sources, pageOf }: StepTargets, written: string): PhrasingContent[] {
  const workflow = specs.findWorkflow(written, sources);
  const url = workflow && pageOf(workflow.entry.target);
  const code = inlineCode(clip(workflow?.entry.name ?? written, maxLength));
  return [url === undefined ? code : link(url, code)];
}

const maxValueLength = 400;

/** Id of a step on its page. */
export const stepAnchor = (id: string): string => `step-${accordionSlug(id).slice(0, 80)}`;

/** The places on a page that expressions can link to. */
export interface Places {
  readonly steps: ReadonlySet<string>;
  readonly hasInputs: boolean;
}

/** A value of a workflow as code. An expression links to the step or the inputs that it refers to. */
export function valueNodes(value: Json, places: Places): PhrasingContent[] {
  const selector = textAt(value, "selector");
  if (selector !== undefined)
    return [
      ...valueNodes(textAt(value, "context") ?? "", places),
      text(" → "),
      inlineCode(clip(selector, maxValueLength)),
    ];
  if (typeof value !== "string") return [inlineCode(shortValue(value, maxValueLength))];
  const expression = parseExpression(value) ?? onlyExpression(value);
  const target = expression && targetOf(expression, places);
  const shown = inlineCode(clip(value, maxValueLength) || '""');
  return [target === undefined ? shown : link(target, shown)];
}

/** The expression in a template that has exactly one. */
const onlyExpression = (value: string): Expression | undefined => {
  const expressions = templateParts(value).filter((part) => typeof part !== "string");
  return expressions.length === 1 ? expressions[0]!.expression : undefined;
};

function targetOf(expression: Expression, { steps, hasInputs }: Places): string | undefined {
  if (expression.kind === "steps") return steps.has(expression.step) ? `#${stepAnchor(expression.step)}` : undefined;
  return expression.kind === "inputs" && hasInputs ? "#inputs" : undefined;
}

/** A criterion: `$statusCode == 200`, or a pattern or path with the value that it is applied to. */
export function criterionNodes({ condition, kind, context }: specs.Criterion, places: Places): PhrasingContent[] {
  const shown = inlineCode(clip(condition, maxValueLength));
  if (kind === "simple") return [shown];
  return [...valueNodes(context ?? "", places), text(` · ${kindNames[kind]} · `), shown];
}

const kindNames = { regex: "regex", jsonpath: "JSONPath", xpath: "XPath" };
