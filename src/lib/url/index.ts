/** Paths, URLs, percent codes and slugs: pure functions on text that know nothing of sites. */

export { applyRule, type Pattern } from "./apply-rule.js";
export { createIdFinder, type FindId } from "./id-finder.js";
export type { ExternalAddress, SelfAddress, UnsafeAddress } from "./parse-address.js";
export { parseAddress } from "./parse-address.js";
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
export { accordionSlug, createSlugger, headingSlug } from "./slugger.js";
export { cleanUrl, isHttpAddress, isImageData, isUnsafeUrl, parseHttpUrl } from "./url-safety.js";
