import type { PhrasingContent } from "mdast";
import { type Expression, parseExpression, templateParts } from "../../../lib/arazzo/index.js";
import { type Json, shortJson, textAt } from "../../../lib/json/index.js";
import { accordionSlugOf } from "../../../lib/url/index.js";
import type { Criterion } from "../../../site/specs/index.js";
import { clip, inlineCode, link, text } from "../nodes.js";

const maxLength = 400;

/** Id of a step on its page. */
export const stepAnchor = (id: string): string => `step-${accordionSlugOf(id).slice(0, 80)}`;

/** The parts of a page that expressions can lead to. */
export interface Places {
  readonly steps: ReadonlySet<string>;
  readonly hasInputs: boolean;
}

/** A value of a workflow as code; an expression leads to the step or the inputs that it names. */
export function valueNodes(value: Json, places: Places): PhrasingContent[] {
  const selector = textAt(value, "selector");
  if (selector !== undefined)
    return [...valueNodes(textAt(value, "context") ?? "", places), text(" → "), inlineCode(clip(selector, maxLength))];
  if (typeof value !== "string") return [inlineCode(shortJson(value, maxLength) ?? "…")];
  const expression = parseExpression(value) ?? onlyExpression(value);
  const target = expression && targetOf(expression, places);
  const shown = inlineCode(clip(value, maxLength) || '""');
  return [target === undefined ? shown : link(target, shown)];
}

/** A text with one expression leads to what that names. */
const onlyExpression = (value: string): Expression | undefined => {
  const found = templateParts(value).filter((part) => typeof part !== "string");
  return found.length === 1 ? found[0]!.expression : undefined;
};

function targetOf(expression: Expression, { steps, hasInputs }: Places): string | undefined {
  if (expression.kind === "steps") return steps.has(expression.step) ? `#${stepAnchor(expression.step)}` : undefined;
  return expression.kind === "inputs" && hasInputs ? "#inputs" : undefined;
}

/** What must hold: `$statusCode == 200`, or where a pattern or a path must find something. */
export function criterionNodes({ condition, kind, context }: Criterion, places: Places): PhrasingContent[] {
  const shown = inlineCode(clip(condition, maxLength));
  if (kind === "simple") return [shown];
  return [...valueNodes(context ?? "", places), text(` · ${kindNames[kind]} · `), shown];
}

const kindNames = { regex: "regex", jsonpath: "JSONPath", xpath: "XPath" };
