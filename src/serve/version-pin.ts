import { BundleRefused } from "./refusal.js";

/**
 * What `staticExport.version` pins:
 *
 * - `se_…` pins a job: the link must be of that job.
 * - `sha256:` and 64 digits pin an archive: its bytes must have that hash.
 * - any other text is a name: the first bundle fetched under it is kept for it.
 *
 * A bundle that was unpacked for a version is served without fetching it again.
 */
export type Pin =
  | { readonly kind: "job"; readonly jobId: string }
  | { readonly kind: "archive"; readonly sha256: string }
  | { readonly kind: "name" };

export function pinOf(version: string): Pin {
  if (/^se_[0-9A-Za-z]+$/.test(version)) return { kind: "job", jobId: version };
  const sha256 = /^sha256:([0-9a-f]{64})$/i.exec(version)?.[1];
  return sha256 === undefined ? { kind: "name" } : { kind: "archive", sha256: sha256.toLowerCase() };
}

/** @throws {BundleRefused} if the link is of another job than the pinned one. */
export function refuseOtherJob(version: string, url: string): void {
  const pin = pinOf(version);
  if (pin.kind !== "job") return;
  const names = new URL(url).pathname.split("/");
  if (names.includes(pin.jobId)) return;
  const other = names.find((name) => pinOf(name).kind === "job");
  throw new BundleRefused(
    `staticExport.version pins the job ${pin.jobId}, but bundleUrl is a link ${other ? `of the job ${other}` : "of no job"}. Write the link and the version of the same job.`,
  );
}

/** @throws {BundleRefused} if the archive is not the pinned one. */
export function refuseOtherArchive(version: string, sha256: string): void {
  const pin = pinOf(version);
  if (pin.kind === "archive" && pin.sha256 !== sha256)
    throw new BundleRefused(
      `staticExport.version pins the archive ${version}, but the link leads to sha256:${sha256}. Write the version of this archive, or a link to the pinned one.`,
    );
}
