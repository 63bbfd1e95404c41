/**
 * In:  facts that the stages find wrong with a site, and the texts they stand in.
 * Out: `Diagnostic` values, and the one printed form of them that terminal, API and job record share.
 */
export { compareDiagnostics } from "./compare-diagnostics.js";
export type { Diagnostic, Location } from "./diagnostic.js";
export { formatDiagnostic } from "./format-diagnostic.js";
export { locationOfSetting, type SettingLocations } from "./location-of-setting.js";
export { nearestName } from "./nearest-name.js";
export { type Position, positionAt, positionFinder } from "./position-at.js";
export { quoted } from "./quoted.js";
