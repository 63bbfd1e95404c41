/**
 * In:  the source of a site: a folder, or a git repository with ref and subfolder.
 * Out: a folder with the site's files, until it is removed.
 */

export { type OpenedSource, packEntryName } from "./checkout-git.js";
export { type GitCredential, isBelowPrefix, ownerPrefix, parsePrefix } from "./git-credential.js";
export { inEitherSpelling, isRef, SourceFault } from "./git-source.js";
export * from "./open-source.js";

export { GitFailure } from "./run-git.js";
