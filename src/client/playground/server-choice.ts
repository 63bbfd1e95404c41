import type { FormServer } from "../../page/reference/playground/playground-form.js";
import { create } from "../dom.js";
import type { FormContext } from "./control.js";
import { createField } from "./field.js";
import { say } from "./say.js";

/** Where the request goes. */
export interface ServerChoice {
  /** Absent where there is nothing to choose. */
  readonly element?: HTMLElement;
  /** Without a slash at its end; variables without a value stand as `{name}`. */
  url(): string;
  /** Values that scripts of the site set; they count before those of the document. */
  setVariables(values: Readonly<Record<string, unknown>>): void;
}

export function createServerChoice(form: FormContext, servers: readonly FormServer[]): ServerChoice {
  let chosen = servers[0]!;
  let given: Readonly<Record<string, unknown>> = {};
  const inputs = new Map<string, HTMLInputElement | HTMLSelectElement>();
  const place = create("div", { class: "playground-items" });

  const startOf = (name: string, fallback: string | undefined): string => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : (fallback ?? "");
  };
  const showVariables = (): void => {
    inputs.clear();
    const fields = (chosen.variables ?? []).map(({ name, default: fallback, options, description }) => {
      const start = startOf(name, fallback ?? options?.[0]);
      const input = options
        ? create("select", { class: "playground-input" })
        : create("input", { type: "text", class: "playground-input", spellcheck: "false", autocomplete: "off" });
      for (const option of new Set([...(options ?? []), ...(options && start !== "" ? [start] : [])]))
        input.append(create("option", { value: option }, option));
      input.value = start;
      input.addEventListener("input", () => form.changed());
      inputs.set(name, input);
      return createField(form, { name, required: true, depth: 0, ...(description ? { description } : {}) }, "", input)
        .element;
    });
    place.replaceChildren(...fields);
  };
  showVariables();

  const elements: HTMLElement[] = [];
  if (servers.length > 1) {
    const select = create("select", { class: "playground-input", "aria-label": say("server") });
    servers.forEach(({ url, description }, index) => {
      select.append(
        create("option", { value: String(index) }, description === undefined ? url : `${url} (${description})`),
      );
    });
    select.addEventListener("change", () => {
      chosen = servers[Number(select.value)]!;
      showVariables();
      form.changed();
    });
    elements.push(select);
  }
  const base = needsHost(servers) ? baseField(form) : undefined;
  if (base) elements.push(base.element);
  elements.push(place);

  return {
    ...(servers.length > 1 || base || servers.some(({ variables }) => variables)
      ? { element: create("div", { class: "playground-items" }, ...elements) }
      : {}),
    url() {
      let url = chosen.url;
      for (const [name, input] of inputs) if (input.value !== "") url = url.split(`{${name}}`).join(input.value);
      url = url.replace(/\/+$/, "");
      return base && !isWhole(url) ? base.value() + (url.startsWith("/") || url === "" ? url : `/${url}`) : url;
    },
    setVariables(values) {
      given = values;
      showVariables();
      form.changed();
    },
  };
}

const isWhole = (url: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(url) || url.startsWith("{");

/** Pages opened from disk have no host that an address could be relative to. */
const needsHost = (servers: readonly FormServer[]): boolean =>
  location.protocol === "file:" && servers.some(({ url }) => !isWhole(url));

function baseField(form: FormContext): { readonly element: HTMLElement; value(): string } {
  const input = create("input", {
    type: "url",
    class: "playground-input",
    placeholder: "https://api.example.com",
    spellcheck: "false",
    autocomplete: "off",
  });
  input.addEventListener("input", () => form.changed());
  const { element } = createField(form, { name: say("baseUrl"), required: true, depth: 0 }, "", input);
  return { element, value: () => input.value.trim().replace(/\/+$/, "") };
}
