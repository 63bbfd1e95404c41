/** What an archive says about one of its entries; not trusted. */
export interface ArchiveEntry {
  readonly name: string;
  /** `file`, `symlink`, `directory`, … */
  readonly type: string;
  /** Of the content, unpacked; reading fails if it has another size. */
  readonly size: number;
  /** Readable until the next entry is requested. */
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Counts unpacked bytes.
 *
 * @throws {BundleRefused} once there are more than a bundle of this size can have.
 */
export type Meter = (bytes: number) => void;
