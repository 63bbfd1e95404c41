import { compareDiagnostics, type Diagnostic } from "../../lib/diagnostic/index.js";
import { invalidUtf8, type SiteFiles } from "../source/index.js";
import { type JsonFile, jsonFile, type Report } from "./json-value.js";

/** Limit for all files of a configuration together, in UTF-16 code units. */
const maxConfigLength = 16 * 1024 * 1024;

/** Reads files of the configuration, up to `maxConfigLength` in total. */
export function jsonFileReader(files: SiteFiles, report: Report): (sourcePath: string) => JsonFile | undefined {
  let left = maxConfigLength;
  return (sourcePath) => {
    const location = { sourcePath };
    let text: string;
    try {
      text = files.readText(sourcePath);
    } catch (error) {
      const reason =
        (error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : String(error);
      report({
        code: "CONFIG_UNREADABLE",
        severity: "error",
        what: `${sourcePath} cannot be read: ${reason}.`,
        location,
        fix: `make it a file that the user who runs the export can read, for example with "chmod a+r ${sourcePath}".`,
      });
      return undefined;
    }
    for (const fault of invalidUtf8(files, sourcePath, text)) report(fault);
    left -= text.length;
    if (left >= 0) return jsonFile(sourcePath, text);
    report({
      code: "CONFIG_TOO_LARGE",
      severity: "error",
      what: `The configuration is larger than ${maxConfigLength / 1024 / 1024} MiB with this file.`,
      location,
      fix: "keep only settings in it; specifications and data belong in files of their own.",
    });
    return undefined;
  };
}

/** Further faults of one configuration are only counted: a hostile file has millions. */
const maxDiagnosticCount = 500;

interface DiagnosticCollector {
  readonly report: Report;
  /** Whether an error has been reported so far. */
  hasErrors(): boolean;
  /** The reported diagnostics, in printing order. */
  sorted(): Diagnostic[];
}

export function diagnosticCollector(sourcePath: string): DiagnosticCollector {
  const kept: Diagnostic[] = [];
  let moreCount = 0;
  return {
    report: (diagnostic) => {
      if (kept.length < maxDiagnosticCount) kept.push(typeof diagnostic === "function" ? diagnostic() : diagnostic);
      else moreCount += 1;
    },
    hasErrors: () => kept.some(({ severity }) => severity === "error"),
    sorted: () => {
      if (moreCount === 0) return kept.sort(compareDiagnostics);
      const rest: Diagnostic = {
        code: "CONFIG_MORE_FAULTS",
        severity: "warning",
        what: `The configuration has ${moreCount} more faults than the ${maxDiagnosticCount} listed.`,
        location: { sourcePath },
        fix: "correct the listed ones first.",
      };
      return [...kept, rest].sort(compareDiagnostics);
    },
  };
}
