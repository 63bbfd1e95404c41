/** A bundle or its source is invalid. The message says what was found and how to fix it. */
export class BundleRefused extends Error {
  override readonly name = "BundleRefused";
}

/** An untrusted value, quoted and cut for a log line. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** How large a bundle may be. */
export interface BundleLimits {
  readonly maxFiles: number;
  /** Of all files together, unpacked. */
  readonly maxBytes: number;
  readonly maxManifestBytes: number;
  /** How many times larger than its archive a bundle may be. */
  readonly maxRatio: number;
}
export const bundleLimitDefaults: BundleLimits = {
  maxFiles: 500_000,
  maxBytes: 16 * 1024 ** 3,
  maxManifestBytes: 128 * 1024 ** 2,
  maxRatio: 100,
};
