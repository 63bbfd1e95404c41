/** What `react` and `react-dom` export: Preact, and the parts of React that it lacks, as far as sites use them. */
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
import * as hooks from "preact/hooks";
import { __h } from "./element.js";
import { IslandContext } from "./island.js";

type Props = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: components of sites have any properties.
type AnyComponent = (props: any) => ComponentChild;

const { useContext, useEffect, useLayoutEffect, useRef, useState } = hooks;

const mapChildren = (
  children: ComponentChild,
  each: (child: unknown, index: number) => ComponentChild,
  self?: unknown,
) => (children == null ? children : toChildArray(toChildArray(children).map(each, self)));

const Children = {
  map: mapChildren,
  forEach: mapChildren,
  count: (children: ComponentChild) => toChildArray(children).length,
  only(children: ComponentChild) {
    const [child, ...more] = toChildArray(children);
    if (more.length > 0 || !isValidElement(child)) throw new Error("Children.only needs one element.");
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
  function shouldUpdate(this: Component<Props>, next: Props): boolean {
    return areEqual ? !areEqual(this.props, next) : differ(this.props, next);
  }
  return function Memo(this: Component<Props>, props: Props) {
    this.shouldComponentUpdate = shouldUpdate;
    return __h(type, props);
  };
}

const forwardRef =
  (render: (props: Props, ref: unknown) => ComponentChild): AnyComponent =>
  ({ ref, ...props }) =>
    render(props, ref ?? null);

/** Shows the fallback while a component below waits for what it loads. */
class Suspense extends Component<{ fallback?: ComponentChild; children?: ComponentChild }, { waits: number }> {
  override state = { waits: 0 };
  override componentDidCatch(error: unknown): void {
    const { then } = error as { then?: unknown };
    if (typeof then !== "function") throw error;
    const add = (count: number): void => this.setState(({ waits }) => ({ waits: waits + count }));
    add(1);
    const done = (): void => add(-1);
    then.call(error, done, done);
  }
  override render() {
    return this.state.waits > 0 ? this.props.fallback : this.props.children;
  }
}

function lazy(load: () => Promise<{ default: AnyComponent }>): AnyComponent {
  let loading: Promise<void> | undefined;
  let use: (props: Props) => VNode;
  return function Lazy(props: Props) {
    loading ??= load().then(
      (module) => {
        use = (given) => __h(module.default, given);
      },
      (error) => {
        use = () => {
          throw error;
        };
      },
    );
    if (!use) throw loading;
    return use(props);
  };
}

interface Awaited extends Promise<unknown> {
  outcome?: { readonly value: unknown } | { readonly error: unknown };
}

/** The value of a context or a promise. */
function use(source: Awaited | Parameters<typeof useContext>[0]): unknown {
  if (!("then" in source)) return useContext(source);
  const { outcome } = source;
  if (outcome && "value" in outcome) return outcome.value;
  if (outcome) throw outcome.error;
  throw source.then(
    (value) => {
      source.outcome = { value };
    },
    (error) => {
      source.outcome = { error };
    },
  );
}

function useId(): string {
  const island = useContext(IslandContext);
  return useState(() => island.prefix + island.ids++)[0];
}

function useSyncExternalStore<T>(
  subscribe: (changed: () => void) => () => void,
  read: () => T,
  readFirst?: () => T,
): T {
  const isFirst = useRef(true);
  // While HTML is hydrated, the value is that of the server.
  const value = isFirst.current && readFirst ? readFirst() : read();
  const [, update] = useState({});
  const last = useRef(value);
  const check = (): void => {
    if (!Object.is(last.current, read())) update({});
  };
  useLayoutEffect(() => {
    isFirst.current = false;
    last.current = value;
    check();
  });
  useEffect(() => {
    check();
    return subscribe(check);
  }, [subscribe]);
  return value;
}

function useEffectEvent<F extends (...values: never[]) => unknown>(handle: F): F {
  const latest = useRef(handle);
  latest.current = handle;
  return useRef(((...values) => latest.current(...values)) as F).current;
}

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

export const React: Readonly<Record<string, unknown>> = {
  Children,
  Component,
  Fragment,
  Profiler: Fragment,
  PureComponent,
  StrictMode: Fragment,
  Suspense,
  cloneElement,
  createContext,
  createElement: __h,
  createPortal,
  createRef,
  flushSync,
  forwardRef,
  isValidElement,
  lazy,
  memo,
  startTransition,
  unstable_batchedUpdates: startTransition,
  use,
  useCallback: hooks.useCallback,
  useContext,
  useDebugValue: hooks.useDebugValue,
  useDeferredValue: (value: unknown) => value,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle: hooks.useImperativeHandle,
  useInsertionEffect: useLayoutEffect,
  useLayoutEffect,
  useMemo: hooks.useMemo,
  useReducer: hooks.useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition: () => [false, startTransition],
  version: "19.0.0",
};
