import { recallList, remember } from "./memory.js";

const maxSaved = 20;

/** Titles of tabs that the reader has chosen, the latest first. */
export const savedTitles = (): string[] => recallList("tabs");

export function saveTitle(title: string): void {
  const saved = [title, ...savedTitles().filter((each) => each !== title)];
  remember("tabs", JSON.stringify(saved.slice(0, maxSaved)));
}
