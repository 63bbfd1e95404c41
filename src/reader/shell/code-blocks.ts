import { all, create, drawing, onClick, pageMessage } from "../dom.js";
import * as outlines from "../icon-outlines.js";

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

/** Code blocks with lines wider than the block get a button that wraps lines. */
export function wireWrap(): void {
  // Fires after the first layout, when a tab shows the block, and when the window is resized.
  const sizes = new ResizeObserver((entries) => {
    // All are measured before the first button is added: measuring after each would style the page again each time.
    const wide = entries.map(({ target }) => target.scrollWidth > target.clientWidth);
    for (const [i, { target }] of entries.entries()) offerWrap(target, wide[i]!);
  });
  for (const scroll of all(".code-block:not(.code-block-wrap) .code-block-scroll")) sizes.observe(scroll);
  onClick(".code-block-wrap-button", (button) => {
    const wrapped = button.closest(".code-block")!.classList.toggle("code-block-wrap");
    button.setAttribute("aria-pressed", String(wrapped));
  });
}

function offerWrap(scroll: Element, isWide: boolean): void {
  const block = scroll.closest(".code-block")!;
  const button = block.querySelector<HTMLElement>(".code-block-wrap-button");
  // A wrapped block keeps its button, to unwrap it.
  if (block.classList.contains("code-block-wrap")) return;
  block.toggleAttribute("data-wide", isWide);
  if (button) button.hidden = !isWide;
  // Before other elements, it would make the browser style these again, with every line of the code.
  else if (isWide) scroll.parentElement!.append(wrapButton());
}

function wrapButton(): HTMLElement {
  const label = pageMessage("wrapLines");
  const attributes = { type: "button", class: "code-block-wrap-button", "aria-pressed": "false" };
  const icon = drawing(outlines.wrap);
  return create("button", { ...attributes, "aria-label": label, title: label }, icon);
}
