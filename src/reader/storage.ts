/** What the reader chose, kept in the browser's storage. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`offprint-${name}`);
  } catch {
    return null;
  }
}

/** A value kept as JSON; null or undefined if it is missing or broken. */
export function recallJson(name: string): unknown {
  try {
    return JSON.parse(recall(name) ?? "null");
  } catch {
    return undefined;
  }
}

export function recallList(name: string): string[] {
  const list = recallJson(name);
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`offprint-${name}`, value);
  } catch {
    // Private windows and full stores refuse. The choice then lasts as long as the page.
  }
}

/** A value kept as long as the tab is open, as JSON. */
export function recallInTab(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(`offprint-${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param value null removes it. @param print writes it as JSON. */
export function rememberInTab(name: string, value: unknown, print: (value: unknown) => string = JSON.stringify): void {
  try {
    if (value === null) sessionStorage.removeItem(`offprint-${name}`);
    else sessionStorage.setItem(`offprint-${name}`, print(value));
  } catch {
    // As above.
  }
}

const maxSaved = 20;

/** Titles of tabs that the reader has chosen, the latest first. */
export const savedTitles = (): string[] => recallList("tabs");

export function saveTitle(title: string): void {
  const saved = [title, ...savedTitles().filter((each) => each !== title)];
  remember("tabs", JSON.stringify(saved.slice(0, maxSaved)));
}
