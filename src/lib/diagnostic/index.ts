/** `Diagnostic`: a fault in a site, and its printed form, which terminal, API and job record share. */
export { compareDiagnostics } from "./compare-diagnostics.js";
export { createCulpritFinder } from "./culprit-finder.js";
export { type Diagnostic, type Edit, isMendable, type Location, type Rewrite } from "./diagnostic.js";
export { codeFrame, type DiagnosticStyle, formatDiagnostic, locationText } from "./format-diagnostic.js";
export { locationOfSetting, type SettingLocations } from "./location-of-setting.js";
export { type LikelyName, likelyName, nearestName, spelledAlike } from "./nearest-name.js";
export { lengthOnLine, type Position, positionAt, positionFinder, withLineFeeds } from "./position-at.js";
export { quoted } from "./quoted.js";
