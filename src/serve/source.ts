import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseDocument } from "yaml";
import { archiveFormatOf, manifestName } from "../bundle/archive/index.js";
import { nearestName } from "../lib/diagnostic/index.js";
import { isRecord } from "../lib/json/index.js";
import { BundleRefused, shown } from "./refusal.js";

/** Where a bundle comes from. */
export type Source =
  | BundleSource
  /** A file that contains a link, which may change. */
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
function sourceOfLink(url: string): BundleSource {
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

/** The bundle that the source asks for, as far as it is known without fetching it. */
export interface DesiredState {
  /** `none`: the values turn static export off. */
  readonly source: BundleSource | { readonly kind: "none" };
  readonly version?: string;
  /** SHA-256 of the link or path: it identifies a signed link without containing it. */
  readonly linkId: string;
  /** Changes when the source asks for another bundle. */
  readonly key: string;
}

const maxValuesBytes = 1024 * 1024;

/** The current state of a source. @throws {BundleRefused} for invalid values. @throws {Error} of the file system. */
export function readDesiredState(source: Source): DesiredState {
  if (source.kind !== "values") return stateFor(source);
  if (statSync(source.path).size > maxValuesBytes)
    throw new BundleRefused(`The values are refused: "${source.path}" is larger than ${maxValuesBytes} bytes.`);
  const { enabled, bundleUrl, version } = readValues(readFileSync(source.path, "utf8"));
  return enabled ? stateFor(sourceOfLink(bundleUrl!), version) : { source: { kind: "none" }, linkId: "", key: "none" };
}

function stateFor(source: BundleSource, version?: string): DesiredState {
  const linkId = hash("sha256", source.kind === "link" ? source.url : source.path);
  if (source.kind === "link") return { source, version, linkId, key: linkKey({ linkId, version }) };
  const file = source.kind === "folder" ? join(source.path, manifestName) : source.path;
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return { source, version, linkId, key: `${linkKey({ linkId, version })} ${mtimeMs} ${size}` };
}

/** The key of a link, and of the bundle that was fetched from it. */
export const linkKey = ({ linkId, version = "" }: { readonly linkId: string; readonly version?: string }): string =>
  `${linkId} ${version}`;

/** `staticExport` of a values file: which bundle is served. */
interface StaticExportValues {
  readonly enabled: boolean;
  /** https://, or http:// within a private network, or file:// on this machine. A signed link is a secret. */
  readonly bundleUrl?: string;
  /** The pinned version: see `pinOf`. */
  readonly version?: string;
}

const valueNames = ["enabled", "bundleUrl", "version"];
const maxValueLength = 4096;

/**
 * Reads `staticExport` from the text of a values file, YAML or JSON. Other sections are ignored.
 *
 * @throws {BundleRefused} that names the value and says what is allowed, without quoting the link.
 */
export function readValues(text: string): StaticExportValues {
  const section = readSection(text);
  for (const name of Object.keys(section))
    if (!valueNames.includes(name)) {
      const near = nearestName(name, valueNames);
      throw refused(
        `staticExport.${name} does not exist`,
        near ? `did you mean "${near}"?` : `the values are ${valueNames.join(", ")}`,
      );
    }
  const { enabled, bundleUrl, version } = section;
  if (typeof enabled !== "boolean")
    throw refused(
      `staticExport.enabled is ${enabled === undefined ? "missing" : shown(enabled)}`,
      "write true or false",
    );
  if (version !== undefined && version !== null && !isText(version))
    throw refused(`staticExport.version is ${shown(version)}`, `write it as a string, in quotes: "2024-06-01"`);
  const url = bundleUrl === null || bundleUrl === "" ? undefined : bundleUrl;
  if (url !== undefined && !isLink(url))
    throw refused("staticExport.bundleUrl is not a link", "copy the complete bundleUrl from the service, in quotes");
  if (enabled && url === undefined)
    throw refused("staticExport.bundleUrl is missing", "copy the bundleUrl from the service");
  return {
    enabled,
    bundleUrl: url as string | undefined,
    version: isText(version) && version !== "" ? version : undefined,
  };
}

function readSection(text: string): Record<string, unknown> {
  const document = parseDocument(text, { schema: "core", uniqueKeys: true });
  const [fault] = document.errors;
  if (fault) {
    const at = fault.linePos?.[0];
    throw refused(
      `they are not valid YAML: ${fault.code}${at ? ` at line ${at.line}, column ${at.col}` : ""}`,
      "correct it",
    );
  }
  const values: unknown = document.toJS({ maxAliasCount: 100 });
  const section = isRecord(values) ? values["staticExport"] : undefined;
  if (!isRecord(section))
    throw refused("staticExport is missing", "write staticExport with enabled and bundleUrl below it");
  return section;
}

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= maxValueLength;

const isLink = (value: unknown): value is string =>
  isText(value) && URL.canParse(value) && ["https:", "http:", "file:"].includes(new URL(value).protocol);

const refused = (what: string, fix: string): BundleRefused =>
  new BundleRefused(`The values are refused: ${what}; ${fix}.`);
