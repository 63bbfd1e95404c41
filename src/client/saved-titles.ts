import { recall, remember } from "./memory.js";

/** Most titles kept for other pages. */
const savedLimit = 20;

/** Titles of tabs that the reader has chosen, the last one first. */
export function savedTitles(): string[] {
  try {
    const saved: unknown = JSON.parse(recall("tabs") ?? "[]");
    return Array.isArray(saved) ? saved.filter((each): each is string => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export function saveTitle(title: string): void {
  const saved = [title, ...savedTitles().filter((each) => each !== title)];
  remember("tabs", JSON.stringify(saved.slice(0, savedLimit)));
}
