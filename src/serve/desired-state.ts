import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { manifestName } from "../bundle/archive/index.js";
import { BundleRefused } from "./refusal.js";
import { type BundleSource, type Source, sourceOfLink } from "./source.js";
import { readValues } from "./values.js";

/** What the source asks to be served; known without fetching it. */
export interface DesiredState {
  /** `none`: the values turn static export off. */
  readonly source: BundleSource | { readonly kind: "none" };
  readonly version?: string;
  /** SHA-256 of the link or path: it identifies a signed link without containing it. */
  readonly linkId: string;
  /** Changes when the source asks for something else. */
  readonly key: string;
}

const largestValuesBytes = 1024 * 1024;

/**
 * Reads the current state of a source.
 *
 * @throws {BundleRefused} if the values are invalid.
 * @throws {Error} of the file system.
 */
export function readDesiredState(source: Source): DesiredState {
  if (source.kind !== "values") return stateFor(source);
  if (statSync(source.path).size > largestValuesBytes)
    throw new BundleRefused(`The values are refused: "${source.path}" is larger than ${largestValuesBytes} bytes.`);
  const { enabled, bundleUrl, version } = readValues(readFileSync(source.path, "utf8"));
  return enabled ? stateFor(sourceOfLink(bundleUrl!), version) : { source: { kind: "none" }, linkId: "", key: "none" };
}

function stateFor(source: BundleSource, version?: string): DesiredState {
  const linkId = createHash("sha256")
    .update(source.kind === "link" ? source.url : source.path)
    .digest("hex");
  if (source.kind === "link") return { source, version, linkId, key: linkKey({ linkId, version }) };
  const file = source.kind === "folder" ? join(source.path, manifestName) : source.path;
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return { source, version, linkId, key: `${linkKey({ linkId, version })} ${mtimeMs} ${size}` };
}

/** The key of a link, and of a bundle that was fetched from it. */
export const linkKey = ({ linkId, version = "" }: { readonly linkId: string; readonly version?: string }): string =>
  `${linkId} ${version}`;
