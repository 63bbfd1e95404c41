/**
 * A content-addressed store; any entry may disappear at any time. A key is a hash of everything that the value depends on,
 * engine version included, so a value is never stale.
 */
export interface Cache {
  /** The value of `key`, or undefined. A damaged or unreadable entry counts as missing. */
  get(key: string): Uint8Array | undefined;
  /** Stores `value`. A failure is ignored, since no run depends on the cache. */
  put(key: string, value: Uint8Array): void;
}
