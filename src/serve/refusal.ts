/** A bundle, or what names it, is not taken: the message says what was found and how to go on. Nothing has changed by it. */
export class BundleRefused extends Error {
  override readonly name = "BundleRefused";
}

/** A value that someone else wrote, fit for a line of a log. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
