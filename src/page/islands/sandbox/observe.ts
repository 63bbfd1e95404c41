/**
 * Runs inside the interpreter and observes islands while they render. An island that cannot change in the browser
 * becomes plain HTML. One that depends on time, random numbers or the reader's language is rendered only in the
 * browser.
 */
interface Observed {
  live: boolean;
  unstable: "clock" | "random" | "locale" | null;
  /** The browser global that was read last. */
  touched: string | null;
}

export const observed: Observed = { live: false, unstable: null, touched: null };

export function forget(): void {
  observed.live = false;
  observed.unstable = null;
  observed.touched = null;
}

const setLive = (): void => {
  observed.live = true;
};

/** Hooks that make an island live. */
const liveHooks = [
  ..."useEffect useLayoutEffect useInsertionEffect useImperativeHandle useSyncExternalStore useEffectEvent".split(" "),
  "use",
  "createPortal",
];

let watched: object | undefined;

/** Sets the contexts of an outer live island. They may change, so a component that reads one is live. */
export const watchContexts = (contexts: object | undefined): void => {
  watched = contexts;
};

const observeContext = (context: unknown): void => {
  // Preact stores a context's id under this name.
  const id = (context as { __c?: unknown } | null | undefined)?.__c;
  if (watched && typeof id === "string" && id in watched) setLive();
};

export function observing(exports: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const wrapped: Record<string, unknown> = { ...exports };
  for (const name of liveHooks) {
    const hook = exports[name];
    if (typeof hook !== "function") continue;
    wrapped[name] = (...values: unknown[]) => {
      setLive();
      return hook(...values);
    };
  }
  const { useContext } = exports as { useContext: (context: unknown) => unknown };
  wrapped["useContext"] = (context: unknown) => {
    observeContext(context);
    return useContext(context);
  };
  return wrapped;
}

/** Call it with each element before its properties are adapted. */
export function observeElement(type: unknown, props: Readonly<Record<string, unknown>>, ref?: unknown): void {
  if (observed.live) return;
  if (ref || props["ref"]) setLive();
  else if (typeof type === "function") {
    const { prototype, contextType } = type as { prototype?: { render?: unknown }; contextType?: unknown };
    if (prototype?.render) setLive();
    observeContext(contextType);
  } else for (const name in props) if (name.startsWith("on") && typeof props[name] === "function") setLive();
}

/** Globals of browsers. The interpreter's value for those that it lacks is undefined, as on a server. */
const browserGlobals = (
  "window self document navigator location history screen localStorage sessionStorage indexedDB caches cookieStore " +
  "fetch XMLHttpRequest WebSocket EventSource BroadcastChannel Worker SharedWorker Notification " +
  "matchMedia getComputedStyle innerWidth innerHeight outerWidth outerHeight scrollX scrollY pageXOffset pageYOffset " +
  "devicePixelRatio visualViewport customElements CSS CSSStyleSheet DOMParser XMLSerializer Node Element HTMLElement " +
  "SVGElement Image Audio Event CustomEvent KeyboardEvent MouseEvent PointerEvent EventTarget MessageChannel " +
  "MutationObserver ResizeObserver IntersectionObserver PerformanceObserver addEventListener removeEventListener " +
  "dispatchEvent scroll scrollTo scrollBy alert confirm prompt open close print postMessage getSelection " +
  "URL URLSearchParams Blob File FileReader FormData Headers Request Response AbortController AbortSignal " +
  "TextEncoder TextDecoder ReadableStream crypto structuredClone speechSynthesis parent top frames opener"
).split(" ");

const timers =
  "setTimeout setInterval requestAnimationFrame requestIdleCallback queueMicrotask setImmediate clearTimeout clearInterval cancelAnimationFrame cancelIdleCallback";

/** Call it last, since libraries look for these names when they load. */
export function installGlobals(): void {
  const define = (target: object, name: string, descriptor: PropertyDescriptor): void => {
    Object.defineProperty(target, name, { configurable: true, enumerable: false, ...descriptor });
  };
  const replace = (name: string) => (value: unknown) => define(globalThis, name, { value, writable: true });
  for (const name of browserGlobals) {
    if (name in globalThis) continue;
    const get = (): undefined => {
      observed.live = true;
      observed.touched = name;
    };
    define(globalThis, name, { get, set: replace(name) });
  }
  for (const name of timers.split(" ")) {
    const timer = (): number => {
      if (!/^c/.test(name)) setLive();
      return 0;
    };
    define(globalThis, name, { value: timer, writable: true });
  }
  const ignore = (): void => {};
  const console: Record<string, unknown> = {};
  for (const name of "assert clear count debug dir error group groupCollapsed groupEnd info log table time timeEnd timeLog trace warn".split(
    " ",
  ))
    console[name] = ignore;
  define(globalThis, "console", { value: console, writable: true });
  const unstable = (kind: NonNullable<Observed["unstable"]>): void => {
    observed.unstable ??= kind;
  };
  const sinceStart = (): number => {
    unstable("clock");
    return 0;
  };
  const performance = { now: sinceStart, mark: ignore, measure: ignore };
  define(performance, "timeOrigin", { get: sinceStart });
  define(globalThis, "performance", { value: performance, writable: true });
  define(globalThis, "Intl", { get: () => unstable("locale"), set: replace("Intl") });
  define(Math, "random", {
    value: () => {
      unstable("random");
      return 0.5;
    },
    writable: true,
  });
  const localized: [object, string][] = [
    [Number.prototype, "toLocaleString"],
    [BigInt.prototype, "toLocaleString"],
    [Array.prototype, "toLocaleString"],
    [String.prototype, "localeCompare"],
    ...["toLocaleString", "toLocaleDateString", "toLocaleTimeString"].map((name): [object, string] => [
      Date.prototype,
      name,
    ]),
  ];
  for (const [prototype, name] of localized) {
    const method = Reflect.get(prototype, name) as (...values: unknown[]) => unknown;
    define(prototype, name, {
      value(this: unknown, ...values: unknown[]) {
        unstable("locale");
        return Reflect.apply(method, this, values);
      },
      writable: true,
    });
  }
}
