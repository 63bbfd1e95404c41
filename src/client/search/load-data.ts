import type { LoadData } from "../../bundle/search/engine/index-files.js";

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
