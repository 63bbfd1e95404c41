/** A fault of a front matter block. */
export interface YamlFault {
  readonly code: string;
  readonly what: string;
  /** Into the block. */
  readonly offset: number;
  readonly length?: number;
  readonly fix: string;
}
