/** Paths, URLs, percent codes and slugs: pure functions on text that know nothing of sites. */

export { applyRule, type Pattern } from "./apply-rule.js";
export { accordionSlug, createIdFinder, createSlugger, type FindId, headingSlug } from "./ids.js";
export {
  cleanUrl,
  type ExternalAddress,
  isHttpAddress,
  isImageData,
  isUnsafeUrl,
  parseAddress,
  parseHttpUrl,
  type SelfAddress,
  type UnsafeAddress,
} from "./parse-address.js";

export {
  decodePercent,
  encodePath,
  encodeSuffix,
  folderOf,
  foldPath,
  fragmentOf,
  joinPath,
  nameOf,
  redirectedSuffix,
} from "./paths.js";
