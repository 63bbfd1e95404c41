import { all, create, drawing, onClick } from "./dom.js";
import * as outlines from "./icon-outlines.js";
import { pageMessage } from "./page-message.js";

/** Code blocks whose lines are longer than they are wide get a button that breaks the lines. */
export function wireWrap(): void {
  // Tells of a block once it is laid out, and again when a tab shows it or the window changes.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) offer(target as HTMLElement);
  });
  for (const scroll of all(".code-block:not(.code-block-wrap) .code-block-scroll")) sizes.observe(scroll);
  onClick(".code-block-wrap-button", (button) => {
    const wrapped = button.closest(".code-block")!.classList.toggle("code-block-wrap");
    button.setAttribute("aria-pressed", String(wrapped));
  });
}

function offer(scroll: HTMLElement): void {
  const block = scroll.closest(".code-block")!;
  const button = block.querySelector<HTMLElement>(".code-block-wrap-button");
  // A block that the reader has wrapped keeps the way back.
  if (block.classList.contains("code-block-wrap")) return;
  const isWide = scroll.scrollWidth > scroll.clientWidth;
  if (button) button.hidden = !isWide;
  else if (isWide) scroll.parentElement!.prepend(makeButton());
}

function makeButton(): HTMLElement {
  const label = pageMessage("wrapLines");
  const attributes = { type: "button", class: "code-block-wrap-button", "aria-pressed": "false" };
  const icon = drawing(outlines.wrap);
  return create("button", { ...attributes, "aria-label": label, title: label }, icon);
}
