import { parseDocument } from "yaml";
import { nearestName } from "../lib/diagnostic/index.js";
import { BundleRefused, isRecord, shown } from "./refusal.js";

/** `staticExport` of a values file: which bundle is served. */
export interface StaticExportValues {
  readonly enabled: boolean;
  /** https://, or http:// within a private network, or file:// on this machine. A signed link is a secret. */
  readonly bundleUrl?: string;
  /** The pinned version: see `pinOf`. */
  readonly version?: string;
}

const known = ["enabled", "bundleUrl", "version"];
const longestValue = 4096;

/**
 * Reads `staticExport` from the text of a values file, YAML or JSON. Other sections are ignored.
 *
 * @throws {BundleRefused} that names the value and says what is allowed, without quoting the link.
 */
export function readValues(text: string): StaticExportValues {
  const section = readSection(text);
  for (const name of Object.keys(section))
    if (!known.includes(name)) {
      const near = nearestName(name, known);
      throw refused(
        `there is no value staticExport.${name}`,
        near ? `did you mean "${near}"?` : `there are ${known.join(", ")}`,
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
    throw refused("staticExport.bundleUrl is not a link", "write the whole bundleUrl from the service, in quotes");
  if (enabled && url === undefined)
    throw refused("staticExport.bundleUrl is missing", "write the bundleUrl from the service");
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

const isText = (value: unknown): value is string => typeof value === "string" && value.length <= longestValue;

const isLink = (value: unknown): value is string =>
  isText(value) && URL.canParse(value) && ["https:", "http:", "file:"].includes(new URL(value).protocol);

const refused = (what: string, fix: string): BundleRefused =>
  new BundleRefused(`The values are refused: ${what}; ${fix}.`);
