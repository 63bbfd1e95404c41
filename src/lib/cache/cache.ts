/**
 * A content-addressed store that may forget anything at any time. A key is a hash over everything that went
 * into the value, engine version included, so a value is never stale.
 */
export interface Cache {
  /** The bytes put under `key`, or undefined. A damaged or unreadable entry counts as absent. */
  get(key: string): Uint8Array | undefined;
  /** Keeps `value`; a failure to do so is swallowed, since the cache is only a help. */
  put(key: string, value: Uint8Array): void;
}
