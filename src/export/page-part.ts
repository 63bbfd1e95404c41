/** The pages of a site in parts, which several machines make. */
export interface PageParts {
  readonly count: number;
  /** Each part once, for the machine that puts the site together. Undefined at the end; what is left, it makes too. */
  next(): Promise<PagePart | undefined>;
}

export interface PagePart {
  /** From 1 to `count`. */
  readonly index: number;
  /** Folder with stored pages of other machines, which have made the part. */
  readonly files?: string | undefined;
}
