/** A choice of the reader from the browser's storage; null if there is none or the browser denies access. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`offprint-${name}`);
  } catch {
    return null;
  }
}

/** A stored JSON value; null if it is missing, undefined if it is invalid. */
export function recallJson(name: string): unknown {
  try {
    return JSON.parse(recall(name) ?? "null");
  } catch {
    return undefined;
  }
}

export function recallList(name: string): string[] {
  const list = recallJson(name);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** @param value null removes the entry. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`offprint-${name}`);
    else localStorage.setItem(`offprint-${name}`, value);
  } catch {
    // Private windows and full storage refuse; the choice then lasts as long as the page.
  }
}

/** A JSON value stored until the tab closes; null if it is missing or invalid. */
export function recallInTab(name: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(sessionStorage.getItem(`offprint-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param value null removes the entry. */
export function rememberInTab(
  name: string,
  value: unknown,
  stringify: (value: unknown) => string = JSON.stringify,
): void {
  try {
    if (value === null) sessionStorage.removeItem(`offprint-${name}`);
    else sessionStorage.setItem(`offprint-${name}`, stringify(value));
  } catch {
    // See `remember`.
  }
}

/**
 * Whether this page may store what the reader types. All files that a browser opens from disk share one storage, so any other
 * local file could read it.
 */
export const hasOwnStorage = (): boolean => /^https?:$/.test(location.protocol);

const maxTitles = 20;

/** Titles of the tabs that the reader has chosen, latest first. */
export const savedTitles = (): string[] => recallList("tabs");

export function saveTitle(title: string): void {
  const titles = [title, ...savedTitles().filter((other) => other !== title)];
  remember("tabs", JSON.stringify(titles.slice(0, maxTitles)));
}
