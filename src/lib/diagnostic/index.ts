/** `Diagnostic`: a fault in a site, and its printed form, which terminal, API and job record share. */

export { createCulpritFinder, placedFaults } from "./culprit-finder.js";
export * from "./diagnostic.js";
export * from "./format-diagnostic.js";
export { type LikelyName, likelyName, nearestName, spelledAlike } from "./nearest-name.js";
export { lengthOnLine, type Position, positionAt, positionFinder, withLineFeeds } from "./position-at.js";
