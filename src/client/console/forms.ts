/** Filters apply as soon as they are chosen, and no form is sent twice. */
export function wireForms(): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>("select[data-submit]"))
    select.addEventListener("change", () => select.form?.requestSubmit());
  document.addEventListener("submit", ({ target }) => {
    const buttons = (target as HTMLFormElement).querySelectorAll<HTMLButtonElement>("button[type=submit]");
    // Later, so that the value of the pressed button is sent.
    setTimeout(() => {
      for (const button of buttons) button.disabled = true;
    });
    // Back from the next page, or after a download.
    setTimeout(() => {
      for (const button of buttons) button.disabled = false;
    }, 3000);
  });
}
