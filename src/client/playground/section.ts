import { create } from "../dom.js";

/** A section of the form with a heading. */
export function section(form: { id(): string }, title: string, ...children: HTMLElement[]): HTMLElement {
  const id = form.id();
  const heading = create("h3", { id, class: "playground-section-title" }, title);
  return create(
    "section",
    { class: "playground-section", "aria-labelledby": id },
    create("div", { class: "playground-section-head" }, heading),
    create("div", { class: "playground-section-body" }, ...children),
  );
}
