import { hash } from "node:crypto";
import { join } from "node:path";
import { pagesName } from "../lib/cache/index.js";
import { buildId } from "../lib/package-root.js";

/**
 * Folder of the stored pages of a site: another one for each version of this program.
 *
 * @param root absolute folder of the site; empty where the cache is only for this site.
 */
export const storeFolderOf = (cacheFolder: string, root: string): string => {
  const key = JSON.stringify([buildId(), process.versions.node, root]);
  return join(cacheFolder, pagesName, hash("sha256", key, "hex").slice(0, 16));
};
