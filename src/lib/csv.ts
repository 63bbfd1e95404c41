/**
 * A table with a head, as CSV of RFC 4180. A spreadsheet would run a cell that begins like a formula, and the text is from
 * outside: an apostrophe makes it text. So it does after what a spreadsheet of another locale, or one that does not know
 * our quotes, takes for the end of a cell: a semicolon, a comma, a bar, a tab, a line break.
 */
export const csvOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");

/** Also the full-width forms, which spreadsheets of East Asian locales accept. */
const formulaStart = /(^|[;,|\t\r\n])(["']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function cellOf(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = value.replace(formulaStart, "$1$2'").replace(/^(?=[\t\r\n])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
