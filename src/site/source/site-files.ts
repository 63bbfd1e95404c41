/**
 * The files of one site, read-only, without ignored ones. The paths are fixed when the site is opened.
 * Every path is a `sourcePath`: relative to the site folder, with `/`, always inside the folder.
 */
export interface SiteFiles {
  /** Absolute real path of the site folder. */
  readonly root: string;
  /** Sorted by code unit, so every machine sees the same order. */
  readonly paths: readonly string[];
  has(sourcePath: string): boolean;
  /** In bytes. @throws {Error} naming the file if it is gone. */
  sizeOf(sourcePath: string): number;
  /** UTF-8, without a byte-order mark; a lone carriage return becomes a line feed. @throws {Error} naming the file if it cannot be read. */
  readText(sourcePath: string): string;
  /** To be called when the kept text of a file is used once more, by another page. */
  again?(sourcePath: string): void;
  /** @throws {Error} naming the file if it cannot be read. */
  readBytes(sourcePath: string): Uint8Array;
  /** Absolute path on disk, for streaming copies. @throws {RangeError} for a path that is not in `paths`. */
  absolutePath(sourcePath: string): string;
}
