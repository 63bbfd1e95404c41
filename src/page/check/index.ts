/** Check: emitted documents in; what is wrong with their links, anchors and assets out, each with its source place. */
export type { AnchorWanted } from "./anchor-wanted.js";
export { type CheckedPage, checkAnchors } from "./check-anchors.js";
export { checkPage, type PageCheck, type PageToCheck } from "./check-page.js";
