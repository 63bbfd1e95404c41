import { all, create, onClick, pageMessage } from "./dom.js";
import { addControls } from "./shell/code-blocks.js";

const shownMs = 2000;

/** Everything that copies: code, links to sections, prompts, colours, the page. The result is shown on the button and announced. */
export function wireCopy(): void {
  addControls();
  document.body.append(create("div", { id: "offprint-status", class: "visually-hidden", role: "status" }));
  onClick(".code-block-copy-button", (button) => {
    const code = button.closest(".code-block")?.querySelector("code");
    if (code) copy(codeText(code), button);
  });
  // The link also leads to its place, as usual; in a new tab it only opens.
  onClick(".heading-anchor, .field-anchor", (link, event) => {
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey) copy((link as HTMLAnchorElement).href, link);
  });
  onClick("[data-copy]", (button) => {
    const dark = document.documentElement.classList.contains("dark") ? button.dataset.copyDark : undefined;
    copy(dark ?? button.dataset.copy ?? "", button);
  });
}

/** Without the lines that a diff removes. */
function codeText(code: HTMLElement): string {
  if (code.querySelector(".line-remove") === null) return code.textContent ?? "";
  return all(".line", code)
    .filter((line) => !line.classList.contains("line-remove"))
    .map((line) => line.textContent)
    .join("\n");
}

/** Copies and shows the result on the button. Call it directly in a click handler: browsers allow it only there. */
export function copy(text: string, button: HTMLElement): void {
  write(text).then(
    (done) => showResult(button, done),
    () => showResult(button, false),
  );
}

/** Buttons that show a result, each with the function that restores it. */
const shown = new Map<HTMLElement, () => void>();

export function showResult(button: HTMLElement, done: boolean): void {
  shown.get(button)?.();
  const message = pageMessage(done ? "copied" : "copyFailed");
  // Screen readers ignore what is behind an open dialog.
  const status =
    button.closest("dialog")?.querySelector(".dialog-status") ?? document.getElementById("offprint-status")!;
  const label = button.querySelector(".copy-label");
  const before = label?.textContent ?? "";
  const undo = (): void => {
    clearTimeout(timer);
    shown.delete(button);
    delete button.dataset.copied;
    if (label) label.textContent = before;
    button.style.minWidth = "";
    status.textContent = "";
  };
  const timer = setTimeout(undo, shownMs);
  shown.set(button, undo);
  // A message shorter than the label must not move what follows the button.
  if (label) button.style.minWidth = `${button.offsetWidth}px`;
  if (done) button.dataset.copied = "";
  if (label) label.textContent = message;
  status.textContent = message;
}

/** Pages opened from disk or over plain http may have no clipboard API; then the old `copy` command is used. */
async function write(text: string): Promise<boolean> {
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
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus({ preventScroll: true });
    return done;
  }
}
