import {
  ConditionError,
  type Expression,
  expressionsIn,
  parseCondition,
  parseExpression,
  templateParts,
} from "../../../lib/arazzo/expression.js";
import { nearestName } from "../../../lib/diagnostic/index.js";
import { isObject, type Json, textAt } from "../../../lib/json/index.js";
import { JsonPathError, parseJsonPath } from "../../../lib/json-path/parse-json-path.js";
import type { ApiSpec } from "../../api-spec.js";
import { below } from "../resolve-pointer.js";
import type { Criterion, StepAction, Workflow } from "./read-workflow.js";
import { inputNames, type Sources } from "./sources.js";

export interface CheckExpressions {
  readonly spec: ApiSpec;
  readonly sources: Sources;
  readonly workflow: Workflow;
  readonly report: ReportFault;
}

const maxDepth = 100;

/** Reports expressions and conditions that are invalid, or that refer to an unknown step, output or input. */
export function checkExpressions({ spec, sources, workflow, report }: CheckExpressions): void {
  const { steps, id, written } = workflow;
  const outputs = new Map(steps.map((step) => [step.id, step.outputs.map(({ name }) => name)]));
  const inputs = inputNames(spec, written);
  // Parts that are reused, or that apply to every step, are checked only once.
  const seen = new Set<string>();

  const unknown = (what: string, name: string, names: readonly string[], pointer: string): void => {
    const near = nearestName(name, names.slice(0, 500));
    const fix = near === undefined ? "correct the name." : `write "${near}" instead.`;
    report("WORKFLOW_REFERENCE", pointer, what, fix);
  };
  const checkNames = (expression: Expression, pointer: string): void => {
    if (expression.kind === "steps") {
      const { step, name } = expression;
      const names = outputs.get(step);
      if (names === undefined)
        return void unknown(`The workflow "${id}" has no step "${step}".`, step, [...outputs.keys()], pointer);
      if (!isNamed(name, names)) unknown(`The step "${step}" has no output "${name}".`, name, names, pointer);
    } else if (expression.kind === "inputs" && inputs !== undefined && !isNamed(expression.name, inputs))
      unknown(`The workflow "${id}" has no input "${expression.name}".`, expression.name, inputs, pointer);
    else if (expression.kind === "sourceDescriptions" && !isNamed(expression.source, [...sources.keys()]))
      unknown(
        `There is no source description "${expression.source}".`,
        expression.source,
        [...sources.keys()],
        pointer,
      );
  };
  const broken = (text: string, pointer: string): void => {
    const fix = 'write an expression such as "$inputs.name", "$steps.first.outputs.id" or "$response.body#/id".';
    report("WORKFLOW_EXPRESSION", pointer, `"${text.slice(0, 80)}" is not a runtime expression.`, fix);
  };
  const checkText = (text: string, pointer: string): void => {
    if (expressionStart.test(text)) {
      const expression = parseExpression(text);
      return void (expression === undefined ? broken(text, pointer) : checkNames(expression, pointer));
    }
    for (const part of templateParts(text)) {
      if (typeof part === "string") continue;
      if (part.expression === undefined) broken(part.written, pointer);
      else checkNames(part.expression, pointer);
    }
  };
  const checkValue = (value: Json, pointer: string, depth = 0): void => {
    if (typeof value === "string") return void checkText(value, pointer);
    if (typeof value !== "object" || value === null || depth >= maxDepth) return;
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    const isSelector = isObject(value) && textAt(value, "selector") !== undefined;
    for (const [name, part] of entries as [string | number, Json][])
      if (!(isSelector && name !== "context")) checkValue(part, below(pointer, name), depth + 1);
  };
  const checkCriterion = ({ condition, kind, context, pointer }: Criterion): void => {
    if (seen.has(pointer)) return;
    seen.add(pointer);
    if (context !== undefined) checkText(context, `${pointer}/context`);
    const at = `${pointer}/condition`;
    try {
      if (kind === "simple")
        for (const expression of expressionsIn(parseCondition(condition))) checkNames(expression, at);
      else if (kind === "jsonpath" && !condition.includes("{$")) parseJsonPath(condition);
      else if (kind === "regex" && !condition.includes("{$")) new RegExp(condition, "u");
      if (kind !== "simple")
        for (const part of templateParts(condition)) if (typeof part !== "string") checkText(part.written, at);
    } catch (error) {
      if (!(error instanceof ConditionError || error instanceof JsonPathError || error instanceof SyntaxError))
        throw error;
      const reason = error instanceof SyntaxError ? "it is not a valid regular expression" : error.message;
      const what = `The condition "${condition.slice(0, 80)}" is invalid: ${reason}.`;
      report("WORKFLOW_EXPRESSION", at, what, `write a condition such as "${examples[kind]}".`);
    }
  };
  const checkAction = ({ criteria, parameters, pointer }: StepAction): void => {
    if (seen.has(pointer)) return;
    seen.add(pointer);
    criteria.forEach(checkCriterion);
    for (const parameter of parameters) checkValue(parameter.value, `${parameter.pointer}/value`);
  };

  for (const step of steps) {
    for (const { value, pointer } of step.parameters) {
      if (seen.has(pointer)) continue;
      seen.add(pointer);
      checkValue(value, `${pointer}/value`);
    }
    if (step.body?.payload !== undefined) checkValue(step.body.payload, `${step.body.pointer}/payload`);
    step.body?.replacements.forEach(({ value }, i) => {
      checkValue(value, `${step.body!.pointer}/replacements/${i}/value`);
    });
    step.criteria.forEach(checkCriterion);
    for (const action of [...step.onSuccess, ...step.onFailure]) checkAction(action);
    for (const { value, pointer } of step.outputs) checkValue(value, pointer);
  }
  for (const { value, pointer } of workflow.outputs) checkValue(value, pointer);
}

/** The start of a text that is certainly an expression. Other texts may begin with a dollar sign, too. */
const expressionStart =
  /^\$(?:(?:url|method|statusCode|self)$|(?:request|response|message|inputs|outputs|steps|workflows|sourceDescriptions|components)\.)/;

const examples = {
  simple: "$statusCode == 200",
  regex: "^2\\d\\d$",
  jsonpath: "$.items[?@.id == 1]",
  xpath: "/order/id",
};

/** Whether a name is in the list. It may be followed by a path, which starts with a dot. */
const isNamed = (name: string, names: readonly string[]): boolean =>
  names.some((known) => name === known || name.startsWith(`${known}.`));

/** Reports a fault of a workflow at its location. */
export type ReportFault = (code: WorkflowCode, pointer: string, what: string, fix: string) => void;

type WorkflowCode =
  | "WORKFLOW_INVALID"
  | "WORKFLOW_REFERENCE"
  | "WORKFLOW_EXPRESSION"
  | "WORKFLOW_LOOP"
  | "WORKFLOW_TOO_LARGE";
