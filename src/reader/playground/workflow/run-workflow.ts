import type { Json } from "../../../lib/json/json.js";
import type {
  FormAction,
  FormAssigned,
  FormOutput,
  FormStep,
  WorkflowForm,
} from "../../../reference/arazzo/form-data.js";
import { parseJson } from "../form/value.js";
import type { Outcome } from "../send-request.js";
import { allPass, checkCriterion, type Verdict } from "./check-criterion.js";
import { type Exchange, evaluated, type Scope, type Values } from "./evaluate.js";
import { type StepRequest, stepRequest, type Target } from "./step-request.js";

/** One attempt at a step. */
export interface Attempt {
  readonly kind: "attempt";
  readonly workflow: string;
  readonly step: FormStep;
  /** Absent for a step that calls a workflow, or that a browser cannot run. */
  readonly request?: StepRequest;
  readonly outcome?: Outcome;
  readonly verdicts: readonly Verdict[];
  readonly outputs: Values;
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
  readonly outputs: Values;
  /** It came to a step that a browser cannot run. */
  readonly isStopped?: true;
}

/** What a run needs from outside. */
export interface RunTools {
  /** Where requests of an API go, as the reader has chosen. */
  readonly targetOf: (api: number) => Target;
  /** What the reader has filled in for a workflow. */
  readonly inputsOf: (workflow: number) => Values;
  readonly send: (request: StepRequest, timeoutMs: number | undefined) => Promise<Outcome>;
  readonly wait: (seconds: number) => Promise<void>;
}

/** Attempts at steps in one run, and workflows in workflows: a document may lead in circles. */
export const mostAttempts = 100;
const maxNested = 10;
const maxSeconds = 60;

type Run = AsyncGenerator<RunEvent, Result>;

/** Runs the first workflow of a form, one step after each call of `next`. */
export function runWorkflow({ workflows, operations, apis }: WorkflowForm, tools: RunTools): Run {
  const done: Record<string, { readonly inputs: Values; readonly outputs: Values }> = {};
  const failed: Result = { passed: false, outputs: {} };
  const stopped: Result = { ...failed, isStopped: true };
  let attempts = 0;

  async function* run(index: number, inputs: Values, depth: number): Run {
    const { id, dependsOn, steps, outputs, sources } = workflows[index]!;
    if (depth > maxNested) return yield* stop();
    for (const each of dependsOn) {
      if (Object.hasOwn(done, workflows[each]!.id)) continue;
      const { passed, isStopped } = yield* run(each, tools.inputsOf(each), depth + 1);
      if (!passed) return isStopped ? stopped : failed;
    }
    const known: Record<string, Values> = {};
    const scopeWith = (more: Pick<Scope, "exchange" | "outputs">): Scope => ({
      inputs,
      steps: known,
      workflows: done,
      sources,
      ...more,
    });
    const finish = (passed: boolean): Result => {
      const made = valuesOf(outputs, scopeWith({}));
      if (passed) setOwn(done, id, { inputs, outputs: made });
      return { passed, outputs: made };
    };

    async function* attempt(
      step: FormStep,
    ): AsyncGenerator<RunEvent, { readonly attempt: Attempt; readonly scope: Scope; readonly isStopped?: boolean }> {
      yield { kind: "next", workflow: id, step };
      attempts++;
      const tried = step.workflow === undefined ? await request(step) : yield* call(step, step.workflow);
      if (tried.attempt.passed) setOwn(known, step.id, tried.attempt.outputs);
      yield tried.attempt;
      return tried;
    }
    async function* call(step: FormStep, workflow: number) {
      const given = assignedValues(step.parameters, scopeWith({}));
      const result: Result = yield* run(workflow, given, depth + 1);
      const scope = scopeWith({ outputs: result.outputs });
      const attempt = judged(id, step, scope, result.passed, { ...result.outputs });
      return { scope, attempt, isStopped: result.isStopped ?? false };
    }
    async function request(step: FormStep) {
      const operation = step.operation === undefined ? undefined : operations[step.operation];
      if (operation === undefined)
        return {
          scope: scopeWith({}),
          attempt: { ...judged(id, step, scopeWith({}), false, {}), verdicts: [] },
          isStopped: true,
        };
      const made = stepRequest(step, operation, apis[operation.api]!, tools.targetOf(operation.api), scopeWith({}));
      const outcome: Outcome =
        made.missing.length > 0
          ? { kind: "refused", reason: `{${made.missing.join("}, {")}}` }
          : await tools.send(made, step.timeoutMs);
      const scope = scopeWith({ exchange: answered(made.exchange, outcome) });
      const isGood = outcome.kind === "answer" && (step.criteria.length > 0 || outcome.answer.status < 400);
      return { scope, attempt: { ...judged(id, step, scope, isGood, {}), request: made, outcome } };
    }

    let at = 0;
    let retried = new Map<FormAction, number>();
    while (at < steps.length) {
      if (attempts >= mostAttempts) return yield* stop();
      const step = steps[at]!;
      const tried = yield* attempt(step);
      if (tried.isStopped) return stopped;
      const { passed } = tried.attempt;
      const action = (passed ? step.onSuccess : step.onFailure).find(
        (each) =>
          allPass(each.criteria, tried.scope) &&
          (each.kind !== "retry" || (retried.get(each) ?? 0) < (each.limit ?? 1)),
      );
      if (action === undefined && !passed) return failed;
      if (action?.kind === "end") return finish(passed);
      if (action?.kind === "goto" && action.workflow !== undefined)
        return yield* run(action.workflow, assignedValues(action.parameters, tried.scope), depth + 1);
      if (action?.kind === "retry") {
        retried.set(action, (retried.get(action) ?? 0) + 1);
        const seconds = Math.min(waitOf(action, tried.attempt), maxSeconds);
        if (seconds > 0) {
          yield { kind: "wait", seconds };
          await tools.wait(seconds);
        }
        const before = steps.find(({ id: each }) => each === action.step);
        if (before && (yield* attempt(before)).isStopped) return stopped;
        if (action.workflow !== undefined) {
          const result = yield* run(action.workflow, assignedValues(action.parameters, tried.scope), depth + 1);
          if (result.isStopped) return stopped;
        }
        continue;
      }
      retried = new Map();
      at = action === undefined ? at + 1 : steps.findIndex(({ id: each }) => each === action.step);
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

/** `__proto__` is a name like any other. */
const setOwn = <T>(values: Record<string, T>, name: string, value: T): void => {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
};

/** @param isGood what came before the criteria. @param given outputs that the step has in any case. */
function judged(workflow: string, step: FormStep, scope: Scope, isGood: boolean, given: Values): Attempt {
  const verdicts = step.criteria.map((criterion) => checkCriterion(criterion, scope));
  return {
    kind: "attempt",
    workflow,
    step,
    verdicts,
    outputs: { ...given, ...valuesOf(step.outputs, scope) },
    passed: isGood && verdicts.every(({ passed }) => passed),
  };
}

const valuesOf = (outputs: readonly FormOutput[], scope: Scope): Values =>
  Object.fromEntries(
    outputs.flatMap(({ name, value }): [string, Json][] => {
      const found = evaluated(value, scope);
      return found === undefined ? [] : [[name, found]];
    }),
  );

const assignedValues = (parameters: readonly FormAssigned[], scope: Scope): Values => valuesOf(parameters, scope);

function answered(exchange: Exchange, outcome: Outcome): Exchange {
  if (outcome.kind !== "answer") return exchange;
  const { status, headers, bytes, contentType } = outcome.answer;
  const text = new TextDecoder().decode(bytes);
  const isJson = /json/i.test(contentType) || /^\s*[[{]/.test(text);
  const parsed = isJson ? parseJson(text) : undefined;
  const body = parsed !== undefined && "value" in parsed ? parsed.value : text;
  return { ...exchange, response: { status, headers, ...(bytes.length > 0 && { body }) } };
}

/** In seconds. What the API asks for goes before what the document says. */
function waitOf({ after = 0 }: FormAction, { outcome }: Attempt): number {
  const headers = outcome?.kind === "answer" ? outcome.answer.headers : [];
  const asked = Number(headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1]);
  return Number.isFinite(asked) && asked >= 0 ? asked : after;
}
