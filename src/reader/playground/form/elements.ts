import { copy } from "../../copy.js";
import { create, drawing } from "../../dom.js";
import * as outlines from "../../icon-outlines.js";
import { say } from "../messages.js";
import { box, button } from "./field.js";

export const codeArea = (rows: number): HTMLTextAreaElement =>
  create("textarea", {
    class: "playground-input playground-code",
    dir: "ltr",
    rows: String(rows),
    spellcheck: "false",
  });

/** A line for text that browsers neither complete nor correct. */
export const textInput = (attributes: Readonly<Record<string, string>> = {}): HTMLInputElement =>
  create("input", { type: "text", class: "playground-input", autocomplete: "off", spellcheck: "false", ...attributes });

/** A `select` that identifies options by index. */
export function indexSelect(
  attributes: Readonly<Record<string, string>>,
  titles: readonly string[],
  chosen: number,
  onChoose: (index: number) => void,
): HTMLSelectElement {
  const options = titles.map((title, index) => create("option", { value: String(index) }, title));
  const select = create("select", attributes, ...options);
  select.value = String(chosen);
  select.addEventListener("change", () => onChoose(Number(select.value)));
  return select;
}

/** Buttons of which one is pressed, initially the first. @param choose returns false to reject the choice. */
export function createSwitch(
  label: string,
  titles: readonly string[],
  choose: (index: number) => boolean,
): HTMLElement {
  const press = (index: number): void =>
    buttons.forEach((option, at) => {
      option.setAttribute("aria-pressed", String(at === index));
    });
  const buttons = titles.map((title, index) =>
    button("playground-switch-option", title, () => {
      if (buttons[index]!.getAttribute("aria-pressed") !== "true" && choose(index)) press(index);
    }),
  );
  press(0);
  return create("div", { class: "playground-switch", role: "group", "aria-label": label }, ...buttons);
}

export function copyButton(text: () => string): HTMLElement {
  const element: HTMLElement = button(
    "playground-icon",
    say("copy"),
    () => copy(text(), element),
    drawing(outlines.copy),
  );
  return element;
}

export function section(form: { id(): string }, title: string, ...children: HTMLElement[]): HTMLElement {
  const id = form.id();
  const heading = create("h3", { id, class: "playground-section-title" }, title);
  return create(
    "section",
    { class: "playground-section", "aria-labelledby": id },
    box("playground-section-head", heading),
    box("playground-section-body", ...children),
  );
}

export function saveFile(content: BlobPart, type: string, name: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  create("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const methodBadge = (method: string): HTMLElement =>
  create("span", { class: "method-pill", "data-method": method }, method);
