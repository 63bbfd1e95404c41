import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../source/index.js";
import { diagnosticCollector } from "./collect-diagnostics.js";
import { plainOf } from "./json-value.js";
import { parseJson } from "./parse-json.js";
import { jsonFileReader } from "./read-json-file.js";
import { upgradeMintJson } from "./upgrade-mint-json.js";

/** The settings of mint.json as those of docs.json; without them if the file cannot be read. */
export function readMintJson(files: SiteFiles): {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { report, sorted } = diagnosticCollector("mint.json");
  const file = jsonFileReader(files, report)("mint.json");
  const root = file && parseJson(file, report);
  const upgraded = root?.kind === "object" ? upgradeMintJson(root, report) : undefined;
  const settings = upgraded && (plainOf(upgraded) as Record<string, unknown>);
  return { ...(settings && { settings }), diagnostics: sorted() };
}
