import { hash } from "node:crypto";
import { join } from "node:path";
import { pagesName } from "../lib/cache/index.js";
import { buildId } from "../lib/package-root.js";

/**
 * Folder of the stored pages of a site: another one for each version of this program.
 *
 * @param site the option `cacheName`, or the absolute folder of the site.
 */
export const storeFolderOf = (cacheFolder: string, site: string): string => {
  const key = JSON.stringify([buildId(), process.versions.node, site]);
  return join(cacheFolder, pagesName, hash("sha256", key, "hex").slice(0, 16));
};
