import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { manifestName } from "../bundle/archive/index.js";
import { BundleRefused } from "./refusal.js";
import { type BundleSource, type Source, sourceOfLink } from "./source.js";
import { readValues } from "./values.js";

/** What is to be served, as far as can be told without fetching it. */
export interface Wish {
  /** `none`: the values turn static export off. */
  readonly source: BundleSource | { readonly kind: "none" };
  readonly version?: string;
  /** SHA-256 of the link or path: enough to know it by, and nothing to fetch with. */
  readonly linkId: string;
  /** Differs when something else is wanted. */
  readonly key: string;
}

const largestValuesBytes = 1024 * 1024;

/**
 * Looks at a source as it stands now.
 *
 * @throws {BundleRefused} if the values are not to be understood.
 * @throws {Error} of the file system.
 */
export function readWish(source: Source): Wish {
  if (source.kind !== "values") return wishFor(source);
  if (statSync(source.path).size > largestValuesBytes)
    throw new BundleRefused(`The values are refused: "${source.path}" is larger than ${largestValuesBytes} bytes.`);
  const { enabled, bundleUrl, version } = readValues(readFileSync(source.path, "utf8"));
  return enabled ? wishFor(sourceOfLink(bundleUrl!), version) : { source: { kind: "none" }, linkId: "", key: "none" };
}

function wishFor(source: BundleSource, version?: string): Wish {
  const linkId = createHash("sha256")
    .update(source.kind === "link" ? source.url : source.path)
    .digest("hex");
  if (source.kind === "link") return { source, version, linkId, key: keyOf({ linkId, version }) };
  const file = source.kind === "folder" ? join(source.path, manifestName) : source.path;
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return { source, version, linkId, key: `${keyOf({ linkId, version })} ${mtimeMs} ${size}` };
}

/** The key of a link, and of what was fetched from it. */
export const keyOf = ({ linkId, version = "" }: { readonly linkId: string; readonly version?: string }): string =>
  `${linkId} ${version}`;
