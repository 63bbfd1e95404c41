/** A file of the bundle, as the manifest lists it. */
export interface BundleFile {
  /** Output path: relative to the bundle, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}
