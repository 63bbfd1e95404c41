import { onClick } from "./dom.ts";

const shownMs = 2000;

/** Every button that copies: code, prompts, colours. */
export function wireCopy(): void {
  onClick(".code-block-copy-button", (button) => {
    const code = button.parentElement?.querySelector("code");
    if (code) void copy(codeText(code), button);
  });
  onClick("[data-copy-from]", (button) => {
    for (let around = button.parentElement; around; around = around.parentElement) {
      const source = around.querySelector<HTMLElement>(button.dataset.copyFrom!);
      // biome-ignore lint/performance/useDomNodeTextContent: the text as it is laid out, lines and all.
      if (source) return void copy(source.innerText.trim(), button);
    }
  });
  onClick("[data-copy]", (button) => {
    const dark = document.documentElement.classList.contains("dark") ? button.dataset.copyDark : undefined;
    void copy(dark ?? button.dataset.copy ?? "", button);
  });
}

/** Lines that a diff takes away are not part of the code. */
function codeText(code: HTMLElement): string {
  const lines = [...code.querySelectorAll(".line")];
  if (lines.length === 0) return code.textContent ?? "";
  return lines
    .filter((line) => !line.classList.contains("line-remove"))
    .map((line) => line.textContent)
    .join("\n");
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  if (!(await write(text))) return;
  button.dataset.copied = "";
  setTimeout(() => delete button.dataset.copied, shownMs);
}

/** Pages opened from disk or over plain http may have no clipboard; then the old command copies a selection. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const focused = document.activeElement as HTMLElement | null;
    const area = document.createElement("textarea");
    area.className = "visually-hidden";
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused?.focus({ preventScroll: true });
    return done;
  }
}
