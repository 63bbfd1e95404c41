import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type GuardedDownloadOptions, guardedDownload } from "../lib/fetch/index.js";
import type { BundleStore } from "./bundle-store.js";
import { type BundleLimits, BundleRefused } from "./refusal.js";
import { type BundleSource, withoutSecrets } from "./source.js";
import { unpack, type VerifiedBundle, verifyFolder } from "./verify-bundle.js";

export interface FetchOptions {
  readonly limits: BundleLimits;
  /** How links are fetched. Private networks are allowed: the operator of the server writes the links. */
  readonly download: Omit<GuardedDownloadOptions, "maxBytes" | "allowPrivate">;
  readonly now: () => number;
}

interface FetchedBundle extends VerifiedBundle {
  readonly folder: string;
  /** ISO 8601; undefined for a folder, which is served in place. */
  readonly fetchedAt?: string;
}

/**
 * Puts the bundle of a source into the store, and fetches it first unless the store has the pinned version.
 *
 * Fails: the store is unchanged, except that a damaged bundle is removed.
 * Stops: once `signal` aborts, rejects with its reason.
 *
 * @throws {BundleRefused} that says what is wrong with the link, the archive or the folder, and how to fix it, without secrets.
 */
export async function fetchBundle(
  { source, version }: { readonly source: BundleSource; readonly version?: string },
  store: BundleStore,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedBundle> {
  if (source.kind === "folder") return await verified(source.path, options.limits, signal);
  const stored = version === undefined ? undefined : store.ofVersion(version);
  if (stored !== undefined) {
    const intact = await verified(stored.folder, options.limits, signal).catch(unlessRefused);
    if (intact?.bundleId === stored.bundleId) return { ...intact, fetchedAt: stored.fetchedAt };
    store.remove(stored.bundleId);
  }
  const incoming = store.openIncoming();
  try {
    const archive = source.kind === "archive" ? source.path : join(incoming.path, "archive");
    if (source.kind === "link") await fetchArchive(source.url, archive, version, options, signal);
    const draft = join(incoming.path, "bundle");
    mkdirSync(draft);
    const unpacked = await unpack(archive, draft, options.limits, signal);
    const fetchedAt = new Date(options.now()).toISOString();
    return { ...(await addToStore(draft, unpacked, store, options.limits, signal)), fetchedAt };
  } finally {
    await incoming.remove();
  }
}

const verified = async (folder: string, limits: BundleLimits, signal: AbortSignal): Promise<FetchedBundle> => ({
  ...(await verifyFolder(folder, limits, signal)),
  folder,
});

async function fetchArchive(
  url: string,
  archive: string,
  version: string | undefined,
  { limits, download }: FetchOptions,
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
      ? " Links expire: request a new one (POST …/jobs/{jobId}/bundle), and put it into the values."
      : "";
    throw new BundleRefused(`${withoutSecrets(url)} could not be fetched: ${outcome.reason}.${hint}`);
  }
  if (version !== undefined) refuseOtherArchive(version, outcome.sha256);
}

/** Adds the unpacked bundle to the store, in place of a damaged copy. */
async function addToStore(
  draft: string,
  unpacked: VerifiedBundle,
  store: BundleStore,
  limits: BundleLimits,
  signal: AbortSignal,
): Promise<FetchedBundle> {
  const { folder, isNew } = store.add(draft, unpacked.bundleId);
  if (isNew) return { ...unpacked, folder };
  const intact = await verified(folder, limits, signal).catch(unlessRefused);
  if (intact?.bundleId === unpacked.bundleId) return intact;
  store.remove(unpacked.bundleId);
  return { ...unpacked, folder: store.add(draft, unpacked.bundleId).folder };
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof BundleRefused)) throw error;
}

/**
 * What `staticExport.version` pins:
 *
 * - `se_…` pins a job: the link must be of that job.
 * - `sha256:` and 64 digits pin an archive: its bytes must have that hash.
 * - any other text is a name: the first bundle fetched under it is kept for it.
 *
 * A bundle that was unpacked for a version is served without fetching it again.
 */
type Pin =
  | { readonly kind: "job"; readonly jobId: string }
  | { readonly kind: "archive"; readonly sha256: string }
  | { readonly kind: "name" };

function pinOf(version: string): Pin {
  if (/^se_[0-9A-Za-z]+$/.test(version)) return { kind: "job", jobId: version };
  const sha256 = /^sha256:([0-9a-f]{64})$/i.exec(version)?.[1];
  return sha256 === undefined ? { kind: "name" } : { kind: "archive", sha256: sha256.toLowerCase() };
}

/** @throws {BundleRefused} if the link is of another job than the pinned one. */
function refuseOtherJob(version: string, url: string): void {
  const pin = pinOf(version);
  if (pin.kind !== "job") return;
  const names = new URL(url).pathname.split("/");
  if (names.includes(pin.jobId)) return;
  const other = names.find((name) => pinOf(name).kind === "job");
  throw new BundleRefused(
    `staticExport.version pins the job ${pin.jobId}, but bundleUrl belongs to ${other ? `the job ${other}` : "no job"}. Use the link and the version of the same job.`,
  );
}

/** @throws {BundleRefused} if the archive is not the pinned one. */
function refuseOtherArchive(version: string, sha256: string): void {
  const pin = pinOf(version);
  if (pin.kind === "archive" && pin.sha256 !== sha256)
    throw new BundleRefused(
      `staticExport.version pins the archive ${version}, but the link returned sha256:${sha256}. Use the version of this archive, or a link to the pinned one.`,
    );
}
