import type { LoadData } from "../../bundle/search/engine/index-files.js";
import type { Hit } from "../../bundle/search/engine/order-hits.js";

/** What the page gives to the search. */
export interface SearchHost {
  /** Loads a script of the bundle, by its path from the root. */
  readonly load: (path: string) => Promise<void>;
  /** Relative URL of the bundle's root. */
  readonly root: string;
  /** Names of the indexes to search, the nearest first. */
  readonly indexes: readonly string[];
  /** Number of the reader's product; 0 for none. */
  readonly product: number;
  /** Placeholder of the search field. */
  readonly prompt: string;
}

/** @param query to start with; by default the last one is kept. */
export type OpenSearch = (host: SearchHost, query?: string) => void;

/** The sections that match a question, best first. */
export type FindSections = (host: SearchHost, query: string) => Promise<readonly Hit[]>;

/** Shows the pages whose addresses are most like that of the page. */
export type ShowNearPages = (host: SearchHost, list: HTMLElement) => void;

declare global {
  interface Window {
    /** Called by every index file with its name and its data. */
    offprintSearch?: (name: string, ...data: unknown[]) => void;
  }
}

/** Of all loaders: the last one takes what arrives. */
const arrived = new Map<string, readonly unknown[]>();

/**
 * Index files are scripts, since a page opened from disk may not make requests.
 *
 * @param loadScript loads a script of the bundle, by its path from the root.
 */
export function createDataLoader(loadScript: (path: string) => Promise<void>): LoadData {
  window.offprintSearch = (name, ...data) => void arrived.set(name, data);
  return async (path, name) => {
    await loadScript(path);
    const data = arrived.get(name);
    arrived.delete(name);
    if (!data) throw new Error(`${path} does not hold ${name}.`);
    return data;
  };
}
