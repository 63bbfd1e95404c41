import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { CheckOptions } from "../index.js";
import { bucketScheme, cacheFolder } from "./cache-folder.js";
import type { Environment } from "./environment.js";
import type { ExportArguments } from "./export-arguments.js";

/** Where an export keeps what the next one can use. */
export function openCache(
  { cache, site }: Pick<ExportArguments, "cache" | "site">,
  environment: Environment,
): Pick<CheckOptions, "cacheFolder" | "cacheName"> {
  if (cache === false) return {};
  const place = cache ?? environment.env["OFFPRINT_CACHE"]?.trim() ?? "";
  if (place === "") return { cacheFolder: cacheFolder(environment) };
  const cacheName = siteName(resolve(site));
  if (!place.startsWith(bucketScheme)) return { cacheFolder: resolve(place), cacheName };
  return { cacheFolder: cacheFolder(environment), cacheName };
}

/** The same on every machine: the path of the site in its checkout, and its name in the settings. */
function siteName(site: string): string {
  let checkout = site;
  while (!existsSync(join(checkout, ".git")) && dirname(checkout) !== checkout) checkout = dirname(checkout);
  const path = existsSync(join(checkout, ".git")) ? relative(checkout, site) : basename(site);
  for (const file of ["docs.json", "mint.json"])
    try {
      return JSON.stringify([path, JSON.parse(readFileSync(join(site, file), "utf8")).name]);
    } catch {
      // There is no such file, or it has comments: the path is enough.
    }
  return JSON.stringify([path]);
}
