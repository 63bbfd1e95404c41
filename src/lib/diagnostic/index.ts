/** `Diagnostic`: a fault in a site, and its printed form, which terminal, API and job record share. */

export { createCulpritFinder, placedFaults } from "./culprit-finder.js";
export {
  compareDiagnostics,
  type Diagnostic,
  type Edit,
  errorOf,
  hintOf,
  intoSite,
  isRepairable,
  type Location,
  locationOfSetting,
  mergeConflict,
  quoted,
  type RelatedPlace,
  type Rewrite,
  unseenCharacters,
  warningOf,
} from "./diagnostic.js";
export {
  codeFrame,
  type DiagnosticStyle,
  type FrameLine,
  formatDiagnostic,
  locationText,
} from "./format-diagnostic.js";
export { type LikelyName, likelyName, nearestName, spelledAlike } from "./nearest-name.js";
export { lengthOnLine, type Position, positionAt, positionFinder, withLineFeeds } from "./position-at.js";
