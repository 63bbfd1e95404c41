/** Text between tags. */
export function escapeText(text: string): string {
  return /[&<]/.test(text) ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;") : text;
}

/** An attribute's value, to stand between double quotes. */
export function escapeAttribute(value: string): string {
  return /[&<"]/.test(value) ? value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;") : value;
}
