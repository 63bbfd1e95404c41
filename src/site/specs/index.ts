/**
 * In:  the files of a site, and the addresses at which specifications stand.
 * Out: OpenAPI and AsyncAPI documents as data (`ApiSpec`) with what they describe, for the plan of the site; and the
 *      same again for threads that make pages. What is wrong with a document is a diagnostic at its place.
 */
export type { ApiTarget, HttpMethod } from "./api-target.js";
export { protocolOfChannel } from "./channel-protocol.js";
export type { SpecEntry } from "./list-entries.js";
export { openSpecs } from "./open-specs.js";
export { pointerOfTarget } from "./pointer-of-target.js";
export type { SpecPlan } from "./spec-plan.js";
export { createSpecReader, type FetchText, type SpecReader, type SpecReading } from "./spec-reader.js";
