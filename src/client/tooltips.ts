import { all, onClick } from "./dom.ts";

/** Tooltips show by themselves on hover and focus; here a tap toggles them and Escape sends them away. */
export function wireTooltips(): void {
  onClick(".tooltip-trigger", (trigger) => {
    const tooltip = trigger.closest<HTMLElement>("[data-tooltip]")!;
    const open = tooltip.toggleAttribute("data-open");
    tooltip.toggleAttribute("data-dismissed", !open);
  });
  document.addEventListener("pointerdown", (event) => {
    for (const tooltip of all("[data-tooltip][data-open]"))
      if (!tooltip.contains(event.target as Node)) tooltip.removeAttribute("data-open");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const tooltip of all("[data-tooltip]"))
      if (tooltip.matches(":hover, :focus-within, [data-open]")) {
        tooltip.dataset.dismissed = "";
        tooltip.removeAttribute("data-open");
      }
  });
  for (const tooltip of all("[data-tooltip]")) {
    const forget = (): void => {
      if (!tooltip.matches(":hover, :focus-within")) tooltip.removeAttribute("data-dismissed");
    };
    tooltip.addEventListener("pointerleave", forget);
    tooltip.addEventListener("focusout", () => setTimeout(forget));
  }
}
