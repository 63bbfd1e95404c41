/** The script that runs a workflow, loaded when its playground is first opened. */

import { parseJson } from "../../../lib/json/json.js";
import type { FormApi, WorkflowForm } from "../../../reference/arazzo/form-data.js";
import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { createAuthorization } from "../authorization.js";
import type { Control, FormContext } from "../form/control.js";
import { createControl } from "../form/create-control.js";
import { section } from "../form/elements.js";
import { box, button } from "../form/field.js";
import { toJson } from "../form/value.js";
import { createHistory } from "../history.js";
import { say, sayWith } from "../messages.js";
import { openWith } from "../open-with.js";
import { sendRequest } from "../send-request.js";
import { createServerChoice, serverAddress } from "../servers.js";
import { attemptView, outputsView } from "./attempt-view.js";
import type { Values } from "./evaluate.js";
import { type Result, type RunEvent, type RunTools, runWorkflow } from "./run-workflow.js";
import type { Target } from "./step-request.js";

openWith(({ form, title, onClose }) =>
  createWorkflowDialog(parseJson(form) as unknown as WorkflowForm, title, onClose),
);

const maxOpenGroups = 40;

/**
 * The playground of a workflow: its inputs on the left, its steps with their answers on the right. Only what the steps
 * send leaves the browser, straight to the addresses shown.
 *
 * @param title title of the page.
 */
function createWorkflowDialog(data: WorkflowForm, title: string, onClose: () => void) {
  let ids = 0;
  let openGroups = 0;
  const form: FormContext = {
    schemas: data.schemas,
    prefill: data.prefill ?? false,
    mayOpen: () => openGroups++ < maxOpenGroups,
    createControl,
    changed: () => {},
    id: () => `workflow-${++ids}`,
  };
  const inputs = createInputs(form, data);
  const targets = createTargets(form, data.apis);

  const all = create("button", { type: "submit", class: "playground-send" });
  const next = button("playground-quiet workflow-next", say("runNext"), () => void advance(false));
  const close = button("playground-icon", say("close"), () => dialog.close(), drawing(outlines.close));
  const endpoint = box(
    "playground-endpoint",
    create("span", { class: "method-pill", "data-method": "WORKFLOW" }, "WORKFLOW"),
    create("code", { class: "playground-address", dir: "ltr" }, data.workflows[0]!.id),
  );
  const heading = create("h2", { id: "playground-title", class: "visually-hidden" }, title);
  const bar = create("header", { class: "playground-bar" }, heading, endpoint, next, all, close);
  const faults = create("div", { class: "playground-faults", role: "alert", hidden: "" });
  const fields = box("playground-fields", faults, ...inputs.elements, ...targets.elements);
  if (fields.children.length === 1) fields.append(create("p", { class: "playground-empty" }, say("nothingToFill")));
  const log = create("div", { class: "workflow-log" }, create("p", { class: "playground-empty" }, say("runHint")));
  const status = create("p", { class: "workflow-status", role: "status" });
  const history = createHistory();
  const side = box("playground-side", log, status, history.element);
  const main = create("form", { class: "playground", novalidate: "" }, bar, box("playground-columns", fields, side));
  const dialog = create(
    "dialog",
    { id: "playground-dialog", class: "playground-dialog", "aria-labelledby": "playground-title" },
    main,
  );

  let running: AbortController | undefined;
  let steps: ReturnType<typeof runWorkflow> | undefined;
  let count = 0;
  /** Before a step that is known and not yet run. */
  let isPaused = false;

  const label = (): void => {
    all.replaceChildren(say(running ? "cancel" : "runAll"), ...(running ? [] : [drawing(outlines.send)]));
    all.toggleAttribute("data-running", running !== undefined);
    next.toggleAttribute("disabled", running !== undefined);
  };
  label();

  /** Starts a run, or goes on with it: one step, or all of them. */
  async function advance(isAll: boolean): Promise<void> {
    if (running) return running.abort();
    if (steps === undefined) {
      if (hasFaults()) return;
      log.replaceChildren();
      count = 0;
      isPaused = false;
      steps = runWorkflow(data, tools());
      if (matchMedia("(width < 60rem)").matches) side.scrollIntoView({ block: "start" });
    }
    const own = new AbortController();
    running = own;
    label();
    try {
      for (let event = await steps.next(); ; event = await steps.next()) {
        if (event.done) {
          finish(event.value);
          break;
        }
        show(event.value);
        if (own.signal.aborted) {
          steps = undefined;
          break;
        }
        // The step that is now known to come next is run when the reader asks for it.
        const isNext = event.value.kind === "next" && !isAll && count > 0 && !isPaused;
        isPaused = isNext;
        if (isNext) break;
      }
    } finally {
      running = undefined;
      label();
    }
  }
  function show(event: RunEvent): void {
    if (event.kind === "attempt") {
      // Only the last failure stays open.
      if (log.lastElementChild instanceof HTMLDetailsElement) log.lastElementChild.open = false;
      log.append(attemptView(form, event, ++count));
      log.lastElementChild!.scrollIntoView({ block: "nearest" });
      status.textContent = `${event.step.id}: ${say(event.passed ? "stepPassed" : "stepFailed")}`;
    } else if (event.kind === "next") status.textContent = `${event.step.id}…`;
    else if (event.kind === "wait") status.textContent = sayWith("waitSeconds", event.seconds);
    else log.append(create("p", { class: "playground-fault" }, sayWith("stepsLimit", event.steps)));
  }

  function finish({ passed, outputs, isStopped }: Result): void {
    steps = undefined;
    status.textContent = say(passed ? "workflowDone" : isStopped ? "notRunHere" : "workflowFailed");
    if (Object.keys(outputs).length > 0) log.append(box("workflow-outputs", outputsView(form, outputs)));
    status.scrollIntoView({ block: "nearest" });
  }

  const tools = (): RunTools => ({
    targetOf: targets.of,
    inputsOf: inputs.of,
    async send({ built, past }, timeoutMs) {
      const own = new AbortController();
      const stop = (): void => own.abort();
      running?.signal.addEventListener("abort", stop);
      const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
      const outcome = await sendRequest(built, {
        withCookies: data.cookies ?? false,
        signal: own.signal,
        onText: () => {},
      });
      clearTimeout(timer);
      history.add({ ...past, ...(outcome.kind === "answer" && { status: outcome.answer.status }) });
      return outcome;
    },
    wait: (seconds) =>
      new Promise((resolve) => {
        setTimeout(resolve, seconds * 1000);
        running?.signal.addEventListener("abort", () => resolve());
      }),
  });

  function hasFaults(): boolean {
    const wrong = inputs.check();
    faults.hidden = wrong.length === 0;
    if (faults.hidden) return false;
    faults.replaceChildren(create("span", {}, sayWith("faultCount", wrong.length)));
    wrong[0]!.focus();
    return true;
  }

  main.addEventListener("submit", (event) => {
    event.preventDefault();
    void advance(true);
  });
  // Other inputs belong to another run.
  fields.addEventListener("input", () => {
    if (!running) steps = undefined;
  });
  dialog.addEventListener("close", () => {
    running?.abort();
    onClose();
  });
  document.body.append(dialog);
  return {
    open(): void {
      if (!dialog.open) dialog.showModal();
    },
    setVariables: targets.setVariables,
  };
}

/** The inputs of the workflow, and of those that must run before it. */
function createInputs(form: FormContext, { workflows, schemas }: WorkflowForm) {
  const controls = new Map<number, Control>();
  const waiting = [0];
  for (const index of waiting)
    for (const each of workflows[index]!.dependsOn) if (!waiting.includes(each)) waiting.push(each);
  const elements = waiting.toReversed().flatMap((index) => {
    const { id, inputs } = workflows[index]!;
    if (inputs === undefined) return [];
    const control = createControl(form, schemas[inputs]!, { required: true, depth: 0 });
    controls.set(index, control);
    return [section(form, waiting.length === 1 ? say("inputs") : `${say("inputs")}: ${id}`, control.element)];
  });
  return {
    elements,
    check: (): readonly HTMLElement[] => [...controls.values()].flatMap((control) => control.check(true)),
    /** With the defaults of what is not filled in. */
    of(index: number): Values {
      const value = controls.get(index)?.read();
      const given = value === undefined ? {} : toJson(value);
      const { properties = [] } = schemas[workflows[index]!.inputs ?? 0] ?? {};
      const presets = properties.flatMap(([name, schema]) => {
        const preset = schemas[schema]?.default;
        return preset === undefined ? [] : [[name, preset] as const];
      });
      return { ...Object.fromEntries(presets), ...(given as Values) };
    },
  };
}

/** The servers and credentials of the APIs that a workflow calls; APIs with the same servers share a choice. */
function createTargets(form: FormContext, apis: readonly FormApi[]) {
  const servers = new Map<string, ReturnType<typeof createServerChoice>>();
  const isOne = new Set(apis.map(({ name }) => name)).size < 2;
  const titleOf = (title: string, name: string): string => (isOne ? title : `${title}: ${name}`);
  const elements: HTMLElement[] = [];
  const targets = apis.map(({ name, servers: list, ways }) => {
    const key = JSON.stringify(list);
    const known = servers.get(key);
    const server = known ?? createServerChoice(form, list);
    servers.set(key, server);
    if (!known && server.element) elements.push(section(form, titleOf(say("server"), name), server.element));
    const authorization = createAuthorization(form, ways, () => serverAddress(server.url()), false);
    if (authorization) elements.push(section(form, titleOf(say("authorizations"), name), ...authorization.elements));
    return (): Target => ({
      baseUrl: server.url(),
      credentials: authorization?.credentials() ?? [],
      masked: authorization?.maskedCredentials() ?? [],
      server: server.state(),
    });
  });
  return {
    elements,
    of: (api: number): Target => targets[api]!(),
    setVariables(values: Readonly<Record<string, unknown>>): void {
      for (const server of servers.values()) server.setVariables(values);
    },
  };
}
