/** The exports of `react` and `react-dom`: Preact, with the parts of React that Preact lacks and sites use. */
import {
  Component,
  type ComponentChild,
  cloneElement,
  createContext,
  createElement,
  createPortal,
  createRef,
  Fragment,
  isValidElement,
  options,
  toChildArray,
  type VNode,
} from "preact";
import {
  useCallback,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";
import { __h } from "./element.js";

type Props = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: components of sites have arbitrary properties.
type AnyComponent = (props: any) => ComponentChild;

const mapChildren = (
  children: ComponentChild,
  callback: (child: unknown, index: number) => ComponentChild,
  self?: unknown,
) => (children == null ? children : toChildArray(toChildArray(children).map(callback, self)));

const Children = {
  map: mapChildren,
  forEach: mapChildren,
  count: (children: ComponentChild) => toChildArray(children).length,
  only(children: ComponentChild) {
    const [child, ...more] = toChildArray(children);
    if (more.length > 0 || !isValidElement(child)) throw new Error("Not one element.");
    return child;
  },
  toArray: toChildArray,
};

const differ = (a: Props, b: Props): boolean => {
  for (const name in a) if (a[name] !== b[name]) return true;
  for (const name in b) if (!(name in a)) return true;
  return false;
};

abstract class PureComponent extends Component<Props, Props> {
  override shouldComponentUpdate(props: Props, state: Props): boolean {
    return differ(this.props, props) || differ(this.state, state);
  }
}

function memo(type: AnyComponent, areEqual?: (a: Props, b: Props) => boolean): AnyComponent {
  return function Memo(this: Component<Props>, props: Props) {
    this.shouldComponentUpdate = (next) => (areEqual ? !areEqual(this.props, next) : differ(this.props, next));
    return __h(type, props);
  };
}

const forwardRef =
  (render: (props: Props, ref: unknown) => ComponentChild): AnyComponent =>
  ({ ref, ...props }) =>
    render(props, ref ?? null);

function useId(): string {
  const island = useContext(IslandContext);
  return useState(() => island.prefix + island.ids++)[0];
}

function useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, read: () => T, readFirst = read): T {
  const [value, setValue] = useState(readFirst);
  useEffect(() => {
    const update = (): void => setValue(read);
    update();
    return subscribe(update);
  }, [subscribe, read]);
  return value;
}

const nothing = (): void => {};
const startTransition = (change: () => void): void => change();

function flushSync<T>(change: () => T): T {
  const before = options.debounceRendering;
  let flush: (() => void) | undefined;
  options.debounceRendering = (render) => {
    flush = render;
  };
  try {
    const result = change();
    flush?.();
    return result;
  } finally {
    options.debounceRendering = before as NonNullable<typeof before>;
  }
}

const islands = createContext<Island>({ prefix: "island-", ids: 0 });
export const IslandContext = islands;

export const React: Readonly<Record<string, unknown>> = {
  Children,
  Component,
  Fragment,
  Profiler: Fragment,
  PureComponent,
  StrictMode: Fragment,
  // Nothing in a bundle is loaded lazily.
  Suspense: Fragment,
  cloneElement,
  createContext,
  createElement: __h,
  createPortal,
  createRef,
  flushSync,
  forwardRef,
  isValidElement,
  memo,
  startTransition,
  unstable_batchedUpdates: startTransition,
  // `use` reads only contexts: components in a bundle load no data.
  use: useContext,
  useCallback,
  useContext,
  useDebugValue: nothing,
  useDeferredValue: (value: unknown) => value,
  useEffect,
  useId,
  useImperativeHandle,
  useInsertionEffect: useLayoutEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition: () => [false, startTransition],
  version: "19.0.0",
};

/** Shared by the components of an island. */
export interface Island {
  /** Prefix of the ids from `useId`, unique in the page. */
  readonly prefix: string;
  /** Number of ids that `useId` has returned. */
  ids: number;
}

/** @param name of `data-island`: `0123456789ab#__i0`. @param occurrence islands of that name before it. */
export const createIsland = (name: string, occurrence: number): Island => ({
  prefix: `island-${name.slice(0, 6)}-${name.slice(15)}-${occurrence ? `${occurrence}-` : ""}`,
  ids: 0,
});

/** Wraps the content of an island in a context, through which components get the island. */
export const withIsland = <T extends Island>(island: T, content: ComponentChild): VNode =>
  createElement(islands.Provider, { value: island }, content) as VNode;
