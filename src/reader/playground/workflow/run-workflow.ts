import { type Comparison, type Condition, parseCondition } from "../../../lib/arazzo/expression.js";
import { isRawNumber, type Json, stringify } from "../../../lib/json/json.js";
import type {
  FormAction,
  FormAssigned,
  FormCriterion,
  FormOutput,
  FormStep,
  WorkflowForm,
} from "../../../reference/arazzo/form-data.js";
import { errorMessage, parseJson } from "../form/control.js";
import { matchesPattern } from "../form/match-pattern.js";
import type { Outcome } from "../send-request.js";
import * as evaluation from "./evaluate.js";
import { type StepRequest, stepRequest, type Target } from "./step-request.js";

export interface Attempt {
  readonly kind: "attempt";
  readonly workflow: string;
  readonly step: FormStep;
  /** Absent if the step calls a workflow or cannot be run in a browser. */
  readonly request?: StepRequest;
  readonly outcome?: Outcome;
  readonly verdicts: readonly Verdict[];
  readonly outputs: evaluation.Values;
  readonly passed: boolean;
}
export type RunEvent =
  | Attempt
  /** The step is about to be run. */
  | { readonly kind: "next"; readonly workflow: string; readonly step: FormStep }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "limit"; readonly steps: number };

export interface Result {
  readonly passed: boolean;
  readonly outputs: evaluation.Values;
  /** The run reached a step that cannot be run in a browser. */
  readonly isStopped?: true;
}

export interface RunTools {
  /** Where requests to an API go, by the reader's choice. */
  readonly targetOf: (api: number) => Target;
  /** The inputs that the reader has filled in for a workflow. */
  readonly inputsOf: (workflow: number) => evaluation.Values;
  readonly send: (request: StepRequest, timeoutMs: number | undefined) => Promise<Outcome>;
  readonly wait: (seconds: number) => Promise<void>;
}

/** Limits of a run, since a document may contain loops. */
const maxAttempts = 100;
const maxNested = 10;
const maxSeconds = 60;

type Run = AsyncGenerator<RunEvent, Result>;

/** Runs the first workflow of a form. Each step waits for a call of `next`. */
export function runWorkflow({ workflows, operations, apis }: WorkflowForm, tools: RunTools): Run {
  const done: Record<string, { readonly inputs: evaluation.Values; readonly outputs: evaluation.Values }> = {};
  const failed: Result = { passed: false, outputs: {} };
  const stopped: Result = { ...failed, isStopped: true };
  let attempts = 0;

  async function* run(index: number, inputs: evaluation.Values, depth: number): Run {
    const { id, dependsOn, steps, outputs, sources } = workflows[index]!;
    if (depth > maxNested) return yield* stop();
    for (const dependency of dependsOn) {
      if (Object.hasOwn(done, workflows[dependency]!.id)) continue;
      const { passed, isStopped } = yield* run(dependency, tools.inputsOf(dependency), depth + 1);
      if (!passed) return isStopped ? stopped : failed;
    }
    const stepOutputs: Record<string, evaluation.Values> = {};
    const scopeWith = (more: Pick<evaluation.Scope, "exchange" | "outputs">): evaluation.Scope => ({
      inputs,
      steps: stepOutputs,
      workflows: done,
      sources,
      ...more,
    });
    const finish = (passed: boolean): Result => {
      const values = evaluateOutputs(outputs, scopeWith({}));
      if (passed) setOwn(done, id, { inputs, outputs: values });
      return { passed, outputs: values };
    };

    async function* attempt(
      step: FormStep,
    ): AsyncGenerator<
      RunEvent,
      { readonly attempt: Attempt; readonly scope: evaluation.Scope; readonly isStopped?: boolean }
    > {
      yield { kind: "next", workflow: id, step };
      attempts++;
      const tried = step.workflow === undefined ? await request(step) : yield* call(step, step.workflow);
      if (tried.attempt.passed) setOwn(stepOutputs, step.id, tried.attempt.outputs);
      yield tried.attempt;
      return tried;
    }
    async function* call(step: FormStep, workflow: number) {
      const parameters = evaluateOutputs(step.parameters, scopeWith({}));
      const result: Result = yield* run(workflow, parameters, depth + 1);
      const scope = scopeWith({ outputs: result.outputs });
      const attempt = checkedAttempt(id, step, scope, result.passed, { ...result.outputs });
      return { scope, attempt, isStopped: result.isStopped ?? false };
    }
    async function request(step: FormStep) {
      const operation = step.operation === undefined ? undefined : operations[step.operation];
      if (operation === undefined)
        return {
          scope: scopeWith({}),
          attempt: { ...checkedAttempt(id, step, scopeWith({}), false, {}), verdicts: [] },
          isStopped: true,
        };
      const built = stepRequest(step, operation, apis[operation.api]!, tools.targetOf(operation.api), scopeWith({}));
      const outcome: Outcome =
        built.missing.length > 0
          ? { kind: "refused", reason: `{${built.missing.join("}, {")}}` }
          : await tools.send(built, step.timeoutMs);
      const scope = scopeWith({ exchange: withResponse(built.exchange, outcome) });
      const isGood = outcome.kind === "answer" && (step.criteria.length > 0 || outcome.answer.status < 400);
      return { scope, attempt: { ...checkedAttempt(id, step, scope, isGood, {}), request: built, outcome } };
    }

    let at = 0;
    let retries = new Map<FormAction, number>();
    while (at < steps.length) {
      if (attempts >= maxAttempts) return yield* stop();
      const step = steps[at]!;
      const tried = yield* attempt(step);
      if (tried.isStopped) return stopped;
      const { passed } = tried.attempt;
      const action = (passed ? step.onSuccess : step.onFailure).find(
        (candidate) =>
          allPass(candidate.criteria, tried.scope) &&
          (candidate.kind !== "retry" || (retries.get(candidate) ?? 0) < (candidate.limit ?? 1)),
      );
      if (action === undefined && !passed) return failed;
      if (action?.kind === "end") return finish(passed);
      if (action?.kind === "goto" && action.workflow !== undefined)
        return yield* run(action.workflow, evaluateOutputs(action.parameters, tried.scope), depth + 1);
      if (action?.kind === "retry") {
        retries.set(action, (retries.get(action) ?? 0) + 1);
        const seconds = Math.min(retryDelay(action, tried.attempt), maxSeconds);
        if (seconds > 0) {
          yield { kind: "wait", seconds };
          await tools.wait(seconds);
        }
        const before = steps.find((other) => other.id === action.step);
        if (before && (yield* attempt(before)).isStopped) return stopped;
        if (action.workflow !== undefined) {
          const result = yield* run(action.workflow, evaluateOutputs(action.parameters, tried.scope), depth + 1);
          if (result.isStopped) return stopped;
        }
        continue;
      }
      retries = new Map();
      at = action === undefined ? at + 1 : steps.findIndex((other) => other.id === action.step);
      if (at < 0) return failed;
    }
    return finish(true);
  }

  async function* stop(): Run {
    yield { kind: "limit", steps: attempts };
    return failed;
  }

  return run(0, tools.inputsOf(0), 0);
}

/** Sets an own property, also for the name `__proto__`. */
const setOwn = <T>(values: Record<string, T>, name: string, value: T): void => {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
};

/**
 * An attempt with its criteria checked.
 *
 * @param isGood the result before the criteria.
 * @param calledOutputs outputs from the called workflow.
 */
function checkedAttempt(
  workflow: string,
  step: FormStep,
  scope: evaluation.Scope,
  isGood: boolean,
  calledOutputs: evaluation.Values,
): Attempt {
  const verdicts = step.criteria.map((criterion) => checkCriterion(criterion, scope));
  return {
    kind: "attempt",
    workflow,
    step,
    verdicts,
    outputs: { ...calledOutputs, ...evaluateOutputs(step.outputs, scope) },
    passed: isGood && verdicts.every(({ passed }) => passed),
  };
}

const evaluateOutputs = (outputs: readonly (FormOutput | FormAssigned)[], scope: evaluation.Scope): evaluation.Values =>
  Object.fromEntries(
    outputs.flatMap(({ name, value }): [string, Json][] => {
      const result = evaluation.evaluateValue(value, scope);
      return result === undefined ? [] : [[name, result]];
    }),
  );

function withResponse(exchange: evaluation.Exchange, outcome: Outcome): evaluation.Exchange {
  if (outcome.kind !== "answer") return exchange;
  const { status, headers, bytes, contentType } = outcome.answer;
  const text = new TextDecoder().decode(bytes);
  const isJson = /json/i.test(contentType) || /^\s*[[{]/.test(text);
  const parsed = isJson ? parseJson(text) : undefined;
  const body = parsed !== undefined && "value" in parsed ? parsed.value : text;
  return { ...exchange, response: { status, headers, body: bytes.length > 0 ? body : undefined } };
}

/** Seconds to wait before a retry: as the API requests, else as the document says. */
function retryDelay({ after = 0 }: FormAction, { outcome }: Attempt): number {
  const headers = outcome?.kind === "answer" ? outcome.answer.headers : [];
  const retryAfter = Number(headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1]);
  return Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : after;
}

export interface Verdict {
  readonly criterion: FormCriterion;
  readonly passed: boolean;
  /** Why it could not be evaluated. */
  readonly reason?: string;
}

/** Evaluates a criterion. No part of it is run as code. */
export function checkCriterion(criterion: FormCriterion, scope: evaluation.Scope): Verdict {
  try {
    return { criterion, passed: holds(criterion, scope) };
  } catch (error) {
    return { criterion, passed: false, reason: errorMessage(error) };
  }
}

export const allPass = (criteria: readonly FormCriterion[], scope: evaluation.Scope): boolean =>
  criteria.every((criterion) => checkCriterion(criterion, scope).passed);

function holds({ condition, kind, context }: FormCriterion, scope: evaluation.Scope): boolean {
  if (kind === "simple") return isTrue(conditionValue(parseCondition(condition), scope));
  const value = context === undefined ? undefined : evaluation.evaluateValue(context, scope);
  if (value === undefined || value === null) return false;
  const expanded = evaluation.fillTemplate(condition, scope);
  if (kind === "jsonpath") return evaluation.selectPath(value, expanded).length > 0;
  if (kind === "xpath") return isMatch(evaluation.selectXml(evaluation.valueText(value), expanded));
  const matches = matchesPattern(expanded, evaluation.valueText(value));
  if (matches === undefined) throw new Error(expanded);
  return matches;
}

const isMatch = (value: ReturnType<typeof evaluation.selectXml>): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

const isTrue = (value: Json | undefined): boolean => Boolean(value);

function conditionValue(condition: Condition, scope: evaluation.Scope): Json | undefined {
  switch (condition.kind) {
    case "literal":
      return condition.value;
    case "expression":
      return evaluation.evaluate(condition.expression, scope);
    case "not":
      return !isTrue(conditionValue(condition.of, scope));
    case "and":
      return isTrue(conditionValue(condition.left, scope)) && isTrue(conditionValue(condition.right, scope));
    case "or":
      return isTrue(conditionValue(condition.left, scope)) || isTrue(conditionValue(condition.right, scope));
    case "compare":
      return compare(conditionValue(condition.left, scope), condition.operator, conditionValue(condition.right, scope));
  }
}

/** Compares loosely: text ignoring case, numeric text as numbers, missing values as null. */
function compare(left: Json | undefined, operator: Comparison, right: Json | undefined): boolean {
  if (operator === "==" || operator === "!=") return isEqual(left ?? null, right ?? null) === (operator === "==");
  const [a, b] = [asNumber(left), asNumber(right)];
  const order =
    a !== undefined && b !== undefined
      ? a - b
      : typeof left === "string" && typeof right === "string"
        ? Number(left.toLowerCase() > right.toLowerCase()) - Number(left.toLowerCase() < right.toLowerCase())
        : Number.NaN;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  return operator === ">" ? order > 0 : order >= 0;
}

function isEqual(left: Json, right: Json): boolean {
  if (left === null || right === null) return left === right;
  if (typeof left === "string" && typeof right === "string") return left.toLowerCase() === right.toLowerCase();
  // Long numbers may differ only in their last digits, which `Number` drops.
  if (isRawNumber(left) || isRawNumber(right)) return evaluation.valueText(left) === evaluation.valueText(right);
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a !== undefined && b !== undefined) return a === b;
  return evaluation.valueText(left).toLowerCase() === evaluation.valueText(right).toLowerCase();
}

function asNumber(value: Json | undefined): number | undefined {
  const text = isRawNumber(value) ? stringify(value) : value;
  if (typeof text === "number") return text;
  return typeof text === "string" && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
