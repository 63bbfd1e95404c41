import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { CheckOptions } from "../../index.js";
import { type Environment, UsageError } from "../environment.js";

const bucketScheme = "s3://";

/** `OFFPRINT_CACHE` if it is a folder, or else where this system keeps the caches of programs. */
export function cacheFolder({ env, platform }: Environment): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA, OFFPRINT_CACHE = "" } = env;
  const folder = OFFPRINT_CACHE.trim();
  if (folder !== "" && !folder.startsWith(bucketScheme)) return resolve(folder);
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "offprint");
  if (platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "offprint", "cache");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "offprint");
  return join(homedir(), ".cache", "offprint");
}

/** The options for the cache of an export. @throws {UsageError} if a bucket's address or settings are wrong. */
export async function openCache(
  { cache, site, display }: { readonly cache?: string | false; readonly site: string; readonly display: string },
  environment: Environment,
): Promise<Pick<CheckOptions, "cacheFolder" | "cacheName" | "remoteCache">> {
  if (cache === false) return {};
  const place = cache ?? environment.env["OFFPRINT_CACHE"]?.trim() ?? "";
  if (place === "") return { cacheFolder: cacheFolder(environment) };
  const cacheName = siteName(resolve(site));
  if (!place.startsWith(bucketScheme)) return { cacheFolder: resolve(place), cacheName };
  const onFailure = (error: unknown): void => {
    if (display !== "json")
      environment.stderr.write(
        `offprint: the shared cache failed; the export continues without it. ${String(error)}\n`,
      );
  };
  return {
    cacheFolder: cacheFolder(environment),
    cacheName,
    remoteCache: await openBucket(place, environment, onFailure),
  };
}

async function openBucket(place: string, { env }: Environment, onFailure: (error: unknown) => void) {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(place) ?? [];
  if (bucket === undefined)
    throw new UsageError(`The URL of a cache in a bucket must look like s3://bucket/prefix, not "${place}".`);
  // Loaded lazily: the S3 client is slow to load.
  const { remoteStoreOf, s3OptionsFromEnvironment } = await import("../../service/store/index.js");
  const { openS3Store } = await import("../../service/store/s3-store.js");
  try {
    const options = s3OptionsFromEnvironment({ ...env, OFFPRINT_S3_BUCKET: bucket, OFFPRINT_S3_PREFIX: prefix })!;
    return remoteStoreOf(openS3Store(options), "pages/", onFailure);
  } catch (error) {
    if (error instanceof RangeError)
      throw new UsageError(error.message.replace("OFFPRINT_S3_BUCKET", "A cache in a bucket"));
    throw error;
  }
}

/** Identifies the site on every machine: its path in its checkout, and its name in the settings. */
function siteName(site: string): string {
  let checkout = site;
  while (!existsSync(join(checkout, ".git")) && dirname(checkout) !== checkout) checkout = dirname(checkout);
  const path = existsSync(join(checkout, ".git")) ? relative(checkout, site) : basename(site);
  for (const file of ["docs.json", "mint.json"])
    try {
      return JSON.stringify([path, JSON.parse(readFileSync(join(site, file), "utf8")).name]);
    } catch {
      // The file is missing or has comments: the path is enough.
    }
  return JSON.stringify([path]);
}
