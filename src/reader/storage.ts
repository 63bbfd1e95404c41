import { attempt } from "../lib/attempt.js";

/** A choice of the reader from the browser's storage; null if there is none or the browser denies access. */
export const recall = (name: string): string | null => attempt(() => localStorage.getItem(`offprint-${name}`)) ?? null;

/** A stored JSON value; null if it is missing, undefined if it is invalid. */
export const recallJson = (name: string): unknown => attempt(() => JSON.parse(recall(name) ?? "null"));

export function recallList(name: string): string[] {
  const list = recallJson(name);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** @param value null removes the entry. */
export const remember = (name: string, value: string | null): void => store(() => localStorage, name, value);

/** Private windows and full storage refuse; the choice then lasts as long as the page. */
const store = (storage: () => Storage, name: string, value: string | null): void =>
  attempt(() => {
    if (value === null) storage().removeItem(`offprint-${name}`);
    else storage().setItem(`offprint-${name}`, value);
  });

/** A JSON value stored until the tab closes; null if it is missing or invalid. */
export const recallInTab = (name: string, parse: (text: string) => unknown = JSON.parse): unknown =>
  attempt(() => parse(sessionStorage.getItem(`offprint-${name}`) ?? "null")) ?? null;

/** @param value null removes the entry. */
export const rememberInTab = (
  name: string,
  value: unknown,
  stringify: (value: unknown) => string = JSON.stringify,
): void => store(() => sessionStorage, name, value === null ? null : stringify(value));

/** Whether this page may store what the reader types: local files share one storage, so others could read it. */
export const hasOwnStorage = (): boolean => /^https?:$/.test(location.protocol);

const maxTitles = 20;

/** Titles of the tabs that the reader has chosen, latest first. */
export const savedTitles = (): string[] => recallList("tabs");

export function saveTitle(title: string): void {
  const titles = [title, ...savedTitles().filter((other) => other !== title)];
  remember("tabs", JSON.stringify(titles.slice(0, maxTitles)));
}
