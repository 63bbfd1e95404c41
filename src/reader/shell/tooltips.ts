import { all, isRightToLeft, onClick } from "../dom.js";

/** How long the pointer may be outside, to cross the gap between a word and its tooltip. */
const graceMs = 120;
const gap = 6;
const margin = 8;

let open: HTMLElement | undefined;
let openedAt = 0;

/** Tooltips open within the window on hover, focus and tap. Escape, a second tap, or leaving them closes them. */
export function wireTooltips(): void {
  const tooltips = all("[data-tooltip]");
  if (tooltips.length === 0) return;
  for (const tooltip of tooltips) {
    // Surrounding boxes do not clip a popover. In browsers without popovers, style sheets position the tooltip.
    const content = tooltipContent(tooltip);
    if ("popover" in content) content.popover = "manual";
    let leaving: ReturnType<typeof setTimeout> | undefined;
    tooltip.addEventListener("pointerenter", (event) => {
      clearTimeout(leaving);
      if (event.pointerType === "mouse") show(tooltip);
    });
    tooltip.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse")
        leaving = setTimeout(() => !tooltip.matches(":focus-within") && hide(tooltip), graceMs);
    });
    tooltip.addEventListener("focusin", () => show(tooltip));
    tooltip.addEventListener("focusout", (event) => {
      if (!tooltip.contains(event.relatedTarget as Node | null)) hide(tooltip);
    });
  }
  onClick(".tooltip-trigger", (trigger, event) => {
    const tooltip = trigger.closest<HTMLElement>("[data-tooltip]")!;
    // The focus from the same tap may have opened it.
    if (tooltip === open && event.timeStamp - openedAt > 300) hide(tooltip);
    else show(tooltip);
  });
  document.addEventListener("pointerdown", (event) => {
    if (open && !open.contains(event.target as Node)) hide(open);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open) return;
    hide(open);
    event.stopPropagation();
  });
  for (const type of ["scroll", "resize"]) addEventListener(type, () => open && place(open), { capture: true });
}

const tooltipContent = (tooltip: HTMLElement): HTMLElement => tooltip.querySelector<HTMLElement>(".tooltip-content")!;

function show(tooltip: HTMLElement): void {
  if (open === tooltip) return;
  if (open) hide(open);
  open = tooltip;
  openedAt = performance.now();
  tooltip.dataset.open = "";
  const content = tooltipContent(tooltip);
  if (!content.popover) return;
  content.showPopover();
  place(tooltip);
}

function hide(tooltip: HTMLElement): void {
  if (open === tooltip) open = undefined;
  delete tooltip.dataset.open;
  const content = tooltipContent(tooltip);
  if (content.popover) content.hidePopover();
}

/** Places a tooltip on the requested side, on the opposite one if there is no space, and always within the window. */
function place(tooltip: HTMLElement): void {
  const content = tooltipContent(tooltip);
  const word = tooltip.querySelector(".tooltip-trigger")!.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = content;
  const { side = "top", align = "center" } = tooltip.dataset;
  const along = (from: number, to: number, size: number, end: boolean): number =>
    align === "center" ? (from + to - size) / 2 : (align === "end") !== end ? to - size : from;
  let left = along(word.left, word.right, width, isRightToLeft());
  let top = along(word.top, word.bottom, height, false);
  if (side === "left" || side === "right") {
    const before = word.left - gap - width;
    const after = word.right + gap;
    left = side === "left" ? (before < margin ? after : before) : after + width > innerWidth - margin ? before : after;
  } else {
    const above = word.top - gap - height;
    const below = word.bottom + gap;
    top = side === "top" ? (above < margin ? below : above) : below + height > innerHeight - margin ? above : below;
  }
  content.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`;
  content.style.top = `${Math.max(margin, Math.min(top, innerHeight - height - margin))}px`;
}
