/** Where bundles are kept: a folder, or a bucket. A key is written once: what stands under it never changes. */
export interface ObjectStore {
  /**
   * Keeps the file at `path` under `objectKey`. It is there whole or not at all.
   *
   * Stops: once `signal` aborts, rejects with its reason, and leaves no part behind.
   */
  put(objectKey: string, path: string, contentType: string, signal?: AbortSignal): Promise<void>;
  /** Undefined if there is none. */
  sizeOf(objectKey: string): Promise<number | undefined>;
  /**
   * A link that anyone may GET, with ranges, until `expiresAt`; never later than the credentials that signed it live.
   * It has been seen to work.
   *
   * @throws {ObjectMissingError} if there is no such object.
   */
  link(objectKey: string, ttlMs: number): Promise<SignedLink>;
  /** Does nothing if there is none. */
  remove(objectKey: string): Promise<void>;
  /** Whether it can be reached and written; throws with the reason. */
  check(): Promise<void>;
  /**
   * Removes what writers that were killed more than a day ago have left of keys that begin with `under`, and gives how
   * many uploads that were.
   */
  sweep(under: string): Promise<number>;
  /** Answers the links of a store whose links lead back to this service, at `/v1/objects/…`. */
  serveObject?(request: Request): Promise<Response>;
}

export interface SignedLink {
  /** A secret: never to be logged. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** What was put is not there any more: a lifecycle rule or a person has deleted it. */
export class ObjectMissingError extends Error {
  override readonly name = "ObjectMissingError";
  constructor(readonly objectKey: string) {
    super(
      `There is no object "${objectKey}" in the object store any more: it was deleted there, not by this service. Export again.`,
    );
  }
}
