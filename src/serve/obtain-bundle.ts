import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type GuardedDownloadOptions, guardedDownload } from "../lib/fetch/index.js";
import type { BundleLimits } from "./read-manifest.js";
import { BundleRefused } from "./refusal.js";
import type { Shelf } from "./shelf.js";
import { type BundleSource, withoutSecrets } from "./source.js";
import { type Unpacked, unpack } from "./unpack.js";
import { verifyFolder } from "./verify-folder.js";
import { refuseOtherArchive, refuseOtherJob } from "./version-pin.js";

export interface ObtainOptions {
  readonly limits: BundleLimits;
  /** How links are fetched; private networks are allowed, since links come from whoever runs the deployment. */
  readonly download: Omit<GuardedDownloadOptions, "maxBytes" | "allowPrivate">;
  readonly now: () => number;
}

/** A bundle that was verified just now. */
export interface Obtained extends Unpacked {
  /** Where it stands. */
  readonly folder: string;
  /** ISO 8601; absent for a folder, which is served where it is. */
  readonly fetchedAt?: string;
}

/**
 * Brings the bundle that is wanted onto the shelf, by fetching it where it is not there under the pinned version.
 *
 * Fails: the shelf is as it was, but for a bundle found damaged, which is removed from it.
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {BundleRefused} with what is wrong with the link, the archive or the folder, and what to do; it holds no secret.
 */
export async function obtainBundle(
  { source, version }: { readonly source: BundleSource; readonly version?: string },
  shelf: Shelf,
  options: ObtainOptions,
  signal: AbortSignal,
): Promise<Obtained> {
  if (source.kind === "folder") return await verified(source.path, options.limits, signal);
  const kept = version === undefined ? undefined : shelf.ofVersion(version);
  if (kept !== undefined) {
    const whole = await verified(kept.folder, options.limits, signal).catch(unlessRefused);
    if (whole?.bundleId === kept.bundleId) return { ...whole, fetchedAt: kept.fetchedAt };
    shelf.remove(kept.bundleId);
  }
  const incoming = shelf.openIncoming();
  try {
    const archive = source.kind === "archive" ? source.path : join(incoming.path, "bundle.tar.gz");
    if (source.kind === "link") await fetchArchive(source.url, archive, version, options, signal);
    const draft = join(incoming.path, "bundle");
    mkdirSync(draft);
    const unpacked = await unpack(archive, draft, options.limits, signal);
    const fetchedAt = new Date(options.now()).toISOString();
    return { ...(await placed(draft, unpacked, shelf, options.limits, signal)), fetchedAt };
  } finally {
    await incoming.remove();
  }
}

const verified = async (folder: string, limits: BundleLimits, signal: AbortSignal): Promise<Obtained> => ({
  ...(await verifyFolder(folder, limits, signal)),
  folder,
});

async function fetchArchive(
  url: string,
  archive: string,
  version: string | undefined,
  { limits, download }: ObtainOptions,
  signal: AbortSignal,
): Promise<void> {
  if (version !== undefined) refuseOtherJob(version, url);
  const outcome = await guardedDownload(
    url,
    archive,
    { ...download, maxBytes: limits.maxBytes, allowPrivate: true },
    signal,
  );
  if (!outcome.ok) {
    const hint = [401, 403, 410].includes(outcome.status ?? 0)
      ? " Links expire: ask for a new one (POST …/jobs/{jobId}/bundle) and write it into the values."
      : "";
    throw new BundleRefused(`${withoutSecrets(url)} was not fetched because ${outcome.reason}.${hint}`);
  }
  if (version !== undefined) refuseOtherArchive(version, outcome.sha256);
}

/** Puts what was unpacked in its place. What stood there before is the same bundle, unless it was damaged since. */
async function placed(
  draft: string,
  unpacked: Unpacked,
  shelf: Shelf,
  limits: BundleLimits,
  signal: AbortSignal,
): Promise<Obtained> {
  const { folder, isNew } = shelf.place(draft, unpacked.bundleId);
  if (isNew) return { ...unpacked, folder };
  const whole = await verified(folder, limits, signal).catch(unlessRefused);
  if (whole?.bundleId === unpacked.bundleId) return whole;
  shelf.remove(unpacked.bundleId);
  return { ...unpacked, folder: shelf.place(draft, unpacked.bundleId).folder };
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof BundleRefused)) throw error;
}
