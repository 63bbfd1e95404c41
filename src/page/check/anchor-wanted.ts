import type { Location } from "../../lib/diagnostic/index.js";

/** A link to an anchor in another page, which can only be checked once that page is rendered. */
export interface AnchorWanted {
  /** Output path of the page that must hold it. */
  readonly outputPath: string;
  /** Decoded. */
  readonly fragment: string;
  readonly location: Location;
}
