/** A file of a bundle, as the manifest lists it. */
export interface BundleFile {
  /** Relative to the bundle, with `/`: `guides/install.html`. */
  readonly path: string;
  readonly bytes: number;
  /** Of the content, in lower-case hex. */
  readonly sha256: string;
}
