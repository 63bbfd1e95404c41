import { recall, remember } from "../memory.js";

const most = 6;

/** What a reader has searched for in this bundle and found, the last first. */
export interface RecentSearches {
  all(): readonly string[];
  add(query: string): void;
  clear(): void;
}

/** @param root leads to the bundle's root: every bundle has its own, also where many are opened from disk. */
export function recentSearches(root: string): RecentSearches {
  const name = `searches ${new URL(root || ".", location.href).pathname}`;
  const all = (): string[] => {
    try {
      const kept: unknown = JSON.parse(recall(name) ?? "[]");
      return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, most) : [];
    } catch {
      return [];
    }
  };
  return {
    all,
    add(query) {
      const same = query.toLowerCase();
      const others = all().filter((each) => each.toLowerCase() !== same);
      remember(name, JSON.stringify([query, ...others].slice(0, most)));
    },
    clear: () => remember(name, "[]"),
  };
}
