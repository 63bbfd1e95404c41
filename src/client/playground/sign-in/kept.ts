/** Where a sign-in that leaves the page is kept, in the storage of the tab. */
export const keptName = "offprint-sign-in";

/** The scheme whose sign-in left this page. */
export function returningScheme(): string | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(keptName) ?? "{}") as { readonly scheme?: string }).scheme;
  } catch {
    return undefined;
  }
}
