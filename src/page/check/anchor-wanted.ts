import type { Location } from "../../lib/diagnostic/index.js";

/** A link to a place inside another page: can only be judged when that page has been rendered too. */
export interface AnchorWanted {
  /** Output path of the page that must hold it. */
  readonly outputPath: string;
  /** Decoded. */
  readonly fragment: string;
  readonly location: Location;
}
