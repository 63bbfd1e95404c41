/** Checks the links, anchors and assets of emitted documents, and reports mistakes with their location in the source. */
export { type CheckedPage, checkAnchors } from "./check-anchors.js";
export { type AnchorWanted, checkPage, type PageCheck, type PageToCheck, targetOf } from "./check-page.js";
