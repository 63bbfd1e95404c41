const shownMs = 1500;

/** Buttons that copy a command or a secret. Without a script they are not there. */
export function wireCopies(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(button.dataset["copy"] ?? "").then(() => {
        button.dataset["copied"] = "";
        setTimeout(() => delete button.dataset["copied"], shownMs);
      });
    });
  }
}
