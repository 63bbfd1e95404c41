import { all, closestTo, create, drawing, onClick } from "../dom.js";
import { ask } from "../icon-outlines.js";

/** A button next to the one that copies code. */
export function wireCodeButtons(open: (code: string) => void, label: string): void {
  for (const copy of all(".code-block-copy-button")) {
    const attributes = { type: "button", class: "code-block-ask-button", "aria-label": label, title: label };
    copy.after(create("button", attributes, drawing(ask)));
  }
  onClick(".code-block-ask-button", (button) => {
    const code = button.closest(".code-block")?.querySelector("code")?.textContent?.trim();
    if (code) open(code);
  });
}

/** Room for the button, in pixels. */
const gap = 8;

/** A button that floats above text that the reader selects. */
export function wireSelection(open: (text: string) => void, label: string): void {
  const button = create(
    "button",
    { type: "button", id: "text-selection-tooltip", class: "assistant-selection" },
    drawing(ask),
    label,
  );
  button.hidden = true;
  document.body.append(button);
  let text = "";
  const update = (): void => {
    const selection = getSelection();
    const range = selection && selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : undefined;
    const content = document.getElementById("content-area");
    text = range && content?.contains(range.commonAncestorContainer) ? selection!.toString().trim() : "";
    button.hidden = text.length < 2;
    if (button.hidden) return;
    const box = range!.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = button;
    const top = box.top - offsetHeight - gap;
    const left = box.left + box.width / 2 - offsetWidth / 2;
    const isBelow = top < (document.querySelector("#navbar")?.getBoundingClientRect().bottom ?? 0);
    button.style.top = `${scrollY + (isBelow ? box.bottom + gap : top)}px`;
    button.style.left = `${scrollX + Math.max(gap, Math.min(left, document.documentElement.clientWidth - offsetWidth - gap))}px`;
  };
  // A selection in progress would be covered, so the button comes once the pointer is up.
  document.addEventListener("pointerup", (event) => {
    if (!closestTo(event, "#text-selection-tooltip")) setTimeout(update);
  });
  document.addEventListener("keyup", (event) => event.shiftKey && update());
  document.addEventListener("selectionchange", () => {
    if (getSelection()?.isCollapsed) button.hidden = true;
  });
  // The press would remove the selection.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    button.hidden = true;
    open(text);
  });
}
