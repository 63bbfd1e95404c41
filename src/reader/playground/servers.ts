import { attempt } from "../../lib/attempt.js";
import type { FormServer } from "../../reference/forms/playground-form.js";
import { create } from "../dom.js";
import type { FormContext, Missing } from "./form/control.js";
import { indexSelect, textInput } from "./form/elements.js";
import { box, createField } from "./form/field.js";
import { say, sayWith } from "./messages.js";

/** The reader's choice. */
export interface ServerState {
  readonly index: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly base?: string;
}

/** Lets the reader choose the server that requests go to. */
export function createServerChoice(form: FormContext, servers: readonly FormServer[]) {
  let chosen = servers[0]!;
  let siteValues: Readonly<Record<string, unknown>> = {};
  const inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  const content = box("playground-items");

  const initialValue = (name: string, fallback: string | undefined): string => {
    const value = Object.hasOwn(siteValues, name) ? siteValues[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : (fallback ?? "");
  };
  const showVariables = (): void => {
    inputs.clear();
    const fields = (chosen.variables ?? []).map(({ name, default: fallback, options, description }) => {
      const start = initialValue(name, fallback ?? options?.[0]);
      const input = options ? create("select", "playground-input") : textInput();
      for (const option of new Set([...(options ?? []), ...(options && start !== "" ? [start] : [])]))
        input.append(create("option", { value: option }, option));
      input.value = start;
      input.addEventListener("input", () => form.changed());
      inputs.set(name, input);
      return createField(form, { name, required: true, depth: 0, ...(description ? { description } : {}) }, "", input)
        .element;
    });
    content.replaceChildren(...fields);
  };
  showVariables();

  const elements: HTMLElement[] = [];
  const titles = servers.map(({ url, description }) => (description === undefined ? url : `${url} (${description})`));
  const select = indexSelect({ class: "playground-input", "aria-label": say("server") }, titles, 0, (index) => {
    chosen = servers[index]!;
    showVariables();
    form.changed();
  });
  if (servers.length > 1) elements.push(select);
  const base = needsHost(servers) ? baseField(form, servers) : undefined;
  if (base) elements.push(base.element);
  elements.push(content);

  return {
    /** Whether the reader has to enter an address before the request can be sent. */
    isAsked: base !== undefined,
    check: (missing: Missing): HTMLElement[] => (base && !isAbsolute(chosen.url) ? base.check(missing) : []),
    /** Undefined if there is nothing to choose. */
    element:
      servers.length > 1 || base || servers.some(({ variables }) => variables)
        ? box("playground-items", ...elements)
        : undefined,
    /** Without a trailing slash; variables without a value stay `{name}`. */
    url(): string {
      let url = chosen.url;
      for (const [name, input] of inputs) if (input.value !== "") url = url.split(`{${name}}`).join(input.value);
      url = url.replace(/\/+$/, "");
      return base && !isAbsolute(url) ? base.value() + (url.startsWith("/") || url === "" ? url : `/${url}`) : url;
    },
    state: (): ServerState => ({
      index: servers.indexOf(chosen),
      variables: Object.fromEntries([...inputs].map(([name, input]) => [name, input.value])),
      base: base?.value(),
    }),
    restore(state: ServerState): void {
      chosen = servers[state.index] ?? chosen;
      select.value = String(servers.indexOf(chosen));
      showVariables();
      for (const [name, input] of inputs)
        if (Object.hasOwn(state.variables, name)) input.value = state.variables[name]!;
      base?.write(state.base ?? "");
    },
    /** Sets the values from scripts of the site, which override those of the specification. */
    setVariables(values: Readonly<Record<string, unknown>>): void {
      siteValues = values;
      showVariables();
      form.changed();
    },
  };
}

const isAbsolute = (url: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("{");

/** The specification names no server. */
const isUnknown = ({ url }: FormServer): boolean => url === "";

/** Pages opened from disk have no host to resolve a relative URL. */
const needsHost = (servers: readonly FormServer[]): boolean =>
  servers.some((server) => isUnknown(server) || (location.protocol === "file:" && !isAbsolute(server.url)));

const exampleBase = "https://api.example.com";

function baseField(form: FormContext, servers: readonly FormServer[]) {
  const input = textInput({ type: "url", placeholder: exampleBase });
  const facts = { name: say("baseUrl"), required: true, depth: 0 };
  const field = createField(form, servers.some(isUnknown) ? { ...facts, note: say("noServer") } : facts, "", input);
  let wasVisited = false;
  input.addEventListener("input", () => form.changed());
  input.addEventListener("change", () => {
    wasVisited = true;
    form.changed();
  });
  return {
    element: field.element,
    check(missing: Missing): HTMLElement[] {
      if (missing === "all") wasVisited = true;
      const text = input.value.trim();
      const fault =
        text === ""
          ? say("fillIn")
          : /^(?:http|ws)s?:\/\/[^/]/i.test(text) && URL.canParse(text)
            ? undefined
            : sayWith("wrongFormat", exampleBase);
      field.showFault(wasVisited ? fault : undefined);
      return fault !== undefined && wasVisited ? [input] : [];
    },
    value: () => input.value.trim().replace(/\/+$/, ""),
    write: (value: string) => {
      input.value = value;
    },
  };
}

/** The normalized URL of a server, without its default port. An invalid URL, or an empty one, is returned unchanged. */
export const serverAddress = (url: string): string =>
  url !== "" && URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href.replace(/\/+$/, "") : url;

/** A URL from a specification, resolved; an invalid one becomes the URL of the page. */
export const resolveUrl = (text: string): URL =>
  attempt(() => new URL(text, document.baseURI)) ?? new URL(document.baseURI);
