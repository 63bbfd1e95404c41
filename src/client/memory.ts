/** What the reader chose, kept in the browser; where that is forbidden, forgotten with the page. */
export function recall(name: string): string | undefined {
  try {
    return localStorage.getItem(`offprint-${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`offprint-${name}`, value);
  } catch {
    // Private windows and full stores refuse; the choice then lasts as long as the page.
  }
}
