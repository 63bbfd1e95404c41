import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { archiveFormatOf } from "../bundle/archive/index.js";
import { BundleRefused } from "./refusal.js";

/** Where a bundle comes from. */
export type Source =
  | BundleSource
  /** A file that contains a link, and may contain another one later. */
  | { readonly kind: "values"; readonly path: string };

export type BundleSource =
  /** The output of `offprint export`, served in place. */
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string }
  | { readonly kind: "link"; readonly url: string };

/** @throws {BundleRefused} if it is not a source. */
export function sourceOf(written: string): Source {
  if (/^https?:\/\//i.test(written)) return sourceOfLink(written);
  const path = resolve(written);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new BundleRefused(`There is no file or folder "${written}".`);
  if (stats.isDirectory()) return { kind: "folder", path };
  if (/\.(ya?ml|json)$/i.test(path)) return { kind: "values", path };
  return archiveAt(path);
}

/** @throws {BundleRefused} if it does not lead to a bundle. */
export function sourceOfLink(url: string): BundleSource {
  if (!URL.canParse(url)) throw new BundleRefused("The link is not a URL.");
  return new URL(url).protocol === "file:" ? archiveAt(fileURLToPath(url)) : { kind: "link", url };
}

function archiveAt(path: string): BundleSource {
  if (archiveFormatOf(path) !== undefined) return { kind: "archive", path };
  throw new BundleRefused(
    `"${path}" is not a bundle: give its folder, its .zip or .tar.gz, or a values file (.yaml, .json).`,
  );
}

/** A link for the log, without the query that signs it. */
export function withoutSecrets(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
}
