import { create } from "../dom.js";
import { box } from "./field.js";

/** A section of the form with a heading. */
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
