/** The playground script, loaded when a reader first opens it. */
import { parseJson } from "../../lib/json/json.js";
import type { FormParameter, GraphTypes, PlaygroundForm } from "../../reference/forms/playground-form.js";
import { sampleLanguage, usualLanguages } from "../../reference/samples/languages/index.js";
import type { SampleLanguage } from "../../reference/samples/languages/sample-request.js";
import { copy } from "../copy.js";
import { all, closeOnOutsidePress, create } from "../dom.js";
import { createAuthorization } from "./authorization.js";
import { createBodyEditor } from "./body-editor.js";
import { type BuiltRequest, buildRequest, type Draft, isForbidden } from "./build-request.js";
import { createForm, createFrame, partTools, showRunning } from "./dialog-frame.js";
import type { Control, FormContext, Missing } from "./form/control.js";
import { createControl } from "./form/create-control.js";
import { section } from "./form/elements.js";
import { button } from "./form/field.js";
import { createHistory, operationKey, type PastRequest, toPastRequest } from "./history.js";
import { say } from "./messages.js";
import { openWith } from "./open-with.js";
import { createResponsePanel } from "./response-panel.js";
import { createSamplePanel, har } from "./sample-panel.js";
import { sendRequest } from "./send-request.js";
import { createServerChoice, resolveUrl, serverAddress } from "./servers.js";
import type { SocketTarget } from "./socket/main.js";

openWith(({ form, types, title, onClose }) =>
  createDialog(parseJson(form) as unknown as PlaygroundForm, title, onClose, types),
);

/**
 * The playground: a form on the left, the request and its response on the right. Requests go straight from the browser to
 * the address shown, only when the reader sends them.
 *
 * @param title title of the page.
 * @param types JSON of the `GraphTypes` of a GraphQL operation.
 */
function createDialog(data: PlaygroundForm, title: string, onClose: () => void, types = "{}") {
  let refresh = (): void => {};
  const form = createForm("playground", data, () => refresh());
  const isSocket = data.method === undefined;
  const server = createServerChoice(form, data.servers);
  const authorization = createAuthorization(form, data.ways, () => serverAddress(server.url()), isSocket);
  const parameters = createParameterForm(form, data.parameters);
  const { graph } = data;
  const graphEditor = graph && window.offprintGraph!(partTools, form, graph, JSON.parse(types) as GraphTypes);
  const bodyEditor = data.body && data.body.media.length > 0 ? createBodyEditor(form, data.body) : undefined;
  const body = graphEditor ?? bodyEditor;

  const draft = (isMasked: boolean): Draft => {
    const credentials = isMasked ? authorization?.maskedCredentials() : authorization?.credentials();
    return {
      baseUrl: server.url(),
      parameters: parameters.values(),
      credentials: credentials ?? [],
      body: body?.draft(),
    };
  };
  const build = (isMasked = false): BuiltRequest => buildRequest(data, draft(isMasked));

  const address = create("code", { class: "playground-address", dir: "ltr" });
  const send = create("button", { type: "submit", class: "playground-send" });
  const method =
    data.method ??
    resolveUrl(data.servers[0]!.url.replace(/\{[^}]*\}/g, "x"))
      .protocol.slice(0, -1)
      .toUpperCase();
  const operation = operationKey(method, data.servers, data.path, graph?.name);
  const { dialog, main, fields, side, showFaults, updateFaults } = createFrame({
    title,
    method,
    address,
    menu: endpointsMenu(),
    buttons: [send],
    onSubmit: () => actions.submit(false),
    onClose: () => {
      actions.stop();
      onClose();
    },
  });
  closeOnOutsidePress(dialog);
  fields.id = "api-playground-input";
  const sections = [
    ...(authorization ? [section(form, say("authorizations"), ...authorization.elements)] : []),
    ...(server.element ? [section(form, say("server"), server.element)] : []),
  ];
  // Credentials belong to a server, so its address is asked for first.
  fields.append(...(server.isAsked ? sections.reverse() : sections));
  fields.append(...parameters.elements);
  if (graphEditor) fields.append(...graphEditor.elements);
  if (bodyEditor) {
    const bodySection = section(form, say("body"), bodyEditor.element);
    bodySection.querySelector(".playground-section-head")!.append(bodyEditor.tools);
    fields.append(bodySection);
  }

  const actions = isSocket ? wireSocket() : graph?.kind === "subscription" ? wireSubscription() : wireRequest();
  const check = (missing: Missing): HTMLElement[] => [
    ...server.check(missing),
    ...parameters.check(missing),
    ...(body?.check(missing) ?? []),
  ];
  refresh = () => {
    updateFaults(check("visited"));
    address.textContent = build(true).sample.url;
    actions.refresh();
  };
  refresh();
  if (fields.children.length === 1) fields.append(create("p", "playground-empty", say("nothingToFill")));
  main.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      actions.submit(false);
    }
  });
  return {
    open(): void {
      if (dialog.open) return;
      dialog.showModal();
      const [first] = all("input:not([type=checkbox]), select, textarea", fields);
      // Not on phones, where the keyboard would cover half of the dialog.
      if (matchMedia("(pointer: fine)").matches) first?.focus({ preventScroll: true });
    },
    setVariables: server.setVariables,
  };

  /** Shows the errors of the form, and returns whether there are any. The reader may send anyway. */
  function hasFaults(isForced: boolean, sendAnyway: () => void): boolean {
    const invalid = check("all");
    const hasServer = server.check("all").length === 0;
    if (isForced && hasServer) return showFaults([]);
    return showFaults(invalid, ...(hasServer ? [button("playground-quiet", say("sendAnyway"), sendAnyway)] : []));
  }

  /** The request as the history stores it. */
  function pastRequest(): PastRequest {
    const past = toPastRequest({ ...data, operation, page: location.pathname, server: server.state() }, draft(false));
    return graph ? { ...past, method: graph.kind.toUpperCase(), url: graph.name } : past;
  }

  function restore(past: PastRequest): void {
    server.restore(past.server);
    parameters.fill(past.parameters);
    if (past.body) body?.restore(past.body);
    refresh();
  }

  function wireRequest() {
    const sample = createSamplePanel(form, languagesOf(data.languages));
    const response = createResponsePanel(graphEditor?.errorsIn);
    const history = createHistory({ operation, fill: restore });
    side.append(sample.element, response.element, history.element);
    const chosen = history.takeChosen();
    if (chosen) restore(chosen);
    let running: AbortController | undefined;
    const label = (): void => showRunning(send, running !== undefined, say("send"));
    label();
    const submit = async (isForced: boolean): Promise<void> => {
      if (running) return running.abort();
      if (!hasFaults(isForced, () => void submit(true))) await run(false);
    };
    const run = async (mayFollow: boolean): Promise<void> => {
      const past = pastRequest();
      const controller = new AbortController();
      running = controller;
      label();
      response.showWaiting();
      const options = {
        withCookies: data.cookies ?? false,
        mayFollow,
        signal: controller.signal,
        onText: response.showText,
      };
      await authorization?.renew(false);
      const request = build();
      let outcome = await sendRequest(request, options);
      if (outcome.kind === "answer" && outcome.answer.status === 401 && (await authorization?.renew(true)))
        outcome = await sendRequest(build(), options);
      running = undefined;
      label();
      history.add({ ...past, ...(outcome.kind === "answer" && { status: outcome.answer.status }) });
      response.show(
        outcome,
        request.sample.url,
        (copier) => copy(curl.write(sample.exported()!), copier),
        () => void run(true),
      );
      if (matchMedia("(width < 60rem)").matches) response.element.scrollIntoView({ block: "start" });
    };
    return {
      refresh: () => sample.show(build(true).sample, () => build().sample),
      submit: (isForced: boolean) => void submit(isForced),
      stop: () => running?.abort(),
    };
  }

  /** A subscription needs a connection whose protocol the server chooses, so it cannot be sent from here. */
  function wireSubscription() {
    send.disabled = true;
    send.textContent = say("send");
    side.append(create("p", "playground-empty", say("noSubscription")));
    return { refresh: () => {}, submit: () => {}, stop: () => {} };
  }

  function wireSocket() {
    const label = (state: "connecting" | "open" | "closed"): void => {
      send.replaceChildren(say(state === "closed" ? "connect" : "disconnect"));
      send.toggleAttribute("data-running", state !== "closed");
    };
    const panel = window.offprintSocket!(partTools, form, data.messages ?? [], label);
    fields.append(panel.composer);
    side.append(panel.log);
    label("closed");
    const submit = (isForced: boolean): void => {
      if (panel.isOpen()) panel.close();
      else if (!hasFaults(isForced, () => submit(true))) panel.open(socketTarget(build(), draft(false)));
    };
    return { refresh: panel.check, submit, stop: () => panel.close() };
  }
}

/** Pages cannot set headers of a WebSocket handshake, so credentials are sent as subprotocols. */
function socketTarget({ sample }: BuiltRequest, { credentials }: Draft): SocketTarget {
  const protocols = credentials
    .filter(({ place }) => place === "header")
    .map(({ value }) => value.slice(value.indexOf(" ") + 1));
  return { url: sample.url, protocols };
}

/** A menu of the endpoints in the sidebar; choosing one opens its playground. */
function endpointsMenu(): HTMLElement | undefined {
  const links = all<HTMLAnchorElement>(".sidebar-content a").filter((link) => link.querySelector(".method-nav-pill"));
  if (links.length < 2) return undefined;
  const select = create("select", {
    id: "endpoints-menu-trigger",
    class: "playground-choice playground-endpoints",
    "aria-label": say("endpoints"),
  });
  for (const link of links) {
    const option = create(
      "option",
      { value: link.href },
      [...link.childNodes]
        .map((node) => node.textContent?.trim())
        .join(" ")
        .trim(),
    );
    option.selected = link.getAttribute("aria-current") === "page";
    select.append(option);
  }
  select.addEventListener("change", () => location.assign(`${select.value}?playground=open`));
  return select;
}

const curl: SampleLanguage = sampleLanguage("curl")!;

/** The languages in which a request is shown. @param keys the site's choice. */
function languagesOf(keys: readonly string[]): readonly SampleLanguage[] {
  const chosen = keys.map(sampleLanguage).filter((language) => language !== undefined);
  return [...new Set([curl, ...(chosen.length > 0 ? chosen : usualLanguages), sampleLanguage("javascript")!, har])];
}

const sections = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
] as const;

function createParameterForm(form: FormContext, parameters: PlaygroundForm["parameters"]) {
  const controls = parameters.map((parameter) => ({ parameter, control: parameterControl(form, parameter) }));
  const elements = sections.flatMap(([place, title]) => {
    const inPlace = controls.filter(({ parameter }) => parameter.place === place);
    return inPlace.length === 0 ? [] : [section(form, say(title), ...inPlace.map(({ control }) => control.element))];
  });
  return {
    elements,
    values: (): Draft["parameters"] =>
      controls.flatMap(({ parameter, control }) => {
        const value = control.read();
        const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0) || isEmptyObject(value);
        return isEmpty ? [] : [{ parameter, value }];
      }),
    fill(values: PastRequest["parameters"]): void {
      for (const { parameter, control } of controls)
        control.write(values.find(([place, name]) => place === parameter.place && name === parameter.name)?.[2]);
    },
    check: (missing: Missing) => controls.flatMap(({ control }) => control.check(missing)),
  };
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function parameterControl(form: FormContext, parameter: FormParameter): Control {
  const { name, place, required, deprecated, description, schema, example, start } = parameter;
  const note =
    place === "cookie" ? say("cookieNote") : place === "header" && isForbidden(name) ? say("headerNote") : undefined;
  const control = createControl(form, form.schemas[schema]!, {
    name,
    required,
    depth: 1,
    isParameter: true,
    ...(description === undefined ? {} : { description }),
    ...(deprecated ? { deprecated } : {}),
    ...(note === undefined ? {} : { note }),
  });
  const first = (form.prefill ? example : undefined) ?? start;
  if (first !== undefined) control.write(first);
  return control;
}
