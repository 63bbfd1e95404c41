/** A bundle or its source is invalid. The message says what was found and how to fix it. */
export class BundleRefused extends Error {
  override readonly name = "BundleRefused";
}

/** An untrusted value, quoted and cut for a log line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
