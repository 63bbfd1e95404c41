/** Offprint as a library: everything here is public, and nothing else is. What only a service needs is loaded when it is called. */

import type { ServedDeployment, ServeOptions } from "./serve/index.js";
import type { Api, ApiParts } from "./service/api/index.js";
import type { ServiceWorkerOptions, Store, StoreOptions } from "./service/index.js";

export type { BundleFile } from "./bundle/archive/index.js";
export { type ArchiveResult, createArchive, type Manifest, OutputNotOursError } from "./bundle/archive/index.js";
export type { Deployment, ExportOptions, ExportPhase, ExportProgress, ExportResult } from "./export/export-options.js";
export { exportSite } from "./export/export-site.js";
export { type LoadedSite, type LoadOptions, loadSite } from "./export/load-site.js";
export type { Diagnostic, Place } from "./lib/diagnostic/index.js";
export type { ExternalUse } from "./page/render/rendered-page.js";
export type { ServedDeployment, ServeOptions } from "./serve/index.js";
export type { Api, ApiOptions, ApiParts } from "./service/api/index.js";
export type { ServiceWorkerOptions, Store, StoreOptions } from "./service/index.js";
export type { Site } from "./site/discover/index.js";

/**
 * Opens what a service knows and keeps: SQLite and files in a folder, or PostgreSQL and an S3 bucket.
 *
 * @throws {Error} that says which of them cannot be opened, without secrets.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  return (await import("./service/index.js")).openStore(options);
}

/**
 * The HTTP API over a store, as a function from `Request` to `Response` for whatever server there is.
 *
 * @throws {RangeError} if an option cannot be meant.
 */
export async function createApi(parts: ApiParts): Promise<Api> {
  return (await import("./service/api/index.js")).createApi(parts);
}

/**
 * Takes jobs and exports each in a process of its own, until `signal` aborts; keeps the store in order meanwhile, and tells
 * webhooks.
 *
 * Out: resolves once every job has ended or has been given back.
 */
export async function runWorker(options: ServiceWorkerOptions): Promise<void> {
  return (await import("./service/index.js")).runServiceWorker(options);
}

/**
 * Serves a bundle over HTTP as a deployment does: from its folder, its `.tar.gz`, a link to that, or a values file with the
 * link, which is looked at again and again.
 *
 * Out:    resolves when it listens and the bundle was tried once; the last good one is served on whatever fails later.
 *
 * @throws {Error} if there is no such source, or the port is taken.
 */
export async function serveBundle(options: ServeOptions): Promise<ServedDeployment> {
  return (await import("./serve/index.js")).serveBundle(options);
}
