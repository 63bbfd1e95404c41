/** Checks the links, anchors and assets of emitted documents, and reports mistakes with their location in the source. */
export type { AnchorWanted } from "./check-anchors.js";
export { type CheckedPage, checkAnchors, isBroken } from "./check-anchors.js";
export { createPageCheck, type PageCheck, type PageToCheck } from "./check-page.js";
export { repairLinks, targetOf } from "./repair-links.js";
