import type { LoadData } from "../../bundle/search/engine/index-files.js";
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

/** Data by file name, shared by all loaders. */
const received = new Map<string, readonly unknown[]>();

/**
 * Loads index files, which are scripts since pages opened from disk may not use `fetch`.
 *
 * @param loadScript loads a script of the bundle, by its path from the root.
 */
export function createDataLoader(loadScript: (path: string) => Promise<void>): LoadData {
  window.offprintSearch = (name, ...data) => void received.set(name, data);
  return async (path, name) => {
    await loadScript(path);
    const data = received.get(name);
    received.delete(name);
    if (!data) throw new Error(`${path} does not hold ${name}.`);
    return data;
  };
}
