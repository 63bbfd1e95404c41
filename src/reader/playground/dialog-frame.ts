import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { valueEditor } from "./body-editor.js";
import { errorMessage, type FormContext, parseJson } from "./form/control.js";
import { createControl } from "./form/create-control.js";
import { codeArea, indexSelect, methodBadge, section } from "./form/elements.js";
import { box, button, createField, panel } from "./form/field.js";
import { jsonView } from "./json-view.js";
import { say, sayWith } from "./messages.js";
import { resolveUrl } from "./servers.js";

const maxOpenGroups = 40;

/** @param name prefix of the form's ids. */
export function createForm(name: string, data: FormData, changed: () => void): FormContext {
  const { schemas, prefill = false } = data;
  let ids = 0;
  let openGroups = 0;
  const mayOpen = (): boolean => openGroups++ < maxOpenGroups;
  return { schemas, prefill, mayOpen, createControl, changed, id: () => `${name}-${++ids}` };
}
type FormData = Pick<FormContext, "schemas"> & Partial<Pick<FormContext, "prefill">>;

interface FrameOptions {
  readonly title: string;
  readonly method: string;
  readonly address: HTMLElement;
  readonly menu?: HTMLElement;
  readonly buttons: readonly HTMLElement[];
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** The dialog of a playground: a bar, the form on the left (`fields`), and the request and response on the right (`side`). */
export function createFrame({ title, method, address, menu, buttons, onSubmit, onClose }: FrameOptions) {
  const bar = create(
    "header",
    "playground-bar",
    create("h2", { id: "playground-title", class: "visually-hidden" }, title),
    ...(menu ? [menu] : []),
    box("playground-endpoint", methodBadge(method), address),
    ...buttons,
    button("playground-icon", say("close"), () => dialog.close(), drawing(outlines.close)),
  );
  const faults = create("div", { class: "playground-faults", role: "alert", hidden: "" });
  const count = create("span");
  const fields = box("playground-fields", faults);
  const side = box("playground-side");
  const main = create(
    "form",
    { class: "playground", novalidate: "" },
    bar,
    box("playground-columns", fields, side),
    create("div", { class: "dialog-status visually-hidden", role: "status" }),
  );
  const attributes = { id: "playground-dialog", class: "playground-dialog", "aria-labelledby": "playground-title" };
  const dialog = create("dialog", attributes, main);
  main.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit();
  });
  dialog.addEventListener("close", onClose);
  document.body.append(dialog);
  return {
    dialog,
    main,
    fields,
    side,
    /** Shows how many fields are invalid and focuses the first. Returns whether there are any. */
    showFaults(invalid: readonly HTMLElement[], ...actions: readonly HTMLElement[]): boolean {
      const [first] = invalid;
      faults.hidden = !first;
      if (!first) return false;
      count.textContent = sayWith("faultCount", invalid.length);
      faults.replaceChildren(count, ...actions);
      for (let parent = first.parentElement; parent; parent = parent.parentElement)
        if (parent instanceof HTMLDetailsElement) parent.open = true;
      first.focus();
      return true;
    },
    /** Updates the number of invalid fields; hides it when there are none. */
    updateFaults(invalid: readonly HTMLElement[]): void {
      if (faults.hidden) return;
      faults.hidden = invalid.length === 0;
      const text = sayWith("faultCount", invalid.length);
      if (count.textContent !== text) count.textContent = text;
    },
  };
}

/** Switches a button between starting and cancelling a run. */
export function showRunning(element: HTMLElement, isRunning: boolean, idleLabel: string): void {
  element.replaceChildren(...(isRunning ? [say("cancel")] : [idleLabel, drawing(outlines.send)]));
  element.toggleAttribute("data-running", isRunning);
}

/** Functions of the playground that the GraphQL and socket scripts receive, so that they need not contain copies. */
export const partTools = {
  box,
  button,
  codeArea,
  create,
  createField,
  drawing,
  errorMessage,
  indexSelect,
  jsonView,
  panel,
  valueEditor,
  chevron: outlines.chevron,
  parseJson,
  resolveUrl,
  say,
  sayWith,
  section,
};
export type PartTools = typeof partTools;
