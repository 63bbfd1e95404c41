import { JSDOM } from "jsdom";
import { createSvgMeter, pathPoints } from "./boxes.js";

/**
 * Gives this process the document that Mermaid wants, and takes from it what would make two drawings of one source
 * differ: the clock and chance. Called once, before Mermaid is loaded.
 */
export function openDom(): { /** Forgets what the last diagram left. */ reset(): void } {
  const { window } = new JSDOM("<!doctype html><body></body>");
  for (const name of ["window", "document", ...wanted])
    Object.defineProperty(globalThis, name, {
      value: name === "window" ? window : window[name as "document"],
      configurable: true,
      writable: true,
    });

  const meter = createSvgMeter();
  const rectOf = (element: Element) => {
    const box = meter.boxOf(element);
    return { ...box, left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
  };
  Object.assign(window.SVGElement.prototype, {
    getBBox(this: Element) {
      return meter.boxOf(this);
    },
    getBoundingClientRect(this: Element) {
      return rectOf(this);
    },
    getComputedTextLength(this: Element) {
      return meter.textWidth(this);
    },
    getTotalLength(this: Element) {
      return walk(this).length;
    },
    getPointAtLength(this: Element, length: number) {
      return walk(this, length).point;
    },
  });
  Object.defineProperty(window.HTMLElement.prototype, "offsetWidth", { get: () => 900 });
  Object.defineProperty(window.HTMLElement.prototype, "clientWidth", { get: () => 900 });

  let seed = 1;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  Math.random = random;
  Object.defineProperty(globalThis, "Date", { value: stoppedClock(), configurable: true, writable: true });
  Object.defineProperty(globalThis, "crypto", {
    value: {
      getRandomValues: <T extends Uint8Array>(bytes: T): T => bytes.fill(0).map(() => random() * 256) as T,
      randomUUID: () =>
        `00000000-0000-4000-8000-${Math.floor(random() * 2 ** 48)
          .toString(16)
          .padStart(12, "0")}`,
    },
    configurable: true,
  });
  return {
    reset() {
      seed = 1;
      window.document.body.replaceChildren();
      window.document.head.replaceChildren();
    },
  };
}

const wanted = [
  "CSSStyleSheet",
  "DOMParser",
  "Document",
  "DocumentFragment",
  "Element",
  "HTMLElement",
  "HTMLTemplateElement",
  "NamedNodeMap",
  "Node",
  "NodeFilter",
  "SVGElement",
  "XMLSerializer",
  "getComputedStyle",
];

/** Charts without a date of their own begin today, which a reproducible bundle cannot know. */
function stoppedClock(): DateConstructor {
  const start = Date.UTC(2000, 0, 1);
  return class extends Date {
    constructor(...given: []) {
      super(...((given.length === 0 ? [start] : given) as []));
    }
    static override now(): number {
      return start;
    }
  } as DateConstructor;
}

/** Follows a path from point to point. */
function walk(element: Element, until = Infinity): { length: number; point: { x: number; y: number } } {
  const points = pathPoints(element.getAttribute("d") ?? "");
  let [x = 0, y = 0] = points;
  let length = 0;
  for (let i = 2; i + 1 < points.length; i += 2) {
    const [toX, toY] = [points[i]!, points[i + 1]!];
    const step = Math.hypot(toX - x, toY - y);
    if (length + step >= until && step > 0) {
      const part = (until - length) / step;
      return { length: until, point: { x: x + (toX - x) * part, y: y + (toY - y) * part } };
    }
    length += step;
    [x, y] = [toX, toY];
  }
  return { length, point: { x, y } };
}
