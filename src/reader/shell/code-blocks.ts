import { all, create, drawing, onClick, pageMessage } from "../dom.js";
import * as outlines from "../icon-outlines.js";

/** Adds the controls that need a script: a copy button to each code block, and a link to each field. */
export function addControls(inside: ParentNode = document): void {
  const copy = pageMessage("copy");
  const button = create("button", { type: "button", class: "code-block-copy-button", "aria-label": copy });
  button.append(drawing(outlines.copy));
  // Live components render this button themselves. It is appended: inserted earlier, it would invalidate the styles of
  // its siblings.
  for (const body of all(".code-block:not([data-no-copy]) > .code-block-body", inside))
    if (!body.querySelector(".code-block-copy-button")) body.append(button.cloneNode(true));
  const linkTo = pageMessage("linkTo").split("%");
  for (const { id, firstElementChild: header } of all(".field[id]", inside)) {
    const label = linkTo.join(header!.querySelector(".field-name")?.textContent ?? id);
    header!.append(create("a", { class: "field-anchor", href: `#${encodeURIComponent(id)}`, "aria-label": label }));
  }
}

/** Adds a button that wraps lines to code blocks with lines wider than the block, and marks tables wider than the page. */
export function wireWrap(): void {
  // Fires after the first layout, when a tab shows the block, and when the window changes size.
  const sizes = new ResizeObserver((entries) => {
    // Measure all before adding a button: each button invalidates the layout.
    const wide = entries.map(({ target }) => target.scrollWidth > target.clientWidth);
    for (const [i, { target }] of entries.entries()) offerWrap(target, wide[i]!);
  });
  for (const scroll of all(".code-block:not(.code-block-wrap) .code-block-scroll, .table-scroll"))
    sizes.observe(scroll);
  onClick(".code-block-wrap-button", (button) => {
    const wrapped = button.closest(".code-block")!.classList.toggle("code-block-wrap");
    button.setAttribute("aria-pressed", String(wrapped));
  });
}

function offerWrap(scroll: Element, isWide: boolean): void {
  const block = scroll.closest(".code-block");
  if (!block) return void scroll.toggleAttribute("data-wide", isWide);
  const button = block.querySelector<HTMLElement>(".code-block-wrap-button");
  // A wrapped block keeps its button, which unwraps it.
  if (block.classList.contains("code-block-wrap")) return;
  block.toggleAttribute("data-wide", isWide);
  if (button) button.hidden = !isWide;
  // Append it: inserted earlier, it would invalidate the styles of every line of code.
  else if (isWide) scroll.parentElement!.append(wrapButton());
}

function wrapButton(): HTMLElement {
  const label = pageMessage("wrapLines");
  const attributes = { type: "button", class: "code-block-wrap-button", "aria-pressed": "false" };
  const icon = drawing(outlines.wrap);
  return create("button", { ...attributes, "aria-label": label, title: label }, icon);
}
