/** The script of a workflow's playground, loaded when a reader first opens it. */

import { parseJson } from "../../../lib/json/json.js";
import type { FormApi, WorkflowForm } from "../../../reference/arazzo/form-data.js";
import { create } from "../../dom.js";
import { createAuthorization } from "../authorization.js";
import { createForm, createFrame, showRunning } from "../dialog-frame.js";
import { type Control, type FormContext, type Missing, toJson } from "../form/control.js";
import { createControl } from "../form/create-control.js";
import { section } from "../form/elements.js";
import { box, button } from "../form/field.js";
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

/**
 * The playground of a workflow: its inputs on the left, its steps with their responses on the right. Requests go straight
 * from the browser to the addresses shown.
 *
 * @param title title of the page.
 */
function createWorkflowDialog(data: WorkflowForm, title: string, onClose: () => void) {
  const form = createForm("workflow", data, () => updateFaults(check("visited")));
  const inputs = createInputs(form, data);
  const targets = createTargets(form, data.apis);
  const check = (missing: Missing): readonly HTMLElement[] => [...inputs.check(missing), ...targets.check(missing)];

  const all = create("button", { type: "submit", class: "playground-send" });
  const next = button("playground-quiet workflow-next", say("runNext"), () => void advance(false));
  const { dialog, fields, side, showFaults, updateFaults } = createFrame({
    title,
    method: "WORKFLOW",
    address: create("code", { class: "playground-address", dir: "ltr" }, data.workflows[0]!.id),
    buttons: [next, all],
    onSubmit: () => void advance(true),
    onClose: () => {
      running?.abort();
      onClose();
    },
  });
  fields.append(...inputs.elements, ...targets.elements);
  if (fields.children.length === 1) fields.append(create("p", "playground-empty", say("nothingToFill")));
  const log = create("div", "workflow-log", create("p", "playground-empty", say("runHint")));
  const status = create("p", { class: "workflow-status", role: "status" });
  const history = createHistory();
  side.append(log, status, history.element);

  let running: AbortController | undefined;
  let steps: ReturnType<typeof runWorkflow> | undefined;
  let count = 0;
  /** The next step is known but has not run. */
  let isPaused = false;

  const label = (): void => {
    showRunning(all, running !== undefined, say("runAll"));
    next.toggleAttribute("disabled", running !== undefined);
  };
  label();

  /** Starts or continues a run: by one step, or to the end. */
  async function advance(isAll: boolean): Promise<void> {
    if (running) return running.abort();
    if (steps === undefined) {
      if (showFaults(check("all"))) return;
      log.replaceChildren();
      count = 0;
      isPaused = false;
      steps = runWorkflow(data, tools());
      if (matchMedia("(width < 60rem)").matches) side.scrollIntoView({ block: "start" });
    }
    const controller = new AbortController();
    running = controller;
    label();
    try {
      for (let event = await steps.next(); ; event = await steps.next()) {
        if (event.done) {
          finish(event.value);
          break;
        }
        show(event.value);
        if (controller.signal.aborted) {
          steps = undefined;
          break;
        }
        // Pause once the next step is known; it runs when the reader asks for it.
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
    else log.append(create("p", "playground-fault", sayWith("stepsLimit", event.steps)));
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
      const controller = new AbortController();
      const stop = (): void => controller.abort();
      running?.signal.addEventListener("abort", stop);
      const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
      const outcome = await sendRequest(built, {
        withCookies: data.cookies ?? false,
        signal: controller.signal,
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

  // Changed inputs start a new run.
  fields.addEventListener("input", () => {
    if (!running) steps = undefined;
  });
  return {
    open(): void {
      if (!dialog.open) dialog.showModal();
    },
    setVariables: targets.setVariables,
  };
}

/** The inputs of the workflow, and of the workflows that must run before it. */
function createInputs(form: FormContext, { workflows, schemas }: WorkflowForm) {
  const controls = new Map<number, Control>();
  const needed = new Set([0]);
  for (const index of needed) for (const dependency of workflows[index]!.dependsOn) needed.add(dependency);
  const elements = [...needed].reverse().flatMap((index) => {
    const { id, inputs } = workflows[index]!;
    if (inputs === undefined) return [];
    const control = createControl(form, schemas[inputs]!, { required: true, depth: 0 });
    controls.set(index, control);
    return [section(form, needed.size === 1 ? say("inputs") : `${say("inputs")}: ${id}`, control.element)];
  });
  return {
    elements,
    check: (missing: Missing): readonly HTMLElement[] =>
      [...controls.values()].flatMap((control) => control.check(missing)),
    /** With defaults for the inputs that are not filled in. */
    of(index: number): Values {
      const value = controls.get(index)?.read();
      const filledIn = value === undefined ? {} : toJson(value);
      const { properties = [] } = schemas[workflows[index]!.inputs ?? 0] ?? {};
      const presets = properties.flatMap(([name, schema]) => {
        const preset = schemas[schema]?.default;
        return preset === undefined ? [] : [[name, preset] as const];
      });
      return { ...Object.fromEntries(presets), ...(filledIn as Values) };
    },
  };
}

/** The servers and credentials of the APIs that a workflow calls. APIs with the same servers share one choice. */
function createTargets(form: FormContext, apis: readonly FormApi[]) {
  const servers = new Map<string, ReturnType<typeof createServerChoice>>();
  const isOne = new Set(apis.map(({ name }) => name)).size < 2;
  const titleOf = (title: string, name: string): string => (isOne ? title : `${title}: ${name}`);
  const elements: HTMLElement[] = [];
  const targets = apis.map(({ name, servers: list, ways }) => {
    const key = JSON.stringify(list);
    const shared = servers.get(key);
    const server = shared ?? createServerChoice(form, list);
    servers.set(key, server);
    if (!shared && server.element) elements.push(section(form, titleOf(say("server"), name), server.element));
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
    check: (missing: Missing) => [...servers.values()].flatMap((server) => server.check(missing)),
    of: (api: number): Target => targets[api]!(),
    setVariables(values: Readonly<Record<string, unknown>>): void {
      for (const server of servers.values()) server.setVariables(values);
    },
  };
}
