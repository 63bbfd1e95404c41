/** Where bundles are kept: a folder, or a bucket. */
export interface ObjectStore {
  /**
   * Keeps the file at `path` under `objectKey`. It is there whole or not at all.
   *
   * Stops: once `signal` aborts, rejects with its reason, and leaves no part behind.
   */
  put(objectKey: string, path: string, contentType: string, signal?: AbortSignal): Promise<void>;
  /** Undefined if there is none. */
  sizeOf(objectKey: string): Promise<number | undefined>;
  /** A link that anyone may GET, with ranges, until `expiresAt`; never later than the credentials that signed it live. */
  link(objectKey: string, ttlMs: number): Promise<SignedLink>;
  /** Does nothing if there is none. */
  remove(objectKey: string): Promise<void>;
  /** Whether it can be reached and written; throws with the reason. */
  check(): Promise<void>;
}

export interface SignedLink {
  /** A secret: never to be logged. */
  readonly url: string;
  readonly expiresAt: Date;
}
