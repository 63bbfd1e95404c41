import { BundleRefused } from "./refusal.js";

/**
 * What `staticExport.version` pins:
 *
 * - `se_…`, a job: the link must be one of that job.
 * - `sha256:` and 64 digits, an archive: its bytes must have that hash.
 * - any other text, a name: the first bundle that is fetched under it is the one it means from then on.
 *
 * Whatever it is, a bundle that was unpacked under it is served without being fetched again.
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

/** @throws {BundleRefused} if the link is another job's than the pinned one: nothing is to be fetched. */
export function refuseOtherJob(version: string, url: string): void {
  const pin = pinOf(version);
  if (pin.kind !== "job") return;
  const names = new URL(url).pathname.split("/");
  if (names.includes(pin.jobId)) return;
  const other = names.find((name) => pinOf(name).kind === "job");
  throw new BundleRefused(
    `staticExport.version pins the job ${pin.jobId}, but bundleUrl is a link ${other ? `of the job ${other}` : "of no job"}. Write the link and the version of one job.`,
  );
}

/** @throws {BundleRefused} if the archive is another than the pinned one. */
export function refuseOtherArchive(version: string, sha256: string): void {
  const pin = pinOf(version);
  if (pin.kind === "archive" && pin.sha256 !== sha256)
    throw new BundleRefused(
      `staticExport.version pins the archive ${version}, but what was fetched is sha256:${sha256}. Write the version of this archive, or a link to the other.`,
    );
}
