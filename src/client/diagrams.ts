import { closestTo, onClick, showDialog } from "./dom.js";

const steps = { in: 1.25, out: 0.8 } as const;
const minFactor = 0.25;
const maxFactor = 4;

/** Size of a drawing at its natural scale on the page, in pixels, and the current scale. */
interface Zoom {
  readonly width: number;
  readonly height: number;
  factor: number;
}
const zooms = new WeakMap<SVGSVGElement, Zoom>();

/**
 * Diagrams are zoomed by buttons, by `+`, `-` and `0`, and by Ctrl and the wheel. A large one scrolls in its frame by
 * wheel, arrow keys, touch, or dragging with the mouse. One button shows it over the whole window.
 */
export function wireDiagrams(): void {
  onClick("[data-diagram]", (button) => {
    const frame = button.closest(".mermaid")!.querySelector<HTMLElement>(".mermaid-drawing")!;
    const { diagram } = button.dataset;
    if (diagram === "full") showFull(frame);
    else zoom(frame, diagram === "in" || diagram === "out" ? steps[diagram] : undefined);
  });
  document.addEventListener("keydown", (event) => {
    const frame = diagramFrame(event);
    if (!frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === "+" || event.key === "=" ? steps.in : event.key === "-" ? steps.out : undefined;
    if (step === undefined && event.key !== "0") return;
    event.preventDefault();
    zoom(frame, step);
  });
  document.addEventListener(
    "wheel",
    (event) => {
      const frame = event.ctrlKey ? diagramFrame(event) : undefined;
      if (!frame) return;
      event.preventDefault();
      zoom(frame, event.deltaY < 0 ? steps.in : steps.out, event);
    },
    { passive: false },
  );
  document.addEventListener("pointerdown", (event) => {
    const frame = event.pointerType === "mouse" && event.button === 0 ? diagramFrame(event) : undefined;
    if (frame && (frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight)) drag(frame, event);
  });
}

const diagramFrame = (event: Event) => closestTo(event, ".mermaid-drawing");

/** @param step factor of the zoom; absent: back to the natural scale. @param at the fixed point; absent: the middle. */
function zoom(frame: HTMLElement, step: number | undefined, at?: { clientX: number; clientY: number }): void {
  const drawing = frame.querySelector("svg")!;
  const { width, height } = drawing.getBoundingClientRect();
  const state = zooms.get(drawing) ?? { width, height, factor: 1 };
  zooms.set(drawing, state);
  const before = state.factor;
  const target = step === undefined ? 1 : Math.min(maxFactor, Math.max(minFactor, before * step));
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
