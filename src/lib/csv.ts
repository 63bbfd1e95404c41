/**
 * A table with a head, as CSV of RFC 4180. A spreadsheet would run a cell that begins like a formula, and the text is from
 * outside: such a cell gets an apostrophe.
 */
export const csvOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
