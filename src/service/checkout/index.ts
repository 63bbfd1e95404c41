/**
 * In:  the source of a site: a folder, or a git repository with ref and subfolder.
 * Out: a folder with the site's files, until it is removed.
 */
export {
  checkSource,
  type OpenedSource,
  type OpenSourceOptions,
  openSource,
  type SourceLimits,
  sourceLimitDefaults,
} from "./open-source.js";
export { SourceFault } from "./source-fault.js";
