import { compareDiagnostics, type Diagnostic } from "../../lib/diagnostic/index.js";
import { invalidUtf8, type SiteFiles } from "../source/index.js";
import { type JsonFile, jsonFile, type Report } from "./json-value.js";

/** Limit for all files of a configuration together, in UTF-16 code units. */
const maxConfigLength = 16 * 1024 * 1024;

/** Reads files of the configuration, up to `maxConfigLength` in total. */
export function jsonFileReader(files: SiteFiles, report: Report): (sourcePath: string) => JsonFile | undefined {
  let room = maxConfigLength;
  return (sourcePath) => {
    const fail = (code: string, what: string, fix: string): undefined =>
      void report({ code, severity: "error", what, location: { sourcePath }, fix });
    let text: string;
    try {
      text = files.readText(sourcePath);
    } catch (error) {
      const { cause } = error as Error;
      const what = `${sourcePath} cannot be read: ${cause instanceof Error ? cause.message : String(error)}.`;
      const fix = `make the file readable for the user who runs the export, for example with "chmod a+r ${sourcePath}".`;
      return fail("CONFIG_UNREADABLE", what, fix);
    }
    for (const fault of invalidUtf8(files, sourcePath, text)) report(fault);
    room -= text.length;
    if (room >= 0) return jsonFile(sourcePath, text);
    const what = `With this file, the configuration is larger than ${maxConfigLength / 1024 / 1024} MiB.`;
    const fix = "keep only settings in it, and move specifications and data to separate files.";
    return fail("CONFIG_TOO_LARGE", what, fix);
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
  const diagnostics: Diagnostic[] = [];
  let moreCount = 0;
  return {
    report: (fault) => {
      if (diagnostics.length === maxDiagnosticCount) moreCount += 1;
      else diagnostics.push(typeof fault === "function" ? fault() : fault);
    },
    hasErrors: () => diagnostics.some(({ severity }) => severity === "error"),
    sorted: () => {
      if (moreCount === 0) return diagnostics.sort(compareDiagnostics);
      const rest: Diagnostic = {
        code: "CONFIG_MORE_FAULTS",
        severity: "warning",
        what: `The configuration has ${moreCount} more faults than the ${maxDiagnosticCount} listed.`,
        location: { sourcePath },
        fix: "fix the listed ones first.",
      };
      return [...diagnostics, rest].sort(compareDiagnostics);
    },
  };
}
