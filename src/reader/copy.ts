import { all, create, onClick, pageMessage } from "./dom.js";
import { addControls } from "./shell/code-blocks.js";

const resultShownMs = 2000;

/** Buttons that copy code, links to sections, prompts, colours and the page. They show and announce the result. */
export function wireCopy(): void {
  addControls();
  document.body.append(create("div", { id: "offprint-status", class: "visually-hidden", role: "status" }));
  onClick(".code-block-copy-button", (button) => {
    const code = button.closest(".code-block")?.querySelector("code");
    if (code) copy(codeText(code), button);
  });
  // The link still jumps to its section. A click that opens a new tab copies nothing.
  onClick(".heading-anchor, .field-anchor", (link, event) => {
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) copy((link as HTMLAnchorElement).href, link);
  });
  onClick("[data-copy]", (button) => {
    const dark = document.documentElement.classList.contains("dark") ? button.dataset.copyDark : undefined;
    copy(dark ?? button.dataset.copy ?? "", button);
  });
}

/** The code without lines that a diff removes. */
function codeText(code: HTMLElement): string {
  if (code.querySelector(".line-remove") === null) return code.textContent ?? "";
  return all(".line", code)
    .filter((line) => !line.classList.contains("line-remove"))
    .map((line) => line.textContent)
    .join("\n");
}

/** Copies a text and shows the result on the button. Browsers allow this only in a click handler. */
export function copy(text: string, button: HTMLElement): void {
  writeToClipboard(text).then(
    (isCopied) => showResult(button, isCopied),
    () => showResult(button, false),
  );
}

/** Functions that restore buttons which currently show a result. */
const restorers = new Map<HTMLElement, () => void>();

export function showResult(button: HTMLElement, isCopied: boolean): void {
  restorers.get(button)?.();
  const message = pageMessage(isCopied ? "copied" : "copyFailed");
  // Screen readers ignore everything behind an open dialog.
  const status =
    button.closest("dialog")?.querySelector(".dialog-status") ?? document.getElementById("offprint-status")!;
  const label = button.querySelector(".copy-label");
  const labelText = label?.textContent ?? "";
  const restore = (): void => {
    clearTimeout(timer);
    restorers.delete(button);
    delete button.dataset.copied;
    if (label) label.textContent = labelText;
    button.style.minWidth = "";
    status.textContent = "";
  };
  const timer = setTimeout(restore, resultShownMs);
  restorers.set(button, restore);
  // A message shorter than the label must not shift the content after the button.
  if (label) button.style.minWidth = `${button.offsetWidth}px`;
  if (isCopied) button.dataset.copied = "";
  if (label) label.textContent = message;
  status.textContent = message;
}

/** Falls back to the deprecated `copy` command: pages opened from disk or over HTTP may have no clipboard API. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement as HTMLElement | null;
    const area = document.createElement("textarea");
    area.className = "visually-hidden";
    area.value = text;
    (focused?.closest("dialog") ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    focused?.focus({ preventScroll: true });
    return isCopied;
  }
}
