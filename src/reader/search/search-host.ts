import { createIndexOpener, type LoadData, type Pause } from "../../bundle/search/engine/index-files.js";
import type { Hit } from "../../bundle/search/engine/order-hits.js";

/** What the page provides to the search. */
export interface SearchHost {
  /** Loads a script of the bundle, by its path from the root. */
  readonly load: (path: string) => Promise<void>;
  /** Relative URL of the bundle's root. */
  readonly root: string;
  /** Names of the indexes to search, nearest first. */
  readonly indexes: readonly string[];
  /** Number of the page's product; 0 if it has none. */
  readonly product: number;
  /** Placeholder of the search field. */
  readonly prompt: string;
}

/** @param query initial query; by default the last one. */
export type OpenSearch = (host: SearchHost, query?: string) => void;

/** The sections that match a question, best first. */
export type FindSections = (host: SearchHost, query: string) => Promise<readonly Hit[]>;

/** Lists the pages with URLs most similar to the requested one. */
export type ShowNearPages = (host: SearchHost, list: HTMLElement) => void;

declare global {
  interface Window {
    /** Each index file calls it with its name and data. */
    offprintSearch?: (name: string, ...data: unknown[]) => void;
  }
}

/** The longest time, in milliseconds, for which a search may keep the browser from handling keys. */
const sliceMs = 8;

/** Pauses a search after each slice of time, so that the browser can handle keys and draw. */
function createPause(): Pause {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  let sliceStart = 0;
  // One at a time: each has a slice of its own.
  port1.onmessage = () => {
    sliceStart = performance.now();
    waiting.shift()?.();
    if (waiting.length > 0) port2.postMessage(0);
  };
  return () => {
    if (performance.now() - sliceStart < sliceMs) return undefined;
    if (waiting.length === 0) port2.postMessage(0);
    return new Promise((resolve) => waiting.push(resolve));
  };
}

/** Data by file name, shared by all loaders. */
const received = new Map<string, readonly unknown[]>();

/** Opens the indexes of a bundle by name, for searches that leave the page free. */
export const createOpener = ({ load }: Pick<SearchHost, "load">) =>
  createIndexOpener(createDataLoader(load), undefined, createPause());

/** Loads index files as scripts, also from disk. @param loadScript loads one by its path from the root. */
function createDataLoader(loadScript: (path: string) => Promise<void>): LoadData {
  window.offprintSearch = (name, ...data) => void received.set(name, data);
  return async (path, name) => {
    await loadScript(path);
    const data = received.get(name);
    received.delete(name);
    if (!data) throw new Error(`${path} does not hold ${name}.`);
    return data;
  };
}
