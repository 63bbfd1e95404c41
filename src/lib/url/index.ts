/** Paths, URLs, percent codes and slugs: pure functions on text that know nothing of sites. */

export { applyRule, type Pattern } from "./apply-rule.js";
export { accordionSlug, createIdFinder, createSlugger, type FindId, headingSlug } from "./ids.js";
export * from "./parse-address.js";
export * from "./paths.js";
