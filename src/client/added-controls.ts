import { all, create, drawing } from "./dom.js";
import * as outlines from "./icon-outlines.js";
import { pageMessage } from "./page-message.js";

/** Adds what only works with a script: a button that copies to each block of code, and a link to each field. */
export function addControls(inside: ParentNode = document): void {
  const copy = pageMessage("copy");
  const button = create("button", { type: "button", class: "code-block-copy-button", "aria-label": copy });
  button.append(drawing(outlines.copy));
  // Live components bring their own. Before other elements, it would make the browser style these again.
  for (const body of all(".code-block:not([data-no-copy]) > .code-block-body", inside))
    if (!body.querySelector(".code-block-copy-button")) body.append(button.cloneNode(true));
  const linkTo = pageMessage("linkTo").split("%");
  for (const { id, firstElementChild: header } of all(".field[id]", inside)) {
    const label = linkTo.join(header!.querySelector(".field-name")?.textContent ?? id);
    header!.append(create("a", { class: "field-anchor", href: `#${encodeURIComponent(id)}`, "aria-label": label }));
  }
}
