import { curl } from "../../../reference/samples/languages/curl.js";
import { javascript } from "../../../reference/samples/languages/javascript.js";
import type { SampleLanguage } from "../../../reference/samples/languages/sample-request.js";
import { create } from "../../dom.js";
import { section } from "../form/elements.js";
import { box } from "../form/field.js";
import { jsonView } from "../json-view.js";
import { say, sayWith } from "../messages.js";
import { answerView, factsOf, reasonsFor } from "../response-panel.js";
import { createSamplePanel, har } from "../sample-panel.js";
import type { Values } from "./evaluate.js";
import type { Attempt, Verdict } from "./run-workflow.js";
import type { StepRequest } from "./step-request.js";

/** Shows one attempt at a step: the request, the response, the success criteria and the outputs. */
export function attemptView(form: { id(): string }, attempt: Attempt, number: number): HTMLElement {
  const { step, passed, request, outcome, verdicts, outputs } = attempt;
  const answer = outcome?.kind === "answer" ? outcome.answer : undefined;
  const summary = create(
    "summary",
    "workflow-head",
    resultMark(passed),
    create("span", "workflow-name", `${number}. ${step.id}`),
    create("code", { class: "workflow-call", dir: "ltr" }, step.call),
    box("playground-facts", ...(answer ? factsOf(answer) : [])),
  );
  const reasons =
    outcome === undefined
      ? step.workflow === undefined
        ? [say("notRunHere")]
        : []
      : answer
        ? []
        : outcome.kind === "cancelled"
          ? [say("cancelled")]
          : reasonsFor(outcome, request?.exchange.url ?? "");
  const body = box(
    "workflow-body",
    ...(request === undefined ? [] : [requestView(form, request)]),
    ...reasons.map((text) => create("p", "playground-fault", text)),
    ...(verdicts.length === 0 ? [] : [section(form, say("successCriteria"), verdictList(verdicts))]),
    ...(Object.keys(outputs).length === 0 ? [] : [outputsView(form, outputs)]),
    ...(answer ? [section(form, say("response"), box("workflow-answer", ...answerView(answer)))] : []),
  );
  const details = create("details", { class: "workflow-step", "data-passed": String(passed) }, summary, body);
  details.open = !passed;
  return details;
}

/** The request in one line, which opens to the code that sends it. */
function requestView(form: { id(): string }, { built, shown }: StepRequest): HTMLElement {
  const line = create("code", { dir: "ltr" }, `${shown.method} ${shown.url}`);
  const details = create("details", "workflow-request", create("summary", {}, line));
  const open = (): void => {
    const sample = createSamplePanel(form, languages);
    sample.show(shown, () => built.sample);
    details.append(sample.element);
  };
  details.addEventListener("toggle", open, { once: true });
  return details;
}

/** All languages of the playground would triple the size of this script. */
const languages: readonly SampleLanguage[] = [
  { name: "cURL", keys: [], grammar: "curl", write: curl },
  { name: "JavaScript", keys: [], grammar: "javascript", write: javascript },
  har,
];

export const outputsView = (form: { id(): string }, outputs: Values): HTMLElement =>
  section(form, say("outputs"), jsonView(outputs));

function resultMark(passed: boolean): HTMLElement {
  const label = say(passed ? "stepPassed" : "stepFailed");
  return create(
    "span",
    { class: "workflow-mark", "data-passed": String(passed), role: "img", "aria-label": label },
    passed ? "✓" : "✗",
  );
}

function verdictList(verdicts: readonly Verdict[]): HTMLElement {
  const list = create("ul", "workflow-verdicts");
  for (const { criterion, passed, reason } of verdicts) {
    const { context, condition } = criterion;
    const codes = [context, condition].filter((text) => text !== undefined).map((text) => create("code", {}, text));
    const note = reason === undefined ? [] : [create("p", "playground-fault", sayWith("notEvaluated", reason))];
    list.append(create("li", {}, resultMark(passed), create("div", {}, ...codes, ...note)));
  }
  return list;
}
