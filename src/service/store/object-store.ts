/** Stores bundles in a folder or a bucket. An object never changes once written. */
export interface ObjectStore {
  /**
   * Stores the file at `path` as `objectKey`. Writes are atomic.
   *
   * Stops: once `signal` aborts, rejects with its reason and removes what was written.
   */
  put(objectKey: string, path: string, contentType: string, signal?: AbortSignal): Promise<void>;
  /** Stores a small object. Writes are atomic. */
  putBytes(objectKey: string, bytes: Uint8Array, contentType: string, signal?: AbortSignal): Promise<void>;
  /** At most `length` bytes from `start` on. Undefined if there is no such object. */
  read(objectKey: string, start: number, length: number, signal?: AbortSignal): Promise<ObjectPart | undefined>;
  /** Undefined if there is no such object. */
  sizeOf(objectKey: string): Promise<number | undefined>;
  /**
   * A link for GET requests, with ranges, valid until `expiresAt`, which is never after the signing credentials expire.
   * The link has been tested.
   *
   * @throws {ObjectMissingError} if there is no such object.
   */
  link(objectKey: string, ttlMs: number, signal?: AbortSignal): Promise<SignedLink>;
  /** Does nothing if there is no such object. */
  remove(objectKey: string, signal?: AbortSignal): Promise<void>;
  /** The objects whose keys begin with `under`, which is empty or ends with a slash. */
  list(under: string, signal?: AbortSignal): Promise<readonly StoredObject[]>;
  /** Throws with the reason if the store cannot be reached or written. */
  check(): Promise<void>;
  /** Removes unfinished uploads of keys that start with `under` after a day. Returns their number. */
  prune(under: string): Promise<number>;
  /** Serves `/v1/objects/…` for a store whose links lead to this service. */
  serveObject?(request: Request): Promise<Response>;
}

interface ObjectPart {
  /** Empty after the end of the object. */
  readonly bytes: Uint8Array;
  /** Bytes of the whole object; 0 if `bytes` is empty. */
  readonly size: number;
}

export interface StoredObject {
  readonly objectKey: string;
  readonly bytes: number;
  /** When it was written. */
  readonly changedAt: Date;
}

export interface SignedLink {
  /** A secret: never log it. */
  readonly url: string;
  readonly expiresAt: Date;
}

/** A stored object is missing: a lifecycle rule or a person has deleted it. */
export class ObjectMissingError extends Error {
  override readonly name = "ObjectMissingError";
  constructor(readonly objectKey: string) {
    super(
      `The object "${objectKey}" is no longer in the object store; something other than this service deleted it. Export again.`,
    );
  }
}

/** @throws {RangeError} */
export function checkTtl(ttlMs: number): void {
  if (!(ttlMs >= 1000))
    throw new RangeError(`The lifetime of a link must be at least 1000 milliseconds, not ${ttlMs}.`);
}

/**
 * Segments of letters, digits, `.`, `_` and `-`, joined by `/`, which mean the same in file systems and URLs. None
 * starts with a dot: those names are for a store's own files.
 */
const segment = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export const isObjectKey = (text: string): boolean =>
  text.length <= 800 && text.split("/").every((each) => segment.test(each));

/** @throws {RangeError} */
export function checkObjectKey(objectKey: string): void {
  if (!isObjectKey(objectKey))
    throw new RangeError(
      `An object key consists of letters, digits, ".", "_" and "-", separated by "/", not "${objectKey}".`,
    );
}

export const bundlesPrefix = "static-exports/";

/** Key of a file of one attempt. No other attempt writes to it. */
const attemptKey = (fileName: string) => (jobId: string, fence: number) =>
  `${bundlesPrefix}${jobId}/${fence}/${fileName}`;

export const bundleKey = attemptKey("bundle.tar.gz");
/** Key of the search index of a bundle, from which the assistant answers. */
export const indexKey = attemptKey("index");
export const diagnosticsKey = attemptKey("diagnostics.jsonl");
