import { all, closestTo, onClick, showDialog } from "../dom.js";

const minFactor = 0.25;
const maxFactor = 4;

/** Size of a drawing that fits its frame, in pixels, and the current scale. */
interface Zoom {
  readonly width: number;
  readonly height: number;
  /** How many times larger the drawing is at its natural size; at least 1. */
  readonly natural: number;
  factor: number;
}
const zooms = new WeakMap<SVGSVGElement, Zoom>();

/**
 * Diagrams are scaled to fit. They are zoomed by buttons, by `+`, `-` and `0`, and by Ctrl and the wheel. A zoomed one
 * scrolls in its frame by wheel, arrow keys, touch, or dragging with the mouse. One button shows it over the whole
 * window.
 */
export function wireDiagrams(): void {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isFitted = target.clientWidth < 0.95 * target.querySelector("svg")!.viewBox.baseVal.width;
      target.closest(".mermaid")!.toggleAttribute("data-fitted", isFitted);
    }
  });
  for (const frame of all(".mermaid-drawing:has(+ .mermaid-controls)")) sizes.observe(frame);
  onClick("[data-diagram]", (button) => {
    const frame = button.closest(".mermaid")!.querySelector<HTMLElement>(".mermaid-drawing")!;
    const { diagram } = button.dataset;
    if (diagram === "full") showFull(frame);
    else zoom(frame, diagram === "in" ? 1 : diagram === "out" ? -1 : 0);
  });
  document.addEventListener("keydown", (event) => {
    const frame = diagramFrame(event);
    if (!frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === "+" || event.key === "=" ? 1 : event.key === "-" ? -1 : 0;
    if (step === 0 && event.key !== "0") return;
    event.preventDefault();
    zoom(frame, step);
  });
  document.addEventListener(
    "wheel",
    (event) => {
      const frame = event.ctrlKey ? diagramFrame(event) : undefined;
      if (!frame) return;
      event.preventDefault();
      zoom(frame, event.deltaY < 0 ? 1 : -1, event);
    },
    { passive: false },
  );
  document.addEventListener("pointerdown", (event) => {
    const frame = event.pointerType === "mouse" && event.button === 0 ? diagramFrame(event) : undefined;
    if (frame && (frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight)) drag(frame, event);
  });
}

const diagramFrame = (event: Event) => closestTo(event, ".mermaid-drawing");

/** @param direction 1: larger; -1: smaller; 0: back to the size that fits. @param at fixed point; absent: the middle. */
function zoom(frame: HTMLElement, direction: number, at?: { clientX: number; clientY: number }): void {
  const drawing = frame.querySelector("svg")!;
  const { width, height } = drawing.getBoundingClientRect();
  const natural = Math.max(1, drawing.viewBox.baseVal.width / width);
  const state = zooms.get(drawing) ?? { width, height, natural, factor: 1 };
  zooms.set(drawing, state);
  const before = state.factor;
  // Four steps lead to the natural size of a drawing that is scaled down much.
  const step = Math.max(1.25, state.natural ** 0.25);
  const most = Math.max(maxFactor, 2 * state.natural);
  const target = direction === 0 ? 1 : Math.min(most, Math.max(minFactor, before * step ** direction));
  state.factor = Math.abs(target - 1) < 0.01 ? 1 : target;
  const isOwn = state.factor === 1;
  const box = frame.getBoundingClientRect();
  const x = at ? at.clientX - box.left : box.width / 2;
  const y = at ? at.clientY - box.top : box.height / 2;
  const { scrollLeft, scrollTop } = frame;
  frame.toggleAttribute("data-zoomed", !isOwn);
  drawing.style.width = isOwn ? "" : `${state.width * state.factor}px`;
  drawing.style.height = isOwn ? "" : `${state.height * state.factor}px`;
  const growth = state.factor / before;
  frame.scrollLeft = (scrollLeft + x) * growth - x;
  frame.scrollTop = (scrollTop + y) * growth - y;
}

/** Scrolls the frame until the button is released. A press without movement is a click, for example on a link. */
function drag(frame: HTMLElement, start: PointerEvent): void {
  const { scrollLeft, scrollTop } = frame;
  let moved = false;
  const move = (event: PointerEvent): void => {
    const x = event.clientX - start.clientX;
    const y = event.clientY - start.clientY;
    if (!moved && Math.hypot(x, y) < 4) return;
    moved = true;
    frame.dataset.dragged = "";
    frame.scrollTo({ left: scrollLeft - x, top: scrollTop - y, behavior: "instant" });
  };
  const end = (): void => {
    removeEventListener("pointermove", move);
    delete frame.dataset.dragged;
    if (!moved) return;
    // The click that ends a drag must not follow a link.
    const swallow = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    frame.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => frame.removeEventListener("click", swallow, { capture: true }));
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end, { once: true });
  addEventListener("pointercancel", end, { once: true });
}

function showFull(frame: HTMLElement): void {
  const figure = frame.closest(".mermaid")!.cloneNode(true) as HTMLElement;
  const copy = figure.querySelector<HTMLElement>(".mermaid-drawing")!;
  const drawing = copy.querySelector("svg")!;
  drawing.style.width = "";
  drawing.style.height = "";
  delete copy.dataset.zoomed;
  for (const part of figure.querySelectorAll('.mermaid-source, [data-diagram="full"]')) part.remove();
  showDialog("diagram-dialog", copy.getAttribute("aria-label") ?? "", figure, (target, dialog) => target === dialog);
  copy.focus();
}
