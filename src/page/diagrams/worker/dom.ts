import { JSDOM } from "jsdom";
import { parseColor } from "../placeholder-colors.js";
import { createSvgMeter, pathPoints } from "./boxes.js";

/** Gives this process the document of Mermaid, with fixed time and random numbers. Call it before Mermaid loads. */
export function openDom(): { /** Removes the elements of the last diagram. */ reset(): void } {
  const { window } = new JSDOM("<!doctype html><body></body>");
  for (const name of ["window", "document", ...domGlobals])
    Object.defineProperty(globalThis, name, {
      value: name === "window" ? window : window[name as "document"],
      configurable: true,
      writable: true,
    });

  Object.defineProperty(globalThis, "screen", { value: { availWidth: 1200, availHeight: 800 } });

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
  Object.defineProperty(window.HTMLCanvasElement.prototype, "getContext", { value: () => stubCanvas });
  Object.defineProperty(window.HTMLElement.prototype, "offsetWidth", { get: () => 900 });
  Object.defineProperty(window.HTMLElement.prototype, "clientWidth", { get: () => 900 });

  // The DOM's own function would also apply the style sheets of earlier diagrams.
  const getComputedStyle = (element: Element): unknown => {
    const property = (name: string): string =>
      meter.property(element, name) ?? defaultStyle[name] ?? (/padding|border/.test(name) ? "0px" : "");
    return { getPropertyValue: property, textAnchor: property("text-anchor"), fontSize: property("font-size") };
  };
  for (const target of [window, globalThis])
    Object.defineProperties(target, { getComputedStyle: { value: getComputedStyle }, CSS: { value: cssFacts } });

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

/** Some layouts request a canvas, but only to measure text. */
const stubCanvas: unknown = new Proxy(
  {},
  {
    get: (_, name) => (name === "measureText" ? (text: string) => ({ width: text.length * 8 }) : () => stubCanvas),
    set: () => true,
  },
);

/** Mermaid uses it to test whether a word is a colour. */
const cssFacts = {
  supports: (property: string, value: string): boolean =>
    property === "color" && (value === "transparent" || parseColor(value) !== undefined),
  escape: (text: string): string => text.replace(/[^\w-]/g, (char) => `\\${char.codePointAt(0)!.toString(16)} `),
};

const defaultStyle: Readonly<Record<string, string>> = {
  "font-size": "16px",
  "font-family": "Inter Variable",
  "font-weight": "400",
  "text-anchor": "start",
};

const domGlobals = [
  ..."CSSStyleSheet DOMParser Document DocumentFragment Element HTMLElement HTMLTemplateElement".split(" "),
  ..."NamedNodeMap Node NodeFilter SVGElement XMLSerializer".split(" "),
];

/** Charts without a date begin today, which would make each export differ. */
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

/** The length of a path, and the point on it at a distance. */
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
