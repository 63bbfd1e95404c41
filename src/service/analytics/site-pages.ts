import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { manifestName, publishedPaths, tarEntries } from "../../bundle/archive/index.js";
import { fieldsOf } from "../../lib/json/index.js";
import type { Log } from "../../lib/log.js";
import type { JobStore } from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";

export interface SitePages {
  /** Folder of the site on its host, without trailing slash: `""` or `/docs`. */
  readonly basePath: string;
  /** Origin of the site's address, if the manifest has one: `https://docs.example.com`. */
  readonly origin?: string;
  /** As `CountedSite.has`. */
  has(path: string): boolean;
}

export type SitePagesReader = ReturnType<typeof createSitePages>;

export interface SitePagesDeps {
  readonly store: { readonly jobs: Pick<JobStore, "newestExports">; readonly objects: Pick<ObjectStore, "read"> };
  readonly log: Log;
  readonly now: () => number;
}

/** How often a newer export of a project is looked up. */
const pollMs = 10_000;
const maxProjects = 500;
const partBytes = 1024 ** 2;
const maxManifestBytes = 128 * 1024 ** 2;

interface CachedPages {
  checkedAt: number;
  checking?: Promise<void>;
  /** Pages by the keys of their bundles. */
  exports: ReadonlyMap<string, SitePages>;
  pages?: SitePages;
}

/** Reads the manifests at the beginnings of each project's newest bundles, and caches the paths. */
export function createSitePages({ store, log, now }: SitePagesDeps) {
  /** The most recently used project comes last. */
  const projects = new Map<string, CachedPages>();
  const load = async (projectId: string, cached: CachedPages): Promise<void> => {
    const newest = await store.jobs.newestExports(projectId);
    const exports = new Map<string, SitePages>();
    for (const { bundle } of newest)
      if (bundle !== undefined) {
        const { objectKey } = bundle;
        exports.set(objectKey, cached.exports.get(objectKey) ?? pagesOf(await readManifest(store.objects, objectKey)));
      }
    const [first, ...others] = exports.values();
    if (first === undefined) return;
    cached.exports = exports;
    cached.pages = { ...first, has: (path) => first.has(path) || others.some((pages) => pages.has(path)) };
  };
  return {
    /** The pages of the newest export for each audience; undefined if there is none, or if it cannot be read. */
    async of(projectId: string): Promise<SitePages | undefined> {
      const cached: CachedPages = projects.get(projectId) ?? {
        checkedAt: Number.NEGATIVE_INFINITY,
        exports: new Map(),
      };
      projects.delete(projectId);
      projects.set(projectId, cached);
      const oldest = projects.keys().next().value;
      if (projects.size > maxProjects && oldest !== undefined) projects.delete(oldest);
      if (Math.abs(now() - cached.checkedAt) >= pollMs) {
        cached.checking ??= load(projectId, cached)
          .catch((error: unknown) =>
            log("warn", "failed to read the pages of an export", { projectId, error: String(error) }),
          )
          .finally(() => {
            cached.checkedAt = now();
            cached.checking = undefined;
          });
        if (cached.pages === undefined) await cached.checking;
      }
      return cached.pages;
    },
  };
}

/** @param manifest is not trusted. */
export function pagesOf(manifest: unknown): SitePages {
  const { address, files } = fieldsOf(manifest);
  const { baseUrl } = fieldsOf(address);
  const paths = (Array.isArray(files) ? (files as unknown[]) : []).map((file) => fieldsOf(file)["path"]);
  const listed = paths.flatMap((path) => (typeof path === "string" ? [{ path, bytes: 0, sha256: "" }] : []));
  const published = publishedPaths({ files: listed });
  const url = URL.parse(String(baseUrl));
  return {
    basePath: url?.pathname.replace(/\/$/, "") ?? "",
    ...(url && { origin: url.origin }),
    has: (path) => published.has(path),
  };
}

/** @throws {Error} if the object is missing, or is no bundle. */
async function readManifest(objects: Pick<ObjectStore, "read">, objectKey: string): Promise<unknown> {
  let unpacked = 0;
  const meter = (bytes: number): void => {
    unpacked += bytes;
    if (unpacked > maxManifestBytes) throw new Error("The manifest is too large.");
  };
  for await (const { name, content } of tarEntries(Readable.from(partsOf(objects, objectKey)), meter)) {
    if (name !== manifestName) break;
    return json(content);
  }
  throw new Error("The bundle does not begin with its manifest.");
}

async function* partsOf(objects: Pick<ObjectStore, "read">, objectKey: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const part = await objects.read(objectKey, at, partBytes);
    if (part === undefined) throw new Error("The bundle is missing.");
    if (part.bytes.length > 0) yield part.bytes;
    at += part.bytes.length;
    if (part.bytes.length === 0 || at >= part.size) return;
  }
}
