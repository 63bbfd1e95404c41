import { all, closestTo, onClick, showDialog } from "../dom.js";

const minScale = 0.25;
const maxScale = 4;

/** The size at which a drawing fits its frame, in pixels, and the current scale. */
interface Zoom {
  readonly width: number;
  readonly height: number;
  /** Scale of the natural size; at least 1. */
  readonly naturalScale: number;
  scale: number;
}
const zooms = new WeakMap<SVGSVGElement, Zoom>();

/**
 * Diagrams are scaled to fit. Buttons, `+`, `-` and `0`, and Ctrl with the wheel zoom them. A zoomed diagram scrolls in its
 * frame by wheel, arrow keys, touch, or dragging with the mouse. One button shows it in the whole window.
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

/** @param direction 1 enlarges, -1 reduces, 0 fits. @param at the point that stays in place; by default the centre. */
function zoom(frame: HTMLElement, direction: number, at?: { clientX: number; clientY: number }): void {
  const drawing = frame.querySelector("svg")!;
  const { width, height } = drawing.getBoundingClientRect();
  const naturalScale = Math.max(1, drawing.viewBox.baseVal.width / width);
  const state = zooms.get(drawing) ?? { width, height, naturalScale, scale: 1 };
  zooms.set(drawing, state);
  const before = state.scale;
  // Four steps reach the natural size of a drawing that is scaled down a lot.
  const step = Math.max(1.25, state.naturalScale ** 0.25);
  const largest = Math.max(maxScale, 2 * state.naturalScale);
  const target = direction === 0 ? 1 : Math.min(largest, Math.max(minScale, before * step ** direction));
  state.scale = Math.abs(target - 1) < 0.01 ? 1 : target;
  const isFitted = state.scale === 1;
  const box = frame.getBoundingClientRect();
  const x = at ? at.clientX - box.left : box.width / 2;
  const y = at ? at.clientY - box.top : box.height / 2;
  const { scrollLeft, scrollTop } = frame;
  frame.toggleAttribute("data-zoomed", !isFitted);
  drawing.style.width = isFitted ? "" : `${state.width * state.scale}px`;
  drawing.style.height = isFitted ? "" : `${state.height * state.scale}px`;
  const growth = state.scale / before;
  frame.scrollLeft = (scrollLeft + x) * growth - x;
  frame.scrollTop = (scrollTop + y) * growth - y;
}

/** Scrolls the frame until the button is released. A press without movement is a click, for example on a link. */
function drag(frame: HTMLElement, start: PointerEvent): void {
  const { scrollLeft, scrollTop } = frame;
  let isDragging = false;
  const move = (event: PointerEvent): void => {
    const x = event.clientX - start.clientX;
    const y = event.clientY - start.clientY;
    if (!isDragging && Math.hypot(x, y) < 4) return;
    isDragging = true;
    frame.dataset.dragged = "";
    frame.scrollTo({ left: scrollLeft - x, top: scrollTop - y, behavior: "instant" });
  };
  const end = (): void => {
    removeEventListener("pointermove", move);
    delete frame.dataset.dragged;
    if (!isDragging) return;
    // The click that ends a drag must not follow a link.
    const cancelClick = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    frame.addEventListener("click", cancelClick, { capture: true, once: true });
    setTimeout(() => frame.removeEventListener("click", cancelClick, { capture: true }));
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
