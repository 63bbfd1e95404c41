/**
 * Writes a table as CSV of RFC 4180. Spreadsheets run a cell that begins like a formula, and the text comes from outside, so
 * such a cell gets an apostrophe at its start. So does text after a semicolon, comma, bar, tab or line break, where a
 * spreadsheet of another locale, or one that ignores quotes, begins a new cell.
 */
export const csvOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");

/** Includes the full-width forms, which spreadsheets of East Asian locales accept. */
const formulaStart = /(^|[;,|\t\r\n])(["']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = value.replace(formulaStart, "$1$2'").replace(/^(?=[\t\r\n])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
