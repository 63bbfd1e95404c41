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
