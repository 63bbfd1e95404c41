/** A file on its way into an archive. */
export interface FileToPack {
  /** In the archive. */
  readonly path: string;
  /** Absolute path of its content. */
  readonly source: string;
  /** In bytes. */
  readonly size: number;
  /** Of the content, if it is known. */
  readonly sha256?: string;
}
