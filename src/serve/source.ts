import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { archiveFormatOf } from "../bundle/archive/index.js";
import { BundleRefused } from "./refusal.js";

/** Where the bundle of a deployment comes from. */
export type Source =
  | BundleSource
  /** A file that holds a link, and may hold another one later. */
  | { readonly kind: "values"; readonly path: string };

export type BundleSource =
  /** What `offprint export` wrote: served where it stands. */
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string }
  | { readonly kind: "link"; readonly url: string };

/** @throws {BundleRefused} if it is none of them. */
export function sourceOf(written: string): Source {
  if (/^https?:\/\//i.test(written)) return sourceOfLink(written);
  const path = resolve(written);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new BundleRefused(`There is no "${written}".`);
  if (stats.isDirectory()) return { kind: "folder", path };
  if (/\.(ya?ml|json)$/i.test(path)) return { kind: "values", path };
  return archiveAt(path);
}

/** @throws {BundleRefused} if it leads to what cannot be served. */
export function sourceOfLink(url: string): BundleSource {
  if (!URL.canParse(url)) throw new BundleRefused("The link is no address.");
  return new URL(url).protocol === "file:" ? archiveAt(fileURLToPath(url)) : { kind: "link", url };
}

function archiveAt(path: string): BundleSource {
  const format = archiveFormatOf(path);
  if (format === "tar.gz") return { kind: "archive", path };
  throw new BundleRefused(
    format === "zip"
      ? `"${path}" is a .zip, which is for readers. Serve the .tar.gz of the same site, or the folder that it unpacks to.`
      : `"${path}" is neither a bundle's folder, nor a .tar.gz, nor a values file (.yaml, .json).`,
  );
}

/** A link as a log may hold it: what signs it stands behind the "?". */
export function withoutSecrets(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
}
