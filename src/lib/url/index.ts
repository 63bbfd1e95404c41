/** Paths, URLs, percent codes and slugs: pure functions on text that know nothing of sites. */

export { applyRule, type Pattern } from "./apply-rule.js";
export { foldPath } from "./fold-path.js";
export { createIdFinder, type FindId } from "./id-finder.js";
export type { ExternalAddress, SelfAddress, UnsafeAddress } from "./parse-address.js";
export { parseAddress } from "./parse-address.js";
export { folderOf, joinPath, nameOf } from "./paths.js";
export { decodePercent, encodePath, fragmentOf } from "./percent.js";
export { accordionSlugOf, createSlugger, slugOf } from "./slugger.js";
export { encodeSuffix, redirectedSuffix } from "./suffix.js";
export { cleanUrl, isHttpAddress, isImageData, isUnsafeUrl, parseHttpUrl } from "./url-safety.js";
