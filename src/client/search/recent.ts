import { recallList, remember } from "../memory.js";

const maxRecent = 6;

/** Successful searches of the reader in this bundle, the latest first. */
interface RecentSearches {
  all(): readonly string[];
  add(query: string): void;
  clear(): void;
}

/** @param root leads to the bundle's root. Each bundle has its own list, even if several are opened from disk. */
export function recentSearches(root: string): RecentSearches {
  const name = `searches ${new URL(root || ".", location.href).pathname}`;
  const all = (): string[] => recallList(name).slice(0, maxRecent);
  return {
    all,
    add(query) {
      const same = query.toLowerCase();
      const others = all().filter((each) => each.toLowerCase() !== same);
      remember(name, JSON.stringify([query, ...others].slice(0, maxRecent)));
    },
    clear: () => remember(name, "[]"),
  };
}
