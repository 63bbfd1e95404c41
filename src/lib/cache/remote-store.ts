/** A store of small objects that machines share: a bucket, or a folder of it. */
export interface RemoteStore {
  /** All objects whose names begin with `under`. */
  list(under: string, signal: AbortSignal): Promise<readonly RemoteObject[]>;
  /** Undefined if there is no such object. */
  get(name: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Replaces the object at once: a reader sees the whole of the old one or of the new one. */
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Does nothing if there is no such object. */
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Called with the first failure; the run goes on without the store. */
  onFailure(error: unknown): void;
}

export interface RemoteObject {
  readonly name: string;
  /** When it was written last, in milliseconds since 1970. */
  readonly changedAt: number;
  readonly bytes: number;
}
