/**
 * In:  the text of headings.
 * Out: the anchors they are linked to by.
 */
export { accordionSlugOf, createSlugger, type Slugger, slugOf } from "./slugger.js";
